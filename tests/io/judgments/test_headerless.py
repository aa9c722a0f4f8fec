"""Judgments in tables without a header."""

import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kilter.core.errors import InputError, KilterWarning
from kilter.io.judgments.reader import read_judgments
from tests.io.judgments.files import HEADER, file, said, task


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


def test_a_field_of_the_first_row_may_hold_a_comma(tmp_path: Path) -> None:
    path = file(tmp_path, '1,A,"B, or so"', '2,"B, or so",A')
    with pytest.warns(KilterWarning):
        found = said(read_judgments(path))
    assert found == [(1, "A", "B, or so", 1), (2, "B, or so", "A", 1)]


def test_a_header_stays_a_header(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no table of judgments"):
        read_judgments(file(tmp_path, "x,y,z", "1,2,3"))


NAMES = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=3)


@given(
    tasks=st.lists(
        st.tuples(
            st.integers(1, 3000),
            st.dictionaries(NAMES, st.integers(1, 5), min_size=2, max_size=5),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_any_rankings_are_the_same_with_their_header_and_without(
    tasks: list[tuple[int, dict[str, int]]],
) -> None:
    rows = [task(segment, ranks) for segment, ranks in tasks]
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", KilterWarning)
        headed = read_judgments(file(Path(folder), HEADER, *rows))
        found = read_judgments(file(Path(folder), *rows))
    assert said(found) == said(headed)
    assert len(said(found)) == sum(len(ranks) * (len(ranks) - 1) // 2 for _, ranks in tasks)


@given(
    pairs=st.lists(
        st.tuples(st.integers(1, 3000), NAMES, NAMES, st.sampled_from("<=>")), min_size=1
    )
)
def test_any_comparisons_are_read_as_they_were_written(
    pairs: list[tuple[int, str, str, str]],
) -> None:
    chosen = [row for row in pairs if row[1] != row[2]]
    assume(chosen)
    lines = [f"{segment} {one} {sign} {other}" for segment, one, other, sign in chosen]
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", KilterWarning)
        found = said(read_judgments(file(Path(folder), *lines)))
    expected = []
    for segment, one, other, sign in chosen:
        better, worse = (other, one) if sign == "<" else (one, other)
        expected.append((segment, better, worse, 0 if sign == "=" else 1))
    assert found == expected
