"""Fuzzy reordering score: neighbours that are neighbours in a reference with tied words. [FRS]"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.corpus import TokenColumn
from kilter.core.errors import InputError
from kilter.core.registry import option
from kilter.core.reordering import OrderMatch, TiedSpans, group_numbers, mismatch
from kilter.core.settings import checked, chosen
from kilter.metrics.fuzzy import Joints
from kilter.metrics.metric import brevity_penalty
from kilter.metrics.reordering_metric import ReorderingMetric

if TYPE_CHECKING:
    from numpy.typing import NDArray


@checked
def frs(
    system: Sequence[Hashable],
    reference: Sequence[Sequence[Hashable]],
    *,
    ties: TiedSpans | str = TiedSpans.BEST,
    joints: Joints | str = Joints.INNER,
) -> float:
    """Return 1 - (chunks - 1) / (M - 1) for the M words of a system's order; 1 for M <= 1.

    `reference` lists groups of tied words. Give words to match them by form, the first free instance
    each time, or source positions to match them by identity. `ties="best"` counts the fewest chunks over
    all orders inside the groups, `ties="local"` joins neighbours of one or of neighbouring groups.
    `joints="all"` also counts the two ends of the sentence, over M + 1 joints.

    >>> frs([0, 1, 3, 2], [[0], [1, 2], [3]]), frs([0, 1, 3, 2], [[0], [1, 2], [3]], ties="local")
    (0.3333333333333333, 0.6666666666666666)
    >>> frs("the dog saw the cat".split(), [[word] for word in "the cat the dog saw".split()])
    0.25
    """
    match = order_match(system, reference)
    metric = Frs(ties=chosen(TiedSpans, ties, "ties"), joints=chosen(Joints, joints, "joints"))
    return float(metric.match_scores(match)[0])


def order_match(system: Sequence[Hashable], reference: Sequence[Sequence[Hashable]]) -> OrderMatch:
    """Return the match of one sentence; sides with different words are an `InputError`."""
    listed = [word for group in reference for word in group]
    numbers: dict[Hashable, int] = {}
    sides = [
        TokenColumn(
            np.array([numbers.setdefault(w, len(numbers)) for w in words], dtype=np.int32),
            np.array([0, len(words)], dtype=np.int64),
        )
        for words in (system, listed)
    ]
    difference = mismatch(sides[0], sides[1])
    if difference is not None:
        reason = difference.reason(repr(list(numbers)[difference.word]), "the reference")
        raise InputError(
            f"{reason}; system and reference must hold the same words", where="the system"
        )
    group, _ = group_numbers([list(map(len, reference))])
    return OrderMatch.of(sides[0], sides[1], group)


@dataclass(frozen=True, kw_only=True)
class Frs(ReorderingMetric):
    """Fuzzy reordering score of the source words, ordered by hypothesis and by reference."""

    name: ClassVar[str] = "frs"
    order_only: ClassVar[bool] = True
    summary: ClassVar[str] = "source words that stay neighbours, with tied words"
    formula: ClassVar[str] = "inner: (M - chunks) / (M - 1);  all: kept joints / (M + 1)"

    counted: ClassVar[str] = "joints of neighbours"

    ties: TiedSpans = option(TiedSpans.BEST, "tied words: best reading of all, or pair by pair")
    joints: Joints = option(Joints.INNER, "count the joints at the sentence ends too, or not")

    penalty: bool = option(
        default=False,
        description="over text: multiply by BP(source words linked with hypothesis, with reference)",
    )

    @property
    def is_penalised(self) -> bool:
        """Whether the brevity penalty is asked for."""
        return self.penalty

    def factor_formula(self, linked: int, expected: int) -> str:
        """Return the brevity penalty if asked for."""
        if not self.penalty or linked == 0:
            return super().factor_formula(linked, expected)
        return "1 if linked > expected else exp(1 - expected / linked)"

    def factors(
        self, linked: NDArray[np.int64], expected: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the brevity penalty if asked for: then leaving out words cannot win."""
        if self.penalty:
            return brevity_penalty(linked, expected)
        return super().factors(linked, expected)

    def parts(self, match: OrderMatch) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the joints that are kept, and all."""
        ends = self.joints is Joints.ALL
        possible = match.lengths + 1 if ends else np.maximum(match.lengths - 1, 0)
        return match.joins(ties=self.ties, ends=ends), possible
