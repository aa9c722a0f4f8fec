"""The overall score: words and meaning as people's judgments weigh them, times what disorder leaves. Section 6.11"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from kilter import _core
from kilter.core.corpus import visible_characters_of
from kilter.core.errors import OptionError
from kilter.core.registry import option
from kilter.metrics.fitted_weight import WordModel, fitted_weights, word_information
from kilter.metrics.metric import LinkUse, MeanMetric
from kilter.metrics.order import Order, order_evidence, order_steps
from kilter.metrics.version_two import VERSION_TWO, kilter_two
from kilter.results.measure import (
    ORDER,
    WORDS,
    Measure,
    ScoreParts,
    Term,
    Working,
    WorkingStep,
    part_steps,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from kilter.core.corpus import TokenColumn
    from kilter.core.evaluation import Evaluation
    from kilter.core.meaning import MeaningOptions

    Floats = NDArray[np.float64]

CHARACTERS, MEANING, PHRASES, WORST = "characters", "meaning", "phrases", "worst"
POWER = 4
"""Of disorder: slight disorder costs next to nothing, since words decide; all of it costs everything."""
_MEANINGS = {
    CHARACTERS: "n-grams of characters met (chrF, beta 3)",
    WORDS: "reference words met, by their characters",
    MEANING: "reference words met, by their meaning",
    PHRASES: "reference bigrams met, by their meaning",
    WORST: "the worst word of the hypothesis",
}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Parts:
    """Of each segment against one reference: the parts that are weighed, what disorder leaves, and the score."""

    values: Mapping[str, Floats]
    left: Floats
    evidence: NDArray[np.bool_]
    scores: Floats


def _best_places(parts: Sequence[_Parts]) -> NDArray[np.int64]:
    """Return for each segment the reference with the best score, the first of several.

    Where some references have evidence of its order, the others are no choice: that nothing is known of disorder
    beside them would let a jumbled segment win by a reference that it hardly shares a word with.
    """
    scores = np.stack([each.scores for each in parts])
    evidence = np.stack([each.evidence for each in parts])
    hidden = evidence.any(axis=0) & ~evidence
    places: NDArray[np.int64] = np.argmax(np.where(hidden, -1.0, scores), axis=0)
    return places


@dataclass(frozen=True, kw_only=True)
class Kilter(MeanMetric):
    """The overall score. A corpus scores the mean of its segments."""

    model_links: ClassVar[bool] = True
    name: ClassVar[str] = "kilter"
    summary: ClassVar[str] = (
        "the overall score: words and meaning, fitted to judgments, less disorder"
    )
    purpose: ClassVar[str] = "overall quality"
    formula: ClassVar[str] = (
        "(weighted mean of characters and words; with a model of meaning, phrases and worst) x (1 - disorder^4), "
        "disorder = linked share x (1 - order)"
    )
    citations: ClassVar[tuple[str, ...]] = ("kilter", "popovic-2015")
    needs: ClassVar[tuple[str, ...]] = ("text", "words", "links")
    link_use: ClassVar[LinkUse] = LinkUse.ORDER
    by_language: ClassVar[frozenset[str]] = frozenset({"encoder"})
    places: ClassVar[frozenset[str]] = frozenset({"weights"})

    encoder: WordModel = option(
        WordModel.NONE, "model whose word vectors tell what is met, or none for characters"
    )
    order: float = option(1.0, "factor of what disorder takes away", low=0.0, high=10.0)
    words: float = option(
        1.0, "factor of the fitted weight of words, with a model of meaning", low=0.0, high=10.0
    )
    characters: float = option(
        1.0,
        "factor of the fitted weight of characters, with a model of phrases",
        low=0.0,
        high=10.0,
    )
    worst: float = option(
        1.0, "factor of the fitted weight of the worst word, with a model", low=0.0, high=10.0
    )
    weights: str = option(
        "",
        f"file of weights that `kilter tune --weights` wrote, or {VERSION_TWO} for the score of version 2; "
        "else those of the package",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.weights.isdigit() and not self._is_version_two:
            raise OptionError(
                f"kilter: weights is {self.weights!r}; it can be {VERSION_TWO}, for the score of version 2, or a file; leave "
                "it out for this version"
            )
        if self._is_version_two:
            changed = [self.order, self.words, self.characters, self.worst] != [1.0] * 4
            if changed:
                raise OptionError(
                    "kilter: version 2 is as it was published; leave out order, words, characters and worst"
                )
        elif not sum(self.part_weights().values()) > 0.0:
            raise OptionError(
                "kilter: words, characters and worst leave no part that counts; at least one must be above 0"
            )

    @property
    def _is_version_two(self) -> bool:
        return self.weights == VERSION_TWO

    def idle_options(self) -> AbstractSet[str]:
        """Return the factor of the worst word, which is looked at with a model only."""
        return frozenset({"worst"}) if self.encoder is WordModel.NONE else frozenset()

    @classmethod
    def language_options(cls, language: str) -> dict[str, str]:
        """Return the model of the language, where there is one.

        >>> Kilter.language_options("en"), Kilter.language_options("de")
        ({'encoder': 'en'}, {})
        """
        return {"encoder": language} if language == WordModel.EN else {}

    def meaning_options(self) -> MeaningOptions | None:
        """Return how words are compared, with a model."""
        return self.encoder.meaning_options()

    def needed(self, offered: AbstractSet[str]) -> tuple[str, ...]:
        """Return what is looked at: links always but for version 2 with a model, which has soft ones."""
        if self.encoder is WordModel.NONE:
            return self.needs
        return ("words", "meaning") if self._is_version_two else ("words", "meaning", "links")

    def part_weights(self) -> dict[str, float]:
        """Return what each part weighs, in the order in which they are added up; they add up to 1."""
        factors = {
            WORDS: self.words,
            MEANING: self.words,
            CHARACTERS: self.characters,
            PHRASES: self.characters,
            WORST: self.worst,
        }
        return fitted_weights(self.encoder, self.weights).scaled(factors)

    @property
    def order_factor(self) -> float:
        """What disorder to the power of 4 is multiplied by: the option times what a file of weights says."""
        return self.order * fitted_weights(self.encoder, self.weights).order

    @classmethod
    def fitted_on(cls) -> str:
        """Return the version of the weights, and what they were fitted on."""
        fitted = fitted_weights(WordModel.NONE)
        return f"version {fitted.version}: {fitted.fitted_on}"

    def control(self) -> Kilter | None:
        """Return the metric without its order part."""
        without = self.order == 0.0 or self._is_version_two
        return None if without else replace(self, order=0.0)

    def signed_options(self) -> dict[str, str]:
        """Return all options but the file: a signature says its version and checksum instead."""
        return {name: value for name, value in self.options().items() if name != "weights"}

    def signature(self, context: Mapping[str, str] | None = None) -> str:
        """Return the line that makes a score reproducible, with the version of the weights."""
        version = VERSION_TWO
        if not self._is_version_two:
            version = fitted_weights(self.encoder, self.weights).version
        return super().signature({**(context or {}), "weights": version})

    def fitted_document(self) -> dict[str, object]:
        """Return what each part weighs, and the factor of disorder."""
        return {"weights": {str(self.encoder): {**self.part_weights(), ORDER: self.order_factor}}}

    def part_values(self, evaluation: Evaluation, place: int) -> Mapping[str, Floats]:
        """Return each part of each segment against one reference, from 0 to 1, whatever it weighs.

        They are computed once, so that other weights cost nothing.
        """
        key = (self.name, self.encoder, place)
        if key not in evaluation.kept:
            evaluation.kept[key] = self._part_values(evaluation, place)
        values: Mapping[str, Floats] = evaluation.kept[key]
        return values

    def _part_values(self, evaluation: Evaluation, place: int) -> dict[str, Floats]:
        options = self.meaning_options()
        if options is None:
            return {
                CHARACTERS: character_score(evaluation, place),
                WORDS: word_score(evaluation, place),
            }
        information = word_information(evaluation.vocabulary)
        met = met_meaning(evaluation, place, options, information)
        return {MEANING: met.words, PHRASES: met.phrases, WORST: met.worst}

    def left(self, evaluation: Evaluation, place: int) -> Floats:
        """Return what disorder leaves of each segment: 1 where nothing is known of its order."""
        order = Order().reference_scores(evaluation, place)
        linked, words = order_evidence(evaluation, place)
        share = np.minimum(linked / np.maximum(words, 1), 1.0)
        disorder = np.where(np.isnan(order), 0.0, share * (1.0 - np.nan_to_num(order)))
        fourth = np.square(np.square(disorder))  # a power would be the C library's
        return np.maximum(1.0 - self.order_factor * fourth, 0.0)

    def _parts(self, evaluation: Evaluation, place: int) -> _Parts:
        values = self.part_values(evaluation, place)
        order = Order().reference_scores(evaluation, place)
        left = self.left(evaluation, place)
        met = np.zeros(len(evaluation))
        for name, weight in self.part_weights().items():
            met += weight * values[name]
        return _Parts(values=values, left=left, evidence=~np.isnan(order), scores=met * left)

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return the best score over references, with its parts."""
        if self._is_version_two:
            return kilter_two(evaluation, self.encoder, lambda k: self.part_values(evaluation, k))
        parts = [self._parts(evaluation, place) for place in range(len(evaluation.references))]
        every = np.stack([each.scores for each in parts])
        places, segments = _best_places(parts), np.arange(len(evaluation))
        left = np.stack([each.left for each in parts])[places, segments]
        terms = []
        for name, weight in self.part_weights().items():
            values = np.stack([each.values[name] for each in parts])[places, segments]
            factors = {name: values} if self.order == 0.0 else {name: values, ORDER: left}
            terms.append(Term(weight, factors))
        evidence = np.stack([each.evidence for each in parts])[places, segments]
        scores = every[places, segments]
        sizes = np.ones(len(evaluation))
        measure = Measure.mean(scores, ScoreParts(tuple(terms), evidence, sizes, neutral=True))
        return replace(measure, margins=self._margins(evaluation, places))

    def _margins(self, evaluation: Evaluation, places: NDArray[np.int64]) -> Floats | None:
        lengths = np.stack([each.tokens.lengths for each in evaluation.references])
        chosen = lengths[places, np.arange(len(places))]
        return fitted_weights(self.encoder, self.weights).margins(chosen)

    def working(self, evaluation: Evaluation, segment: int) -> Working | None:
        """Return each part, what it weighs, what disorder leaves of their sum, and the score."""
        if self._is_version_two:
            return None
        parts = [self._parts(evaluation, place) for place in range(len(evaluation.references))]
        place = int(_best_places(parts)[segment])
        best = parts[place]
        steps: list[WorkingStep] = []
        for name, weight in self.part_weights().items():
            steps += [
                WorkingStep(name, _MEANINGS[name], float(best.values[name][segment])),
                WorkingStep(f"{name}_weight", f"weight of {name}", weight),
            ]
        weighted = " + ".join(f"{name}_weight * {name}" for name in self.part_weights())
        met = sum(w * float(best.values[name][segment]) for name, w in self.part_weights().items())
        steps.append(WorkingStep("met", "the parts together", met, weighted))
        steps += self._order_steps(evaluation, place, segment, float(best.left[segment]))
        margins = self._margins(evaluation, np.full(len(evaluation), place))
        if margins is not None:
            margin = float(margins[segment])
            steps.append(WorkingStep("margin", "difference that 3 of 4 judges agree with", margin))
        score = float(best.scores[segment])
        return Working(
            (*steps, WorkingStep("score", "kilter of the segment", score, "met * left")), place
        )

    def _order_steps(
        self, evaluation: Evaluation, place: int, segment: int, left: float
    ) -> list[WorkingStep]:
        """Return the steps to what disorder leaves."""
        order = float(Order().reference_scores(evaluation, place)[segment])
        known = list(part_steps(order_steps(evaluation, place, segment, order), ORDER))
        steps = [*known[:-1], replace(known[-1], name=ORDER)]
        if np.isnan(order):
            return [*steps, WorkingStep("left", "nothing is known of disorder", left, "1")]
        linked, words = f"{ORDER}_linked", f"{ORDER}_words"
        share, factor = min(steps[0].value / max(steps[1].value, 1), 1.0), self.order_factor
        return [
            *steps,
            WorkingStep("share", "linked share", share, f"min({linked} / max({words}, 1), 1)"),
            WorkingStep("disorder", "disorder of the segment", share * (1.0 - order), "share * (1 - order)"),
            WorkingStep("factor", "factor of disorder", factor),
            WorkingStep("left", "what disorder leaves", left, f"max(1 - factor * disorder ** {POWER}, 0)"),
        ]  # fmt: skip


