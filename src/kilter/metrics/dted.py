"""DTED: edit distance between the dependency trees of hypothesis and reference. [TH] chapter 4"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.dependency_tree_edit import (
    EditDistances,
    EditModel,
    EditRow,
    EditTable,
    can_list_edits,
    edit_table,
    flat_edit_distances,
    tree_edit_distances,
    tree_edits,
)
from kilter.core.links import Link, LinkBatch
from kilter.core.registry import option
from kilter.core.settings import checked
from kilter.metrics.dependency_tree_metric import (
    CorpusWeight,
    FlattenedDependencyTreeMetric,
    NoEvidence,
    shares,
    with_evidence,
    word_steps,
)
from kilter.results.measure import Working, WorkingStep

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation


class DtedVariant(StrEnum):
    """Which operations cost what, and what the distance is divided by.

    The flags of [TH] are understood too: o and l, which include c, for co and cl, and f before any of them
    for flattened sentences.
    """

    BASIC = "b"
    LINKED = "c"
    ALIGNED_ONLY = "co"
    WEIGHTED = "cl"


_FLAGS = {
    f"{flat}{flags}": variant
    for flat in ("", "f")
    for variant in DtedVariant
    for flags in {str(variant), variant.removeprefix("c") or "c"}
}


class MismatchCost(StrEnum):
    """What renaming a linked word to one that is not its partner costs: an operation, or each word."""

    OPERATION = "operation"
    NODE = "node"


class Weight(StrEnum):
    """How unlinked words are weighed against linked ones in variant cl."""

    LOG = "log"
    PROPORTIONAL = "proportional"


@checked
def dted(
    hypothesis: DependencyTree,
    reference: DependencyTree,
    *,
    links: Iterable[Link],
    **options: Any,
) -> float:
    """Return DTED of one sentence; links are (hypothesis, reference), options those of the metric.

    1 - distance / all words, where the distance counts renamed, deleted and inserted words and linked
    words are renamed at no cost (variant c). Two empty sentences score 1. [TH] 4.4

    >>> from kilter.core.dependency_tree import DependencyTree
    >>> told = DependencyTree(["They", "told", "Jane"], [1, -1, 1])
    >>> informed = DependencyTree(["Jane", "was", "informed"], [2, 2, -1])
    >>> dted(told, informed, links=[(2, 0)])
    0.5
    """
    batch = LinkBatch.of([links])
    sizes = np.array([len(hypothesis)]), np.array([len(reference)])
    batch.check(*sizes)
    metric = Dted(**options)
    if metric.flat:
        distances = flat_edit_distances(*sizes, batch)
    else:
        distances = tree_edit_distances(
            DependencyTreeColumn.of([hypothesis]), DependencyTreeColumn.of([reference]), batch
        )
    return float(metric.scores(distances)[0])


@checked
def dted_edits(
    hypothesis: DependencyTree,
    reference: DependencyTree,
    *,
    links: Iterable[Link],
    **options: Any,
) -> list[EditRow]:
    """Return the operations of one optimal mapping; options as those of the metric.

    Edit lists are not unique. This one is always the same: from the end of both postorders, two words
    are joined if some optimal mapping of what is left joins them, else the hypothesis word is deleted
    if some deletes it, else the reference word is inserted.

    >>> from kilter.core.dependency_tree import DependencyTree
    >>> told = DependencyTree(["They", "told", "Jane"], [1, -1, 1])
    >>> informed = DependencyTree(["Jane", "was", "informed"], [2, 2, -1])
    >>> [(str(edit.kind), edit.hypothesis.text, edit.reference.text) for edit in dted_edits(
    ...     told, informed, links=[(2, 0)]
    ... )]
    [('rename', 'They', 'Jane'), ('rename', 'told', 'informed'), ('rename', 'Jane', 'was')]
    """
    metric = Dted(**options)
    if metric.flat:
        hypothesis, reference = hypothesis.flattened(), reference.flattened()
    return tree_edits(hypothesis, reference, links, model=metric.model)


@checked
def dted_table(
    hypothesis: DependencyTree,
    reference: DependencyTree,
    *,
    links: Iterable[Link],
    **options: Any,
) -> EditTable:
    """Return the same operations and their sums; options as before.

    >>> from kilter.core.dependency_tree import DependencyTree
    >>> told = DependencyTree(["They", "told", "Jane"], [1, -1, 1])
    >>> informed = DependencyTree(["Jane", "was", "informed"], [2, 2, -1])
    >>> table = dted_table(told, informed, links=[(2, 0)], variant="cl", flat=True)
    >>> table.aligned_distance, table.unaligned_distance, table.linked_share
    (0, 4, 0.3333333333333333)
    """
    metric = Dted(**options)
    if metric.flat:
        hypothesis, reference = hypothesis.flattened(), reference.flattened()
    return edit_table(hypothesis, reference, links, model=metric.model)


@dataclass(frozen=True, kw_only=True)
class Dted(FlattenedDependencyTreeMetric):
    """DTED, the best of several references and parses."""

    name: ClassVar[str] = "dted"
    summary: ClassVar[str] = "DTED: edit distance of dependency trees"
    formula: ClassVar[str] = "1 - edits / words; co, cl: edits of linked words over linked words"
    citations: ClassVar[tuple[str, ...]] = ("mccaffery-2017",)

    variant: DtedVariant = option(
        DtedVariant.LINKED,
        "b: links unused; c: linked words match; co: they alone count; cl: they count more",
    )
    mismatch: MismatchCost = option(
        MismatchCost.OPERATION, "co, cl: cost of renaming a linked word to another's partner"
    )
    weight: Weight = option(Weight.LOG, "cl: how the share of linked words becomes a weight")
    base: float = option(0.1, "cl: base of the logarithmic weight", low=0.0, high=1.0)
    cap: float = option(0.9, "cl: highest logarithmic weight", low=0.0, high=1.0)
    no_evidence: NoEvidence = option(
        NoEvidence.ZERO, "co, cl: score of a segment without any linked word"
    )

    def __post_init__(self) -> None:
        flags = self.variant
        if isinstance(flags, str) and flags not in list(DtedVariant) and flags in _FLAGS:
            object.__setattr__(self, "variant", _FLAGS[flags])
            object.__setattr__(self, "flat", self.flat or flags.startswith("f"))
        super().__post_init__()

    def needed(self, offered: AbstractSet[str]) -> tuple[str, ...]:
        """Return the needs; variant b looks at no link, unless linked words weigh its segments."""
        needs = super().needed(offered)
        linked = self.variant is not DtedVariant.BASIC or self.corpus is CorpusWeight.LINKED
        return tuple(need for need in needs if need != "links" or linked)

    @property
    def model(self) -> EditModel:
        """What operations cost under the variant."""
        if self.variant is DtedVariant.BASIC:
            return EditModel.BASIC
        if self.variant is DtedVariant.LINKED:
            return EditModel.LINKED
        return EditModel.NODE if self.mismatch is MismatchCost.NODE else EditModel.OPERATION

    def scores(self, distances: EditDistances) -> NDArray[np.float64]:
        """Return one score per comparison."""
        words, linked = distances.words.sum(axis=1), distances.linked.sum(axis=1)
        if self.model in (EditModel.BASIC, EditModel.LINKED):
            return 1.0 - shares(distances.rows[:, int(self.model)], words)
        column = 2 if self.model is EditModel.OPERATION else 4
        aligned = shares(distances.rows[:, column], linked)
        if self.variant is DtedVariant.ALIGNED_ONLY:
            scores = 1.0 - aligned
        else:
            weights = self._weights(shares(linked, words))
            rest = shares(distances.rows[:, column + 1], words - linked)
            # Rounding may lift the sum of two full shares above 1.
            scores = np.maximum(1.0 - ((1.0 - weights) * aligned + weights * rest), 0.0)
        return with_evidence(scores, distances.linked, distances.words, self.no_evidence)

    def _weights(self, proportions: NDArray[np.float64]) -> NDArray[np.float64]:
        listed = [self.unlinked_weight(share) for share in proportions.tolist()]
        return np.array(listed, dtype=np.float64)

    def unlinked_weight(self, share: float) -> float:
        """Return the weight of edits of unlinked words under variant cl, given the share of linked ones.

        >>> round(Dted().unlinked_weight(0.625), 6)
        0.237137
        """
        if self.weight is Weight.PROPORTIONAL:
            return 1.0 - share
        # Python's power, because numpy's differs in its last bit between machines.
        return float(min(self.cap, self.base**share)) if share else 1.0

    def reference_scores(self, evaluation: Evaluation, place: int) -> NDArray[np.float64]:
        """Return the best score over parses against one reference."""
        key = ("dted", place, self.flat)
        if key not in evaluation.kept:
            evaluation.kept[key] = self._distances(evaluation, place)
        distances: EditDistances = evaluation.kept[key]
        return distances.best(self.scores(distances))

    def reference_working(self, evaluation: Evaluation, place: int, segment: int) -> Working:
        """Return the edits of the best parse, and what they are divided by."""
        self.reference_scores(evaluation, place)
        distances: EditDistances = evaluation.kept["dted", place, self.flat]
        row, pair = segment, (segment, segment)
        if distances.pairs is not None:
            row, pair = distances.pairs.best_of(self.scores(distances), segment)
        links = evaluation.links[place].segment(segment) if evaluation.links else []
        first, second = self.compared_trees(evaluation, place, segment, pair)
        edits = None
        if can_list_edits(first, second):
            edits = edit_table(first, second, links, model=self.model)
        return Working(self._steps(distances, row), place, edits=edits)

    def _steps(self, distances: EditDistances, row: int) -> tuple[WorkingStep, ...]:
        words, linked = distances.words[row], distances.linked[row]
        steps = word_steps(words, linked)
        score = float(self.scores(distances)[row])
        meaning = f"DTED, variant {self.variant}"
        if self.model in (EditModel.BASIC, EditModel.LINKED):
            distance = int(distances.rows[row, int(self.model)])
            formula = "1 - dist / (n_H + n_R)" if words.any() else "1"
            return (
                *steps,
                WorkingStep("dist", "cost of the edits that make one tree of the other", distance),
                WorkingStep("score", meaning, score, formula),
            )
        column = 2 if self.model is EditModel.OPERATION else 4
        aligned, rest = distances.rows[row, column : column + 2].tolist()
        steps.append(WorkingStep("dist_a", "cost of edits on linked words", aligned))
        share = "dist_a / (a_H + a_R)" if linked.any() else "0"
        if not linked.any() and words.any() and self.no_evidence is NoEvidence.ZERO:
            return (*steps, WorkingStep("score", f"{meaning}: no word is linked", score, "0"))
        if self.variant is DtedVariant.ALIGNED_ONLY:
            return (*steps, WorkingStep("score", meaning, score, f"1 - {share}"))
        unlinked = words - linked
        proportion = float(shares(linked.sum(keepdims=True), words.sum(keepdims=True))[0])
        weight = float(self._weights(np.array([proportion]))[0])
        others = "dist_na / (n_H + n_R - a_H - a_R)" if unlinked.any() else "0"
        return (
            *steps,
            WorkingStep("dist_na", "cost of edits on other words", rest),
            WorkingStep(
                "prop",
                "share of linked words",
                proportion,
                "(a_H + a_R) / (n_H + n_R)" if words.any() else "0",
            ),
            *self._weight_steps(proportion, weight),
            WorkingStep(
                "score", meaning, score, f"max(0, 1 - ((1 - log) * {share} + log * {others}))"
            ),
        )

    def _weight_steps(self, proportion: float, weight: float) -> list[WorkingStep]:
        """Return what words without a link weigh."""
        meaning = "weight of words without a link"
        if self.weight is Weight.PROPORTIONAL:
            return [WorkingStep("log", meaning, weight, "1 - prop")]
        return [
            WorkingStep("base", "base of the weight", self.base),
            WorkingStep("cap", "highest weight", self.cap),
            WorkingStep("log", meaning, weight, "min(cap, base ** prop)" if proportion else "1"),
        ]

    def _distances(self, evaluation: Evaluation, place: int) -> EditDistances:
        hypothesis, reference = evaluation.hypothesis, evaluation.references[place]
        # Without links given or made, only variant b is here, which looks at none.
        links = evaluation.links[place] if evaluation.links else _no_links(len(evaluation))
        jobs = evaluation.jobs
        if self.flat:
            lengths = hypothesis.tokens.lengths, reference.tokens.lengths
            return flat_edit_distances(*lengths, links, jobs=jobs)
        trees = evaluation.trees_of(hypothesis), evaluation.trees_of(reference)
        return tree_edit_distances(*trees, links, jobs=jobs)


def _no_links(segments: int) -> LinkBatch:
    return LinkBatch(np.zeros((0, 2), dtype=np.int32), np.zeros(segments + 1, dtype=np.int64))
