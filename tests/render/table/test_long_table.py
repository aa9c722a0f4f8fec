"""Tables for programs."""

import csv
import io
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kilter.core.table import Table
from kilter.render.table.table import TableFormat, write_rows


def as_csv(table: Table) -> str:
    out = io.StringIO(newline="")
    write_rows(table, out, TableFormat.CSV)
    return out.getvalue()


@given(st.lists(st.tuples(st.text(), st.text(), st.integers()), max_size=5))
def test_csv_reads_back_as_any_text_that_was_written(rows: list[tuple[str, str, int]]) -> None:
    header, *read = csv.reader(
        io.StringIO(as_csv(Table("", ["one", "a,b", "n"], rows)), newline="")
    )
    assert header == ["one", "a,b", "n"]
    assert read == [[one, other, str(number)] for one, other, number in rows]


def test_csv_writes_numbers_in_full_nothing_for_what_is_missing_and_flags_as_json_does() -> None:
    assert as_csv(Table("", ["x", "y", "z"], [(0.1, None, True)])) == "x,y,z\n0.1,,true\n"


def test_a_table_of_named_values_takes_them_in_the_order_of_its_columns() -> None:
    rows: list[dict[str, Any]] = [{"b": 2, "a": 1, "unused": 3}]
    assert Table.of(["a", "b"], rows) == Table("", ["a", "b"], [[1, 2]])
