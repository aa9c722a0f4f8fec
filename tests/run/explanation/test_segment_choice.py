"""Which segments are chosen."""

import numpy as np
import pytest

from kilter.core.errors import InputError, OptionError
from kilter.run.explanation.segment_choice import SegmentChoice

SYSTEMS = ("a", "b")
SCORES = [np.array([0.5, 0.1, 0.9, 0.1]), np.array([0.5, 0.6, 0.0, 0.1])]


def chosen(*, higher_is_better: bool = True, **given: object) -> list[tuple[int, int]]:
    choice = SegmentChoice(**given)  # type: ignore[arg-type]
    return choice.chosen(SYSTEMS, SCORES, higher_is_better=higher_is_better)


def test_numbers_count_from_one_and_each_is_shown_once_for_every_system() -> None:
    assert chosen(segments=(3, 1, 3)) == [(0, 2), (1, 2), (0, 0), (1, 0)]


def test_the_worst_of_each_system_come_first_and_ties_by_number() -> None:
    assert chosen(worst=2) == [(0, 1), (0, 3), (1, 2), (1, 3)]
    assert chosen(worst=1, higher_is_better=False) == [(0, 2), (1, 1)]


def test_those_that_lose_most_by_order_come_first_and_ties_by_number() -> None:
    losses = [np.array([0.1, 0.3, 0.1, 0.0]), np.array([0.0, 0.0, 0.2, 0.4])]
    choice = SegmentChoice(worst_order=2)
    found = choice.chosen(SYSTEMS, SCORES, higher_is_better=True, losses=losses)
    assert found == [(0, 1), (0, 0), (1, 3), (1, 2)]


def test_more_than_there_are_is_all_of_them() -> None:
    assert len(chosen(worst=9)) == 8


def test_the_largest_differences_show_both_systems() -> None:
    pair = ("b", "a")
    assert chosen(largest_difference=pair, count=2) == [(1, 2), (0, 2), (1, 1), (0, 1)]


def test_the_only_segment_needs_no_choice() -> None:
    found = SegmentChoice().chosen(SYSTEMS, [np.zeros(1)] * 2, higher_is_better=True)
    assert found == [(0, 0), (1, 0)]


def test_several_segments_need_one() -> None:
    with pytest.raises(OptionError, match="there are 4 segments; choose some") as raised:
        chosen()
    assert str(raised.value).endswith("segments=[1, 2] or segments=SegmentChoice(worst=10)")
    assert raised.value.for_command().endswith(
        ": --segment N, --worst N, --worst-order N or --largest-difference A B"
    )


@pytest.mark.parametrize("number", [0, -1, 5])
def test_a_segment_that_is_not_there_is_refused(number: int) -> None:
    with pytest.raises(InputError, match=f"there is no segment {number}; the texts have 4"):
        chosen(segments=(number,))


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ({"worst": 0}, "a whole number from 1 to 2147483647, or None"),
        ({"worst_order": 0}, "a whole number from 1 to 2147483647, or None"),
        ({"worst": 2**70}, "a whole number from 1 to 2147483647, or None"),
        ({"count": 0}, "1 or more"),
        ({"count": 2**70}, "a whole number from -2147483647 to 2147483647"),
    ],
)
def test_numbers_of_segments_are_positive_and_not_too_large(
    given: dict[str, int], right: str
) -> None:
    with pytest.raises(OptionError, match=f"it must be {right}"):
        SegmentChoice(**given)  # type: ignore[arg-type]


def test_two_ways_at_once_are_refused() -> None:
    with pytest.raises(OptionError, match="choose one way"):
        SegmentChoice(segments=(1,), worst=1)


def test_segments_without_a_score_are_skipped() -> None:
    one, other = np.array([np.nan, 0.5, 0.9, 0.2]), np.array([1.0, np.nan, 0.1, 0.3])
    worst = SegmentChoice(worst=3).chosen(["a", "b"], [one, other], higher_is_better=True)
    assert worst == [(0, 3), (0, 1), (0, 2), (1, 2), (1, 3), (1, 0)]
    apart = SegmentChoice(largest_difference=("a", "b"), count=4)
    chosen = apart.chosen(["a", "b"], [one, other], higher_is_better=True)
    assert [segment for system, segment in chosen if system == 0] == [2, 3]
