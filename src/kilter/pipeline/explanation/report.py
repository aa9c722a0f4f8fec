"""A report on systems: everything that its page shows, computed once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kilter.errors import OptionError
from kilter.options.argument import checked_value
from kilter.pipeline.explanation.segment_bucket import (
    distribution,
    length_buckets,
    length_differences,
)
from kilter.pipeline.explanation.word_accuracy import ngram_differences, word_accuracy
from kilter.pipeline.scoring.corpus import Texts, texts_from_api
from kilter.pipeline.scoring.links import GivenLinks, Links
from kilter.pipeline.scoring.measurement import measure_run
from kilter.pipeline.scoring.run import Run
from kilter.pipeline.scoring.score import metric_facts
from kilter.pipeline.scoring.settings import Settings, takes_settings
from kilter.pipeline.scoring.significance import compare_measured
from kilter.pipeline.scoring.transposition import transposition_note
from kilter.pipeline.scoring.trees import Trees
from kilter.reports.page.system_report import SystemReport
from kilter.statistics.significance import resample_note
from kilter.structures.result.by_metric import ByMetric

if TYPE_CHECKING:
    from collections.abc import Callable

    from kilter.structures.link.link_batch import LinkBatch

TITLE = "Word order report"


@takes_settings
def report(
    hypotheses: object,
    references: object,
    *,
    title: str = TITLE,
    pair: tuple[str, str] | None = None,
    source: object = None,
    links: Links | GivenLinks | None = None,
    trees: Trees | None = None,
    settings: Settings | None = None,
    **options: object,
) -> SystemReport:
    """Return the report on one system (a list of strings) or several (a mapping of such lists).

    `to_html` of what is returned is the page, `write` writes it into a file, and `to_dict` holds its
    numbers. `pair` names the two systems that are looked at first. Everything else is as in `compare`;
    the baseline is the first system.

    >>> found = report(["the mat sat on the cat"], ["the cat sat on the mat"], metrics="kendall")
    >>> found.to_html()[:15]
    '<!DOCTYPE html>'
    """
    chosen = Settings.of(settings, options)
    texts = texts_from_api(hypotheses, references, source, links=links, trees=trees)
    named = checked_value("pair", pair, tuple[str, str] | None)
    found = report_texts(texts, chosen, title=checked_value("title", title, str), pair=named)
    note = transposition_note(texts)
    return replace(found, notes=(note, *found.notes)) if note else found


def report_texts(
    texts: Texts,
    settings: Settings,
    *,
    title: str = TITLE,
    pair: tuple[str, str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SystemReport:
    """Return the report on texts that are already read; see `report`."""
    chosen = _pair(texts, pair)
    run = Run.of(texts, settings)
    corpus = run.corpus
    measurement = measure_run(run, settings, progress=progress)
    comparison = compare_measured(
        measurement.systems, measurement.measured, resampling=settings.resampling
    )
    reference = corpus.references[0].tokens.lengths
    alone = resample_note(settings.resampling.resamples)
    return SystemReport(
        title=title,
        pair=chosen,
        comparison=comparison,
        metrics=ByMetric((each.name, metric_facts(each)) for each in measurement.measured),
        corpus=corpus,
        links=tuple(_links(run, place) for place in range(len(corpus.systems))),
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
        word_accuracy=word_accuracy(corpus),
        ngrams=ngram_differences(corpus),
        notes=(*measurement.notes, *([alone] if alone else [])),
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


def _links(run: Run, place: int) -> LinkBatch:
    """Return the links of a system with the first reference, also where no metric looks at links."""
    if run.links.hypothesis_reference:
        return run.links.hypothesis_reference[place][0]
    return run.made_links.of(run.configurations[0][0].aligner, place)[0]
