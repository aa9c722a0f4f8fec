"""Translation edit rate, as sacreBLEU computes it. Snover et al. (2006), Post (2018)"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from kilter import _core
from kilter.core.corpus import Vocabulary
from kilter.core.errors import InputError, SegmentPlace
from kilter.core.registry import option
from kilter.core.settings import checked
from kilter.io.tokenizer import sacrebleu_module
from kilter.metrics.metric import Metric, only_reference
from kilter.metrics.one_segment import reference_lines
from kilter.results.measure import Measure, Working, WorkingStep

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from kilter.core.corpus import TokenColumn
    from kilter.core.evaluation import Evaluation


MOST_WORDS = 2048
"""Words of a line. Memory grows with the product of both sides, and the time of the search faster still."""
_PUNCTUATION = '.,?:;!"()'
_ASIAN_PUNCTUATION = (
    *(0x3001, 0x3002, *range(0x3008, 0x3012), *range(0x3014, 0x3020), 0x30FB),
    *(
        *range(0xFF61, 0xFF66),
        0xFF0E,
        0xFF0C,
        0xFF1F,
        0xFF1A,
        0xFF1B,
        0xFF01,
        0xFF02,
        0xFF08,
        0xFF09,
    ),
)
"""What tercom removes: ideographic and half-width marks, then full-width ones."""


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
        jobs: int = 1,
    ) -> NDArray[np.float64]:
        """Return sacreBLEU's statistics: edits and mean reference length.

        A line of more than `MOST_WORDS` words is an `InputError`; `names` are those of the texts, the
        hypotheses first.
        """
        prepared = self._tokenizer()
        vocabulary = Vocabulary()
        columns = [
            vocabulary.column_of_lines([prepared(line) for line in hypotheses], tokenized=False)
        ]
        for lines in references:
            # As sacreBLEU does, which matters where an entity stands for part of another.
            twice = [prepared(prepared(line)) for line in lines]
            columns.append(vocabulary.column_of_lines(twice, tokenized=False))
        for name, column in zip(names or _names(len(references)), columns, strict=True):
            _check_lengths(column, name)
        words, *others = columns
        edits = [
            _core.count_shift_edits(words.ids, words.offsets, other.ids, other.offsets, jobs)
            for other in others
        ]
        lengths = np.sum([other.lengths for other in others], axis=0) / len(others)
        return np.stack([np.min(edits, axis=0).astype(np.float64), lengths], axis=-1)

    def _tokenizer(self) -> Callable[[str], str]:
        """Return what puts blanks between the words of a line as sacreBLEU's tercom does."""
        if self.normalized:
            scorer: Any = sacrebleu_module("sacrebleu.metrics.ter").TER(
                normalized=True,
                no_punct=not self.punctuation,
                asian_support=self.asian,
                case_sensitive=self.cased,
            )
            found: Callable[[str], str] = scorer._preprocess_segment  # noqa: SLF001
            return found
        removed = dict.fromkeys(map(ord, _PUNCTUATION))
        if self.asian:
            removed |= dict.fromkeys(_ASIAN_PUNCTUATION)
        if self.punctuation:
            return str if self.cased else str.lower
        if self.cased:
            return lambda line: line.translate(removed)
        return lambda line: line.lower().translate(removed)

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return sacreBLEU's statistics, and the score of every segment by itself."""
        references = [column.lines for column in evaluation.references]
        names = [evaluation.hypothesis.name, *(text.name for text in evaluation.references)]
        rows = self.counts(
            evaluation.hypothesis.lines, references, names=names, jobs=evaluation.jobs
        )
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


def _check_lengths(column: TokenColumn, name: str) -> None:
    for place in np.flatnonzero(column.lengths > MOST_WORDS)[:1]:
        words = column.lengths[place]
        raise InputError(
            f"has {words} words; ter takes at most {MOST_WORDS}, because its search would take too long "
            "on more: split the line into sentences, or leave ter out",
            where=SegmentPlace(int(place), after=f" of {name}"),
        )
