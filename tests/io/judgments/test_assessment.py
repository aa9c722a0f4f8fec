"""Scores of single translations."""

from pathlib import Path

import pytest

from kilter.io.judgments.reader import read_judgments
from tests.io.judgments.files import file, given_scores, said


def test_assessments_of_one_translation_are_averaged(tmp_path: Path) -> None:
    path = file(tmp_path, "SYS\tSID\tRAW.SCR", "A\t1\t70", "A\t1\t80", "B\t1\tNA", "B\t2\t10.5")
    found = read_judgments(path)
    assert given_scores(found) == {(1, "A"): 75.0, (2, "B"): 10.5}
    assert found.counts == {"rows": 4, "scores": 2, "missing": 1, "repeated": 1}


@pytest.mark.parametrize("cell", ["", "NaN", "nan", "NA", "None", "null", "-"])
def test_a_score_that_is_written_as_missing_is_counted_and_left_out(
    cell: str, tmp_path: Path
) -> None:
    found = read_judgments(file(tmp_path, "system\tsegment\tscore", f"A\t1\t{cell}", "A\t2\t1"))
    assert given_scores(found) == {(2, "A"): 1.0}
    assert found.counts["missing"] == 1


def test_all_systems_with_a_score_in_a_segment_form_pairs(tmp_path: Path) -> None:
    rows = ["A\t1\t0.5", "B\t1\t0.75", "C\t1\t0.25", "A\t2\t1"]
    found = read_judgments(file(tmp_path, "system\tsegment\tscore", *rows))
    assert said(found) == []
    assert said(found.with_pairs()) == [(1, "A", "B", -1), (1, "A", "C", 1), (1, "B", "C", 1)]
    outcomes = [outcome for *_, outcome in said(found.with_pairs(threshold=0.25))]
    assert outcomes == [0, 0, 1]