class MetMeaning(NamedTuple):
    """Scores of each segment against one reference, from 0 to 1.

    `words` is the mean of the best cosines of reference words, weighted by what a word tells; `phrases`
    that of the bigrams that they begin, each weighted by the mean of its words; `worst` the least best
    cosine of a word of the hypothesis.
    """

    words: Floats
    phrases: Floats
    worst: Floats


def met_meaning(
    evaluation: Evaluation, place: int, options: MeaningOptions, information: Floats
) -> MetMeaning:
    """Return how much of a reference is met; `information` is what each word of the vocabulary tells.

    A reference of one word has no bigram, and its phrases are its words. An empty side scores 0.
    """
    found = evaluation.meaning(place, options)
    hypothesis, reference = evaluation.hypothesis.tokens, evaluation.references[place].tokens
    weights = information[reference.ids]
    recall, bigram, precision = (
        np.clip(column.astype(np.float64), 0.0, 1.0)
        for column in (found.recall, found.bigram, found.precision)
    )
    words = _mean(segment_sums(weights * recall, reference), segment_sums(weights, reference))
    pairs = np.zeros(len(weights))
    pairs[:-1] = (weights[:-1] + weights[1:]) / 2.0
    pairs[reference.offsets[1:][reference.lengths > 0] - 1] = 0.0  # the last word begins no bigram
    phrases = _mean(segment_sums(pairs * bigram, reference), segment_sums(pairs, reference))
    phrases = np.where(reference.lengths > 1, phrases, words)
    worst = np.zeros(len(hypothesis))
    some = hypothesis.lengths > 0
    if some.any():
        worst[some] = np.minimum.reduceat(precision, hypothesis.offsets[:-1][some])
    return MetMeaning(words, phrases, worst)


