"""Hidden Markov alignment: words translate words, and links move by jumps [VNT] [ON] [LTK]."""

# [VNT] Vogel, Ney & Tillmann 1996, HMM-based word alignment in statistical translation.
# [ON] Och & Ney 2003, A systematic comparison of various statistical alignment models.
# [LTK] Liang, Taskar & Klein 2006, Alignment by agreement.

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

from kilter._core import Decoding
from kilter.aligners.em_aligner import EmAligner
from kilter.core.registry import option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kilter import _core


class HmmReading(StrEnum):
    """Which links are read off the model."""

    PATH = "path"
    POSTERIOR = "posterior"


@dataclass(frozen=True, kw_only=True)
class Hmm(EmAligner):
    """Each word is linked to a word of the other text, near the link of the word before it.

    Translation probabilities start from IBM Model 1. Both directions are trained together: a link
    counts as much as the product of its probabilities in both [LTK], which on small texts does more
    than any smoothing of the probabilities.
    """

    name: ClassVar[str] = "hmm"
    summary: ClassVar[str] = "hidden Markov model, both directions trained to agree"

    iterations: int = option(5, "iterations after those of Model 1", low=1, high=1000)
    model1: int = option(5, "iterations of Model 1 to begin with", low=0, high=1000)
    agree: bool = option(True, "whether both directions are trained to agree")
    links: HmmReading = option(
        HmmReading.PATH, "the most probable path, or for each word its most probable link"
    )

    def _iterate(self, trainer: _core.EmTrainer) -> Iterator[None]:
        for _ in range(self.model1):
            trainer.model1()
            yield
        for _ in range(self.iterations):
            trainer.hmm(self.null, self.uniform, self.agree)
            yield

    def _iterations(self) -> int:
        return self.model1 + self.iterations

    def _decoding(self) -> Decoding:
        return Decoding.PATH if self.links is HmmReading.PATH else Decoding.POSTERIOR
