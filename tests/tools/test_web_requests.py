"""A short run of odd requests, always the same."""

from collections.abc import Iterator
from random import Random

import pytest

from tests.thorough import some
from tools.fuzz import web_requests


@pytest.fixture(scope="module")
def target() -> Iterator[web_requests.Target]:
    with web_requests.target() as served:
        yield served


@pytest.mark.parametrize("seed", some(range(30), quick=[0, 1, 2]))
def test_odd_requests_get_an_answer_of_ours_and_leave_nothing_in_the_log(
    target: web_requests.Target, seed: int
) -> None:
    web_requests.check(Random(seed), target)


PATHS = [
    "/item/{number}",
    "/p/{token}",
    "/static/{name}",
    "/research/export/{file}",
    "/research/analysis/{path:path}",
]


@pytest.mark.parametrize("path", some(PATHS, quick=["/item/{number}", "/research/export/{file}"]))
def test_odd_ends_of_a_path_get_an_answer_of_ours(target: web_requests.Target, path: str) -> None:
    web_requests.check_parts(target, path)


def test_every_path_with_a_place_is_among_those_that_are_tried(target: web_requests.Target) -> None:
    assert sorted(PATHS) == sorted(route.path for route in target.routes if "{" in route.path)
