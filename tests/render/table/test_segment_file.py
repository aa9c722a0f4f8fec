"""Segment scores in files, and in what is not a file."""

import json
import os
import tempfile
import threading
from pathlib import Path

import numpy as np
import pytest

import kilter
from kilter.core.errors import OptionError
from kilter.render.table import segment_file
from kilter.render.table.segment_file import (
    check_rows_path,
    check_segments_path,
    write_segment_scores,
    write_segments,
    written_rows,
)
from kilter.results.score_result import ByMetric, MetricFacts, ScoreResult, ScoreTable
from tests.cli.command import installed
from tests.cli.sample import REFERENCE, VERB
from tests.render.cases import case
from tests.render.distinct import Book

TABLE = kilter.score(["b a", "c"], ["a b", "c"], metrics=["kendall", "bleu"]).segments


def read_aside(pipe: Path) -> tuple[threading.Thread, list[bytes]]:
    """Start to read a pipe, which nobody can write to before."""
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    return reader, found


@pytest.mark.parametrize("name", ["pipe", "pipe.odd", "pipe.csv", "pipe.jsonl"])
def test_a_pipe_is_written_to_as_tsv_unless_its_name_says_otherwise(
    name: str, tmp_path: Path
) -> None:
    pipe = tmp_path / name
    os.mkfifo(pipe)
    check_segments_path(str(pipe), [], called="--segments")
    reader, found = read_aside(pipe)
    write_segments(TABLE, str(pipe))
    reader.join()
    suffix = pipe.suffix if pipe.suffix in (".csv", ".jsonl") else ".tsv"
    write_segments(TABLE, str(tmp_path / f"file{suffix}"))
    assert found == [(tmp_path / f"file{suffix}").read_bytes()]
    assert pipe.is_fifo()


@pytest.mark.parametrize("name", ["/dev/null", "/dev/stdout", "/dev/fd/1"])
def test_devices_and_descriptors_need_no_suffix(name: str) -> None:
    check_segments_path(name, [], called="--segments")


@pytest.mark.parametrize("name", ["scores", "scores.txt", "scores.gz"])
def test_a_file_needs_a_suffix(name: str, tmp_path: Path) -> None:
    (tmp_path / "scores").touch()
    with pytest.raises(OptionError, match=r"^--segments: the name must end in .tsv"):
        check_segments_path(str(tmp_path / name), [], called="--segments")


def test_the_command_writes_segments_to_standard_output() -> None:
    asked = ("score", "-m", "kendall", "--resamples", "5", "-r", REFERENCE, VERB)
    plain = installed(*asked).out
    both = installed(*asked, "--segments", "/dev/stdout").out
    assert both.endswith(plain)
    rows = both.removesuffix(plain).splitlines()
    assert rows[0] == "system\tsegment\tmetric\tscore"
    assert len(rows) == 49


# Columns hold what they name: segment scores in a file: TSV, CSV, JSON lines or Parquet, compressed or not.


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


# Texts as rows of a file.


def test_texts_follow_one_another_with_their_ends(tmp_path: Path) -> None:
    path = tmp_path / "out.links"
    with written_rows(str(path), "links", end="\n") as write:
        write(["0-0", ""])
        write(["1-1"])
        assert not path.exists()
    assert path.read_text(encoding="utf-8") == "0-0\n\n1-1\n"


def test_parquet_is_not_compressed_once_more(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="Parquet is compressed inside"):
        check_rows_path(str(tmp_path / "a.parquet.xz"), [], called="-o a.parquet.xz")
