"""Random trees and links through the metrics of trees: laws that hold for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kilter.core.dependency_tree import DependencyTree
from kilter.metrics.derp import derp, derp_tree
from kilter.metrics.derp_reference import derp_reference
from kilter.metrics.dted import dted, dted_edits
from tests.trees import random_links, random_tree

if TYPE_CHECKING:
    from random import Random

    from tests.trees import Link

SIZES = [0, 1, 2, 3, 5, 8, 13, 30, 63, 64, 65, 66, 130, 400]


def tree(chance: Random) -> DependencyTree:
    """Return a tree of some shape and depth."""
    size = chance.choice(SIZES)
    heads = random_tree(size, chance, reach=chance.choice([1, 2, 5, None, None]))
    return DependencyTree(["w"] * size, heads, labels=chance.choices("abcd", k=size))


def options(chance: Random) -> dict[str, Any]:
    """Return options of DTED."""
    return {
        "variant": chance.choice(["b", "c", "co", "cl"]),
        "mismatch": chance.choice(["operation", "node"]),
        "weight": chance.choice(["log", "proportional"]),
        "no_evidence": chance.choice(["zero", "published"]),
        "flat": chance.random() < 0.2,
    }


def check(chance: Random) -> None:
    """Compare two trees in every way."""
    first, second = tree(chance), tree(chance)
    links = random_links(len(first), len(second), chance)
    turned: list[Link] = [(b, a) for a, b in links]
    chosen = options(chance)
    score = dted(first, second, links=links, **chosen)
    assert 0.0 <= score <= 1.0
    assert score == dted(second, first, links=turned, **chosen)
    if len(first) * len(second) <= 5000:
        check_edits(first, second, links, chosen)
    flat, labels = chance.random() < 0.3, chance.random() < 0.7
    paths = derp(first, second, links=links, flat=flat, labels=labels)
    assert 0.0 <= paths <= 1.0
    if links and len(links) < 200:
        pairs = derp_tree(first, second, links=links, flat=flat, labels=labels)
        most = sum(pair.most for pair in pairs)
        cost = sum(pair.cost for pair in pairs)
        assert abs(paths - (1 - cost / most if most else 1.0)) < 1e-12
    assert 0.0 <= derp_reference(len(first), second, links=links) <= 1.0


def check_edits(
    first: DependencyTree, second: DependencyTree, links: list[Link], chosen: dict[str, Any]
) -> None:
    """Check that the edits of a mapping are those that the distance counts."""
    edits = dted_edits(first, second, links=links, **chosen)
    words = len(first) + len(second)
    if words and chosen["variant"] in "bc":
        cost = sum(edit.cost for edit in edits)
        assert abs(1 - cost / words - dted(first, second, links=links, **chosen)) < 1e-12
    assert (
        sum((edit.hypothesis is not None) + (edit.reference is not None) for edit in edits) == words
    )