def _mean(total: Floats, weights: Floats) -> Floats:
    mean = np.divide(total, weights, out=np.zeros(len(total)), where=weights > 0.0)
    return np.minimum(mean, 1.0)


LONGEST_NGRAM = 6
"""The longest n-gram of characters, as chrF has it."""
BETA = 3
"""Recall counts so many times as much as precision."""


def character_score(evaluation: Evaluation, place: int) -> Floats:
    """Return chrF of each line against one reference: F_beta of n-grams of characters, beta 3, without blanks.

    Precision and recall are averaged over the orders of which both sides have an n-gram. 0 where a side is
    empty.
    """
    hypothesis = visible_characters_of(evaluation.hypothesis.lines)
    reference = visible_characters_of(evaluation.references[place].lines)
    common = _core.count_common_ngrams(
        hypothesis.ids,
        hypothesis.offsets,
        reference.ids,
        reference.offsets,
        LONGEST_NGRAM,
        evaluation.jobs,
    )
    before = np.arange(LONGEST_NGRAM)
    mine, theirs = (
        np.maximum(side.lengths[:, np.newaxis] - before, 0) for side in (hypothesis, reference)
    )
    both = (mine > 0) & (theirs > 0)
    orders = np.maximum(both.sum(axis=1), 1)
    precision, recall = (
        np.divide(common, total, out=np.zeros(both.shape), where=both).sum(axis=1) / orders
        for total in (mine, theirs)
    )
    total = BETA**2 * precision + recall
    product = (1 + BETA**2) * precision * recall
    scores: Floats = np.divide(product, total, out=np.zeros(len(total)), where=total > 0.0)
    return scores


