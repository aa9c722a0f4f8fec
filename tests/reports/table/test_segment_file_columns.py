"""Columns hold what they name: segment scores in a file: TSV, CSV, JSON lines or Parquet, compressed or not."""

import json
import tempfile
from pathlib import Path

import numpy as np
import pytest

from kilter.reports.table import segment_file
from kilter.reports.table.segment_file import write_segments
from kilter.structures.result.score_table import ScoreTable
from tests.reports.cases import case
from tests.reports.distinct import Book


@case("write_segments")
def test_columns_of_write_segments_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Three rows in blocks of two: none is lost between them.
    monkeypatch.setattr(segment_file, "_BLOCK", 2)
    columns = {
        "system": np.array(["b", "a", "a"], dtype=object),
        "segment": np.array([3, 1, 2]),
        "score": np.array([book.make(float, str(k), "score") for k in range(3)]),
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.jsonl"
        write_segments(ScoreTable(columns), str(path))
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert rows == [{name: column[k] for name, column in columns.items()} for k in range(3)]
