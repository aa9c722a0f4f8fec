"""Permutations through the command: a million lines of text, ten million rows of Parquet; rate and memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.shapes import block_moves
from kilter import _core
from kilter.core.permutation_batch import SCORE_COLUMNS

if TYPE_CHECKING:
    from numpy.typing import NDArray

LINES = 1_000_000
ROWS = 10_000_000
WORDS = 25
KILTER = str(Path(sys.executable).with_name("kilter"))
# A process begins with the peak of the one that starts it: a small one in between measures no more than the command.
_WATCHED = """
import json, os, sys
out, *command = sys.argv[1:]
opened = os.POSIX_SPAWN_OPEN, 1, out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666
_, status, used = os.wait4(os.posix_spawn(command[0], command, os.environ, file_actions=[opened]), 0)
json.dump({"seconds": used.ru_utime + used.ru_stime, "kilobytes": used.ru_maxrss}, sys.stdout)
sys.exit(os.waitstatus_to_exitcode(status))
"""


@dataclass(frozen=True, kw_only=True)
class Passed:
    """Rows of Parquet that passed the command, beside the kernel alone."""

    seconds: float
    processor_seconds: float
    kernel_seconds: float
    kernel_processor_seconds: float
    peak_megabytes: float
    written_megabytes: float


def run() -> None:
    orders = _orders()
    lines = [" ".join(map(str, order)) for order in orders.tolist()]
    passed = parquet()
    print(f"{ROWS:,} rows of {WORDS} words from Parquet to Parquet")
    print(
        f"  {ROWS / passed.seconds:11,.0f} rows per second, peak memory {passed.peak_megabytes:.0f} MB, "
        f"{passed.written_megabytes:.0f} MB written\n"
        f"  {ROWS / passed.kernel_seconds:11,.0f} permutations per second by the kernel alone: "
        f"{passed.seconds / passed.kernel_seconds:.1f} times as long, "
        f"{passed.processor_seconds / passed.kernel_processor_seconds:.1f} times in processor time"
    )
    with tempfile.TemporaryDirectory() as folder:
        print(f"{LINES:,} lines of {WORDS} words through `kilter permutation`")
        path = Path(folder) / "orders.txt"
        path.write_text(("\n".join(lines) + "\n") * (LINES // len(lines)))
        for name, form in (("file", "tsv"), ("file", "jsonl"), ("pipe", "tsv"), ("file", "text")):
            written = Path(folder) / "out"
            command = [KILTER, "permutation", str(path) if name == "file" else "-"]
            with path.open("rb") as piped:
                start = time.perf_counter()
                used = _watched([*command, "--format", form], out=written, piped=piped)
                taken = time.perf_counter() - start
            assert sum(1 for _ in written.open("rb")) == LINES + (form != "jsonl")
            peak = used["kilobytes"] / 1024
            print(
                f"  from a {name}, {form:8}{LINES / taken:11,.0f} lines per second, peak memory {peak:.0f} MB"
            )


def _orders() -> NDArray[np.int32]:
    random = np.random.default_rng(1)
    return np.stack([block_moves(WORDS, random) + 1 for _ in range(5000)]).astype(np.int32)


def parquet() -> Passed:
    """Return the time from Parquet to Parquet beside that of the kernel.

    The file is written a million rows at a time, in row groups of as many. No two parts have their rows in the same
    order.
    """
    with tempfile.TemporaryDirectory() as folder:
        return _parquet(Path(folder), _orders())


def _parquet(folder: Path, orders: NDArray[np.int32]) -> Passed:
    random = np.random.default_rng(2)
    offsets = np.arange(LINES + 1, dtype=np.int64) * WORDS
    kernel = computed = 0.0
    found = []
    lists = pa.large_list(pa.int32())
    schema = pa.schema([("permutation", lists)])
    with pq.ParquetWriter(folder / "orders.parquet", schema) as file:
        for _ in range(ROWS // LINES):
            values = orders[random.integers(len(orders), size=LINES)].reshape(-1)
            listed = pa.LargeListArray.from_arrays(offsets, pa.array(values))
            file.write_table(pa.table([listed], schema=schema), row_group_size=LINES)
            values -= 1
            start, begun = time.perf_counter(), time.thread_time()
            scores, *_ = _core.score(values, offsets, 0.6, 0.0, False, 0.0, 1)  # noqa: FBT003 - the kernel's
            kernel += time.perf_counter() - start
            computed += time.thread_time() - begun
            found.append(scores[SCORE_COLUMNS.index("pef")].copy())
    command = [KILTER, "permutation", str(folder / "orders.parquet")]
    command += ["-o", str(folder / "scores.parquet")]
    kept = os.sched_getaffinity(0)
    os.sched_setaffinity(0, range(os.cpu_count() or 1))  # it writes in a second thread
    start = time.perf_counter()
    used = _watched(command)
    seconds = time.perf_counter() - start
    os.sched_setaffinity(0, kept)
    written = pq.read_table(folder / "scores.parquet", columns=["pef"]).column("pef").to_numpy()
    assert np.array_equal(written, np.concatenate(found))
    return Passed(
        seconds=seconds,
        processor_seconds=used["seconds"],
        kernel_seconds=kernel,
        kernel_processor_seconds=computed,
        peak_megabytes=used["kilobytes"] / 1024,
        written_megabytes=(folder / "scores.parquet").stat().st_size / 1e6,
    )


def _watched(
    command: list[str], *, out: Path = Path(os.devnull), piped: IO[bytes] | None = None
) -> dict[str, float]:
    """Return the processor seconds and the peak memory of a command, which has to end well."""
    watched = [sys.executable, "-c", _WATCHED, str(out), *command]
    done = subprocess.run(watched, stdin=piped, stdout=subprocess.PIPE, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found
