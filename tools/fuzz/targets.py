"""What `make fuzz` runs: every target with one line on what it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from tools.fuzz import bindings
from tools.fuzz.readers import READERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CORPUS = Path(__file__).parent / "corpus"
ANY = CORPUS / "any"
"""Files that are handed to every reader."""


class Kind(StrEnum):
    """What runs a target."""

    ATHERIS = "atheris"
    LIBFUZZER = "libFuzzer"
    SEEDS = "seeds"


@dataclass(frozen=True, slots=True)
class Target:
    """A target by name: what runs it, and what it is fed to."""

    name: str
    kind: Kind
    line: str


KERNELS = {
    "permutation-reader": "lines of permutations in pieces cut anywhere, against the whole",
    "link-reader": "lines of links",
    "interner": "words of lines, split at blanks and by 13a",
    "permutation-scores": "all scores, trees, forests; permutations with a fault",
    "permutation-pairs": "pairs of permutations, both ways round",
    "block-moves": "block moves, which must sort",
    "tree-edit": "tree edit distance of both sides, mappings, flat sentences",
    "derp": "paths in labelled trees, and the edges that they add up from",
    "tree-order": "orders that slots make of trees, cycles included",
    "spanning-tree": "the best tree of any scores, also infinite ones",
    "link-rules": "orders and counts of links by every rule",
    "symmetrization": "one set of links of two directions",
    "matcher": "one-to-one links by chunks and by crossings",
    "reordering": "groups of tied words",
    "text-counts": "n-grams, RIBES, errors and likeness of words",
    "row-format": "rows of tables as text",
    "perceptron": "any weights: tags, greedy and beam parses, and learning",
    "integer-product": "any bytes and weights, every way of this machine",
    "network-parser": "any network that parses: trees, labels, tags; texts against their sentences",
    "network-learning": "recurrent layers and their gradients both ways round, steps of Adam",
    "transformer": "any encoder, texts against their sentences; products that are bent and rounded",
    "em-aligner": "Model 1 and the hidden Markov model, learning and decoding",
    "word-cells": "pairs of words that are similar, or learned",
    "meaning": "cosines and soft links of any vectors",
    "resampling": "sums over drawn segments and subsets, flipped signs",
    "rank-correlation": "Spearman's rho on drawn segments, both ways round",
    "text-scores": "BLEU of any counts, information of n-grams",
}
SEEDED = {
    "laws": "random permutations, trees, links, reorderings, texts, scores and saved results against naive readers and laws",
    "web": "odd requests to a running survey and a running annotation",
}


def targets() -> dict[str, Target]:
    """Return all targets by name, in the order in which they run."""
    return {target.name: target for target in _targets()}


def _targets() -> Iterator[Target]:
    for name, read in READERS.items():
        line = (read.__doc__ or "").splitlines()[0].rstrip(".")
        yield Target(f"read-{name}", Kind.ATHERIS, f"reader: {line[0].lower()}{line[1:]}")
    for group, names in bindings.GROUPS.items():
        yield Target(f"call-{group}", Kind.ATHERIS, f"bindings: {len(names)} of {group}")
    for name, line in KERNELS.items():
        yield Target(f"kernel-{name}", Kind.LIBFUZZER, f"kernel: {line}")
    for name, line in SEEDED.items():
        yield Target(name, Kind.SEEDS, line)


def function(name: str) -> Callable[[bytes], None]:
    """Return what a target of readers or bindings does with bytes."""
    kind, _, rest = name.partition("-")
    return READERS[rest] if kind == "read" else bindings.target(rest)


def corpus(name: str) -> list[Path]:
    """Return the files that are kept for a target; readers take those for all of them, too."""
    folders = [CORPUS / name, *([ANY] if name.startswith("read-") else [])]
    return [path for folder in folders if folder.is_dir() for path in sorted(folder.iterdir())]
