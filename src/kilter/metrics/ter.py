"""Translation edit rate, as sacreBLEU computes it. Snover et al. (2006), Post (2018)"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from kilter.errors import InputError
from kilter.formats.sacrebleu_module import sacrebleu_module
from kilter.metrics.metric import Metric, only_reference
from kilter.metrics.one_segment import reference_lines
from kilter.options.argument import checked
from kilter.options.configured import option
from kilter.structures.result.measure import Measure
from kilter.structures.result.working import Working, WorkingStep

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.structures.evaluation import Evaluation


MOST_WORDS = 2048
"""Words of a line. sacreBLEU's memory grows with the product of both sides, its time faster still."""


@checked
def ter(
    hypothesis: str,
    references: object,
    *,
    normalized: bool = False,
    punctuation: bool = True,
    asian: bool = False,
    cased: bool = False,
) -> float:
    """Return the TER of one raw line: edits and block shifts / mean reference length.

    0 for a perfect translation, more than 1 where more is edited than the reference has words. The
    reference that needs the fewest edits counts. Without any reference word it is 1, or 0 if the
    hypothesis is empty too.

    >>> ter("on the mat sat the cat", ["the cat sat on the mat"])
    0.3333333333333333
    """
    chosen = Ter(normalized=normalized, punctuation=punctuation, asian=asian, cased=cased)
    return float(
        chosen.corpus_score(
            chosen.counts([hypothesis], [[line] for line in reference_lines(references)])
        )[0]
    )


@dataclass(frozen=True, kw_only=True)
class Ter(Metric):
    """TER of the lines as they came, with the tokeniser of tercom."""

    in_all: ClassVar[bool] = False
    name: ClassVar[str] = "ter"
    summary: ClassVar[str] = "edits and block shifts per reference word, sacreBLEU / 100"
    formula: ClassVar[str] = "(insertions + deletions + substitutions + shifts) / mean |ref|"
    citations: ClassVar[tuple[str, ...]] = ("snover-2006", "post-2018")
    range: ClassVar[tuple[float, float]] = (0.0, inf)
    higher_is_better: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ("text",)

    normalized: bool = option(default=False, description="split off punctuation as tercom does")
    punctuation: bool = option(default=True, description="keep punctuation")
    asian: bool = option(default=False, description="treat Asian characters by themselves")
    cased: bool = option(default=False, description="tell upper from lower case")

    def counts(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]],
        *,
        names: Sequence[str] | None = None,
    ) -> NDArray[np.float64]:
        """Return sacreBLEU's statistics: edits and mean reference length.

        A line of more than `MOST_WORDS` words is an `InputError`; `names` are those of the texts, the
        hypotheses first.
        """
        scorer: Any = sacrebleu_module("sacrebleu.metrics.ter").TER(
            normalized=self.normalized,
            no_punct=not self.punctuation,
            asian_support=self.asian,
            case_sensitive=self.cased,
        )
        for name, lines in zip(
            names or _names(len(references)), (hypotheses, *references), strict=True
        ):
            _check_lengths(scorer, lines, name)
        rows = scorer._extract_corpus_statistics(hypotheses, references)  # noqa: SLF001
        return np.array(rows, dtype=float).reshape(-1, 2)

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return sacreBLEU's statistics, and the score of every segment by itself."""
        references = [column.lines for column in evaluation.references]
        names = [evaluation.hypothesis.name, *(text.name for text in evaluation.references)]
        rows = self.counts(evaluation.hypothesis.lines, references, names=names)
        return Measure(rows, self.corpus_score(rows))

    def corpus_score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return edits / reference length; without a reference word 1 if there are edits, else 0."""
        edits, length = sums[..., 0], sums[..., 1]
        scores = np.array(edits > 0, dtype=np.float64)
        return np.divide(edits, length, out=scores, where=length > 0)

    def working(self, evaluation: Evaluation, segment: int) -> Working:
        """Return the edits and shifts, and the mean length of the references."""
        references = [[column.lines[segment]] for column in evaluation.references]
        row = self.counts([evaluation.hypothesis.lines[segment]], references)
        edits, length = row[0].tolist()
        score = float(self.corpus_score(row)[0])
        formula = "edits / length" if length > 0 else "1 if edits else 0"
        return Working(
            (
                WorkingStep(
                    "edits",
                    "insertions, deletions, substitutions and shifts, the fewest",
                    int(edits),
                ),
                WorkingStep("length", "words of the reference, the mean of several", length),
                WorkingStep("score", "TER", score, formula),
            ),
            only_reference(evaluation),
        )


def _names(references: int) -> list[str]:
    return ["hypothesis", *(f"reference {place + 1}" for place in range(references))]


def _check_lengths(scorer: Any, lines: Sequence[str], name: str) -> None:
    for number, line in enumerate(lines, start=1):
        if len(line) <= MOST_WORDS:  # whatever splits it, a word takes a letter
            continue
        words = len(scorer._preprocess_segment(line).split())  # noqa: SLF001 - its own splitting
        if words > MOST_WORDS:
            raise InputError(
                f"has {words} words; ter takes at most {MOST_WORDS}, because its search would take too long "
                "on more: split the line into sentences, or leave ter out",
                where=f"{name}:{number}",
            )
