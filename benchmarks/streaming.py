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

if TYPE_CHECKING:
    from numpy.typing import NDArray

LINES = 1_000_000
WORDS = 25
KILTER = str(Path(sys.executable).with_name("kilter"))


def run() -> None:
    random = np.random.default_rng(1)
    orders = np.stack([block_moves(WORDS, random) + 1 for _ in range(5000)])
    lines = [" ".join(map(str, order)) for order in orders.tolist()]
    with tempfile.TemporaryDirectory() as folder:
        print(f"{LINES:,} lines of {WORDS} words through `kilter permutation`")
        _parquet(Path(folder), np.tile(orders, (LINES // len(orders), 1)).astype(np.int32))
        path = Path(folder) / "orders.txt"
        path.write_text(("\n".join(lines) + "\n") * (LINES // len(lines)))
        for name, form in (("file", "tsv"), ("file", "jsonl"), ("pipe", "tsv"), ("file", "text")):
            with path.open("rb") as piped, (Path(folder) / "out").open("wb") as out:
                start = time.perf_counter()
                command = [KILTER, "permutation", str(path) if name == "file" else "-"]
                subprocess.run([*command, "--format", form], stdin=piped, stdout=out, check=True)
                seconds = time.perf_counter() - start
            rows = sum(1 for _ in (Path(folder) / "out").open("rb"))
            assert rows == LINES + (form != "jsonl")
            _print(f"from a {name}, {form:7}", seconds)


def _parquet(folder: Path, orders: NDArray[np.int32]) -> None:
    """Measure Parquet to Parquet, and beside it the kernel alone; first, since peaks only grow."""
    offsets = np.arange(LINES + 1, dtype=np.int64) * WORDS
    given, scored = folder / "orders.parquet", folder / "scores.parquet"
    lists = pa.LargeListArray.from_arrays(offsets, pa.array(orders.reshape(-1)))
    pq.write_table(pa.table({"permutation": lists}), given)
    start = time.perf_counter()
    subprocess.run([KILTER, "permutation", str(given), "-o", str(scored)], check=True)
    seconds = time.perf_counter() - start
    _print("from Parquet, parquet", seconds)
    values = np.ascontiguousarray(orders.reshape(-1) - 1)
    start = time.perf_counter()
    scores, *_ = _core.score(values, offsets, 0.6, 0.0, False, 0.0, 1)  # noqa: FBT003 - the kernel's
    kernel = time.perf_counter() - start
    found = pq.read_table(scored, columns=["pef"]).column("pef").to_numpy()
    assert np.array_equal(found, scores[9])
    print(f"  the kernel alone    {LINES / kernel:12,.0f} a second: {seconds / kernel:.1f} times")


def _print(what: str, seconds: float) -> None:
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"  {what}{LINES / seconds:11,.0f} lines per second, peak memory so far {peak:.0f} MB")
