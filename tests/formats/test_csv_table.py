"""Tables as CSV for spreadsheets."""

import pytest

from kilter.formats.csv_table import csv_text


@pytest.mark.parametrize("formula", ["=1+1", "+1", "-x", "@sum", "\tx", "\rx"])
def test_a_text_that_a_spreadsheet_would_run_gets_a_quote_before_it(formula: str) -> None:
    assert csv_text(["a"], [{"a": formula}]) == f"a\n'{formula}\n"


def test_numbers_truths_and_missing_cells() -> None:
    rows: list[dict[str, object]] = [
        {"a": -1.5, "b": True},
        {"b": False},
        {"a": 'x,"y"', "c": "unasked"},
    ]
    assert csv_text(["a", "b"], rows) == 'a,b\n-1.5,yes\n,no\n"x,""y""",\n'
