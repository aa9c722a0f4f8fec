"""Judgments column by column: which systems, which repeats, which pairs follow from scores."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError
from kilter.core.judgments import (
    TIE,
    JudgedScores,
    Judgments,
    PerturbedPairs,
    Repeated,
    Unscored,
    levelled,
    rounding,
)
from tests.run.meta.samples import judged


def scored(*rows: tuple[int, int, float]) -> Judgments:
    """Return scores of segments by systems A, B, C."""
    segment, system, value = zip(*rows, strict=True)
    return Judgments(
        source="made",
        systems=("A", "B", "C"),
        scores=JudgedScores(
            segment=np.array(segment), system=np.array(system), value=np.array(value),
            line=np.arange(len(rows)) + 2,
        ),
        counts={},
    )  # fmt: skip


def test_every_two_scores_of_a_segment_are_a_pair_and_near_ones_a_tie() -> None:
    pairs = (
        scored((0, 0, 0.9), (0, 1, 0.7), (0, 2, 0.2), (1, 1, 1.0)).with_pairs(threshold=0.2).pairs
    )
    rows = zip(pairs.first.tolist(), pairs.second.tolist(), pairs.outcome.tolist(), strict=True)
    assert [*rows] == [(0, 1, 0), (0, 2, 1), (1, 2, 1)]
    assert set(pairs.segment.tolist()) == {0}


def test_pairs_that_people_judged_are_kept_as_they_are() -> None:
    made = judged([(0, 0, 1, 1, 0)])
    assert made.with_pairs() is made


def test_a_pair_judged_again_may_count_once_whichever_way_round() -> None:
    made = judged([(0, 0, 1, 1, 0), (0, 1, 0, 1, 1), (1, 0, 1, 0, 2)])
    assert made.once(Repeated.COUNT) is made
    once = made.once(Repeated.FIRST)
    assert once.pairs.segment.tolist() == [0, 1]
    assert once.counts["repeated_left_out"] == 1


def test_systems_are_numbered_as_their_outputs_are() -> None:
    made = judged([(0, 0, 1, 1, 0), (0, 1, 2, -1, 0)], systems=("A", "B", "C"))
    turned = made.of_systems(["C", "B", "A", "D"], 1)
    assert (turned.pairs.first.tolist(), turned.pairs.second.tolist()) == ([2, 1], [1, 0])
    assert turned.counts["systems_without_judgment"] == 1


def test_a_system_without_output_is_named_or_left_out() -> None:
    made = judged([(0, 0, 1, 1, 0), (0, 1, 2, -1, 0)], systems=("A", "B", "C"))
    with pytest.raises(
        InputError, match="judges 'C', of which there is no output; there are: A, B"
    ):
        made.of_systems(["A", "B"], 1)
    kept = made.of_systems(["A", "B"], 1, unscored=Unscored.SKIP)
    assert (len(kept.pairs), kept.counts["unscored"]) == (1, 1)


def test_judgments_of_files_are_told_what_systems_are_called() -> None:
    made = judged([(0, 0, 1, 1, 0)], systems=("a.txt", "b.txt"))
    with pytest.raises(
        InputError, match=r"are: a, b \(called as their files, without \.txt\); add"
    ):
        made.of_systems(["a", "b"], 1)


def test_a_segment_past_the_last_is_named_with_its_line() -> None:
    with pytest.raises(InputError, match="made:3: judges segment 5, but there are 4 segments"):
        scored((0, 0, 0.5), (4, 1, 0.5)).of_systems(["A", "B", "C"], 4)


def test_wins_and_losses_become_scores_where_there_are_none() -> None:
    made = judged([(0, 0, 1, 1, 0), (0, 0, 2, -1, 0), (0, 1, 2, 0, 0)], systems=("A", "B", "C"))
    scores = made.score_matrix(2)
    assert scores[:, 0].tolist() == [0.5, 0.0, 1.0]
    assert np.isnan(scores[:, 1]).all()
    assert made.ties(made.pairs.segment, 1).tolist() == [[0.0], [1.0], [1.0]]


JUDGED = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 2), st.integers(0, 2), st.sampled_from([-1, 0, 1]))
    .filter(lambda row: row[1] != row[2]),
    max_size=14,
)  # fmt: skip


@given(rows=JUDGED, least=st.sampled_from([0.5, 0.6, 2 / 3, 1.0]))
def test_pairs_are_kept_on_which_so_many_judgments_agree(
    rows: list[tuple[int, int, int, int]], least: float
) -> None:
    made = judged([(*row, task) for task, row in enumerate(rows)])
    found = made.agreed(least)
    said: dict[tuple[int, int, int], list[int]] = {}
    for segment, first, second, outcome in rows:
        low, high = sorted((first, second))
        said.setdefault((segment, low, high), []).append(outcome if first == low else -outcome)
    kept = []
    for task, (segment, first, second, _) in enumerate(rows):
        outcomes = said[segment, min(first, second), max(first, second)]
        most = max(outcomes.count(outcome) for outcome in outcomes)
        if len(outcomes) > 1 and most / len(outcomes) >= least - 1e-12:
            kept.append(task)
    assert found.pairs.task.tolist() == kept
    once = sum(len(outcomes) == 1 for outcomes in said.values())
    assert found.counts.get("judged_once_left_out", 0) == once
    assert found.counts.get("disagreed_left_out", 0) == len(rows) - len(kept) - once


def test_scores_stay_where_a_pair_of_them_does() -> None:
    pairs = judged([(0, 0, 1, 1, 0), (0, 1, 0, -1, 1), (1, 0, 1, 1, 2), (0, 1, 2, 1, 3)])
    scores = scored((0, 0, 0.9), (0, 1, 0.7), (0, 2, 0.2), (1, 1, 1.0)).scores
    found = replace(pairs, scores=scores).agreed(1.0)
    assert found.scores.value.tolist() == [0.9, 0.7]
    assert pairs.agreed(0.0) is pairs


# Pairs of texts, joined and without those that are the same.


FIRST = PerturbedPairs(
    kinds=("order", "swap"),
    references=("a b", "c d"),
    originals=("a b", "c"),
    perturbed=("b a", "c"),
)
SECOND = PerturbedPairs(kinds=("choice",), references=("e",), originals=("e",), perturbed=("f",))


def test_joined_pairs_are_those_of_the_first_and_then_of_the_second() -> None:
    joined = FIRST.joined(SECOND)
    assert len(joined) == 3
    assert joined.kinds == ("order", "swap", "choice")
    assert joined.references == ("a b", "c d", "e")
    assert joined.originals == ("a b", "c", "e")
    assert joined.perturbed == ("b a", "c", "f")


def test_changed_pairs_have_two_different_texts() -> None:
    changed = FIRST.joined(SECOND).changed()
    assert changed.kinds == ("order", "choice")
    assert changed.references == ("a b", "e")
    assert changed.originals == ("a b", "e")
    assert changed.perturbed == ("b a", "f")


# Numbers that are equal but for rounding: how near they lie, and what becomes of them.


NEAR = st.lists(
    st.tuples(st.integers(-3, 3), st.sampled_from([-1.0, 0.0, 1.0])), min_size=1, max_size=12
)


@pytest.mark.parametrize("scale", [1.0, 1e-9, 3e7])
def test_rounding_is_a_share_of_the_largest_size_alone(scale: float) -> None:
    values = scale * np.array([0.25, -1.0, 0.5, np.nan])
    assert rounding(values) == TIE * scale
    assert rounding(np.array([np.nan])) == rounding(np.zeros(0)) == 0.0


@given(NEAR)
def test_numbers_that_differ_by_rounding_become_one_and_others_stay(
    numbers: list[tuple[int, float]],
) -> None:
    exact = np.array([float(whole) for whole, _ in numbers])
    noise = np.array([sign for _, sign in numbers]) * 0.3 * TIE * np.abs(exact).max()
    found = levelled(exact + noise)
    assert len(np.unique(found)) == len(np.unique(exact))
    assert (
        np.sign(np.subtract.outer(found, found)) == np.sign(np.subtract.outer(exact, exact))
    ).all()
    # Each is one of the given numbers, the smallest of those it is equal to.
    for value in np.unique(exact):
        assert set(found[exact == value]) == {(exact + noise)[exact == value].min()}


def test_missing_numbers_stay_missing() -> None:
    values = np.array([0.1 + 0.2, np.nan, 0.3])
    found = levelled(values)
    assert found[0] == found[2] == 0.3
    assert np.isnan(found[1])
    assert values[0] != values[2]
    assert np.isnan(levelled(np.full(2, np.nan))).all()
