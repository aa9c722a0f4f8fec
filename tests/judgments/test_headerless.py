"""Judgments in tables without a header."""

from pathlib import Path

import pytest

from kilter.errors import InputError, KilterWarning
from kilter.judgments.reader import read_judgments
from tests.judgments.files import HEADER, file, said, task


def test_rankings_of_wmt_need_no_header(tmp_path: Path) -> None:
    rows = [task(1, {"A": 1, "B": 2}), task(2, {"B": 1, "A": 1})]
    headed = read_judgments(file(tmp_path, HEADER, *rows))
    path = file(tmp_path, *rows)
    with pytest.warns(
        KilterWarning, match="has no header; its columns are taken as srclang, trglang"
    ):
        found = read_judgments(path)
    assert said(found) == said(headed)
    assert len(said(found)) == 2
    assert found.pairs.line.tolist() == [line - 1 for line in headed.pairs.line.tolist()]


@pytest.mark.parametrize(
    "lines",
    [
        ["1\tA\tB", "2\tB\tA"],
        ["1 A B", "2 B A"],
        ["1,A,B", "2,B,A"],
        ["1\tde-en\tA\tde-en\tB", "2\tde-en\tB\tde-en\tA"],
        ["1 A > B", "2 A < B"],
    ],
)
def test_pairs_need_no_header(lines: list[str], tmp_path: Path) -> None:
    path = file(tmp_path, *lines)
    with pytest.warns(KilterWarning, match="has no header; its columns are taken as segment, "):
        assert said(read_judgments(path)) == [(1, "A", "B", 1), (2, "B", "A", 1)]


def test_equal_systems_are_a_tie_and_other_signs_are_refused(tmp_path: Path) -> None:
    path = file(tmp_path, "1 A = B", "1 A > C")
    with pytest.warns(KilterWarning):
        assert [outcome for *_, outcome in said(read_judgments(path))] == [0, 1]
    wrong = file(tmp_path, "1 A = B", "1 A >> C")
    with pytest.warns(KilterWarning), pytest.raises(InputError, match=":2: '>>' stands between"):
        read_judgments(wrong)
    short = file(tmp_path, "1 A B", "1 A")
    with (
        pytest.warns(KilterWarning),
        pytest.raises(InputError, match=":2: has 2 fields; there are 3"),
    ):
        read_judgments(short)


def test_a_header_stays_a_header(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no table of judgments"):
        read_judgments(file(tmp_path, "x,y,z", "1,2,3"))
