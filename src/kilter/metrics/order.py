"""Word order by itself: the share of neighbours and of all pairs of linked words in order. Section 6.10"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import isnan
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.errors import OptionError
from kilter.core.link_rule import LinkRule
from kilter.core.permutation import Permutation
from kilter.core.permutation_input import as_batch
from kilter.core.registry import option
from kilter.core.settings import checked
from kilter.metrics.permutation_metric import OrderMetric, rising_pairs
from kilter.metrics.version_two import VERSION_TWO, OrderTwo
from kilter.results.measure import Measure, Working, WorkingStep

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation
    from kilter.core.permutation_batch import PermutationBatch

    Floats = NDArray[np.float64]

NEIGHBOURS, PAIRS = 1.7, 0.3
"""What a share of 1 out of order costs. They add up to 2, so that half of both out of order, as chance gives, is 0."""
ROUNDING = 1e-12
"""What is left of a zero."""
LEAST_LINKS, LEAST_SHARE = 4, 0.25
"""Linked words, and their share of the reference's words, from which on a segment has evidence of its order."""
LEAST_EVIDENCE = 0.5
"""Share of a corpus' reference words that must stand in segments with evidence."""


class Version(StrEnum):
    """Which formula counts."""

    THREE = "3"
    TWO = VERSION_TWO


class References(StrEnum):
    """What several references say of an order."""

    BEST = "best"
    LATTICE = "lattice"


@checked
def order(permutation: Permutation) -> float:
    """Return 1 - 1.7 x neighbours out of order - 0.3 x pairs out of order, as shares, and at least 0.

    Neighbours are words that follow one another in the reference; they are in order at any distance. A single
    word leaves nothing to misplace and scores 1; no word at all scores 0.

    >>> from kilter import Permutation
    >>> round(order(Permutation.from_one_based([1, 3, 2, 4, 5])), 6)
    0.545
    """
    return float(Order().permutation_scores(as_batch([permutation.values]))[0])


def kept_neighbours(permutations: PermutationBatch) -> NDArray[np.int64]:
    """Return how many pairs of reference neighbours stand in their order in each permutation.

    >>> kept_neighbours(as_batch([[0, 2, 1, 3], [2, 1, 0], []])).tolist()
    [2, 0, 0]
    """
    owner = np.repeat(np.arange(len(permutations)), permutations.lengths)
    inverse = np.empty(len(permutations.values), dtype=np.int64)
    inverse[permutations.offsets[:-1][owner] + permutations.values] = np.arange(len(inverse))
    kept = (np.diff(inverse) > 0) & (np.diff(owner) == 0)
    return np.bincount(owner[:-1][kept], minlength=len(permutations))


