"""Tables as CSV for spreadsheets."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.io.spreadsheet import csv_text, unguarded
from tests.thorough import examples


@pytest.mark.parametrize("formula", ["=1+1", "+1", "-x", "@sum", "\tx"])
def test_a_text_that_a_spreadsheet_would_run_gets_a_quote_before_it(formula: str) -> None:
    assert csv_text(["a"], [{"a": formula}]) == f"a\n'{formula}\n"


def test_numbers_truths_and_missing_cells() -> None:
    rows: list[dict[str, object]] = [
        {"a": -1.5, "b": True},
        {"b": False},
        {"a": 'x,"y"', "c": "unasked"},
    ]
    assert csv_text(["a", "b"], rows) == 'a,b\n-1.5,yes\n,no\n"x,""y""",\n'


@pytest.mark.parametrize("text", ["a\rb", "a\nb", "a\r\nb", "\rx"])
def test_a_line_end_inside_a_cell_ends_no_row(text: str) -> None:
    written = csv_text(["a", "b"], [{"a": text, "b": "c"}])
    _, (cell, last) = csv.reader(io.StringIO(written, newline=""))
    assert (cell.removeprefix("'"), last) == (text, "c")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("x;=1+1", "x;'=1+1"),
        (";=1;+2;-3;@4", ";'=1;'+2;'-3;'@4"),
        ('x;"=1"', 'x;\'"=1"'),
        ("x\n=1", "x\n'=1"),
        ("'=1", "''=1"),
        ("one; two - three; 'four'", "one; two - three; 'four'"),
    ],
)
def test_a_formula_after_a_semicolon_gets_a_quote_too(text: str, written: str) -> None:
    # Excel parts columns at semicolons where numbers have a comma.
    ((_,), (cell,)) = csv.reader(io.StringIO(csv_text(["a"], [{"a": text}]), newline=""))
    assert cell == written
    assert unguarded(cell) == text


@examples(300)
@given(st.text(alphabet="=+-@;'\"\t\r\n x"))
def test_quotes_before_formulas_can_be_taken_away_again(text: str) -> None:
    ((_,), *rows) = csv.reader(io.StringIO(csv_text(["a"], [{"a": text}]), newline=""))
    cell = rows[0][0] if rows and rows[0] else ""
    assert unguarded(cell) == text
    first, *others = re.split(r"[;\n\r]", cell)
    assert [part for part in (first, *others) if re.match(r"[=+\-@\t]", part)] == []
    assert [part for part in others if re.match(r'"+[=+\-@\t]', part)] == []
