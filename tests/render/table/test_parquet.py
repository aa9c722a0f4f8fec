"""Tables as Parquet files."""

import gc
import io
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from kilter.core.errors import MissingToolError
from kilter.render.table.parquet import StreamedParquetWriter, check_parquet
from kilter.render.table.table import TableFormat, table_writer


def read_back(names: list[str], *blocks: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of a Parquet file that was written block by block."""
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="utf-8")
    writer = table_writer(TableFormat.PARQUET, out, names, header={})
    writer.start()
    for block in blocks:
        writer.rows(block)
    writer.end()
    rows: list[dict[str, Any]] = pq.read_table(io.BytesIO(raw.getvalue())).to_pylist()
    return rows


def test_numbers_texts_flags_and_lists_come_back_as_they_were() -> None:
    columns = {
        "score": np.array([0.1, 1.0]),
        "name": ["a,b", 'c"\n'],
        "exact": [True, False],
        "order": (np.array([1, 0, 0], dtype=np.int32), np.array([0, 2, 3], dtype=np.int64)),
        "places": [[3, 1], []],
    }
    assert read_back(list(columns), columns) == [
        {"score": 0.1, "name": "a,b", "exact": True, "order": [2, 1], "places": [3, 1]},
        {"score": 1.0, "name": 'c"\n', "exact": False, "order": [1], "places": []},
    ]


def test_what_is_missing_or_no_number_is_null() -> None:
    columns = {"score": np.array([0.5, np.nan]), "low": [None, 0.25], "note": [None, None]}
    assert read_back(list(columns), columns) == [
        {"score": 0.5, "low": None, "note": None},
        {"score": None, "low": 0.25, "note": None},
    ]


def test_a_column_that_begins_with_missing_values_holds_the_numbers_of_later_blocks() -> None:
    blocks: list[dict[str, Any]] = [{"low": [None]}, {"low": [1]}, {"low": [0.5]}, {"low": [None]}]
    assert [row["low"] for row in read_back(["low"], *blocks)] == [None, 1.0, 0.5, None]


def test_lists_of_steps_are_text_as_in_csv() -> None:
    steps = [[[3, -2], [3, -1]], [["mat", 4]], None]
    rows = read_back(["steps"], {"steps": steps})
    assert [row["steps"] for row in rows] == ["3,-2 3,-1", "mat,4", None]


def test_a_table_without_rows_has_its_columns() -> None:
    assert read_back(["a", "b"]) == []


def test_without_its_package_the_error_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(MissingToolError, match=r"pip install 'kilter\[arrow\]'"):
        check_parquet("--format parquet")


def test_a_file_that_was_given_up_never_gets_its_end() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="utf-8")
    like = {"score": np.empty(0)}
    writer = StreamedParquetWriter(out, ["score"], header={}, like=like)
    writer.start()
    writer.rows({"score": np.array([0.5])})
    writer.flush()
    length = len(raw.getvalue())
    assert length > 0
    del writer
    gc.collect()
    assert len(raw.getvalue()) == length


class FullDisk(io.BytesIO):
    """A file that takes the start of Parquet and nothing else."""

    def write(self, data: Any) -> int:
        if self.tell():
            raise OSError(28, "No space left on device")
        return super().write(data)


def test_what_goes_wrong_while_blocks_are_written_reaches_who_writes_them() -> None:
    out = io.TextIOWrapper(FullDisk(), encoding="utf-8")
    column = {"score": np.arange(2.0)}
    writer = StreamedParquetWriter(out, ["score"], header={}, like={"score": np.empty(0)})
    writer.start()
    writer.rows(column)
    with pytest.raises(OSError, match="No space"):
        writer.end()


def test_blocks_keep_their_order_and_missing_values_however_many_wait() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="utf-8")
    writer = StreamedParquetWriter(out, ["score"], header={}, like={"score": np.empty(0)})
    writer.start()
    for block in range(9):
        writer.rows({"score": np.array([block, np.nan])})
    writer.end()
    found = pq.read_table(io.BytesIO(raw.getvalue())).column("score").to_pylist()
    assert found == [value for block in range(9) for value in (float(block), None)]
