"""Tables over language pairs; their published numbers are in the golden tests."""

from math import nan

import pytest

from kilter.errors import InputError
from kilter.meta.language_pairs import Verdict, averages, count_verdicts, scaled


def test_equal_scores_share_their_ranks() -> None:
    found = averages({"a": [0.5], "b": [0.5], "c": [0.1]})
    assert [each.rank for each in found.values()] == [1.5, 1.5, 3.0]


def test_where_all_are_equal_all_are_best() -> None:
    assert scaled({"a": [0.5], "b": [0.5]}) == {"a": [1.0], "b": [1.0]}


def test_verdicts_are_counted_in_the_order_of_the_table() -> None:
    found = count_verdicts([Verdict.NEW, Verdict.BASELINE, Verdict.NEW, Verdict.DRAW])
    assert (str(found), found.wins) == ("2/1/1", True)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"a": [0.5, 0.5], "b": [0.5]}, "a score on every language pair"),
        ({"a": []}, "a score on every language pair"),
        ({"a": [0.5], "b": [nan]}, "b has no score on some language pair"),
    ],
)
def test_holes_in_a_table_are_refused(table: dict[str, list[float]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        averages(table)
