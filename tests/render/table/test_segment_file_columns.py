"""Columns hold what they name: segment scores in a file: TSV, CSV, JSON lines or Parquet, compressed or not."""

import json
import tempfile
from pathlib import Path

import numpy as np
import pytest

from kilter.render.table import segment_file
from kilter.render.table.segment_file import (
    write_segment_scores,
    write_segments,
)
from kilter.results.score_result import ByMetric, MetricFacts, ScoreResult, ScoreTable
from tests.render.cases import case
from tests.render.distinct import Book


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


@case("write_segment_scores")
def test_columns_of_write_segment_scores_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segment_file, "_BLOCK", 2)
    made = np.array(
        [[book.make(float, str(k), name) for k in range(3)] for name in ("a", "b", "c", "d")]
    )
    facts = book.make(MetricFacts, "facts", name="m", configurations=1)
    result = ScoreResult(
        systems={"x": ByMetric()},
        metrics=ByMetric({"m": facts}),
        count=3,
        seed=1,
        segment_arrays={("m", "x"): made[0]},
        margin_arrays={("m", "x"): made[1]},
        statistic_arrays={("m", "x"): made[2:].T},
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.jsonl"
        write_segment_scores(result, str(path), statistics=True, margins=True)
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert rows == [
        {
            "system": "x",
            "segment": k + 1,
            "metric": "m",
            "score": made[0, k],
            "margin": made[1, k],
            "statistics": f"{made[2, k]} {made[3, k]}",
        }
        for k in range(3)
    ]
