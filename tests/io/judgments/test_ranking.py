"""Rankings of several translations: tasks, ranks, pairs."""

from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError
from kilter.core.judgments import Repeated
from kilter.io.judgments.ranking import degree_score, rank_score
from kilter.io.judgments.reader import read_judgments
from tests.io.judgments.files import HEADER, file, given_scores, said, task
from tests.tolerance import close


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_two_translations_of_a_task_are_a_pair(tmp_path: Path, end: str) -> None:
    ranks = {"A": 1, "B": 3, "C": 3, "D": 2, "E": 5}
    found = read_judgments(file(tmp_path, HEADER, task(7, ranks), end=end))
    assert said(found) == [
        (7, a, b, int(np.sign(ranks[b] - ranks[a]))) for a, b in combinations("ABCDE", 2)
    ]
    assert given_scores(found) == {(7, s): close(1 - (ranks[s] - 1) / 5) for s in "ABCDE"}
    assert found.counts["pairs"] == 10
    assert found.counts["ties"] == 1
    assert found.counts["judges"] == found.counts["tasks"] == 1


def test_missing_ranks_and_repeated_pairs_are_counted(tmp_path: Path) -> None:
    rows = [task(1, {"A": 1, "B": 2}), task(1, {"B": 2, "A": 1}), task(2, {"A": 4, "B": -1})]
    found = read_judgments(file(tmp_path, HEADER, *rows))
    assert said(found) == [(1, "A", "B", 1), (1, "B", "A", -1)]
    assert found.counts["missing"] == 1
    assert found.counts["repeated"] == 1
    assert found.counts["tasks_without_pair"] == 1
    assert len(found.once(Repeated.FIRST).pairs) == 1
    assert found.once(Repeated.FIRST).counts["repeated_left_out"] == 1
    assert len(found.once(Repeated.COUNT).pairs) == 2


def test_the_layout_of_2016_has_a_pair_a_row(tmp_path: Path) -> None:
    header = "srclang,trglang,srcIndex,segmentId,judgeId,system1Id,system1rank,system2Id,system2rank,rankingID"
    rows = ["ces,eng,3,3,j,A,1,B,2,9", "ces,eng,3,3,j,A,1,C,1,9", "ces,eng,4,4,j,A,2,C,1,10"]
    found = read_judgments(file(tmp_path, header, *rows))
    assert said(found) == [(3, "A", "B", 1), (3, "A", "C", 0), (4, "A", "C", -1)]
    assert found.pairs.task.tolist() == [0, 0, 1]


def test_identical_outputs_that_were_judged_as_one_become_several(tmp_path: Path) -> None:
    path = file(tmp_path, HEADER, task(1, {"newstest2015.cs-en.A+newstest2015.cs-en.B": 1, "C": 2}))
    found = read_judgments(path, outputs=dict.fromkeys("ABC", ()))
    assert said(found) == [(1, "A", "C", 1), (1, "B", "C", 1)]
    assert found.counts["identical_in_task"] == 1
    assert given_scores(found) == {(1, "A"): 1.0, (1, "B"): 1.0, (1, "C"): 0.5}


def test_the_same_text_of_two_systems_counts_once(tmp_path: Path) -> None:
    ranks = {"A": 2, "B": 2, "C": 1, "D": 3, "E": 4}
    outputs = {name: [text] for name, text in zip("ABCDE", "aabcd", strict=True)}
    path = file(tmp_path, HEADER, task(1, ranks))
    found = given_scores(read_judgments(path, outputs=outputs))
    assert list(found.values()) == close([0.75, 0.75, 1.0, 0.5, 0.25])
    assert given_scores(read_judgments(path))[1, "E"] == close(0.4)


def test_a_text_that_was_shown_counts_without_a_rank(tmp_path: Path) -> None:
    path = file(tmp_path, HEADER, task(1, {"A": 1, "B": 5, "C": -1, "D": 2, "E": 3}))
    assert given_scores(read_judgments(path))[1, "B"] == close(0.2)


def test_a_ranking_over_several_rows_is_one_task(tmp_path: Path) -> None:
    header = "srcIndex,judgeId,system1Id,system1rank,system2Id,system2rank,rankingID"
    rows = ["3,j,A,1,B,2,9", "3,j,A,1,C,3,9", "3,j,B,2,C,3,9", "4,j,A,2,B,1,9", "3,k,A,2,B,1,9"]
    found = read_judgments(file(tmp_path, header, *rows))
    assert found.pairs.task.tolist() == [0, 0, 0, 1, 2]
    assert found.counts["tasks"] == 3
    assert sorted(found.scores.value) == close([1 / 3, 0.5, 0.5, 2 / 3, 1, 1, 1])
    with pytest.raises(InputError, match=r"csv:3: ranks 'A' 2, but another row of the same task"):
        read_judgments(file(tmp_path, header, rows[0], "3,j,A,2,C,3,9"))


