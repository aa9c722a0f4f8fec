"""Parquet files that a killed run leaves in parts, and another one completes."""

import io
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.io import permutation as permutation_table
from kilter.render.table.parquet import StreamedParquetWriter, packed, unpacked
from kilter.render.table.writer import RepeatedText
from kilter.run.engine.run import PartFolder
from tests.cli.command import kilter

ORDERS: list[Any] = [[1, 2, 3], [2, 4, 5, 6, 1, 3], [], [1, 1], None, [3, 1, 2], [1]] * 2
KILLED = """
import os, signal, sys
from kilter.cli.main import run
from kilter.io import permutation as permutation_table
from kilter.run.engine.run import PartFolder
permutation_table._MOST_ROWS = 4
write = PartFolder.write
def written(self, place, content, *, rows):
    if place == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    write(self, place, content, rows=rows)
PartFolder.write = written
run(sys.argv[1:])
"""


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a command over rows that are read four at a time."""
    monkeypatch.setattr(permutation_table, "_MOST_ROWS", 4)
    path = tmp_path / "orders.parquet"
    pq.write_table(pa.table({"order": pa.array(ORDERS, pa.list_(pa.int64()))}), path)
    return ["permutation", str(path), "--on-error", "mark", "-o", str(tmp_path / "scores.parquet")]


def killed(arguments: list[str]) -> Path:
    """Run the command with --resume until it is killed before its third part; return its folder."""
    command = [sys.executable, "-c", KILLED, *arguments, "--resume"]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    folder = Path(f"{arguments[-1]}.parts")
    found = sorted(path.name for path in folder.iterdir())
    assert found == ["part-000000", "part-000001", "run.json"]
    assert not Path(arguments[-1]).exists()
    return folder


def test_a_killed_run_goes_on_and_leaves_the_same_file(
    asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = kilter(*asked).err
    out = Path(asked[-1])
    expected = out.read_bytes()
    out.unlink()
    folder = killed(asked)
    write, places = PartFolder.write, []

    def watched(self: PartFolder, place: int, content: bytes, *, rows: int) -> None:
        places.append(place)
        write(self, place, content, rows=rows)

    monkeypatch.setattr(PartFolder, "write", watched)
    found = kilter(*asked, "--resume")
    assert found.code == 0
    assert found.err == f"kilter: went on after 2 parts of an earlier run\n{said}"
    assert places == [2, 3]
    assert out.read_bytes() == expected
    assert not folder.exists()


def test_a_run_that_nobody_killed_leaves_the_same_file(asked: list[str]) -> None:
    said = kilter(*asked).err
    expected = Path(asked[-1]).read_bytes()
    found = kilter(*asked, "--resume")
    assert (found.code, found.err) == (0, said)
    assert Path(asked[-1]).read_bytes() == expected
    assert not Path(f"{asked[-1]}.parts").exists()


def test_parts_of_another_run_are_refused_with_the_remedy(asked: list[str]) -> None:
    folder = killed(asked)
    remedy = "; go on with the command that made it, or remove the folder to begin anew\n"
    other = kilter(*asked, "--resume", "--beta", "0.3")
    fault = f"kilter: {folder}: holds parts of a run with another choice of options"
    assert (other.code, other.err) == (3, fault + remedy)
    pq.write_table(pa.table({"order": [[1]] * 14}), asked[1])
    changed = kilter(*asked, "--resume")
    assert (changed.code, changed.err) == (3, fault.replace("choice of options", "input") + remedy)
    assert not Path(asked[-1]).exists()


def test_a_damaged_part_is_made_again(asked: list[str]) -> None:
    assert kilter(*asked).code == 0
    expected = Path(asked[-1]).read_bytes()
    Path(asked[-1]).unlink()
    folder = killed(asked)
    (folder / "part-000001").write_bytes(b"ARROW1")
    found = kilter(*asked, "--resume")
    assert found.code == 0
    assert "went on after 1 part of an earlier run" in found.err
    assert Path(asked[-1]).read_bytes() == expected


def test_a_folder_of_something_else_stays_as_it_is(asked: list[str]) -> None:
    folder = Path(f"{asked[-1]}.parts")
    folder.mkdir()
    (folder / "mine").touch()
    found = kilter(*asked, "--resume")
    assert found.code == 3
    assert f"{folder}: is not a folder of parts; rename it, or name another output" in found.err
    assert [path.name for path in folder.iterdir()] == ["mine"]
    (folder / "mine").unlink()
    folder.rmdir()
    folder.touch()
    assert kilter(*asked, "--resume").err == found.err


def test_a_bad_row_leaves_no_parts(asked: list[str]) -> None:
    stopping = [*asked[:2], *asked[4:], "--resume"]
    assert kilter(*stopping).code == 3
    assert [path.name for path in Path(asked[1]).parent.iterdir()] == ["orders.parquet"]


def test_what_cannot_go_on_is_refused(asked: list[str], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for arguments, fault in (
        (asked[:4], "add -o FILE.parquet"),
        ([*asked[:2], "-o", "scores.tsv"], "add -o FILE.parquet"),
        (["permutation", "-", *asked[4:]], "takes a file; name one"),
        (["permutation", str(tmp_path / "pipe"), *asked[4:]], "takes a file; name one"),
    ):
        found = kilter(*arguments, "--resume")
        assert found.code == 2
        assert fault in found.err


# Parquet files that are written block by block, from tables that were parts.


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
