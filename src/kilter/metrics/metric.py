"""What a metric is: additive statistics per segment, from which segment and corpus scores follow."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from kilter import __version__
from kilter.core.registry import Configured
from kilter.results.measure import WorkingStep

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation
    from kilter.core.meaning import MeaningOptions
    from kilter.results.measure import Measure, Term, Working


# Signatures say yes and no, as those of other tools of the field do; options are true and false.
_SIGNED = {"true": "yes", "false": "no"}


class LinkUse(StrEnum):
    """What a metric makes of the links between hypothesis and reference.

    `any`: it takes them as they are; `order`: it takes the order that the rule makes of them;
    `one-to-one`: it is not defined if a word has several.
    """

    ANY = "any"
    ORDER = "order"
    ONE_TO_ONE = "one-to-one"


@dataclass(frozen=True, kw_only=True)
class Metric(Configured, ABC):
    """A measure of translations. Options are fields; constructor, `-m`, signature and docs follow.

    `needs` names what of an `Evaluation` the metric looks at: words, text, links, source, source-links
    (source and hypothesis), reference-links (source and reference), trees (of hypotheses and
    references), reference-trees, and meaning (what word vectors say about hypothesis and reference, with
    the options of `meaning_options`). A corpus score is computed from the sum of the segments' statistics, so that segment
    scores, corpus scores and resampling share one path.
    """

    summary: ClassVar[str]
    purpose: ClassVar[str] = ""
    """What a reader learns from it, in a few words, for the metrics that are computed where none is named."""
    formula: ClassVar[str]
    citations: ClassVar[tuple[str, ...]]
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]]
    link_use: ClassVar[LinkUse] = LinkUse.ANY
    model_links: ClassVar[bool] = False
    """Whether links of a run that computes it are made with the model of the language too, where nobody chooses an
    aligner and the language has a model."""
    averages: ClassVar[bool] = False
    """Whether a corpus scores the sum of its first statistic over that of the second, which is what each segment
    weighs, 0 where it does not count. That need not be the mean of segment scores, which a `MeanMetric` takes."""
    of_corpus: ClassVar[bool] = False
    """Whether the score of a segment looks at other segments too, through weights that the references of
    the whole corpus give, so that it cannot be measured block by block."""
    order_only: ClassVar[bool] = False
    """Whether the score depends on the order of words alone: a metric of the group order-metrics."""

    @abstractmethod
    def measure(self, evaluation: Evaluation) -> Measure:
        """Return one row of additive statistics and one score per segment."""

    @abstractmethod
    def corpus_score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the score of each row of summed statistics (the last axis holds the statistics)."""

    def running(self, **settings: Any) -> Any:
        """Return a `KilterMetric` of `kilter.adapters.torchmetrics`: `update`, `compute`, `reset` in a training loop.

        Its batches are text, or token ids. Settings are those of `kilter.score`, and `ignore`: ids that are left out, such as that of padding.
        """
        # Whoever scores texts knows this room, and not the other way round.
        running = import_module("kilter.adapters.torchmetrics").KilterMetric
        return running(self.specification(), **settings)

    def missing(self, sums: NDArray[np.float64]) -> str:
        """Return why a corpus of these statistics has no score, with a remedy; nothing to be said by default."""
        return ""

    def why_zero(self, sums: NDArray[np.float64]) -> str:
        """Return why a corpus of these statistics scores 0 whatever it says; nothing by default."""
        return ""

    def corpus_terms(self, sums: NDArray[np.float64]) -> tuple[Term, ...]:
        """Return the terms that add up to the score of each row of summed statistics.

        For a metric that can tell order from the rest, and whose corpus score is not a mean over segments; those
        that are have parts of segments, in `Measure.parts`.
        """
        return ()

    @classmethod
    def fitted_on(cls) -> str:
        """Return the data that weights of the metric were fitted on; nothing for a plain definition."""
        return ""

    @classmethod
    def language_options(cls, language: str) -> dict[str, str]:
        """Return the options, as text, that texts of a language (`de`, no country) ask for.

        A specification that names one of these options decides itself. Results keep the name that was asked for,
        without these options; therefore neither the columns of statistics nor `corpus_score` may depend on
        them. Signatures say them.
        """
        return {}

    def idle_options(self) -> AbstractSet[str]:
        """Return the options that change no score while the others are what they are."""
        return frozenset()

    def meaning_options(self) -> MeaningOptions | None:
        """Return how soft links are made of word vectors, for a metric that needs `meaning`."""
        return None

    def needed(self, offered: AbstractSet[str]) -> tuple[str, ...]:
        """Return what of the inputs the metric looks at, given what there is."""
        return self.needs

    def without(self, missing: AbstractSet[str]) -> Metric | None:
        """Return the variant that can do without these inputs, or None; `-m all` computes it instead."""
        return None

    def control(self) -> Metric | None:
        """Return the same formula with its order part set to 1, or None if that leaves nothing.

        What agrees with people beyond its control does so by word order.
        """
        return None

    def uses_words(self) -> bool:
        """Return whether it matters how texts are split into words."""
        return True

    def resolved(self, evaluation: Evaluation) -> Metric:
        """Return the metric with what it chooses by the inputs, so that its signature says it."""
        return self

    def working(self, evaluation: Evaluation, segment: int) -> Working | None:
        """Return how the score of a segment (counted from 0) comes about; None if the metric does not tell."""
        return None

    def signed_options(self) -> dict[str, str]:
        """Return the options that a signature lists, every one but those that say where a file is."""
        return self.options()

    def fitted_document(self) -> dict[str, object] | None:
        """Return what a file of weights holds of this metric; None for one that reads none."""
        return None

    def signature(self, context: Mapping[str, str] | None = None) -> str:
        """Return the line that makes a score reproducible: name, every option, context, version."""
        listed = {**self.signed_options(), **(context or {}), "v": __version__}
        parts = (f"{key}:{_SIGNED.get(value, value)}" for key, value in listed.items())
        return "|".join([self.name, *parts])


