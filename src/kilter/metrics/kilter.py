"""The overall score: words, meaning and order, weighted as people's judgments weigh them. Section 6.11"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.errors import OptionError
from kilter.metrics.encoded_metric import WEIGHTS_HELP, EncodedMetric
from kilter.metrics.fitted_weight import fitted_weights, word_information
from kilter.metrics.met_meaning import met_meaning
from kilter.metrics.metric import best_reference
from kilter.metrics.pure_order import PureOrder
from kilter.metrics.surface import character_score, word_score
from kilter.metrics.word_model import WordModel
from kilter.options.configured import option
from kilter.structures.result.measure import Measure
from kilter.structures.result.score_parts import ORDER, WORDS, ScoreParts, Term
from kilter.structures.result.working import Working, WorkingStep, part_steps

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from kilter.metrics.fitted_weight import PartWeight
    from kilter.structures.evaluation import Evaluation

    Floats = NDArray[np.float64]

CHARACTERS, MEANING, PHRASES, WORST = "characters", "meaning", "phrases", "worst"
_SAID = {
    CHARACTERS: "n-grams of characters met (chrF, beta 3)",
    WORDS: "reference words met, by their characters",
    MEANING: "reference words met, by their meaning",
    PHRASES: "reference bigrams met, by their meaning",
    WORST: "the worst word of the hypothesis",
}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Parts:
    """The parts of each segment against one reference, and its order by itself."""

    values: Mapping[str, Floats]
    order: PureOrder
    scores: Floats


@dataclass(frozen=True, kw_only=True)
class Kilter(EncodedMetric):
    """The overall score. A corpus scores the mean of its segments under weights of its own."""

    in_all: ClassVar[bool] = False
    name: ClassVar[str] = "kilter"
    summary: ClassVar[str] = "the overall score: words, meaning and order, fitted to judgments"
    purpose: ClassVar[str] = (
        "how good translations are on the whole, by weights of systems (segments have their own)"
    )
    formula: ClassVar[str] = (
        "weighted mean of parts: characters, words, order; with a model: meaning, phrases, worst, order"
    )
    citations: ClassVar[tuple[str, ...]] = ("kilter", "popovic-2015")
    needs: ClassVar[tuple[str, ...]] = ("text", "words", "links")

    encoder: WordModel = option(
        WordModel.NONE,
        "model whose word vectors tell what is met, or none for characters and links",
    )
    order: float = option(1.0, "factor of the fitted weight of order", low=0.0, high=10.0)
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
    weights: str = option("", WEIGHTS_HELP)

    def __post_init__(self) -> None:
        super().__post_init__()
        totals = [sum(column) for column in zip(*self.part_weights().values(), strict=True)]
        if not all(total > 0.0 for total in totals):
            raise OptionError(
                "kilter: order, words, characters and worst leave no part that counts; at least one that "
                "weighs something in segments and in systems must be above 0"
            )

    def idle_options(self) -> AbstractSet[str]:
        """Return the factor of the worst word, which is looked at with a model only."""
        return frozenset({"worst"}) if self.encoder is WordModel.NONE else frozenset()

    def part_weights(self) -> dict[str, PartWeight]:
        """Return what each part weighs, in the order in which they are added up."""
        factors = {
            ORDER: self.order,
            WORDS: self.words,
            MEANING: self.words,
            CHARACTERS: self.characters,
            PHRASES: self.characters,
            WORST: self.worst,
        }
        return fitted_weights(self.encoder, self.weights).scaled(factors)

    @classmethod
    def fitted_on(cls) -> str:
        """Return the version of the weights, and what they were fitted on."""
        found = fitted_weights(WordModel.NONE)
        return f"version {found.version}: {found.fitted_on}"

    def control(self) -> Kilter | None:
        """Return the metric without its order part."""
        return None if self.order == 0.0 else replace(self, order=0.0)

    def signature(self, context: Mapping[str, str] | None = None) -> str:
        """Return the line that makes a score reproducible, with the version of the weights."""
        fitted = fitted_weights(self.encoder, self.weights).version
        return super().signature({**(context or {}), "weights": fitted})

    def fitted_document(self) -> dict[str, object]:
        """Return what each part weighs in segments and in systems."""
        return {
            "weights": {
                str(self.encoder): {name: [*pair] for name, pair in self.part_weights().items()}
            }
        }

    def part_values(self, evaluation: Evaluation, place: int) -> Mapping[str, Floats]:
        """Return each part of each segment against one reference, from 0 to 1, whatever it weighs.

        They are computed once, so that other weights cost nothing.
        """
        key = (self.name, self.encoder, place)
        if key not in evaluation.kept:
            evaluation.kept[key] = self._part_values(evaluation, place)
        values: Mapping[str, Floats] = evaluation.kept[key]
        return values

    def _order(self, evaluation: Evaluation, place: int) -> PureOrder:
        return PureOrder.of(evaluation, place, encoder=self.encoder, empty=0.0)

    def _part_values(self, evaluation: Evaluation, place: int) -> dict[str, Floats]:
        order = self._order(evaluation, place)
        options = self.meaning_options()
        if options is None:
            return {
                CHARACTERS: character_score(evaluation, place),
                WORDS: word_score(evaluation, place),
                ORDER: order.scores,
            }
        information = word_information(evaluation.vocabulary)
        met = met_meaning(evaluation, place, options, information)
        return {
            MEANING: met.words,
            PHRASES: met.phrases,
            WORST: met.worst,
            ORDER: order.scores,
        }

    def _parts(self, evaluation: Evaluation, place: int) -> _Parts:
        values = self.part_values(evaluation, place)
        order = self._order(evaluation, place)
        scores = np.zeros(len(evaluation))
        for name, weight in self.part_weights().items():
            scores += weight.segment * values[name]
        return _Parts(values=values, order=order, scores=scores)

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return the best score over references; statistics are its parts under the weights of systems, and 1.

        `parts` are those of the score of a system.
        """
        found = [self._parts(evaluation, place) for place in range(len(evaluation.references))]
        every = np.stack([each.scores for each in found])
        places, segments = np.argmax(every, axis=0), np.arange(len(evaluation))
        evidence = np.stack([each.order.evidence for each in found])[places, segments]
        terms, total = [], np.zeros(len(evaluation))
        for name, weight in self.part_weights().items():
            values = np.stack([each.values[name] for each in found])[places, segments]
            terms.append(Term(weight.system, {name: values}))
            total += weight.system * values
        sizes = np.ones(len(evaluation))
        rows = np.column_stack([total, sizes])
        parts = ScoreParts(tuple(terms), evidence, sizes, added=True)
        margins = self._margins(evaluation, places)
        return Measure(rows, every[places, segments], parts, margins)

    def _margins(self, evaluation: Evaluation, places: NDArray[np.int64]) -> Floats | None:
        lengths = np.stack([each.tokens.lengths for each in evaluation.references])
        chosen = lengths[places, np.arange(len(places))]
        return fitted_weights(self.encoder, self.weights).margins(chosen)

    def corpus_score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean of the segments under the weights of systems; 0 of none."""
        total, segments = sums[..., 0], sums[..., 1]
        return np.divide(total, segments, out=np.zeros(total.shape), where=segments > 0)

    def working(self, evaluation: Evaluation, segment: int) -> Working:
        """Return each part, what it weighs and contributes, and the sum."""
        found = [self._parts(evaluation, place) for place in range(len(evaluation.references))]
        place = best_reference((each.scores for each in found), segment)
        best = found[place]
        steps: list[WorkingStep] = []
        contributed = []
        for name, weight in self.part_weights().items():
            value = float(best.values[name][segment])
            if name == ORDER:
                ordered = best.order.steps(evaluation, place, segment)
                steps += part_steps(ordered[:-1], ORDER)
                renamed = part_steps(ordered, ORDER)[-1]
                steps.append(replace(renamed, name=ORDER))
            else:
                steps.append(WorkingStep(name, _SAID[name], value))
            gained = f"{name}_part"
            steps += [
                WorkingStep(f"{name}_weight", f"weight of {name}", weight.segment),
                WorkingStep(gained, f"what {name} contributes", weight.segment * value,
                            f"{name}_weight * {name}"),
            ]  # fmt: skip
            contributed.append(gained)
        score = float(best.scores[segment])
        margins = self._margins(evaluation, np.full(len(evaluation), place))
        if margins is not None:
            margin = float(margins[segment])
            steps.append(WorkingStep("margin", "difference that 3 of 4 judges agree with", margin))
        steps.append(WorkingStep("score", "the parts together", score, " + ".join(contributed)))
        return Working(tuple(steps), place)
