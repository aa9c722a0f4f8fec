"""Tables over language pairs; their published numbers are in the golden tests."""

from math import nan

import pytest

from kilter.core.errors import InputError
from kilter.results.meta_result import NewBaselineDraw, Verdict
from kilter.run.meta.language_pairs import count_verdicts, pair_averages, scaled


def test_equal_scores_share_their_ranks() -> None:
    found = pair_averages({"a": [0.5], "b": [0.5], "c": [0.1]})
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
        pair_averages(table)


@pytest.mark.parametrize(
    ("new", "baseline", "wins"), [(2, 1, True), (1, 1, False), (0, 0, False), (1, 2, False)]
)
def test_a_metric_wins_only_where_it_is_better_more_often(
    new: int, baseline: int, *, wins: bool
) -> None:
    assert NewBaselineDraw(new=new, baseline=baseline, draw=3).wins is wins


def test_ranks_and_scores_are_means_over_language_pairs_the_highest_first() -> None:
    found = pair_averages({"a": [0.9, 0.1], "b": [0.5, 0.3], "c": [0.1, 0.2]})
    assert [each.rank for each in found.values()] == [2.0, 1.5, 2.5]
    assert [each.score for each in found.values()] == pytest.approx([0.5, 0.4, 0.15])


def test_scaled_scores_are_the_share_of_the_way_from_the_worst_to_the_best() -> None:
    found = scaled({"a": [0.5, 1.0], "b": [0.25, 3.0], "c": [0.3, 1.5]})
    assert found == {"a": [1.0, 0.0], "b": [0.0, 1.0], "c": pytest.approx([0.2, 0.25])}
