"""What was meant by a name that does not exist."""

import pytest

from kilter.core.registry import suggestion

NAMES = ["score", "compare", "pet-count", "Wide"]


@pytest.mark.parametrize(
    ("name", "meant"),
    [("scor", "score"), ("SCORE", "score"), ("pet_count", "pet-count"), ("wide", "Wide")],
)
def test_the_nearest_name_is_asked_after(name: str, meant: str) -> None:
    assert suggestion(name, NAMES) == f"did you mean {meant}?"


@pytest.mark.parametrize("name", ["", "x", "quality", "stone"])
def test_where_no_name_is_near_nothing_is_asked(name: str) -> None:
    assert suggestion(name, NAMES) == ""
