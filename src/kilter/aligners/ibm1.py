"""IBM Model 1: word translation probabilities alone, no matter where the words stand [B93]."""

# [B93] Brown, Della Pietra, Della Pietra & Mercer 1993, The mathematics of statistical machine
# translation: parameter estimation.

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from kilter._core import Decoding
from kilter.aligners.em_aligner import EmAligner
from kilter.core.registry import option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kilter import _core


@dataclass(frozen=True, kw_only=True)
class Ibm1(EmAligner):
    """Each word is linked to the word of the other text that most probably translates to it.

    EM from a uniform start with a NULL word. A word is linked to its best word, the leftmost of
    several, and to none if NULL is better than all of them; words unknown to the model stay free.
    """

    name: ClassVar[str] = "ibm1"
    summary: ClassVar[str] = "IBM Model 1, learned from the text itself"

    iterations: int = option(5, "iterations of expectation-maximisation", low=1, high=1000)

    def _iterate(self, trainer: _core.EmTrainer) -> Iterator[None]:
        for _ in range(self.iterations):
            trainer.model1()
            yield

    def _iterations(self) -> int:
        return self.iterations

    def _decoding(self) -> Decoding:
        return Decoding.MODEL1
