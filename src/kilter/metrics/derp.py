"""DERP: paths between linked words in both trees, compared along a spanning tree. [TH] chapter 5"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.links import Link, LinkBatch
from kilter.core.path_graph import (
    PathDisparities,
    PathEdge,
    PathGraph,
    PathKind,
    flat_path_disparities,
    path_disparities,
    path_graph,
    path_tree,
)
from kilter.core.registry import option
from kilter.core.settings import checked
from kilter.metrics.dependency_tree_metric import (
    FlattenedDependencyTreeMetric,
    NoEvidence,
    path_steps,
    with_evidence,
    word_steps,
)
from kilter.results.measure import Working, WorkingStep

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation


@checked
def derp(
    hypothesis: DependencyTree,
    reference: DependencyTree,
    *,
    links: Iterable[Link],
    **options: Any,
) -> float:
    """Return DERP of one sentence; links are (hypothesis, reference), options those of the metric.

    1 - sum L / sum L_max over a minimum spanning tree of the linked words, where L is how much the path
    between two words differs in the two trees and L_max the most it could. One linked word scores 1,
    none 0 (1 with no_evidence=published), two empty sentences 1. [TH] eq 5.7

    >>> from kilter.core.dependency_tree import DependencyTree
    >>> told = DependencyTree(["They", "told", "Jane"], [1, -1, 1], labels=["nsubj", "root", "obj"])
    >>> turned = DependencyTree(["Jane", "told", "them"], [1, -1, 1], labels=["nsubj", "root", "obj"])
    >>> derp(told, turned, links=[(2, 0), (1, 1)])
    0.0
    """
    batch = LinkBatch.of([links])
    sizes = np.array([[len(hypothesis), len(reference)]])
    batch.check(sizes[:, 0], sizes[:, 1])
    metric = Derp(**options)
    if metric.flat:
        disparities = flat_path_disparities(batch)
    else:
        trees = DependencyTreeColumn.of([hypothesis]), DependencyTreeColumn.of([reference])
        disparities = path_disparities(*trees, batch, labels=metric.labels)
    scores = with_evidence(disparities.best(), batch.linked_words(), sizes, metric.no_evidence)
    return float(scores[0])


@checked
def derp_tree(
    hypothesis: DependencyTree,
    reference: DependencyTree,
    *,
    links: Iterable[Link],
    **options: Any,
) -> list[PathEdge]:
    """Return the edges of the spanning tree with their paths and costs; options as those of the metric.

    >>> from kilter.core.dependency_tree import DependencyTree
    >>> told = DependencyTree(["They", "told", "Jane"], [1, -1, 1], labels=["nsubj", "root", "obj"])
    >>> pairs = derp_tree(told, told, links=[(0, 0), (1, 1), (2, 2)])
    >>> [(pair.reference, pair.cost, pair.most) for pair in pairs]
    [((0, 1), 0, 2), ((1, 2), 0, 2)]
    """
    return path_tree(hypothesis, reference, links, kind=Derp(**options).kind)


@checked
def derp_graph(
    hypothesis: DependencyTree,
    reference: DependencyTree,
    *,
    links: Iterable[Link],
    **options: Any,
) -> PathGraph:
    """Return the paths between all linked words with their costs, and which of them are compared.

    Options as those of the metric. The score is 1 - cost / most of the graph.

    >>> from kilter.core.dependency_tree import DependencyTree
    >>> told = DependencyTree(["They", "told", "Jane"], [1, -1, 1], labels=["nsubj", "root", "obj"])
    >>> turned = DependencyTree(["Jane", "told", "them"], [1, -1, 1], labels=["nsubj", "root", "obj"])
    >>> graph = derp_graph(told, turned, links=[(2, 0), (1, 1)])
    >>> [(edge.parts, edge.cost, edge.most) for edge in graph.edges]
    [(PathParts(up=1, turned=True, down=0), 2, 2)]
    """
    return path_graph(hypothesis, reference, links, kind=Derp(**options).kind)


@dataclass(frozen=True, kw_only=True)
class Derp(FlattenedDependencyTreeMetric):
    """DERP, the best of several references and parses."""

    name: ClassVar[str] = "derp"
    summary: ClassVar[str] = "DERP: paths between linked words in dependency trees"
    formula: ClassVar[str] = "1 - sum L / sum L_max over a minimum spanning tree of linked words"
    citations: ClassVar[tuple[str, ...]] = ("mccaffery-2017",)

    labels: bool = option(default=True, description="compare the labels of paths, or only lengths")
    no_evidence: NoEvidence = option(NoEvidence.ZERO, "score of a segment without any linked word")

    @property
    def kind(self) -> PathKind:
        """What is compared under the options."""
        if self.flat:
            return PathKind.FLAT
        return PathKind.LABELS if self.labels else PathKind.STRUCTURE

    def reference_scores(self, evaluation: Evaluation, place: int) -> NDArray[np.float64]:
        """Return the best score over parses against one reference."""
        texts, links = (
            (evaluation.hypothesis, evaluation.references[place]),
            evaluation.links[place],
        )
        key = ("derp", place, self.flat, self.labels)
        if key not in evaluation.kept:
            evaluation.kept[key] = self._disparities(evaluation, place)
        disparities: PathDisparities = evaluation.kept[key]
        words = np.column_stack([text.tokens.lengths for text in texts])
        linked = links.linked_words(jobs=evaluation.jobs)
        return with_evidence(disparities.best(), linked, words, self.no_evidence)

    def reference_working(self, evaluation: Evaluation, place: int, segment: int) -> Working:
        """Return the paths of the spanning tree, and how much they differ."""
        score = float(self.reference_scores(evaluation, place)[segment])
        found: PathDisparities = evaluation.kept["derp", place, self.flat, self.labels]
        row, pair = segment, (segment, segment)
        if found.pairs is not None:
            row, pair = found.pairs.best_of(found.scores(), segment)
        texts = evaluation.hypothesis, evaluation.references[place]
        links = evaluation.links[place]
        linked = links.linked_words(jobs=evaluation.jobs)[segment]
        words = np.array([int(text.tokens.lengths[segment]) for text in texts])
        trees = self.compared_trees(evaluation, place, segment, pair)
        graph = path_graph(*trees, links.segment(segment), kind=self.kind)
        steps = [*word_steps(words, linked), *path_steps(graph, found.rows[row])]
        if not linked.any() and words.any() and self.no_evidence is NoEvidence.ZERO:
            last = WorkingStep("score", "DERP: no word is linked", score, "0")
        else:
            last = WorkingStep(
                "score", "DERP", score, "1 - L / L_max" if found.rows[row, 1] else "1"
            )
        return Working((*steps, last), place, paths=graph)

    def _disparities(self, evaluation: Evaluation, place: int) -> PathDisparities:
        links, jobs = evaluation.links[place], evaluation.jobs
        if self.flat:
            return flat_path_disparities(links, jobs=jobs)
        return path_disparities(
            evaluation.trees_of(evaluation.hypothesis),
            evaluation.trees_of(evaluation.references[place]),
            links,
            labels=self.labels,
            jobs=jobs,
        )