def test_a_table_with_one_column_of_a_ranking_is_no_ranking(tmp_path: Path) -> None:
    for column in ("system1Id", "system1rank"):
        path = file(tmp_path, f"system\tsegment\tscore\t{column}", "A\t1\t0.5\t1")
        assert given_scores(read_judgments(path)) == {(1, "A"): 0.5}


def test_ranks_count_the_different_texts_where_a_task_repeats_one(tmp_path: Path) -> None:
    ranks = {"A": 1, "B": 1, "C": 3, "D": 4, "E": 5}
    outputs = {name: [text] for name, text in zip("ABCDE", "aabcc", strict=True)}
    found = given_scores(read_judgments(file(tmp_path, HEADER, task(1, ranks)), outputs=outputs))
    assert list(found.values()) == close([1.0, 1.0, 2 / 3, 1 / 3, 1 / 3])
    all_same = {name: ["a"] for name in "ABCDE"}
    found = given_scores(read_judgments(file(tmp_path, HEADER, task(1, ranks)), outputs=all_same))
    assert set(found.values()) == {1.0}


@given(
    ranks=st.lists(st.integers(1, 5), min_size=5, max_size=5),
    texts=st.lists(st.sampled_from("abc"), min_size=5, max_size=5),
)
def test_scores_of_ranks_lie_between_one_share_and_one(ranks: list[int], texts: list[str]) -> None:
    with TemporaryDirectory() as folder:
        path = file(Path(folder), HEADER, task(1, dict(zip("ABCDE", ranks, strict=True))))
        outputs = {name: [text] for name, text in zip("ABCDE", texts, strict=True)}
        found = given_scores(read_judgments(path, outputs=outputs))
    scores = {name: found[1, name] for name in "ABCDE"}
    assert all(1 / len({*texts}) - 1e-12 <= score <= 1 for score in scores.values())
    best = {text: min(r for r, t in zip(ranks, texts, strict=True) if t == text) for text in texts}
    for name, rank, text in zip("ABCDE", ranks, texts, strict=True):
        better = sum(best[other] < rank for other in best if other != text)
        assert scores[name] == close(1 - better / len(best))


def test_ranks_beyond_the_texts_of_a_task_are_counted_among_them(tmp_path: Path) -> None:
    header = "srcIndex,judgeId,system1Id,system1rank,system2Id,system2rank,rankingID"
    rows = ["3,j,A,1,B,4,9", "3,j,A,1,C,5,9", "3,j,B,4,C,5,9"]
    found = given_scores(read_judgments(file(tmp_path, header, *rows)))
    assert found == {(3, "A"): close(1.0), (3, "B"): close(2 / 3), (3, "C"): close(1 / 3)}


# Answers as scores: the conversions of section 12.7.


@pytest.mark.parametrize(
    ("texts", "ranks", "scores"),
    [
        ("abcde", [1, 2, 3, 4, 5], [1, 0.8, 0.6, 0.4, 0.2]),
        ("abcde", [1, 1, 3, 3, 5], [1, 1, 0.6, 0.6, 0.2]),
        ("aabcd", [2, 2, 1, 3, 4], [0.75, 0.75, 1, 0.5, 0.25]),
        ("a", [1], [1]),
        ("ab", [2, 1], [0.5, 1]),
    ],
)
def test_a_rank_counts_by_how_many_different_texts_there_were(
    texts: str, ranks: list[int], scores: list[float]
) -> None:
    distinct = np.full(len(ranks), len(set(texts)))
    assert rank_score(np.array(ranks), distinct) == close(scores)


def test_the_whole_range_is_an_option() -> None:
    five = np.full(2, 5)
    assert rank_score(np.array([1, 5]), five, whole_range=True) == close([1.0, 0.0])
    assert rank_score(np.array([1]), np.array([1]), whole_range=True) == close([1.0])


@pytest.mark.parametrize(
    ("degree", "largest", "score"),
    [(1, 18, 1.0), (18, 18, 0.0), (9, 18, 9 / 17), (2, 4, 2 / 3), (1, 1, 1.0)],
)
def test_the_mildest_permutation_scores_one(degree: int, largest: int, score: float) -> None:
    assert degree_score(np.array([degree]), largest) == close([score])
