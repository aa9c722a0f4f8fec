"""Judgments column by column: which systems, which repeats, which pairs follow from scores."""

import numpy as np
import pytest

from kilter.errors import InputError
from kilter.structures.judgment.judgments import JudgedScores, Judgments, Repeated, Unscored
from tests.agreement.samples import judged


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
