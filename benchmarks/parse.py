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

from benchmarks.timing import best_seconds
from kilter.core.corpus import TokenColumn
from kilter.core.dependency_tree import ROOT
from kilter.io.conllu import read_conllu
from kilter.io.stream import ByteSource
from kilter.parsers.network import core_network, network_trees
from kilter.parsers.network_file import is_network, load_network
from kilter.parsers.perceptron_tables import word_parts
from kilter.parsers.registry import parser
from kilter.run.engine.engine import Batch
from kilter.run.parse import ParsedLines

if TYPE_CHECKING:
    from kilter.core.dependency_tree_column import DependencyTreeColumn
    from kilter.parsers.parser import Parser

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
    measure_text(chosen, words, trees)
    model = str(chosen.options().get("model", ""))
    if model and is_network(model):
        measure_network(model, words, trees)


def measure_text(chosen: Parser, words: TokenColumn, trees: DependencyTreeColumn) -> None:
    """Print the speed from lines of text to lines of a CoNLL-U file."""
    lines = [" ".join(trees.vocabulary.text(words, place)) for place in range(len(words))]
    begin = time.process_time()
    task = ParsedLines(name="text", parser=chosen, tokenize="none")
    block = task(Batch(data=lines, first=1, rows=len(lines)))
    written = sum(text.count("\n\n") for text in block.sentences)
    seconds = time.process_time() - begin
    assert written == len(words)
    print(f"    from text to a CoNLL-U file {len(words) / seconds:,.0f} sentences per CPU second")


def measure_network(model: str, words: TokenColumn, trees: DependencyTreeColumn) -> None:
    """Print where the time of a learned network goes, in milliseconds per thousand sentences, best of five rounds."""
    network = load_network(model)
    used, places = np.unique(words.ids, return_inverse=True)
    spelled = [trees.vocabulary.words[number] for number in used.tolist()]
    parts = word_parts(spelled, lowercase=network.lowercase)
    known, pieces = (each.astype(np.int32) for each in network.rows(parts))
    core, ids = core_network(network), places.astype(np.int32)
    heads = core.parse(known, pieces, ids, words.offsets)[1]
    assert np.array_equal(heads, network_trees(network, parts[places], words.offsets)[1])
    depth = len(network.layers)

    def encoded(layers: int) -> float:
        return best_seconds(
            lambda: core.encode(known, pieces, ids, words.offsets, layers), rounds=5
        )

    named = best_seconds(
        lambda: network.rows(word_parts(spelled, lowercase=network.lowercase)), rounds=5
    )
    first, last = encoded(0), encoded(depth)
    whole = best_seconds(lambda: core.parse(known, pieces, ids, words.offsets), rounds=5)
    parted = {
        f"parts of {len(used)} word forms": named,
        "input layer": first,
        f"{depth} layers": last - first,
        "arcs, trees, labels and tags": whole - last,
    }
    for part, seconds in parted.items():
        print(f"    {part:28} {1e6 * seconds / len(words):6.1f} ms per 1000 sentences")


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
