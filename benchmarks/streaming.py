"""A million permutations through the command: rate and peak memory, from a file, a pipe and Parquet."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.shapes import block_moves
from kilter import _core
from kilter.structures.permutation.permutation_batch import SCORE_COLUMNS

if TYPE_CHECKING:
    from numpy.typing import NDArray

LINES = 1_000_000
WORDS = 25
KILTER = str(Path(sys.executable).with_name("kilter"))


def run() -> None:
    random = np.random.default_rng(1)
    orders = np.stack([block_moves(WORDS, random) + 1 for _ in range(5000)]).astype(np.int32)
    lines = [" ".join(map(str, order)) for order in orders.tolist()]
    with tempfile.TemporaryDirectory() as folder:
        print(f"{LINES:,} lines of {WORDS} words through `kilter permutation`")
        seconds = _parquet(Path(folder), orders)
        path = Path(folder) / "orders.txt"
        path.write_text(("\n".join(lines) + "\n") * (LINES // len(lines)))
        for name, form in (("file", "tsv"), ("file", "jsonl"), ("pipe", "tsv"), ("file", "text")):
            with path.open("rb") as piped, (Path(folder) / "out").open("wb") as out:
                command = [KILTER, "permutation", str(path) if name == "file" else "-"]
                start = time.perf_counter()
                subprocess.run([*command, "--format", form], stdin=piped, stdout=out, check=True)
                passed = time.perf_counter() - start
            rows = sum(1 for _ in (Path(folder) / "out").open("rb"))
            assert rows == LINES + (form != "jsonl")
            _print(f"from a {name}, {form:8}", passed)
        _compare(Path(folder), orders, seconds)


def _parquet(folder: Path, orders: NDArray[np.int32]) -> float:
    """Return the seconds from Parquet to Parquet; first, since peaks of memory only grow.

    The file is one row group made of the same arrays again and again: a command begins with the peak of
    the process that starts it.
    """
    offsets = np.arange(len(orders) + 1, dtype=np.int64) * WORDS
    lists = pa.LargeListArray.from_arrays(offsets, pa.array(orders.reshape(-1)))
    table = pa.concat_tables([pa.table({"permutation": lists})] * (LINES // len(orders)))
    pq.write_table(table, folder / "orders.parquet", row_group_size=LINES)
    command = [KILTER, "permutation", str(folder / "orders.parquet")]
    start = time.perf_counter()
    subprocess.run([*command, "-o", str(folder / "scores.parquet")], check=True)
    seconds = time.perf_counter() - start
    _print("from Parquet, parquet", seconds)
    return seconds


def _compare(folder: Path, orders: NDArray[np.int32], seconds: float) -> None:
    """Print how much longer that took than the kernel alone, whose scores it has to be."""
    offsets = np.arange(LINES + 1, dtype=np.int64) * WORDS
    values = np.tile(orders.reshape(-1) - 1, LINES // len(orders))
    start = time.perf_counter()
    scores, *_ = _core.score(values, offsets, 0.6, 0.0, False, 0.0, 1)  # noqa: FBT003 - the kernel's
    kernel = time.perf_counter() - start
    found = pq.read_table(folder / "scores.parquet", columns=["pef"]).column("pef").to_numpy()
    assert np.array_equal(found, scores[SCORE_COLUMNS.index("pef")])
    print(
        f"  the kernel alone     {LINES / kernel:11,.0f} permutations per second; from Parquet to Parquet "
        f"takes {seconds / kernel:.1f} times as long"
    )


def _print(what: str, seconds: float) -> None:
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"  {what}{LINES / seconds:11,.0f} lines per second, peak memory so far {peak:.0f} MB")
