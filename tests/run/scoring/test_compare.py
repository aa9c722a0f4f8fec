"""Systems compared from Python."""

from typing import Any

import pytest

import kilter
from kilter.core.errors import KilterError

LINES = [f"word {n} stands here now" for n in range(30)]
TURNED = [" ".join(reversed(line.split())) for line in LINES]
SYSTEMS = {"kept": LINES, "turned": TURNED, "again": LINES}


def test_the_baseline_is_the_first_system_or_the_one_that_is_named() -> None:
    assert kilter.compare(SYSTEMS, LINES, metrics="kendall").baseline == "kept"
    named = kilter.compare(SYSTEMS, LINES, metrics="kendall", baseline="turned")
    assert named.baseline == "turned"
    pair = named.metrics[0].pair("turned", "kept")
    assert pair is not None
    assert pair.difference == 1.0


def test_only_the_tests_that_are_asked_for_are_made() -> None:
    made = kilter.compare(SYSTEMS, LINES, metrics="kendall", tests=["permutation"])
    (metric,) = made.metrics
    assert [str(test) for test in made.tests] == ["permutation"]
    assert {str(test) for test in metric.pairs[0].p} == {"permutation"}


def test_equal_systems_differ_by_nothing() -> None:
    pair = kilter.compare(SYSTEMS, LINES, metrics="kendall").metrics[0].pair("kept", "again")
    assert pair is not None
    assert (pair.difference, pair.low, pair.high) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"baseline": "nobody"}, "nobody"),
        ({"tests": ["sign"]}, "sign"),
        ({"tests": "permutation"}, "tests"),
        ({"metrics": "bleux"}, "there is no metric 'bleux'"),
    ],
)
def test_what_cannot_be_compared_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(KilterError, match=message):
        kilter.compare(SYSTEMS, LINES, **options)


def test_one_system_is_no_comparison() -> None:
    with pytest.raises(KilterError, match="a comparison needs two or more"):
        kilter.compare(LINES, LINES)


def test_what_rests_on_one_segment_with_a_score_has_no_interval() -> None:
    words = [f"w{number}" for number in range(60)]
    right = [" ".join(words), *["ja nein"] * 29]
    moved = [" ".join([words[1], words[0], *words[2:]]), *right[1:]]
    (metric,) = kilter.compare({"right": right, "moved": moved}, right, metrics="order").metrics
    (pair,) = metric.pairs
    assert pair.difference is not None
    assert (pair.low, pair.high, pair.mark) == (None, None, None)
    assert [interval.low for interval in metric.intervals] == [None, None]
