"""`python -m benchmarks.comparison.grown SERIES SIZE`: prints what one size of a series costs."""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
from functools import partial
from pathlib import Path

import numpy as np

import kilter
from benchmarks.comparison import loads
from benchmarks.shapes import block_moves
from benchmarks.timing import best_seconds
from benchmarks.tree_pairs import edited_pairs, made_up
from kilter.cli.main import run as kilter_command
from kilter.core.dependency_tree_edit import tree_edit_distances


def scores(size: int) -> float:
    """Return microseconds of all scores of a permutation."""
    row = block_moves(size, np.random.default_rng(1))[None]
    return best_seconds(partial(kilter.permutation_scores, row), rounds=20) * 1e6


def trees(size: int) -> float:
    """Return microseconds of a pair of trees."""
    pairs = edited_pairs(made_up(max(4, 2000 // size), length=size), "made up")
    return best_seconds(partial(tree_edit_distances, *pairs.columns()), rounds=5) / len(pairs) * 1e6


def segments(size: int) -> float:
    """Return CPU seconds of the command."""
    _scored(size)
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def memory(size: int) -> float:
    """Return the command's peak memory."""
    _scored(size)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def links(size: int) -> float:
    """Return CPU seconds of a learned aligner."""
    load = loads.bitext(size)
    return best_seconds(
        partial(kilter.align, load["source"], load["target"], aligner="hmm", tokenize="none"),
        rounds=1,
    )


def _scored(size: int) -> None:
    load = loads.texts(1000)
    with tempfile.TemporaryDirectory() as given:
        paths = []
        for side in ("references", "hypotheses"):
            paths.append(str(Path(given) / side))
            with Path(paths[-1]).open("w", encoding="utf-8") as file:
                for _ in range(0, size, 1000):
                    file.writelines(f"{line}\n" for line in load[side])
        kept = os.dup(1)
        with Path(os.devnull).open("w", encoding="utf-8") as nothing:
            os.dup2(nothing.fileno(), 1)
            code = kilter_command(["score", "-q", "-r", *paths])
            sys.stdout.flush()
        os.dup2(kept, 1)
        assert code == 0


SERIES = {"scores": scores, "trees": trees, "segments": segments, "memory": memory, "links": links}

if __name__ == "__main__":
    json.dump(SERIES[sys.argv[1]](int(sys.argv[2])), sys.stdout)
