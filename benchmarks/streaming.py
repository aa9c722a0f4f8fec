"""A million lines through the command: rate and peak memory, from a file and from a pipe."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.shapes import block_moves

LINES = 1_000_000
WORDS = 25


def run() -> None:
    random = np.random.default_rng(1)
    lines = [" ".join(map(str, (block_moves(WORDS, random) + 1).tolist())) for _ in range(5000)]
    kilter = Path(sys.executable).with_name("kilter")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "orders.txt"
        path.write_text(("\n".join(lines) + "\n") * (LINES // len(lines)))
        print(f"{LINES:,} lines of {WORDS} words through `kilter permutation`")
        for name, form in (("file", "tsv"), ("file", "jsonl"), ("pipe", "tsv"), ("file", "text")):
            with path.open("rb") as piped, (Path(folder) / "out").open("wb") as out:
                start = time.perf_counter()
                command = [str(kilter), "permutation", str(path) if name == "file" else "-"]
                subprocess.run([*command, "--format", form], stdin=piped, stdout=out, check=True)
                seconds = time.perf_counter() - start
            rows = sum(1 for _ in (Path(folder) / "out").open("rb"))
            assert rows == LINES + (form != "jsonl")
            peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
            print(
                f"  from a {name}, {form:6}{LINES / seconds:10,.0f} lines per second, "
                f"peak memory so far {peak:.0f} MB"
            )
