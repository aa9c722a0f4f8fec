"""All order errors of systems: located, as spans and tags for other tools, and summed up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import SeveralLinksError
from kilter.core.settings import taken, takes
from kilter.core.spans import Spans
from kilter.io.spans.own import marked_document
from kilter.render.error_span import error_spans, error_tags
from kilter.results.explanation import left_out_note
from kilter.run.explanation.error_summary import summarise_errors
from kilter.run.explanation.order_errors import (
    coarse_notes,
    costed_metrics,
    linked_evaluation,
    locate_errors,
)
from kilter.run.explanation.segment_choice import ErrorChoice, error_choice
from kilter.run.explanation.source_order import linked_run, source_metrics_note
from kilter.run.scoring.corpus import Texts, texts_from_api
from kilter.run.scoring.links import GivenLinks, Links, several_links
from kilter.run.scoring.run import Run, SystemEvaluations
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.text_note import warn_of_texts
from kilter.run.scoring.trees import Trees

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kilter.core.corpus import TextColumn, Vocabulary
    from kilter.core.evaluation import Evaluation
    from kilter.metrics.permutation_metric import OrderMetric
    from kilter.results.document import Document
    from kilter.results.explanation import ErrorSummary, OrderErrors


@dataclass(frozen=True, kw_only=True, eq=False)
class SystemErrors:
    """The order errors of one system: of every segment, and summed up."""

    system: str
    errors: OrderErrors
    """Every error of every segment, as columns; `errors.segment(0)` are those of the first segment."""
    summary: ErrorSummary
    hypothesis: TextColumn = field(repr=False)
    vocabulary: Vocabulary = field(repr=False)
    score_notes: tuple[str, ...] = ()
    """What is to be known of the scores that costs and losses are of."""

    def __str__(self) -> str:
        return str(self.summary)

    def _repr_html_(self) -> str:
        return self.summary._repr_html_()

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be known of scores, and of single segments: those in which one error stands for all moves."""
        return (*self.score_notes, *coarse_notes(self.errors))

    @property
    def left_out_note(self) -> str:
        """That errors are not shown, and why; nothing where all are."""
        hidden = int(self.errors.left_out.sum())
        return f"{self.system}: {left_out_note(hidden)}" if hidden else ""

    def spans(self) -> Iterator[Document]:
        """Yield a document `kilter.spans/1` for each segment: errors as spans of its characters."""
        return error_spans(self.errors, self.hypothesis, self.vocabulary)

    def marked(self, source: Sequence[str] | None = None) -> Spans:
        """Return the errors as spans, which every format can be written of; with the lines of the source, if given."""
        segments = map(marked_document, self.spans())
        if source is None:
            return Spans(tuple(segments))
        lines = zip(segments, source, strict=True)
        return Spans(tuple(replace(segment, source=line) for segment, line in lines))

    def tags(self, *, binary: bool = False) -> Iterator[str]:
        """Yield a line for each segment with a tag for each of its words; `binary`: OK and BAD only."""
        return error_tags(self.errors, binary=binary)

    def to_dict(self) -> Document:
        """Return the document `kilter.order-errors/1`, and the spans of every segment in it."""
        summary: Document = self.summary.to_dict()
        return summary | {"spans": [*self.spans()]}


@takes(Settings)
def order_errors(
    hypotheses: object,
    references: object,
    *,
    source: object = None,
    links: Links | GivenLinks | None = None,
    trees: Trees | None = None,
    every: bool = False,
    ignore: Sequence[str] = (),
    settings: Settings | None = None,
    **keywords: object,
) -> tuple[SystemErrors, ...]:
    """Return the order errors of every segment of one system or several; texts are given as to `score`.

    These are the errors worth a look, or `every` one, without those whose words are all of classes to `ignore`: short,
    numbers, or tags of trees such as ADV. Costs are those of the metrics of the order of linked words, losses and
    shares those of the first of them; of order, where none is named. With trees, errors are summed up by their labels, too.

    >>> (found,) = order_errors(["b a c", "a b c"], ["a b c", "a b c"], metrics="kendall")
    >>> found.summary.errors, found.summary.faulty
    (1, 1)
    >>> [*found.tags()]
    ['ORDER-SWAP ORDER-SWAP OK', 'OK OK OK']
    """
    options = taken(Settings, settings, keywords)
    texts = texts_from_api(hypotheses, references, source, links=links, trees=trees)
    choice = error_choice(every=every, ignore=ignore)
    warn_of_texts(texts)
    return locate_texts(texts, options, choice)


def locate_texts(
    texts: Texts,
    settings: Settings,
    choice: ErrorChoice,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[SystemErrors, ...]:
    """Return the order errors of texts that are already read; see `order_errors`."""
    settings.check_single("order errors follow")
    run = linked_run(texts, settings)
    metrics = costed_metrics(run.metrics)
    name, first = next(iter(metrics.items()))
    other = [*_other_metric_notes(run, settings, name), *source_metrics_note(run)]
    found = []
    systems = run.corpus.systems
    for place, system in enumerate(systems):
        evaluation = linked_evaluation(run, place, SystemEvaluations(run, place))
        try:
            every = locate_errors(evaluation, metrics, system=system.name)
            errors = choice.chosen(every, evaluation)
        except SeveralLinksError as error:
            given = run.links.hypothesis_reference
            made = None if given else run.first_configuration.aligner
            raise several_links(error, first, made) from None
        found.append(
            SystemErrors(
                system=system.name,
                errors=errors,
                summary=summarise_errors(errors, evaluation),
                hypothesis=evaluation.hypothesis,
                vocabulary=evaluation.vocabulary,
                score_notes=(*other, *_missing_notes(evaluation, name, first)),
            )
        )
        if progress is not None:
            progress(place + 1, len(systems))
    return tuple(found)


def _other_metric_notes(run: Run, settings: Settings, first: str) -> list[str]:
    """Return that errors have their costs in a metric that nobody named, where others were."""
    if not settings.specifications or first in run.metrics:
        return []
    *names, last = run.metrics
    named = f"{', '.join(names)} and {last} tell" if names else f"{last} tells"
    return [f"costs and losses of order errors are those of {first}: {named} none"]


def _missing_notes(evaluation: Evaluation, name: str, metric: OrderMetric) -> list[str]:
    """Return that the text as a whole has no score, and why."""
    sums = metric.measure(evaluation).statistics.sum(axis=0)
    if not np.isnan(metric.corpus_score(sums)):
        return []
    why = f"{name} of the text as a whole is missing: {metric.missing(sums)}"
    told = "Errors and losses are those of the segments that have one"
    return [f"{evaluation.hypothesis.name}: {why}. {told}"]
