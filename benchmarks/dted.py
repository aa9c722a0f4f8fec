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
from typing import TYPE_CHECKING, Any

from benchmarks.timing import best_seconds
from benchmarks.tree_pairs import Pairs, all_pairs, print_growth
from kilter.structures.dependency.dependency_tree_edit import (
    EditModel,
    flat_edit_distances,
    tree_edit_distances,
)

if TYPE_CHECKING:
    from kilter.structures.dependency.dependency_tree import DependencyTree

EDIST = Path(os.environ.get("KILTER_EDIST", Path(__file__).parents[1] / ".venv-separate"))
Named = tuple[list[str], list[list[int]]]

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


def _named(tree: DependencyTree, names: list[str]) -> Named:
    """Return labels and children of the words in preorder."""
    listed: list[str] = []
    below: list[list[int]] = []

    def visit(word: int) -> int:
        place = len(listed)
        listed.append(names[word])
        below.append([])
        below[place] = [visit(child) for child in tree.children(word)]
        return place

    visit(tree.root)
    return listed, below


def _named_pairs(pairs: Pairs) -> list[tuple[Named, Named]]:
    """Return trees in which linked words, and only they, are called the same."""
    made = []
    for first, second, links in zip(pairs.hypotheses, pairs.references, pairs.links, strict=True):
        one = [f"h{word}" for word in range(len(first))]
        other = [f"r{word}" for word in range(len(second))]
        for word, partner in links:
            one[word] = other[partner]
        made.append((_named(first, one), _named(second, other)))
    return made


def _timed(compare: Any, trees: list[tuple[Any, Any]]) -> tuple[list[int], float]:
    start = time.thread_time()
    distances = [int(compare(first, second)) for first, second in trees]
    return distances, time.thread_time() - start


def _zss(pairs: Pairs) -> tuple[list[int], float]:
    from zss import Node, simple_distance  # noqa: PLC0415 - a bench tool

    def built(named: Named, place: int = 0) -> Any:
        labels, below = named
        return Node(labels[place], [built(named, child) for child in below[place]])

    trees = [(built(one), built(other)) for one, other in _named_pairs(pairs)]
    differ = lambda first, second: int(first != second)  # noqa: E731
    return _timed(partial(simple_distance, label_dist=differ), trees)


def _apted(pairs: Pairs) -> tuple[list[int], float]:
    from apted import APTED, Config  # noqa: PLC0415 - a bench tool
    from apted.helpers import Tree  # noqa: PLC0415 - a bench tool

    def built(named: Named, place: int = 0) -> Any:
        labels, below = named
        return Tree(labels[place], *(built(named, child) for child in below[place]))

    trees = [(built(one), built(other)) for one, other in _named_pairs(pairs)]
    return _timed(lambda one, other: APTED(one, other, Config()).compute_edit_distance(), trees)


def _edist(pairs: Pairs) -> tuple[list[int], float]:
    done = subprocess.run(
        [str(EDIST / "bin" / "python"), "-c", _EDIST_SCRIPT],
        input=json.dumps(_named_pairs(pairs)),
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    return [int(distance) for distance in found["distances"]], float(found["seconds"])


if __name__ == "__main__":
    run()