def word_score(evaluation: Evaluation, place: int) -> Floats:
    """Return how well the words of one reference are met, each by the word whose characters are likest.

    The mean of their likeness, weighted by the square root of their length; words without a letter or
    digit do not count. A reference without such a word scores 1 if the hypothesis has words, but none such,
    else 0.
    """
    lower, spelling = evaluation.vocabulary.lowercase(), evaluation.vocabulary.spelling()
    hypothesis, reference = evaluation.hypothesis.tokens, evaluation.references[place].tokens
    likeness = _core.word_likeness(
        lower[hypothesis.ids],
        hypothesis.offsets,
        lower[reference.ids],
        reference.offsets,
        spelling.characters.ids,
        spelling.characters.offsets,
        evaluation.jobs,
    )
    weights = spelling.weights[reference.ids]
    total = segment_sums(weights, reference)
    met = segment_sums(weights * likeness, reference)
    nothing = segment_sums(spelling.weights[hypothesis.ids], hypothesis) == 0.0
    nothing &= hypothesis.lengths > 0
    scores: Floats = np.divide(met, total, out=nothing.astype(np.float64), where=total > 0.0)
    return scores


def segment_sums(values: Floats, column: TokenColumn) -> Floats:
    """Return the sum over the words of each segment, added up in their order; 0 for none.

    >>> from kilter.core.corpus import TokenColumn
    >>> segments = TokenColumn(np.zeros(3, dtype=np.int32), np.array([0, 2, 2, 3]))
    >>> segment_sums(np.array([1.0, 2.0, 4.0]), segments).tolist()
    [3.0, 0.0, 4.0]
    """
    owners = np.repeat(np.arange(len(column)), column.lengths)
    return np.bincount(owners, values, minlength=len(column)).astype(np.float64)
