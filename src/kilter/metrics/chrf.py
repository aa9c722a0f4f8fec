"""chrF, as sacreBLEU computes it. Popovic (2015), Post (2018)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from kilter import _core
from kilter.core.corpus import characters_of, visible_characters_of
from kilter.core.registry import option
from kilter.core.settings import checked
from kilter.io.tokenizer import sacrebleu_module
from kilter.metrics.metric import Metric, best_reference
from kilter.metrics.one_segment import reference_lines
from kilter.results.measure import Measure, Working, WorkingStep

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.core.corpus import TokenColumn
    from kilter.core.evaluation import Evaluation

COMMON_ORDER = 6
"""The longest n-gram that the kernel counts."""


@checked
def chrf(
    hypothesis: str,
    references: object,
    *,
    characters: int = 6,
    words: int = 0,
    beta: int = 2,
    lowercase: bool = False,
    whitespace: bool = False,
) -> float:
    """Return chrF of one raw line: F_beta of n-gram precision and recall, averaged over the orders.

    Orders without an n-gram on either side are left out. The best reference counts. An empty side
    scores 0. `words=2` gives chrF++.

    >>> round(chrf("the mat sat on the cat", ["the cat sat on the mat"]), 4)
    0.8802
    """
    chosen = Chrf(
        characters=characters, words=words, beta=beta, lowercase=lowercase, whitespace=whitespace
    )
    return float(
        chosen.corpus_score(
            chosen.counts([hypothesis], [[line] for line in reference_lines(references)])
        )[0]
    )


@dataclass(frozen=True, kw_only=True)
class Chrf(Metric):
    """chrF of the lines as they came."""

    name: ClassVar[str] = "chrf"
    summary: ClassVar[str] = "F-score of character n-grams, sacreBLEU / 100"
    purpose: ClassVar[str] = "character n-grams in common"
    formula: ClassVar[str] = "(1 + beta^2) P R / (beta^2 P + R), P and R averaged over the orders"
    citations: ClassVar[tuple[str, ...]] = ("popovic-2015", "post-2018")
    needs: ClassVar[tuple[str, ...]] = ("text",)

    characters: int = option(6, "longest character n-gram", low=1, high=100)
    words: int = option(0, "longest word n-gram; 2 makes it chrF++", low=0, high=100)
    beta: int = option(2, "weight of recall", low=1, high=100)
    lowercase: bool = option(default=False, description="lowercase both sides")
    whitespace: bool = option(default=False, description="keep blanks in character n-grams")

    def uses_words(self) -> bool:
        """Return whether word n-grams count."""
        return self.words > 0

    def counts(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]
    ) -> NDArray[np.float64]:
        """Return sacreBLEU's statistics: hypothesis, reference and common n-grams by order.

        Of characters alone, and of one reference, a kernel counts the same.
        """
        if self.words == 0 and self.characters <= COMMON_ORDER and len(references) == 1:
            return self._counted(hypotheses, references[0])
        scorer: Any = sacrebleu_module("sacrebleu.metrics.chrf").CHRF(
            char_order=self.characters,
            word_order=self.words,
            beta=self.beta,
            lowercase=self.lowercase,
            whitespace=self.whitespace,
        )
        rows = scorer._extract_corpus_statistics(hypotheses, references)  # noqa: SLF001
        return np.array(rows, dtype=float).reshape(-1, 3 * (self.characters + self.words))

    def _counted(self, hypotheses: Sequence[str], references: Sequence[str]) -> NDArray[np.float64]:
        hypothesis, reference = (self._characters(lines) for lines in (hypotheses, references))
        common = _core.count_common_ngrams(
            hypothesis.ids, hypothesis.offsets, reference.ids, reference.offsets, self.characters, 1
        )
        before = np.arange(self.characters)
        mine, theirs = (
            np.maximum(side.lengths[:, np.newaxis] - before, 0) for side in (hypothesis, reference)
        )
        # sacreBLEU counts no n-gram of a hypothesis whose reference has none of that order.
        rows = np.stack([np.where(theirs > 0, mine, 0), theirs, common], axis=-1)
        return rows.reshape(-1, 3 * self.characters).astype(np.float64)

    def _characters(self, lines: Sequence[str]) -> TokenColumn:
        cased = [line.lower() for line in lines] if self.lowercase else lines
        return characters_of(cased) if self.whitespace else visible_characters_of(cased)

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return sacreBLEU's statistics, and the score of every segment by itself."""
        references = [column.lines for column in evaluation.references]
        rows = self.counts(evaluation.hypothesis.lines, references)
        return Measure(rows, self.corpus_score(rows))

    def corpus_score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return sacreBLEU's score / 100, by the same steps in the same order."""
        precision, recall = np.zeros(sums.shape[:-1]), np.zeros(sums.shape[:-1])
        orders = np.zeros(sums.shape[:-1])
        for first in range(0, sums.shape[-1], 3):
            hypothesis, reference, common = np.moveaxis(sums[..., first : first + 3], -1, 0)
            both = (hypothesis > 0) & (reference > 0)
            precision += np.divide(common, hypothesis, out=np.zeros(both.shape), where=both)
            recall += np.divide(common, reference, out=np.zeros(both.shape), where=both)
            orders += both
        orders = np.maximum(orders, 1)
        precision, recall = precision / orders, recall / orders
        factor = self.beta**2
        product = (1 + factor) * precision * recall
        total = factor * precision + recall
        return np.divide(product, total, out=np.zeros(total.shape), where=total > 0)

    def working(self, evaluation: Evaluation, segment: int) -> Working:
        """Return the n-grams of both sides and those in common, by order."""
        hypothesis = evaluation.hypothesis.lines[segment]
        texts = [column.lines[segment] for column in evaluation.references]
        rows = [self.counts([hypothesis], [[text]])[0] for text in texts]
        scores = [self.corpus_score(row[np.newaxis]) for row in rows]
        place = best_reference(scores, 0)
        steps: list[WorkingStep] = []
        precisions, recalls = [], []
        values = []
        for order, (one, other, common) in enumerate(rows[place].reshape(-1, 3).tolist(), start=1):
            what = f"{order}-grams of letters"
            if order > self.characters:
                what = f"{order - self.characters}-grams of words"
            steps += [
                WorkingStep(f"h{order}", f"{what} of the hypothesis", int(one)),
                WorkingStep(f"r{order}", f"{what} of the reference", int(other)),
                WorkingStep(f"c{order}", f"{what} in common", int(common)),
            ]
            if one > 0 and other > 0:
                precisions.append(f"c{order} / h{order}")
                recalls.append(f"c{order} / r{order}")
                values.append((common / one, common / other))
        score = float(scores[place][0])
        if score == 0.0:
            return Working(
                (*steps, WorkingStep("score", "chrF without a common n-gram", score, "0")), place
            )
        means = [sum(each) / len(values) for each in zip(*values, strict=True)]
        steps += [
            WorkingStep("P", "mean precision", means[0], f"mean({', '.join(precisions)})"),
            WorkingStep("R", "mean recall", means[1], f"mean({', '.join(recalls)})"),
            WorkingStep("beta", "weight of recall", self.beta),
        ]
        formula = "(1 + beta ** 2) * P * R / (beta ** 2 * P + R)"
        return Working((*steps, WorkingStep("score", "chrF", score, formula)), place)
