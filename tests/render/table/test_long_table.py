"""Tables of one row a value."""

import csv
import io
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kilter.render.table.long_table import LongTable, write_long
from kilter.render.table.table import TableFormat


def as_csv(table: LongTable) -> str:
    out = io.StringIO(newline="")
    write_long(table, out, form=TableFormat.CSV)
    return out.getvalue()


@given(st.lists(st.tuples(st.text(), st.text(), st.integers()), max_size=5))
def test_csv_reads_back_as_any_text_that_was_written(rows: list[tuple[str, str, int]]) -> None:
    header, *read = csv.reader(
        io.StringIO(as_csv(LongTable(["one", "a,b", "n"], rows)), newline="")
    )
    assert header == ["one", "a,b", "n"]
    assert read == [[one, other, str(number)] for one, other, number in rows]


def test_csv_writes_numbers_in_full_nothing_for_what_is_missing_and_flags_as_json_does() -> None:
    assert as_csv(LongTable(["x", "y", "z"], [(0.1, None, True)])) == "x,y,z\n0.1,,true\n"


def test_a_table_of_named_values_takes_them_in_the_order_of_its_columns() -> None:
    rows: list[dict[str, Any]] = [{"b": 2, "a": 1, "unused": 3}]
    assert LongTable.of(["a", "b"], rows) == LongTable(["a", "b"], [[1, 2]])
