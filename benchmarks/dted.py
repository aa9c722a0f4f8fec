"""DTED beside zss, apted and edist: the same distances, and how much longer they take.

edist is under another licence and runs as a separate process, from the environment that `make bench` makes for it or
that KILTER_EDIST names.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.timing import best_seconds
from benchmarks.tree_pairs import (
    Named,
    Pairs,
    all_pairs,
    edited_pairs,
    made_up,
    named_pairs,
    print_growth,
)
from kilter import _core
from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_edit import (
    EditModel,
    flat_edit_distances,
    tree_edit_distances,
)

EDIST = Path(os.environ.get("KILTER_EDIST", Path(__file__).parents[1] / ".venv-separate"))
LONG = tuple(map(int, os.environ.get("KILTER_LONG", "250,500,1000,2000").split(",")))

_EDIST_SCRIPT = """
import json, sys, time
from edist.ted import standard_ted
pairs = json.load(sys.stdin)
best = float("inf")
for _ in range(5):
    start = time.process_time()
    distances = [int(standard_ted(*first, *second)) for first, second in pairs]
    best = min(best, time.process_time() - start)
json.dump({"distances": distances, "seconds": best}, sys.stdout)
"""


def run() -> None:
    for pairs in all_pairs():
        print(
            f"{pairs.name}: {len(pairs)} pairs of {pairs.words:.1f} words, one core, pairs per CPU second"
        )
        _beside_peers(pairs)
    print_growth(tree_edit_distances)
    _print_long()


def _comb(size: int) -> list[int]:
    """Return a spine whose every word but the last has a leaf at its left."""
    return [-1, *(word - 2 + word % 2 for word in range(1, size))]


def _mirrored(heads: list[int]) -> list[int]:
    return [-1 if head < 0 else len(heads) - 1 - head for head in heads[::-1]]


def _long_pairs(size: int) -> dict[str, tuple[list[int], list[int]]]:
    """Return trees of kinds that are compared in very different ways."""
    random = np.random.default_rng(size)
    shallow = [[-1, *(int(random.integers(word)) for word in range(1, size))] for _ in range(2)]
    edited = edited_pairs(made_up(1, length=size), "long")
    return {
        "made up and edited": (list(edited.hypotheses[0].heads), list(edited.references[0].heads)),
        "chains": ([*range(-1, size - 1)], [*range(-1, size - 1)]),
        "random, shallow": (shallow[0], shallow[1]),
        "branching left and right": (_mirrored(_comb(size)), _comb(size)),
    }


def _long_columns(size: int) -> dict[str, Pairs]:
    random = np.random.default_rng(1)
    links = sorted(
        zip(*(random.permutation(size)[: size // 2].tolist() for _ in "ab"), strict=True)
    )
    found = {}
    for name, trees in _long_pairs(size).items():
        first, second = (DependencyTree(["w"] * size, heads) for heads in trees)
        found[name] = Pairs(name, [first], [second], [links])
    return found


def long_seconds(size: int, name: str) -> float:
    """Return the CPU seconds of one pair of long trees of a kind."""
    columns = _long_columns(size)[name].columns()
    start = time.process_time()
    tree_edit_distances(*columns)
    return time.process_time() - start


def _check_plain(pairs: Pairs) -> None:
    """Assert that both kernels find the same distances."""
    first, second, links = pairs.columns()
    place = np.zeros(1, dtype=np.int64)
    trees = first.heads, first.offsets, second.heads, second.offsets, place, place, place
    plain = _core.testing.long_edit_distances(*trees, links.links, links.offsets, jobs=1)
    assert plain.tolist() == tree_edit_distances(first, second, links).rows.tolist()


def _print_long() -> None:
    """Print what long trees cost, and the exponents fitted over all lengths."""
    seconds: dict[str, list[float]] = {}
    for size in LONG:
        for name, pairs in _long_columns(size).items():
            if size == LONG[0]:
                _check_plain(pairs)
            seconds.setdefault(name, []).append(long_seconds(size, name))
    print(
        f"long trees: CPU seconds of one pair at {', '.join(map(str, LONG))} words, fitted exponent"
    )
    for name, taken in seconds.items():
        exponent = float(np.polyfit(np.log(LONG), np.log(taken), 1)[0])
        print(f"  {name:26}" + "".join(f"{cost:9.3f}" for cost in taken) + f"   {exponent:.2f}")


def _beside_peers(pairs: Pairs) -> None:
    columns = pairs.columns()
    rate = len(pairs) / best_seconds(partial(tree_edit_distances, *columns))
    lengths = columns[0].lengths, columns[1].lengths
    flat = len(pairs) / best_seconds(partial(flat_edit_distances, *lengths, columns[2]))
    print(f"  kilter, all cost models           {rate:12,.0f}   flattened {flat:,.0f}")
    for name, count, peer in (("zss", 60, _zss), ("apted", 100, _apted)):
        _print_peer(name, pairs.some(count), peer)
    if (EDIST / "bin" / "python").is_file():
        _print_peer("edist, separate process", pairs, _edist)
    else:
        print(f"  no edist: there is no environment {EDIST} (KILTER_EDIST names another)")


def _print_peer(name: str, pairs: Pairs, peer: Any) -> None:
    """Assert that a peer finds the same distances, and print what Kilter takes for the same pairs."""
    columns = pairs.columns()
    ours = tree_edit_distances(*columns).rows[:, EditModel.LINKED].tolist()
    distances, seconds = peer(pairs)
    assert distances == ours
    own = best_seconds(partial(tree_edit_distances, *columns))
    print(f"  {name:34}{len(pairs) / seconds:12,.1f}   kilter on the same: {seconds / own:,.0f}x")


def _timed(compare: Any, trees: list[tuple[Any, Any]]) -> tuple[list[int], float]:
    start = time.thread_time()
    distances = [int(compare(first, second)) for first, second in trees]
    return distances, time.thread_time() - start


def _zss(pairs: Pairs) -> tuple[list[int], float]:
    from zss import Node, simple_distance  # noqa: PLC0415 - a bench tool

    def built(named: Named, place: int = 0) -> Any:
        labels, below = named
        return Node(labels[place], [built(named, child) for child in below[place]])

    trees = [(built(one), built(other)) for one, other in named_pairs(pairs)]
    differ = lambda first, second: int(first != second)  # noqa: E731
    return _timed(partial(simple_distance, label_dist=differ), trees)


def _apted(pairs: Pairs) -> tuple[list[int], float]:
    from apted import APTED, Config  # noqa: PLC0415 - a bench tool
    from apted.helpers import Tree  # noqa: PLC0415 - a bench tool

    def built(named: Named, place: int = 0) -> Any:
        labels, below = named
        return Tree(labels[place], *(built(named, child) for child in below[place]))

    trees = [(built(one), built(other)) for one, other in named_pairs(pairs)]
    return _timed(lambda one, other: APTED(one, other, Config()).compute_edit_distance(), trees)


def _edist(pairs: Pairs) -> tuple[list[int], float]:
    done = subprocess.run(
        [str(EDIST / "bin" / "python"), "-c", _EDIST_SCRIPT],
        input=json.dumps(named_pairs(pairs)),
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    return [int(distance) for distance in found["distances"]], float(found["seconds"])


if __name__ == "__main__":
    run()
