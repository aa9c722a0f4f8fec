"""Kilter on the loads of the comparison, through its public calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import kilter
from benchmarks.comparison.measured import Load, Tool, Work, serve
from benchmarks.comparison.peers import f1
from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.dependency_tree_edit import EditModel, tree_edit_distances
from kilter.core.links import LinkBatch
from kilter.run.scoring.settings import Settings
from kilter.stats.resampling import Resampling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.core.links import Link

_ONCE = Resampling(resamples=1)
"""Peers give no intervals in the same call."""


def _permutation_score(name: str) -> Tool:
    def tool(load: Load) -> Work:
        rows = np.array(load["permutations"], dtype=np.int32)

        def work() -> Sequence[float]:
            found: Sequence[float] = kilter.permutation_scores(rows)[name].tolist()
            return found

        return work

    return tool


def _simple(load: Load) -> Work:
    """Say of each permutation whether one operator orders all of it, in the fused pass."""
    rows = np.array(load["permutations"], dtype=np.int32)

    def work() -> Sequence[float]:
        widest = kilter.permutation_scores(rows)["max-operator"]
        return [float(width == rows.shape[1]) for width in widest.tolist()]

    return work


def _segment_score(specification: str, **settings: object) -> Tool:
    def tool(load: Load) -> Work:
        chosen = Settings(
            metrics=[specification],
            tokenize="none",
            resampling=_ONCE,
            **settings,  # type: ignore[arg-type]
        )

        def work() -> Sequence[float]:
            found = kilter.score(load["hypotheses"], load["references"], settings=chosen)
            (array,) = found.segment_arrays.values()
            return [float(value) for value in array]

        return work

    return tool


def _corpus_score(name: str) -> Tool:
    def tool(load: Load) -> Work:
        chosen = Settings(metrics=[name], resampling=_ONCE)

        def work() -> Sequence[float]:
            found = kilter.score(load["hypotheses"], load["references"], settings=chosen)
            (facts,) = found.system.values()
            return [facts.score or 0.0]

        return work

    return tool


def _bootstrap(load: Load) -> Work:
    systems = {f"system{place}": lines for place, lines in enumerate(load["systems"])}
    drawn = Resampling(resamples=load["resamples"])

    def work() -> Sequence[float]:
        found = kilter.compare(
            systems,
            load["references"],
            tests=["bootstrap"],
            settings=Settings(metrics=["bleu"], resampling=drawn),
        )
        (metric,) = found.metrics
        return [each.value or 0.0 for each in metric.intervals]

    return work


def _edit(load: Load) -> Work:
    pairs = [[_tree(*side) for side in pair] for pair in load["trees"]]
    links = LinkBatch.of([_same_names(*pair) for pair in pairs])
    columns = [DependencyTreeColumn.of([pair[side] for pair in pairs]) for side in (0, 1)]

    def work() -> Sequence[float]:
        found = tree_edit_distances(columns[0], columns[1], links).rows[:, EditModel.LINKED]
        return [float(distance) for distance in found.tolist()]

    return work


def _tree(names: list[str], below: list[list[int]]) -> DependencyTree:
    heads = [-1] * len(names)
    for head, children in enumerate(below):
        for child in children:
            heads[child] = head
    return DependencyTree(names, heads)


def _same_names(first: DependencyTree, second: DependencyTree) -> list[Link]:
    places = {word: place for place, word in enumerate(second.words)}
    return [(place, places[word]) for place, word in enumerate(first.words) if word in places]


def _links(load: Load) -> Work:
    def work() -> Sequence[float]:
        found = kilter.align(load["source"], load["target"], aligner="hmm", tokenize="none")
        written = [
            {f"{one}-{other}" for one, other in found.segment(place)} for place in range(len(found))
        ]
        return [f1(written, [set(links) for links in load["links"]])]

    return work


TOOLS: dict[str, tuple[str, Tool]] = {
    "kilter kendall": ("kilter", _permutation_score("kendall")),
    "kilter spearman": ("kilter", _permutation_score("spearman")),
    "kilter simple": ("kilter", _simple),
    "kilter ribes": ("kilter", _segment_score("ribes", lowercase=False)),
    "kilter meteor": ("kilter", _segment_score("meteor", aligner="match:stages=exact,case=keep")),
    "kilter wer": ("kilter", _corpus_score("wer")),
    "kilter bleu": ("kilter", _corpus_score("bleu")),
    "kilter chrf": ("kilter", _corpus_score("chrf")),
    "kilter ter": ("kilter", _corpus_score("ter")),
    "kilter paired bootstrap": ("kilter", _bootstrap),
    "kilter dted": ("kilter", _edit),
    "kilter hmm": ("kilter", _links),
}

if __name__ == "__main__":
    serve(TOOLS)