@dataclass(frozen=True, kw_only=True)
class Order(OrderMetric):
    """Word order by itself. A segment with too few links has no score: it is missing.

    A corpus scores the mean of its other segments, each of which weighs as much as it has linked words, and is
    missing where they hold less than half of the reference's words.
    """

    model_links: ClassVar[bool] = True
    name: ClassVar[str] = "order"
    summary: ClassVar[str] = "word order by itself: neighbours and pairs of linked words in order"
    purpose: ClassVar[str] = "word order alone"
    formula: ClassVar[str] = "max(0, 1 - 1.7 x neighbours out of order - 0.3 x pairs out of order)"
    citations: ClassVar[tuple[str, ...]] = ("kilter", "birch-osborne-2010")
    needs: ClassVar[tuple[str, ...]] = ("links",)
    averages: ClassVar[bool] = True
    words_only: ClassVar[bool] = True
    penalty: ClassVar[bool] = False
    empty: ClassVar[float] = 0.0

    weights: Version = option(Version.THREE, "version of the formula: 3, or 2 for earlier scores")
    references: References = option(
        References.BEST,
        "several references: the best counts, or two words are out of order only if no reference has them so (lattice)",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.references is References.LATTICE and self.weights is Version.TWO:
            raise OptionError("order: version 2 has no lattice of references; leave references out")

    @property
    def prices_errors(self) -> bool:
        """Not in version 2, whose score is not of the permutation alone, nor where references share in it."""
        return self.weights is Version.THREE and self.references is References.BEST

    def _scores(self, permutations: PermutationBatch) -> Floats:
        joints = np.maximum(permutations.lengths - 1, 1)
        kept = np.where(permutations.lengths > 1, kept_neighbours(permutations), 1)
        rising = permutations.kendall_scores()
        found: Floats = 1.0 - NEIGHBOURS * (1.0 - kept / joints) - PAIRS * (1.0 - rising)
        return np.where(found > ROUNDING, found, 0.0)

    def reference_scores(self, evaluation: Evaluation, place: int) -> Floats:
        """Return the scores against one reference, NaN where there is too little evidence."""
        if self.weights is Version.TWO:
            return OrderTwo.of(evaluation, place).scores
        permutations = evaluation.word_permutations(place)
        linked, words = order_evidence(evaluation, place)
        known = has_evidence(linked, words) & (permutations.lengths > 0)
        if self.references is References.LATTICE and len(evaluation.references) > 1:
            found = np.full(len(known), np.nan)
            for segment in np.flatnonzero(known).tolist():
                found[segment] = OrderLattice.of(evaluation, place, segment).score
            return found
        return np.where(known, self.permutation_scores(permutations), np.nan)

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return the best score over references.

        Statistics are weight x score, weight, mean words of the references in a segment with evidence, and in any.
        """
        places = range(len(evaluation.references))
        every = np.stack([self.reference_scores(evaluation, place) for place in places])
        best, segments = (
            np.argmax(np.nan_to_num(every, nan=-1.0), axis=0),
            np.arange(len(evaluation)),
        )
        scores = every[best, segments]
        evidence = np.stack([self._weights(evaluation, place) for place in places])
        linked, words = evidence[best, 0, segments], evidence[:, 1].mean(axis=0)
        known = ~np.isnan(scores) & (linked > 0)
        weights = np.where(known, linked, 0.0)
        rows = [np.where(known, scores, 0.0) * weights, weights, np.where(known, words, 0.0), words]
        return Measure(np.column_stack(rows), scores)

    def _weights(self, evaluation: Evaluation, place: int) -> Floats:
        """Return in two rows what each segment weighs, and its words."""
        if (
            self.weights is Version.TWO
        ):  # version 2 leaves nothing out but segments without evidence
            weights = OrderTwo.of(evaluation, place).weights
            return np.stack([weights, np.zeros(len(weights))])
        return np.stack(order_evidence(evaluation, place)).astype(np.float64)

    def corpus_score(self, sums: Floats) -> Floats:
        """Return the mean of the segments with evidence; NaN where they hold too few of the words."""
        total, weights, covered, words = (sums[..., column] for column in range(4))
        known = (weights > 0) & (covered >= LEAST_EVIDENCE * words)
        none = np.full(total.shape, 0.0 if self.weights is Version.TWO else np.nan)
        scores: Floats = np.divide(total, weights, out=none, where=known)
        return scores

    def missing(self, sums: Floats) -> str:
        """Return why a corpus has no score."""
        covered, words = float(sums[2]), float(sums[3])
        share = covered / words if words else 0.0
        return (
            f"too few words are linked: segments with {LEAST_LINKS} linked words or more, and a quarter of their "
            f"reference linked, hold {share:.0%} of all reference words, and order needs {LEAST_EVIDENCE:.0%}; lines "
            "may be empty or too short, the reference in another language, or links missing"
        )

    def working(self, evaluation: Evaluation, segment: int) -> Working:
        """Return the evidence, what of the linked words is out of order, and what that costs."""
        places = range(len(evaluation.references))
        scores = [self.reference_scores(evaluation, place)[segment] for place in places]
        place = int(np.argmax(np.nan_to_num(scores, nan=-1.0)))
        score = float(scores[place])
        if self.weights is Version.TWO:
            return Working((WorkingStep("score", "order of the segment, version 2", score),), place)
        if self.references is References.LATTICE and not isnan(score):
            steps = OrderLattice.of(evaluation, place, segment).steps(evaluation, place, segment)
        else:
            steps = order_steps(evaluation, place, segment, score)
        last = WorkingStep("score", "order of the segment", score, "" if isnan(score) else "order")
        return Working((*steps, last), place)


def order_evidence(
    evaluation: Evaluation, place: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the linked words of each hypothesis, and the words of each reference."""
    links = evaluation.word_links(place)
    return links.linked_words(jobs=evaluation.jobs)[:, 0], evaluation.reference_words(place)


def has_evidence(linked: NDArray[np.int64], words: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether enough words are linked to tell an order: four, and a quarter of the reference's.

    >>> has_evidence(np.array([3, 4, 4]), np.array([3, 16, 17])).tolist()
    [False, True, False]
    """
    enough: NDArray[np.bool_] = (linked >= LEAST_LINKS) & (linked >= LEAST_SHARE * words)
    return enough


def order_steps(
    evaluation: Evaluation, place: int, segment: int, score: float
) -> tuple[WorkingStep, ...]:
    """Return the steps to the order of a segment against one reference, which is the last."""
    linked, words = (int(each[segment]) for each in order_evidence(evaluation, place))
    steps = [
        WorkingStep("linked", "linked words", linked),
        WorkingStep("words", "words of the reference", words),
    ]
    if isnan(score):
        told = f"missing: fewer than {LEAST_LINKS} linked words, or less than a quarter"
        return (*steps, WorkingStep("order", told, score))
    permutation = Permutation(evaluation.word_permutations(place)[segment])
    count = len(permutation)
    kept = int(kept_neighbours(as_batch([permutation.values]))[0])
    return (
        *steps,
        WorkingStep("n", "words in an order", count),
        WorkingStep("parted", "neighbours out of order", count - 1 - kept),
        WorkingStep("crossed", "pairs out of order", count * (count - 1) // 2 - rising_pairs(permutation)),
        WorkingStep("order", "order of the segment", score,
                    f"max(1 - {NEIGHBOURS:g} * parted / (n - 1) - {PAIRS:g} * crossed / (n * (n - 1) / 2), 0)"),
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True, eq=False)
class OrderLattice:
    """What references together say of the words that one of them, the base, is linked with.

    Two words are out of order only if every reference that both are linked with has them the other way round.
    """

    ranks: NDArray[np.int64]
    """For each linked word of the hypothesis its place in the base, from 0."""
    wrong: NDArray[np.bool_]
    """Whether word i of the hypothesis, before word j, is out of order with it; words x words, above the diagonal."""
    fixed: NDArray[np.bool_]
    """Whether word i must stand before word j, because all references that both are linked with say so."""

    @classmethod
    def of(cls, evaluation: Evaluation, place: int, segment: int) -> OrderLattice:
        """Return the lattice of a segment with reference `place` as its base."""
        others = [k for k in range(len(evaluation.references)) if k != place]
        size = int(evaluation.hypothesis.tokens.lengths[segment])
        places = _word_places(evaluation, place, segment, size)
        words = np.flatnonzero(places >= 0)
        base = places[words]
        before = base[:, np.newaxis] < base
        fixed = before.copy()
        for other in others:
            there = _word_places(evaluation, other, segment, size)[words]
            both = (there[:, np.newaxis] >= 0) & (there >= 0)
            fixed &= ~both | (there[:, np.newaxis] < there)
        # Of two words the later one must come first: all references say so.
        wrong = np.triu(fixed.T, 1)
        ranks = np.argsort(np.argsort(base))
        return cls(ranks=ranks, wrong=wrong, fixed=fixed)

    @property
    def parted(self) -> int:
        """Neighbours in the base that are out of order."""
        words = np.argsort(self.ranks)
        return int(self.wrong[words[1:], words[:-1]].sum())

    @property
    def crossed(self) -> int:
        """Pairs of words that are out of order."""
        return int(self.wrong.sum())

    @property
    def free(self) -> int:
        """Pairs of words that the references have in different orders."""
        count = len(self.ranks)
        return count * (count - 1) // 2 - int(self.fixed.sum())

    @property
    def score(self) -> float:
        """The order of the segment."""
        count = len(self.ranks)
        joints, pairs = max(count - 1, 1), max(count * (count - 1) // 2, 1)
        kept, rising = (joints - self.parted) / joints, (pairs - self.crossed) / pairs
        found = 1.0 - NEIGHBOURS * (1.0 - kept) - PAIRS * (1.0 - rising)
        return found if found > ROUNDING else 0.0

    def orders(self, *, most: int = 20_000) -> int | None:
        """Return how many orders of these words the references allow, None where that takes too many steps.

        An order is allowed if it has no two words out of order. Counted over sets of words that can come first, at most
        `most` of each size.
        """
        count = len(self.ranks)
        before = [sum(1 << int(i) for i in np.flatnonzero(self.fixed[:, j])) for j in range(count)]
        found = {0: 1}
        for _ in range(count):
            longer: dict[int, int] = {}
            for begun, ways in found.items():
                for word in range(count):
                    if not begun >> word & 1 and before[word] & ~begun == 0:
                        grown = begun | 1 << word
                        longer[grown] = longer.get(grown, 0) + ways
            if len(longer) > most:
                return None
            found = longer
        return sum(found.values())

    def steps(self, evaluation: Evaluation, place: int, segment: int) -> tuple[WorkingStep, ...]:
        """Return the steps to the order of the segment."""
        linked, words = (int(each[segment]) for each in order_evidence(evaluation, place))
        orders = self.orders()
        told = (
            []
            if orders is None
            else [WorkingStep("orders", "orders that the references allow", orders)]
        )
        return (
            WorkingStep("linked", "linked words", linked),
            WorkingStep("words", "words of the reference", words),
            WorkingStep("free", "pairs that the references order differently", self.free),
            *told,
            WorkingStep("n", "words in an order", len(self.ranks)),
            WorkingStep("parted", "neighbours that no reference has in this order", self.parted),
            WorkingStep("crossed", "pairs that no reference has in this order", self.crossed),
            WorkingStep("order", "order of the segment", self.score,
                        f"max(1 - {NEIGHBOURS:g} * parted / (n - 1) - {PAIRS:g} * crossed / (n * (n - 1) / 2), 0)"),
        )  # fmt: skip


def _word_places(
    evaluation: Evaluation, reference: int, segment: int, size: int
) -> NDArray[np.int64]:
    """Return for each word of a hypothesis its place in a reference, -1 without a link."""
    if evaluation.rule.rule is not LinkRule.ONE_TO_ONE:
        raise OptionError(
            f"order:references=lattice takes one-to-one links, not the rule {evaluation.rule.rule}; leave the rule out"
        )
    links = evaluation.word_links(reference)
    rows = links.links[links.offsets[segment] : links.offsets[segment + 1]]
    places = np.full(size, -1, dtype=np.int64)
    places[rows[:, 0]] = rows[:, 1]
    return places
