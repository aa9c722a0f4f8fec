"""Scores of reordered sentences against reference reorderings. [FRS]"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from kilter.core.corpus import TokenColumn, Vocabulary
from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError, Setting
from kilter.core.reordering import OrderMatch, PrintedOrder, mismatch
from kilter.core.settings import checked
from kilter.metrics.reordering_metric import ReorderingMetric, WordMatch
from kilter.metrics.tied_order import Matching
from kilter.results.score_result import ByMetric, MetricScore, ScoreResult
from kilter.run.scoring.measured import Measured
from kilter.run.scoring.significance import score_intervals
from kilter.stats.resampling import Resampling

Words: TypeAlias = Sequence[Sequence[str]]


@checked
def score_reorderings(
    reference: PrintedOrder,
    systems: Mapping[str, PrintedOrder],
    *,
    metrics: Sequence[ReorderingMetric] | None = None,
    sources: Words | None = None,
    resampling: Resampling | None = None,
    jobs: int = 1,
) -> ScoreResult:
    """Return the scores of reordered texts, per segment and corpus, with intervals.

    `sources` are the words of the source, for files that give positions only. Words that are not the
    same on both sides are an `InputError`.
    """
    chosen = list(Matching().metrics() if metrics is None else metrics)
    if not chosen or not systems:
        raise OptionError("there is nothing to score; give at least one metric and one system")
    drawn = resampling or Resampling()
    matches = [
        match_printed(system, reference, match=chosen[0].match, sources=sources, jobs=jobs)
        for system in systems.values()
    ]
    return measure_matches(dict(zip(systems, matches, strict=True)), chosen, resampling=drawn)


def measure_matches(
    matches: Mapping[str, OrderMatch],
    metrics: Sequence[ReorderingMetric],
    *,
    resampling: Resampling,
) -> ScoreResult:
    """Return the scores of systems that are matched with their reference."""
    measured = tuple(
        Measured(
            metric=metric,
            statistics=[metric.match_statistics(match) for match in matches.values()],
            signature=metric.signature(),
        )
        for metric in metrics
    )
    count = len(next(iter(matches.values())))
    systems = {name: ByMetric[MetricScore]() for name in matches}
    for entry in measured:
        intervals = score_intervals(entry, resampling=resampling)
        for name, interval in zip(matches, intervals, strict=True):
            systems[name][entry.name] = MetricScore(
                value=interval.value,
                low=interval.low,
                high=interval.high,
                segments=count,
                signature=entry.signature,
            )
    by_name = {metric.specification(): metric for metric in metrics}
    return ScoreResult(
        systems=systems,
        metrics=ByMetric((entry.name, entry.facts()) for entry in measured),
        count=count,
        seed=resampling.seed,
        segment_arrays={
            (name, system): metric.match_scores(match)
            for name, metric in by_name.items()
            for system, match in matches.items()
        },
    )


def match_printed(
    system: PrintedOrder,
    reference: PrintedOrder,
    *,
    match: WordMatch = WordMatch.FORM,
    sources: Words | None = None,
    jobs: int = 1,
) -> OrderMatch:
    """Return how a system's orders relate to those of a reference; both must hold the same words."""
    if len(system) != len(reference):
        raise InputError(
            f"has {counted(len(system), 'line')}, but {reference.name} has {len(reference)}; both need one line per "
            "sentence",
            where=system.name,
        )
    if system.is_tied:
        raise InputError(
            "holds tied words, but a system has one order; only references have groups",
            where=_first_tied(system),
        )
    if sources is not None:
        _check_count(reference, sources)
        for side in (reference, system):
            side.check_source(sources, _source_line)
            _check_words(side, sources)
    if match is WordMatch.IDENTITY:
        columns = tuple(_positions(side) for side in (system, reference))
        words = None
        if reference.sources is not None:
            system.check_source(reference.sources, reference.where)
    else:
        words = Vocabulary()
        known = sources or reference.sources or system.sources
        columns = tuple(
            words.column(_words(side, known, reference)) for side in (system, reference)
        )
    difference = mismatch(columns[0], columns[1])
    if difference is not None:
        named = (
            f"position {difference.word}" if words is None else repr(words.words[difference.word])
        )
        raise InputError(
            f"{difference.reason(named, reference.where(difference.segment))}; system and reference must hold the "
            "same words",
            where=system.where(difference.segment),
        )
    return OrderMatch.of(columns[0], columns[1], reference.group, jobs=jobs)


def _check_count(side: PrintedOrder, sources: Words) -> None:
    if len(sources) != len(side):
        raise InputError(
            f"has {counted(len(side), 'line')}, but the source has {len(sources)}", where=side.name
        )


def _source_line(segment: int) -> str:
    return f"line {segment + 1} of the source text"


def _check_words(side: PrintedOrder, sources: Words) -> None:
    """Raise an `InputError` for the first word that its source sentence lacks, or has less often."""
    for segment, (own, sentence) in enumerate(zip(side.words or (), sources, strict=False)):
        more = Counter(own) - Counter(sentence)
        if more:
            word = next(word for word in own if word in more)
            raise InputError(
                f"holds {word!r} {counted(own.count(word), 'time')}, but {_source_line(segment)} "
                f"{sentence.count(word)}; give the source whose words were reordered",
                where=side.where(segment),
            )


def _first_tied(system: PrintedOrder) -> str:
    starts = np.repeat(system.offsets[:-1], system.lengths)
    tied = np.flatnonzero(system.group != np.arange(len(system.group)) - starts)
    return system.where(int(np.searchsorted(system.offsets, tied[0], side="right")) - 1)


def _positions(side: PrintedOrder) -> TokenColumn:
    if side.order is None:
        raise InputError(
            "gives words, but match=identity needs their places in the source; give it as jsonl or "
            "positions",
            where=side.name,
        )
    return TokenColumn(side.order, side.offsets)


def _words(side: PrintedOrder, sources: Words | None, reference: PrintedOrder) -> Words:
    """Return the words of each segment in their new order."""
    if side.words is not None:
        return side.words
    if sources is None:
        raise InputError(
            "gives positions, but nothing says the words of the source; give the source text, or match "
            "words by their places with",
            where=side.name,
            advice=Setting("match", "identity"),
        )
    _check_count(side, sources)
    found = []
    for segment, words in enumerate(sources):
        places = side.positions(segment)
        outside = next((place for place in places if place >= len(words)), None)
        if outside is not None:
            raise InputError(
                f"position {outside} lies outside the {counted(len(words), 'word')} of "
                f"{reference.where(segment)}, counted from 0",
                where=side.where(segment),
            )
        found.append([words[place] for place in places])
    return found
