"""Tables as CSV for spreadsheets."""

import csv
import io

import pytest

from kilter.formats.csv_table import csv_text


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
