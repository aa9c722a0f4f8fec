"""A report on systems: everything that its page shows, computed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError, OptionError, SeveralLinksError
from kilter.core.links import LinkBatch
from kilter.core.settings import checked_value, shown, taken, takes
from kilter.io.stream import is_utf8
from kilter.render.page.system_report import SystemReport
from kilter.results.score_result import ByMetric
from kilter.run.explanation.error_summary import summarise_errors
from kilter.run.explanation.order_errors import (
    coarse_notes,
    costed_metrics,
    linked_evaluation,
    locate_errors,
)
from kilter.run.explanation.source_order import linked_run, source_metrics_note
from kilter.run.explanation.word_accuracy import (
    distribution,
    length_buckets,
    length_differences,
    ngram_differences,
    word_accuracy,
)
from kilter.run.scoring.corpus import Texts, texts_from_api
from kilter.run.scoring.given_score import Scores, beside_scores
from kilter.run.scoring.links import GivenLinks, Links
from kilter.run.scoring.measurement import Measurement, measure_run
from kilter.run.scoring.metric_choice import SOURCE_LINKS
from kilter.run.scoring.run import Run, SystemEvaluations, structure_notes
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.significance import compare_measured
from kilter.run.scoring.text_note import transposition_note
from kilter.run.scoring.trees import Trees
from kilter.stats.significance import evidence_note, resample_note

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from kilter.core.dependency_tree_column import DependencyTreeColumn
    from kilter.results.explanation import ErrorSummary, OrderErrors

TITLE = "Word order report"
SOURCE_METRICS = ("crossings", "anticipation")
"""The metrics of a report without a reference."""


@takes(Settings)
def report(  # noqa: PLR0913 - what is reported, and how; all but texts by name
    hypotheses: object,
    references: object = None,
    *,
    title: str = TITLE,
    baseline: str | None = None,
    pair: tuple[str, str] | None = None,
    scores: Scores = (),
    lower_is_better: Sequence[str] = (),
    source: object = None,
    links: Links | GivenLinks | None = None,
    trees: Trees | None = None,
    settings: Settings | None = None,
    **keywords: object,
) -> SystemReport:
    """Return the report on one system (a list of strings) or several (a mapping of such lists).

    `to_html` of what is returned is the page, `write` writes it into a file, and `to_dict` holds its
    numbers. `pair` names the two systems that are looked at first. `scores` are those of another program, beside the metrics: a
    file by system and segment, or what they are called -> system -> the scores of its segments. Everything else is as
    in `compare`. Without `references`, the page shows how each system orders the `source`, by its links.

    >>> found = report(["the mat sat on the cat"], ["the cat sat on the mat"], metrics="kendall")
    >>> found.to_html()[:15]
    '<!DOCTYPE html>'
    """
    options = taken(Settings, settings, keywords)
    chosen = options
    heading = checked_value("title", title, str)
    if not is_utf8(heading):
        raise InputError(
            f"is {shown(heading)}, which no page can spell; use characters", where="title"
        )
    texts = texts_from_api(
        hypotheses, source if references is None else references, source, links=links, trees=trees
    )
    if references is None:
        texts = replace(texts, references={})
    named = checked_value("pair", pair, tuple[str, str] | None)
    found = report_texts(
        texts,
        chosen,
        title=heading,
        baseline=checked_value("baseline", baseline, str | None),
        pair=named,
        scores=checked_value(
            "scores",
            scores,
            str | Sequence[str] | Mapping[str, Mapping[str, Sequence[float | None]]],
        ),
        lower_is_better=checked_value("lower_is_better", lower_is_better, Sequence[str]),
    )
    note = transposition_note(texts)
    return replace(found, notes=(note, *found.notes)) if note else found


def report_texts(
    texts: Texts,
    settings: Settings,
    *,
    title: str = TITLE,
    baseline: str | None = None,
    pair: tuple[str, str] | None = None,
    scores: Scores = (),
    lower_is_better: Sequence[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> SystemReport:
    """Return the report on texts that are already read; see `report`."""
    chosen = _pair(texts, pair)
    of_source = not texts.references
    if of_source:
        texts, settings = _against_source(texts, settings)
    run = linked_run(texts, settings)
    if of_source:
        _check_source_metrics(run)
    corpus = run.corpus
    seen = [SystemEvaluations(run, place) for place in range(len(corpus.systems))]
    measurement = measure_run(run, settings, evaluations=seen, progress=progress)
    if of_source:  # texts of two languages differ in more than they should: nothing to be told
        few = evidence_note(measurement.segments)
        measurement = replace(measurement, notes=(*texts.notes, *([few] if few else [])))
    measurement = _with_scores(measurement, scores, lower_is_better)
    comparison = compare_measured(
        measurement.systems,
        measurement.measured,
        baseline=baseline,
        resampling=settings.resampling,
    )
    left_out = list[str]()
    if of_source:
        located = [_Located(links=each.swapped()) for each in run.links.source_hypothesis]
    else:
        located, left_out = _located(run, seen)
    trees = _trees(run)
    reference = corpus.references[0].tokens.lengths
    alone = resample_note(settings.resampling.count)
    # The page shows links, order errors and trees also where no metric looks at them.
    shown_here = set(structure_notes(run, settings))
    notes = [note for note in measurement.notes if note not in shown_here]
    notes += [*(() if of_source else source_metrics_note(run)), *comparison.missing_notes]
    return SystemReport(
        title=title,
        pair=chosen,
        comparison=comparison,
        metrics=ByMetric((each.name, each.facts()) for each in measurement.measured),
        corpus=corpus,
        links=tuple(each.links for each in located),
        scores=measurement.scores,
        distributions={
            each.name: distribution(
                [measurement.scores[each.name, name] for name in measurement.systems],
                each.metric.range,
            )
            for each in measurement.measured
        },
        lengths=length_buckets(reference, measurement.measured),
        length_differences=length_differences(
            [system.tokens.lengths for system in corpus.systems], reference
        ),
        word_accuracy={} if of_source else word_accuracy(corpus, trees),
        ngrams=() if of_source else ngram_differences(corpus),
        of_source=of_source,
        errors=tuple(each.errors for each in located if each.errors),
        summaries=tuple(each.summary for each in located if each.summary),
        trees=trees,
        notes=(*notes, *comparison.notes, *left_out, *([alone] if alone else [])),
    )


def _against_source(texts: Texts, settings: Settings) -> tuple[Texts, Settings]:
    """Return texts without a reference with the source in its place, and metrics of the source as the default."""
    if texts.source is None or not texts.links.source_hypothesis:
        raise OptionError(
            "without a reference a report needs the source, and links of source and hypotheses (--source and "
            "--links-source-hypothesis)"
        )
    name, lines = texts.source
    usual = Settings().metrics
    if settings.metrics == usual:
        settings = replace(settings, metrics=SOURCE_METRICS)
    links = Links(source_hypothesis=texts.links.source_hypothesis)
    return replace(texts, references={name: lines}, links=links), settings


def _check_source_metrics(run: Run) -> None:
    """Raise an `OptionError` for a metric that looks at more than the source and its links."""
    for name, metric in run.metrics.items():
        if {*metric.needed(run.offered)} - {SOURCE_LINKS}:
            raise OptionError(
                f"{name} needs a reference; without one there are {' and '.join(SOURCE_METRICS)}"
            )


def _with_scores(
    measurement: Measurement, scores: Scores, lower_is_better: Sequence[str]
) -> Measurement:
    """Return what was measured with given scores beside it."""
    if not scores and not lower_is_better:
        return measurement
    given, notes = beside_scores(
        scores, measurement.systems, measurement.segments, lower_is_better=lower_is_better
    )
    known = {each.name for each in measurement.measured}
    for each in given:
        if each.name in known:
            raise OptionError(
                f"the scores hold {each.name}, which is computed here, too; rename one, or choose other metrics"
            )
    return replace(
        measurement,
        measured=(*measurement.measured, *given),
        notes=(*measurement.notes, *notes),
    )


def _pair(texts: Texts, pair: tuple[str, str] | None) -> tuple[str, str] | None:
    names = list(texts.systems)
    if pair is None:
        return (names[0], names[1]) if len(names) > 1 else None
    for name in pair:
        if name not in names:
            raise OptionError(
                f"there is no system {name!r} for the pair; there are {', '.join(names)}"
            )
    if pair[0] == pair[1]:
        raise OptionError(f"the pair is {pair[0]} twice; name two systems")
    return pair


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Located:
    """Links of a system, and its order errors where the links give an order."""

    links: LinkBatch
    errors: OrderErrors | None = None
    summary: ErrorSummary | None = None


def _located(run: Run, systems: Sequence[SystemEvaluations]) -> tuple[list[_Located], list[str]]:
    """Return links and order errors of each system, and why there are none, or coarse ones.

    With several references, a segment's are those of the reference that suits it best.
    """
    chosen = costed_metrics(run.metrics)
    seen = [linked_evaluation(run, place, each) for place, each in enumerate(systems)]
    found = []
    try:
        for each in seen:
            errors = locate_errors(each, chosen, system=each.hypothesis.name).likely()
            links = _chosen_links(each.links, errors.references)
            summary = summarise_errors(errors, each)
            found.append(_Located(links=links, errors=errors, summary=summary))
    except SeveralLinksError as error:
        note = f"order errors are left out: {error.where}: {error.fault}"
        return [_Located(links=each.links[0]) for each in seen], [note]
    return found, [note for each in found if each.errors for note in coarse_notes(each.errors)]


def _trees(run: Run) -> tuple[DependencyTreeColumn | None, ...]:
    """Return the trees of references and systems that metrics or errors looked at, the first parse of each.

    Where all systems have trees, those of the first reference are asked for, if there can be any: their tags.
    """
    source = next(iter(run.trees.values()))
    first, systems = run.corpus.references[0], run.corpus.systems
    seen = {} if source is None else source.looked_at()
    if source is not None and all(each in seen for each in systems) and source.can_give(first):
        seen[first] = source.trees(first)
    texts = (*run.corpus.references, *run.corpus.systems)
    return tuple(seen[text].first_parses() if text in seen else None for text in texts)


def _chosen_links(batches: tuple[LinkBatch, ...], references: NDArray[np.int32]) -> LinkBatch:
    """Return the links of each segment with the reference of this number."""
    if len(batches) == 1:
        return batches[0]
    owners, links = [], []
    for number, batch in enumerate(batches):
        segments = batch.segments()
        own = references[segments] == number
        owners.append(segments[own])
        links.append(batch.links[own])
    return LinkBatch.collected(np.concatenate(owners), np.concatenate(links), len(references))
