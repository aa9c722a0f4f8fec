"""Columns block by block."""

import io
from collections.abc import Sequence

import numpy as np
import pytest

from kilter.render.table.writer import TableWriter, cell_text, row_count


class Plain(TableWriter):
    """The least that a format must say."""

    missing = "?"

    def cell(self, value: object) -> str:
        return cell_text(value)

    def literals(self, columns: Sequence[object]) -> list[str]:
        return ["<", *["|"] * (len(columns) - 1), ">\n"]


def test_arrays_lists_and_missing_values_stand_in_their_rows() -> None:
    out = io.StringIO()
    writer = Plain(out, ["n", "score", "name", "links"], header={})
    writer.rows(
        {
            "name": ["a", None],
            "n": np.array([1, 2]),
            "score": np.array([0.1, np.nan]),
            "links": (np.array([0, 2, 1], dtype=np.int32), np.array([0, 2, 3])),
            "left out": ["x", "y"],
        }
    )
    # Lists of integers are written from 1, as people count.
    assert out.getvalue() == "<1|0.1|a|1 3>\n<2|?|?|2>\n"


def test_blocks_without_rows_write_nothing() -> None:
    out = io.StringIO()
    Plain(out, ["n"], header={}).rows({"n": np.zeros(0, dtype=np.int64)})
    Plain(out, [], header={}).rows({})
    assert out.getvalue() == ""


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "true"), (False, "false"), (0.1, "0.1"), (1e-20, "1e-20"), ([], ""), ("a b", "a b")],
)
def test_values_are_written_in_full(value: object, text: str) -> None:
    assert cell_text(value) == text


def test_rows_of_lists_are_counted_by_their_borders() -> None:
    assert row_count((np.zeros(5, dtype=np.int32), np.array([0, 2, 5]))) == 2
    assert row_count([None, None, None]) == 3
