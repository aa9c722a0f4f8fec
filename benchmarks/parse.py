"""Parsers on the test part of UD English EWT: accuracy, speed on one core, memory, disk."""

from __future__ import annotations

import gzip
import os
import resource
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from subprocess import run as run_process
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from kilter.formats.conllu import read_conllu
from kilter.formats.stream import ByteSource
from kilter.parsers.registry import parser
from kilter.structures.dependency.dependency_tree import ROOT
from kilter.structures.text.token_column import TokenColumn

if TYPE_CHECKING:
    from kilter.structures.dependency.dependency_tree_column import DependencyTreeColumn

DATA = Path(os.environ.get("KILTER_DATA", Path(__file__).parents[2] / "shared" / "data"))
PART = os.environ.get("KILTER_EWT_PART", "test")
PARSERS = os.environ.get("KILTER_PARSERS", "model perceptron").split()


@dataclass(frozen=True)
class Accuracy:
    """Shares of words in percent: right head, right head and label, right tag."""

    uas: float
    las: float
    upos: float
    xpos: float


def run() -> None:
    place = DATA / "ud-english-ewt" / f"{PART}.conllu.gz"
    if not place.is_file():
        print(f"  no treebank: {place} is not there")
        return
    for name in PARSERS:
        # A process for each, so that memory is that of one parser.
        run_process([sys.executable, "-m", "benchmarks.parse", name, str(place)], check=True)


def measure(name: str, place: Path) -> None:
    with TemporaryDirectory() as folder:
        plain = Path(folder) / "gold.conllu"
        plain.write_bytes(gzip.decompress(place.read_bytes()))
        gold = read_conllu(ByteSource(str(plain)))
    trees = gold.trees
    words = TokenColumn(trees.words, trees.offsets)
    chosen = parser(name)
    few = TokenColumn(words.ids[: words.offsets[8]], words.offsets[:9])
    chosen.parse(few, trees.vocabulary)  # loads the model
    begin = time.process_time()
    found = chosen.parse(words, trees.vocabulary)
    seconds = time.process_time() - begin
    assert_trees(found.trees)
    languages = gold.kept[1] == found.language_tags
    accuracy = compared(trees, found.trees, float(languages.mean()))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"  {name:12} UAS {accuracy.uas:.2f}  LAS {accuracy.las:.2f}  UPOS {accuracy.upos:.2f}  "
        f"XPOS {accuracy.xpos:.2f}  {len(words) / seconds:,.0f} sentences, "
        f"{len(words.ids) / seconds:,.0f} words per CPU second  {peak:.0f} MB of memory",
        flush=True,
    )


def assert_trees(found: DependencyTreeColumn) -> None:
    """Assert one root and no cycle in every segment; that cycles are refused is the column's work."""
    roots = np.add.reduceat(found.heads == ROOT, found.offsets[:-1])
    assert (roots == 1).all()
    if found.joined:
        print(f"  {len(found.joined)} trees of several roots, which were joined")


def compared(gold: DependencyTreeColumn, found: DependencyTreeColumn, xpos: float) -> Accuracy:
    """Return accuracy over all words, punctuation and subtypes of labels included."""
    head = gold.heads == found.heads
    return Accuracy(
        uas=100 * float(head.mean()),
        las=100 * float((head & (gold.labels == found.labels)).mean()),
        upos=100 * float((gold.tags == found.tags).mean()),
        xpos=100 * xpos,
    )


if __name__ == "__main__":
    measure(sys.argv[1], Path(sys.argv[2]))
