"""Pairs of which one is better."""

from pathlib import Path

from kilter.io.judgments.reader import read_judgments
from tests.io.judgments.files import file, said


def test_pairs_name_the_better_and_the_worse_system(tmp_path: Path) -> None:
    path = file(tmp_path, "seg\tbetter\tworse\ttie", "2\tA\tB\t0", "2\tB\tA\t0", "3\tA\tB\t1")
    found = read_judgments(path)
    assert said(found) == [(2, "A", "B", 1), (2, "B", "A", 1), (3, "A", "B", 0)]
    assert (found.counts["repeated"], found.counts["ties"]) == (1, 1)


def test_daRR_files_separate_fields_by_blanks(tmp_path: Path) -> None:  # noqa: N802 - its name
    path = file(tmp_path, "LP DATA SID BETTER WORSE", "cs-en newstest2018 4 x.1 y.2")
    assert said(read_judgments(path, pair="cs-en")) == [(4, "x.1", "y.2", 1)]
