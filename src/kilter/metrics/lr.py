"""LRscore: word order compared in the source, and BLEU or another score of words. [LR]"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.corpus import TextColumn
from kilter.core.errors import InputError, OptionError, SeveralLinksError
from kilter.core.link_rule import source_permutations
from kilter.core.links import LinkBatch
from kilter.core.permutation import Permutation
from kilter.core.registry import option
from kilter.core.settings import checked, chosen
from kilter.metrics.bleu import Smooth, bleu_scores, bleu_statistics, bleu_steps
from kilter.metrics.metric import (
    LinkUse,
    Metric,
    best_reference,
    brevity_penalty,
    brevity_steps,
)
from kilter.metrics.ngram import MAXIMUM_ORDER
from kilter.metrics.one_segment import one_segment
from kilter.metrics.permutation_metric import rising_pairs
from kilter.metrics.registry import metric, metric_class, metric_names
from kilter.results.measure import ORDER, WORDS, Measure, Term, Working, WorkingStep, part_steps

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation


PUBLISHED_LEXICAL = "bleu"
"""The lexical part of the paper: sentences with one added above order 1, a corpus without smoothing."""


class Similarity(StrEnum):
    """How two orders of the source words are compared."""

    KENDALL = "kendall"
    HAMMING = "hamming"
    NONE = "none"
    """Any two orders are alike: what is left of the order part is its brevity penalty."""


class Through(StrEnum):
    """Which links say in what order the words stand."""

    AUTO = "auto"
    SOURCE = "source"
    REFERENCE = "reference"


@checked
def lr(
    hypothesis: object,
    references: object,
    *,
    permutations: tuple[Permutation, Permutation],
    order: Similarity | str = Similarity.KENDALL,
    bleu: int = MAXIMUM_ORDER,
    alpha: float = 0.5,
    lexical: str = PUBLISHED_LEXICAL,
) -> float:
    """Return alpha * R + (1 - alpha) * BLEU of one sentence, BLEU with one added above order 1.

    `lexical` names another metric of words to take the place of BLEU, such as `chrf`; a rate of errors
    such as `wer` counts as max(0, 1 - rate).

    R = d * BP(hypothesis length, closest reference length), where d is the similarity of the two
    `permutations`: the ranks of the source words in the reference and in the hypothesis. Beware: in
    FullMetric and SenScore alpha weighs the lexical part instead.

    >>> from kilter import Permutation
    >>> ranks = Permutation.from_one_based([1, 3, 2]), Permutation.from_one_based([3, 2, 1])
    >>> round(lr("the mat sat".split(), ["the cat sat".split()], permutations=ranks, bleu=1), 6)
    0.5
    """
    batches = [LinkBatch.of([enumerate(ranks.values.tolist())]) for ranks in permutations]
    evaluation = one_segment(hypothesis, references)
    words = [str(place) for place in range(len(permutations[1]))]
    source = TextColumn("source", (" ".join(words),), evaluation.vocabulary.column([words]))
    evaluation = replace(
        evaluation,
        source=source,
        source_links=batches[1],
        reference_links=(batches[0],) * len(evaluation.references),
    )
    metric = Lr(
        order=chosen(Similarity, order, "order"),
        bleu=bleu,
        alpha=alpha,
        through=Through.SOURCE,
        lexical=lexical,
    )
    if "links" in lexical_part(lexical, of="lr").metric.needs:
        raise OptionError(
            f"lexical is {lexical!r}, which needs links of hypothesis and reference; choose another here, or "
            "score texts"
        )
    return float(metric.measure(evaluation).scores[0])


@dataclass(frozen=True, kw_only=True)
class Lr(Metric):
    """LRscore; the reference whose order is closest counts, and the closest length."""

    name: ClassVar[str] = "lr"
    summary: ClassVar[str] = "LRscore: word order through the source, and BLEU"
    formula: ClassVar[str] = (
        "alpha d BP(|hyp|, |ref|) + (1 - alpha) BLEU_N, or another lexical score, or max(0, 1 - error rate)"
    )
    citations: ClassVar[tuple[str, ...]] = ("birch-osborne-2010",)
    needs: ClassVar[tuple[str, ...]] = ("words", "links")
    link_use: ClassVar[LinkUse] = LinkUse.ORDER

    alpha: float = option(0.5, "weight of the order part", low=0.0, high=1.0)
    order: Similarity = option(Similarity.KENDALL, "similarity of two orders")
    bleu: int = option(MAXIMUM_ORDER, "longest n-gram of BLEU", low=1, high=MAXIMUM_ORDER)
    lexical: str = option(
        PUBLISHED_LEXICAL,
        "metric of words in the place of BLEU, its options joined by +; a rate of errors as max(0, 1 - rate)",
    )
    through: Through = option(
        Through.AUTO, "links with the source, if given, or between hypothesis and reference"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        part = self._part()
        if part is not None and self.bleu != MAXIMUM_ORDER:
            raise OptionError(
                f"lr: bleu has no effect with lexical={self.lexical}; leave it out, or write "
                f"lexical=bleu:order={self.bleu}"
            )

    def _part(self) -> LexicalPart | None:
        """Return what takes the place of the paper's BLEU."""
        if self.lexical == PUBLISHED_LEXICAL:
            return None
        return lexical_part(self.lexical, of=self.name)

    def signature(self, context: Mapping[str, str] | None = None) -> str:
        """Return the signature, which says that a rate of errors is taken from 1."""
        part = self._part()
        said = {} if part is None else {"lexical": part.signed(self.lexical)}
        return super().signature({**said, **(context or {})})

    def needed(self, offered: AbstractSet[str]) -> tuple[str, ...]:
        """Return the links with the source, or those between hypothesis and reference."""
        with_source = ("words", "source", "source-links", "reference-links")
        given = self.through is Through.AUTO and set(with_source) <= offered
        links = with_source if given or self.through is Through.SOURCE else self.needs
        part = self._part()
        lexical = ("words",) if part is None else part.metric.needed(offered)
        return tuple(dict.fromkeys((*links, *lexical)))

    def control(self) -> Lr | None:
        """Return the metric with any two orders alike."""
        return None if self.order is Similarity.NONE else replace(self, order=Similarity.NONE)

    def resolved(self, evaluation: Evaluation) -> Lr:
        """Return the metric with the links it will use instead of `auto`."""
        if self.through is not Through.AUTO:
            return self
        given = evaluation.source_links is not None and evaluation.reference_links
        return replace(self, through=Through.SOURCE if given else Through.REFERENCE)

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return alpha x order part + (1 - alpha) x lexical part: BLEU with one added above order 1.

        Statistics are the order part, 1 for the segment, and those of the lexical part.
        """
        parts, lexical = self._order_part(evaluation), self._lexical_part(evaluation)
        scores = self.alpha * parts + (1.0 - self.alpha) * lexical.scores
        rows = np.column_stack([parts, np.ones(len(parts)), lexical.statistics])
        return Measure(rows, scores)

    def corpus_score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return alpha x mean order part + (1 - alpha) x lexical score: unsmoothed BLEU of the corpus."""
        mean, lexical = self._corpus_parts(sums)
        return self.alpha * mean + (1.0 - self.alpha) * lexical

    def corpus_terms(self, sums: NDArray[np.float64]) -> tuple[Term, ...]:
        """Return the mean of the order part, its brevity penalty included, and the lexical score."""
        mean, lexical = self._corpus_parts(sums)
        return (Term(self.alpha, {ORDER: mean}), Term(1.0 - self.alpha, {WORDS: lexical}))

    def _corpus_parts(
        self, sums: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        total, segments = sums[..., 0], sums[..., 1]
        mean = np.divide(total, segments, out=np.zeros(total.shape), where=segments > 0)
        part = self._part()
        if part is None:
            return mean, bleu_scores(sums[..., 2:], smooth=Smooth.NONE, effective=False)
        return mean, part.corpus_score(sums[..., 2:])

    def _lexical_part(self, evaluation: Evaluation) -> Measure:
        part = self._part()
        if part is not None:
            return part.measure(evaluation)
        counts = bleu_statistics(evaluation, self.bleu)
        return Measure(counts, bleu_scores(counts, smooth=Smooth.ADD_ONE, effective=False))

    def _order_part(self, evaluation: Evaluation) -> NDArray[np.float64]:
        through = self.resolved(evaluation).through
        key = ("lr", through, self.order)
        if key not in evaluation.kept:
            evaluation.kept[key] = self._order_scores(evaluation, through)
        order_scores: NDArray[np.float64] = evaluation.kept[key]
        return order_scores

    def _order_scores(self, evaluation: Evaluation, through: Through) -> NDArray[np.float64]:
        if self.order is Similarity.NONE:
            similarities = [np.ones(len(evaluation))]
        elif through is Through.SOURCE:
            similarities = self._through_source(evaluation)
        else:
            similarities = self._through_reference(evaluation)
        lengths = bleu_statistics(evaluation, 1)[:, :2].astype(np.int64)
        best: NDArray[np.float64] = np.max(similarities, axis=0)
        return best * brevity_penalty(lengths[:, 0], lengths[:, 1])

    def _through_source(self, evaluation: Evaluation) -> list[NDArray[np.float64]]:
        source, links = evaluation.source, evaluation.source_links
        if source is None or links is None or not evaluation.reference_links:
            raise InputError(
                "lr: through=source needs the source, its links with the hypothesis, and its links "
                "with every reference"
            )
        lengths = source.tokens.lengths
        both = (
            source_permutations(links, other, lengths, jobs=evaluation.jobs)
            for other in evaluation.reference_links
        )
        return [reference.pair_scores(hypothesis)[self.order] for hypothesis, reference in both]

    def _through_reference(self, evaluation: Evaluation) -> list[NDArray[np.float64]]:
        if not evaluation.links:
            raise InputError("lr: through=reference needs links of hypothesis and reference")
        return [
            # A rule that keeps words without link makes an order also of no link at all.
            np.where(evaluation.linked_words(place) == 0, 0.0, scores)
            for place in range(len(evaluation.references))
            for scores in [evaluation.permutations(place).scores()[self.order]]
        ]

    def working(self, evaluation: Evaluation, segment: int) -> Working | None:
        """Return the steps of the order part, of the lexical part, and their sum."""
        lexical = self._lexical_steps(evaluation, segment)
        if lexical is None:
            return None
        steps, place = self._order_steps(evaluation, segment)
        order = WorkingStep(
            "order", "order part", self._order_part(evaluation)[segment].item(), "d * BP"
        )
        score = self.alpha * order.value + (1.0 - self.alpha) * lexical[-1].value
        formula = f"alpha * order + (1 - alpha) * {lexical[-1].name}"
        weight = WorkingStep("alpha", "weight of the order part", self.alpha)
        last = WorkingStep("score", "both parts", score, formula)
        return Working((*steps, order, *lexical, weight, last), place)

    def _lexical_steps(
        self, evaluation: Evaluation, segment: int
    ) -> tuple[WorkingStep, ...] | None:
        part = self._part()
        if part is None:
            row = bleu_statistics(evaluation, self.bleu)[segment]
            return part_steps(bleu_steps(row, smooth=Smooth.ADD_ONE, effective=False), "bleu")
        return part.steps(evaluation, segment)

    def _order_steps(
        self, evaluation: Evaluation, segment: int
    ) -> tuple[list[WorkingStep], int | None]:
        length, closest = bleu_statistics(evaluation, 1)[segment, :2].astype(np.int64).tolist()
        _, _, penalty = brevity_steps(length, closest)
        counts = [
            WorkingStep("linked", "words of the hypothesis", length),
            WorkingStep("length", "words of the reference of the closest length", closest),
            penalty,
        ]
        if self.order is Similarity.NONE:
            return [WorkingStep("d", "any two orders are alike", 1.0, "1"), *counts], None
        source = self.resolved(evaluation).through is Through.SOURCE
        similarities = (
            self._through_source(evaluation) if source else self._through_reference(evaluation)
        )
        place = best_reference(similarities, segment)
        permutation = self._relative(evaluation, place, segment, source=source)
        value = float(similarities[place][segment])
        return [*self._similarity_steps(permutation, value), *counts], place

    def _relative(
        self, evaluation: Evaluation, place: int, segment: int, *, source: bool
    ) -> Permutation:
        """Return one order of a segment's words as the other sees it."""
        if not source:
            linked = evaluation.linked_words(place)[segment]
            return Permutation(evaluation.permutations(place)[segment] if linked else [])
        hypothesis, reference = source_permutations(
            evaluation.given_source_links(),
            evaluation.reference_links[place],
            evaluation.given_source().tokens.lengths,
            jobs=evaluation.jobs,
        )
        return Permutation(reference.relative(hypothesis)[segment])

    def _similarity_steps(self, permutation: Permutation, value: float) -> list[WorkingStep]:
        length = len(permutation)
        steps = [WorkingStep("n", "words that are ordered", length)]
        if length < 2:
            return [*steps, WorkingStep("d", "similarity of two orders", value, str(length))]
        if self.order is Similarity.KENDALL:
            steps += [
                WorkingStep(
                    "C", "pairs of words that both orders have alike", rising_pairs(permutation)
                ),
                WorkingStep("P", "pairs of words", length * (length - 1) // 2, "n * (n - 1) / 2"),
            ]
            return [*steps, WorkingStep("d", "similarity of two orders", value, "C / P")]
        same = sum(place == word for place, word in enumerate(permutation))
        steps.append(WorkingStep("H", "words in the same place in both orders", same))
        return [*steps, WorkingStep("d", "similarity of two orders", value, "H / n")]


_LOOKS_AT = {"words", "text", "links"}


@dataclass(frozen=True, kw_only=True)
class LexicalPart:
    """A metric as a part of another one; a rate of errors counts as max(0, 1 - rate).

    Statistics are those of the metric, so that the rate of a corpus is clipped once, not its segments'.
    """

    metric: Metric

    def signed(self, specification: str) -> str:
        """Return how a signature names the part: a rate of errors by what is made of it."""
        return specification if self.metric.higher_is_better else f"max(0,1-{specification})"

    def _as_score(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.metric.higher_is_better:
            return values
        clipped: NDArray[np.float64] = np.maximum(0.0, 1.0 - values)
        return clipped

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return the metric's statistics, and the score of every segment as a part."""
        try:
            found = self.metric.measure(evaluation)
        except SeveralLinksError as error:
            raise InputError(
                f"{error.fault}; the lexical part {self.metric.name} takes one link a word under every "
                "rule: take another one, or links of an aligner that gives no more",
                where=error.where,
            ) from None
        return Measure(found.statistics, self._as_score(found.scores))

    def corpus_score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the corpus score of each row of summed statistics, as a part."""
        return self._as_score(self.metric.corpus_score(sums))

    def steps(self, evaluation: Evaluation, segment: int) -> tuple[WorkingStep, ...] | None:
        """Return the steps to the score of a segment, or None if the metric does not tell."""
        working = self.metric.working(evaluation, segment)
        if working is None:
            return None
        steps = part_steps(working.steps, self.metric.name.replace("-", "_"))
        if self.metric.higher_is_better:
            return steps
        rate = steps[-1]
        right = WorkingStep(
            "words", "lexical part", max(0.0, 1.0 - rate.value), f"max(0, 1 - {rate.name})"
        )
        return (*steps, right)


def lexical_part(specification: str, *, of: str) -> LexicalPart:
    """Return the metric of a specification as the lexical part of the metric named `of`.

    Options of its own are joined by + because the comma separates those of the outer metric. What has
    another scale than 0 to 1, and no rate to take from 1, cannot be weighed against an order part and is
    an `OptionError`, as is a metric of word order.

    >>> lexical_part("chrf:beta=1+words=2", of="lr").metric.specification()
    'chrf:words=2,beta=1'
    """
    made = metric(specification.replace("+", ","))
    if not _fits(type(made)):
        listed = ", ".join(name for name in metric_names() if _fits(metric_class(name)))
        why = ""
        if _of_words(type(made)):
            why = (
                f"; {made.name} has no greatest score: compute it beside {of}:alpha=1 and weigh the two "
                "by its own scale"
            )
        raise OptionError(
            f"{of}: lexical is {specification!r}; it must be a score of words from 0 to 1, or a rate of "
            f"errors, which counts as max(0, 1 - rate): {listed}{why}"
        )
    return LexicalPart(metric=made)


def _of_words(found: type[Metric]) -> bool:
    words = {"words", "text"} & set(found.needs) and set(found.needs) <= _LOOKS_AT
    return bool(words) and found.link_use is not LinkUse.ORDER


def _fits(found: type[Metric]) -> bool:
    scored = found.range == (0.0, 1.0) or (not found.higher_is_better and found.range[0] == 0.0)
    return _of_words(found) and scored
