"""DERP with the reference's tree alone: do words that belong together stand as they should? After [TH] 8.4"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import InputError
from kilter.core.links import Link, LinkBatch
from kilter.core.path_graph import (
    PathDisparities,
    PathKind,
    path_graph,
    reference_disparities,
)
from kilter.core.registry import option
from kilter.core.settings import checked
from kilter.metrics.dependency_tree_metric import DependencyTreeMetric, path_steps, word_steps
from kilter.metrics.metric import brevity_penalty, brevity_steps
from kilter.results.measure import Working, WorkingStep

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation


@checked
def derp_reference(
    length: int, reference: DependencyTree, *, links: Iterable[Link], **options: Any
) -> float:
    """Return the score of a hypothesis of `length` words, which needs no tree; links as in DERP.

    Linked reference words are joined along the shortest paths of the reference's tree (heads with their
    dependents first). For each joined pair, d is its distance in words in the reference and d' that of
    its partners in the hypothesis: L = |d - d'|, L_max = 1 + max(d, d'), or L = L_max = d + 1 + d' if the
    partners stand the other way round. The score is BP x (1 - sum L / sum L_max). Of equally short
    paths those with smaller L, then L_max, are taken. One linked word scores BP, none `empty`.

    >>> from kilter.core.dependency_tree import DependencyTree
    >>> reference = DependencyTree(["They", "told", "Jane"], [1, -1, 1])
    >>> derp_reference(3, reference, links=[(0, 0), (1, 1), (2, 2)])
    1.0
    >>> derp_reference(3, reference, links=[(0, 0), (2, 1), (1, 2)])
    0.3333333333333333
    """
    if length < 0:
        raise InputError(f"the length of the hypothesis is {length}; it cannot be negative")
    batch = LinkBatch.of([links])
    lengths = np.array([length])
    batch.check(lengths, np.array([len(reference)]))
    disparities = reference_disparities(DependencyTreeColumn.of([reference]), lengths, batch)
    words = np.array([[length, len(reference)]])
    return float(DerpReference(**options).scores(disparities, batch.linked_words(), words)[0])


@dataclass(frozen=True, kw_only=True)
class DerpReference(DependencyTreeMetric):
    """The score against trees of references, the best of several references and parses."""

    name: ClassVar[str] = "derp-reference"
    order_only: ClassVar[bool] = True
    summary: ClassVar[str] = "order of words that belong together in the reference's tree"
    formula: ClassVar[str] = "BP(linked, |ref|) (1 - sum L / sum L_max) along the reference's tree"
    citations: ClassVar[tuple[str, ...]] = ("mccaffery-2017",)
    needs: ClassVar[tuple[str, ...]] = ("links", "reference-trees")

    penalty: bool = option(
        default=True, description="multiply by BP(linked words, reference length)"
    )
    empty: float = option(0.0, "score of a segment without any linked word", low=0.0, high=1.0)

    def scores(
        self, disparities: PathDisparities, linked: NDArray[np.int64], words: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return one score per segment, given linked words and words of both sides."""
        scores = disparities.best()
        if self.penalty:
            scores = scores * brevity_penalty(linked[:, 1], words[:, 1])
        nothing = (linked[:, 1] == 0) & (words.sum(axis=1) > 0)
        return np.where(nothing, self.empty, scores)

    def reference_scores(self, evaluation: Evaluation, place: int) -> NDArray[np.float64]:
        """Return the best score over parses against one reference."""
        hypothesis, reference = evaluation.hypothesis, evaluation.references[place]
        links, jobs = evaluation.links[place], evaluation.jobs
        key = ("derp-reference", place)
        if key not in evaluation.kept:
            evaluation.kept[key] = reference_disparities(
                evaluation.trees_of(reference), hypothesis.tokens.lengths, links, jobs=jobs
            )
        words = np.column_stack([hypothesis.tokens.lengths, reference.tokens.lengths])
        return self.scores(evaluation.kept[key], links.linked_words(jobs=jobs), words)

    def reference_working(self, evaluation: Evaluation, place: int, segment: int) -> Working:
        """Return the paths along the reference's tree, how much they differ, and the penalty."""
        score = float(self.reference_scores(evaluation, place)[segment])
        found: PathDisparities = evaluation.kept["derp-reference", place]
        if found.pairs is None:
            raise ValueError("paths along a tree are compared with those of its parse")
        row, (_, number) = found.pairs.best_of(found.scores(), segment)
        hypothesis, reference = evaluation.hypothesis, evaluation.references[place]
        links = evaluation.links[place]
        linked = links.linked_words(jobs=evaluation.jobs)[segment]
        words = np.array([int(each.tokens.lengths[segment]) for each in (hypothesis, reference)])
        listed = evaluation.vocabulary.text(hypothesis.tokens, segment)
        row_of_words = DependencyTree(listed, [word - 1 for word in range(len(listed))])
        tree = evaluation.trees_of(reference).tree(number)
        graph = path_graph(row_of_words, tree, links.segment(segment), kind=PathKind.REFERENCE)
        steps = [*word_steps(words, linked), *path_steps(graph, found.rows[row])]
        if linked[1] == 0 and words.any():
            last = WorkingStep("score", "score of a segment without any linked word", score)
            return Working((*steps, last), place, paths=graph)
        share = "(1 - L / L_max)" if found.rows[row, 1] else "1"
        if not self.penalty:
            return Working(
                (*steps, WorkingStep("score", self.name, score, share)), place, paths=graph
            )
        *_, penalty = brevity_steps(int(linked[1]), int(words[1]))
        formula = penalty.formula.replace("linked", "a_R").replace("length", "n_R")
        last = WorkingStep("score", self.name, score, f"BP * {share}")
        return Working((*steps, replace(penalty, formula=formula), last), place, paths=graph)
