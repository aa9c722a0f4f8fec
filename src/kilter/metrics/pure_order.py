"""The order of linked words apart from how many are linked and how long the sentence is. Section 6.10"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from kilter.metrics.permutation_metric import rising_pairs
from kilter.structures.permutation.permutation import Permutation
from kilter.structures.result.working import WorkingStep

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.metrics.word_model import WordModel
    from kilter.structures.evaluation import Evaluation

    Floats = NDArray[np.float64]

LEAST = 2.0
"""Linked words, or mass of soft links, from which on something is known of an order."""
USUAL_LENGTH = 20.0
CHANCE = 0.5
"""The share of pairs out of order in a sentence that was shuffled."""
NOISE = 5e-05
"""The share of pairs out of order that soft links have in a sentence beside itself."""
NEAR_WEIGHT = 0.9
LENGTH_POWER = 0.4
"""Of long sentences more neighbours are parted: their share grows about so with the length."""
SOFT_LENGTH_POWER = 0.2
"""Of long sentences fewer pairs of soft links are out of order: what is misplaced moves past few of many."""
SHARE_POWER, LEAST_SHARE = 0.75, 0.35
"""Where less is linked more links are wrong and look like disorder; below this share there is no more of it."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PureOrder:
    """The order of each segment against one reference, and what it is made of.

    `far` is the share of pairs of linked words in order, `near` that of neighbours that stayed neighbours;
    soft links have no neighbours, and `near` is None. `linked` is the number of linked words or the mass
    of soft links, `length` the words of the reference. Without any link the score is `empty`. `weight` is
    that of `near`.
    """

    far: Floats
    near: Floats | None
    linked: Floats
    length: Floats
    empty: float
    weight: float = NEAR_WEIGHT

    @classmethod
    def of(
        cls,
        evaluation: Evaluation,
        place: int,
        *,
        encoder: WordModel,
        empty: float,
        weight: float = NEAR_WEIGHT,
    ) -> PureOrder:
        """Return the order against the reference in this place."""
        length = evaluation.references[place].tokens.lengths.astype(np.float64)
        options = encoder.meaning_options()
        if options is not None:
            found = evaluation.meaning(place, options)
            pairs = found.concordant + found.discordant
            far = np.divide(found.concordant, pairs, out=np.ones(len(pairs)), where=pairs > 0.0)
            return cls(far=far, near=None, linked=found.linked, length=length, empty=empty)
        permutations = evaluation.permutations(place)
        scores = permutations.scores()
        # A rule may drop every linked word, or add others: what is ordered counts.
        linked = np.where(permutations.lengths > 0, evaluation.linked_words(place), 0)
        return cls(
            far=scores["kendall"],
            near=scores["fuzzy"],
            linked=linked.astype(np.float64),
            length=length,
            empty=empty,
            weight=weight,
        )

    @property
    def evidence(self) -> NDArray[np.bool_]:
        """Whether enough is linked to tell an order."""
        return self.linked >= LEAST

    @property
    def share(self) -> Floats:
        """The linked share of the reference, at most 1; 0 of nothing."""
        share = np.divide(
            self.linked, self.length, out=np.zeros(len(self.length)), where=self.length > 0.0
        )
        return np.minimum(share, 1.0)

    @property
    def weights(self) -> Floats:
        """What each segment weighs in a corpus: its linked words, or 1 by soft links; 0 without evidence.

        What a few links say of an order is mostly chance. The mass of soft links would let other words
        change what a segment weighs.
        """
        return np.where(self.evidence, self.linked if self.near is not None else 1.0, 0.0)

    @property
    def stretch(self) -> Floats:
        """What disorder is multiplied by, so that sentences are neither better nor worse by being long.

        Of hard links that is the share of parted neighbours alone.
        """
        length = np.maximum(self.length, 1.0)
        stretch: Floats = (
            (length / USUAL_LENGTH) ** SOFT_LENGTH_POWER
            if self.near is None
            else (USUAL_LENGTH / length) ** LENGTH_POWER
        )
        return stretch

    @property
    def discount(self) -> Floats:
        """What disorder is multiplied by where little is linked; soft links are not discounted."""
        if self.near is None:
            return np.ones(len(self.length))
        discount: Floats = np.maximum(self.share, LEAST_SHARE) ** SHARE_POWER
        return discount

    @property
    def disorder(self) -> Floats:
        """The weighted mean of both shares out of order, or for soft links the first as a share of what chance gives."""
        if self.near is None:
            return np.maximum(1.0 - self.far - NOISE, 0.0) / CHANCE * self.stretch
        far, near = 1.0 - self.far, (1.0 - self.near) * self.stretch
        return (1.0 - self.weight) * far + self.weight * near

    @property
    def scores(self) -> Floats:
        """1 - discount x disorder, at least 0; `empty` without a link."""
        found = np.maximum(1.0 - self.discount * self.disorder, 0.0)
        return np.where(self.linked > 0.0, found, self.empty)

    def steps(self, evaluation: Evaluation, place: int, segment: int) -> list[WorkingStep]:
        """Return the steps to the order of a segment, which is the last."""
        linked, length = float(self.linked[segment]), float(self.length[segment])
        score = float(self.scores[segment])
        soft = self.near is None
        steps = [
            WorkingStep("linked", "mass of soft links" if soft else "linked words", linked),
            WorkingStep("length", "words of the reference", length),
        ]
        if not linked > 0.0:
            return [*steps, WorkingStep("order", "order of a segment without any link", score)]
        if soft:
            last = WorkingStep("order", "order", score, "max(1 - disorder, 0)")
            return [*steps, *self._soft(segment), last]
        share = "min(linked / length, 1)" if length > 0.0 else "0"
        return [
            *steps,
            *self._hard(evaluation, place, segment),
            WorkingStep("share", "linked share", float(self.share[segment]), share),
            WorkingStep(
                "discount",
                "by the linked share",
                float(self.discount[segment]),
                f"max(share, {LEAST_SHARE:g}) ** {SHARE_POWER:g}",
            ),
            WorkingStep("order", "order", score, "max(1 - discount * disorder, 0)"),
        ]

    def _soft(self, segment: int) -> list[WorkingStep]:
        far = float(self.far[segment])
        return [
            WorkingStep("far", "share of the mass of pairs of links in order", far),
            WorkingStep("stretch", "by length", float(self.stretch[segment]),
                        f"(max(length, 1) / {USUAL_LENGTH:g}) ** {SOFT_LENGTH_POWER:g}"),
            WorkingStep("disorder", "share out of order, 1 by chance", float(self.disorder[segment]),
                        f"max(1 - far - {NOISE:g}, 0) / {CHANCE:g} * stretch"),
        ]  # fmt: skip

    def _hard(self, evaluation: Evaluation, place: int, segment: int) -> list[WorkingStep]:
        assert self.near is not None  # noqa: S101 - hard links have neighbours
        permutation = Permutation(evaluation.permutations(place)[segment])
        words = len(permutation)
        far, near = float(self.far[segment]), float(self.near[segment])
        steps = [WorkingStep("n", "words in an order", words)]
        if words < LEAST:
            steps += [WorkingStep("far", "pairs in order, of one word", far, "1"),
                      WorkingStep("near", "neighbours, of one word", near, "1")]  # fmt: skip
        else:
            kept = sum(two == one + 1 for one, two in pairwise(permutation))
            steps += [
                WorkingStep("rising", "pairs of words in order", rising_pairs(permutation)),
                WorkingStep("far", "share of pairs", far, "rising / (n * (n - 1) / 2)"),
                WorkingStep("kept", "neighbours that stayed neighbours", kept),
                WorkingStep("near", "share of neighbours", near, "kept / (n - 1)"),
            ]
        stretch = f"({USUAL_LENGTH:g} / max(length, 1)) ** {LENGTH_POWER:g}"
        return [
            *steps,
            WorkingStep("stretch", "by length", float(self.stretch[segment]), stretch),
            WorkingStep("w", "weight of neighbours", self.weight),
            WorkingStep("disorder", "mean share out of order", float(self.disorder[segment]),
                        "(1 - w) * (1 - far) + w * (1 - near) * stretch"),
        ]  # fmt: skip