@dataclass(frozen=True, kw_only=True)
class MeanMetric(Metric):
    """A metric whose corpus score is the plain mean of its segment scores; the mean of nothing is 0.

    It returns a `Measure.mean` of its scores, or of several references the `Measure.best`.
    """

    def corpus_score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return total / segments."""
        total, segments = sums[..., 0], sums[..., 1]
        return np.divide(total, segments, out=np.zeros_like(total), where=segments != 0)


def brevity_penalty(
    lengths: NDArray[np.int64], references: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return 1 if t > r else exp(1 - r/t); 0 for t = 0 < r, and 1 for two empty sides."""
    short = (lengths <= references) & (lengths > 0)
    exponent = np.zeros(len(lengths))
    np.divide(references, lengths, out=exponent, where=short)
    penalties = np.where(short, np.exp(np.where(short, 1.0 - exponent, 0.0)), 1.0)
    return np.where((lengths == 0) & (references > 0), 0.0, penalties)


def best_reference(scores: Iterable[NDArray[np.float64]], segment: int) -> int:
    """Return the place of the reference with which a segment scores best, the first of several."""
    found = [float(each[segment]) for each in scores]
    return found.index(max(found))


def only_reference(evaluation: Evaluation) -> int | None:
    """Return the place of the only reference, for metrics that look at all of them together."""
    return 0 if len(evaluation.references) == 1 else None


def brevity_steps(
    linked: int, length: int, *, of: str = "linked words"
) -> tuple[WorkingStep, WorkingStep, WorkingStep]:
    """Return how many words there are, how many there should be, and the brevity penalty of both."""
    value = float(brevity_penalty(np.array([linked]), np.array([length]))[0])
    if linked == 0:
        formula = "0" if length else "1"
    else:
        formula = "1 if linked > length else exp(1 - length / linked)"
    return (
        WorkingStep("linked", of, linked),
        WorkingStep("length", "words of the reference", length),
        WorkingStep("BP", "brevity penalty", value, formula),
    )
