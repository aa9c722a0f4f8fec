"""Parquet files that are written block by block, from tables that were parts."""

import io
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given
from hypothesis import strategies as st

from kilter.render.table.parquet import StreamedParquetWriter
from kilter.render.table.parquet_parts import packed, unpacked
from kilter.render.table.writer import RepeatedText

LIKE: dict[str, Any] = {
    "order": (np.empty(0, np.int32), np.zeros(1, np.int64)),
    "score": np.empty(0),
    "small": np.empty(0, np.int32),
    "large": np.empty(0, np.int64),
    "flag": np.empty(0, np.bool_),
    "name": [],
}
TYPES = pa.schema(
    [
        ("order", pa.large_list(pa.int32())),
        ("score", pa.float64()),
        ("small", pa.int32()),
        ("large", pa.int64()),
        ("flag", pa.bool_()),
        ("name", pa.string()),
    ]
)


def written(*blocks: dict[str, Any], like: dict[str, Any] = LIKE) -> pq.ParquetFile:
    """Return the file of blocks, each of which was packed as a part and unpacked."""
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="utf-8")
    writer = StreamedParquetWriter(out, [*like], header={}, like=like)
    writer.start()
    for block in blocks:
        writer.write(unpacked(packed(writer.form.table(block))))
    writer.end()
    return pq.ParquetFile(io.BytesIO(raw.getvalue()))


def arrays(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return rows without missing values as columns of arrays."""
    orders = [row["order"] for row in rows]
    flat = np.array([value - 1 for order in orders for value in order], dtype=np.int32)
    offsets = np.cumsum([0, *map(len, orders)], dtype=np.int64)
    names = [*dict.fromkeys(row["name"] for row in rows)]
    places = np.array([names.index(row["name"]) for row in rows], dtype=np.int32)
    columns = {
        name: np.array([row[name] for row in rows], dtype=LIKE[name].dtype)
        for name in ("score", "small", "large", "flag")
    }
    return {**columns, "order": (flat, offsets), "name": RepeatedText(names, places)}


ORDER = st.integers(0, 6).flatmap(lambda n: st.permutations(range(1, n + 1)))
ROW = st.fixed_dictionaries(
    {
        "order": ORDER,
        "score": st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(allow_nan=False)),
        "small": st.one_of(st.integers(0, 3), st.integers(-(2**31), 2**31 - 1)),
        "large": st.one_of(st.integers(0, 3), st.integers(-(2**63), 2**63 - 1)),
        "flag": st.booleans(),
        "name": st.one_of(st.sampled_from(["1", "14"]), st.text(max_size=3)),
    }
)
ROWS = st.lists(ROW, max_size=40)
GAPS = st.lists(
    ROW.flatmap(
        lambda row: st.fixed_dictionaries({k: st.just(v) | st.none() for k, v in row.items()})
    ),
    max_size=20,
)


@given(ROWS, GAPS)
def test_what_is_written_is_read_back_with_its_types(
    rows: list[dict[str, Any]], gaps: list[dict[str, Any]]
) -> None:
    listed = {name: [row[name] for row in gaps] for name in LIKE}
    found = written(arrays(rows), listed, arrays(rows[:1]))
    table = found.read()
    assert table.schema.equals(TYPES)
    assert table.to_pylist() == [*rows, *gaps, *rows[:1]]
    groups = [len(block) for block in (rows, gaps, rows[:1]) if block]
    assert [found.metadata.row_group(k).num_rows for k in range(found.num_row_groups)] == groups


def test_a_table_without_rows_has_its_columns() -> None:
    assert written().read().schema.equals(TYPES)


def test_what_is_no_number_is_null() -> None:
    found = written({"score": np.array([0.5, np.nan, 0.5, np.inf])}, like={"score": np.empty(0)})
    assert found.read().column("score").to_pylist() == [0.5, None, 0.5, np.inf]
