"""What the tools are given: all made up from one seed, so that every machine measures the same."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.shapes import block_moves
from benchmarks.systems import made_up_systems
from benchmarks.tree_pairs import edited_pairs, made_up, named_pairs

if TYPE_CHECKING:
    from benchmarks.comparison.measured import Load

WORDS = 25


def permutations(count: int) -> Load:
    """Return permutations of 25 words after three moves of a block."""
    random = np.random.default_rng(1)
    return {"permutations": [block_moves(WORDS, random).tolist() for _ in range(count)]}


@cache
def _texts() -> tuple[list[str], dict[str, list[str]]]:
    return made_up_systems(8)


def texts(count: int) -> Load:
    """Return hypotheses and references of 5 to 40 words, words exchanged and blocks moved."""
    reference, systems = _texts()
    return {"hypotheses": systems["system0"][:count], "references": reference[:count]}


def systems(count: int, *, resamples: int = 1000) -> Load:
    """Return eight systems over the same references."""
    reference, found = _texts()
    listed = [lines[:count] for lines in found.values()]
    return {"references": reference[:count], "systems": listed, "resamples": resamples}


def trees(count: int, length: int | None = None) -> Load:
    """Return pairs of trees as names and children in preorder; linked words, and only they, are called the same."""
    return {"trees": named_pairs(edited_pairs(made_up(count, length=length), "made up"))}


def bitext(count: int) -> Load:
    """Return sentences and translations by a dictionary of two words each, with moves and noise, and the true links."""
    chance = Random(1)
    size = 4000
    source, target, links = [], [], []
    for _ in range(count):
        words = [int(size * chance.random() ** 3) for _ in range(chance.randint(4, 30))]
        order = sorted(range(len(words)), key=lambda place: place + chance.gauss(0, 1.5))
        source.append(" ".join(f"s{word}" for word in words))
        made: list[str] = []
        true: list[str] = []
        for place in order:
            if chance.random() < 0.1:
                continue
            true.append(f"{place}-{len(made)}")
            made.append(f"t{words[place]}{'ab'[chance.random() < 0.2]}")
            if chance.random() < 0.1:
                made.append(f"t{int(40 * chance.random())}f")
        target.append(" ".join(made) or "t0f")
        links.append(true)
    return {"source": source, "target": target, "links": links}
