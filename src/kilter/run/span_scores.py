"""Sets of spans against what people marked: precision, recall and F1 with intervals, tests, controls; gamma."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.core.estimate import Estimate
from kilter.core.settings import checked
from kilter.core.spans import MarkedSegment, Side, Span, Spans
from kilter.io.tokenizer import DEFAULT_TOKENIZER, tokenizer
from kilter.render.error_span import token_spans
from kilter.results.span_scores import SpanDifference, SpanScore, SpanScores
from kilter.stats.gamma import Unit, gamma_agreement, total_disorder
from kilter.stats.resampling import Resampling, bootstrap_sums
from kilter.stats.significance import (
    LEAST_SEGMENTS,
    evidence_note,
    holm,
    percentile_intervals,
    percentile_p_values,
)
from kilter.stats.span_score import (
    COLUMNS,
    SEVERITY_WEIGHTS,
    SpanMeasure,
    precision_recall_f1,
    span_statistics,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

DEFAULT_MEASURES = (
    SpanMeasure.MPP,
    SpanMeasure.CHARACTERS,
    SpanMeasure.WORDS,
    SpanMeasure.SEVERITY,
    SpanMeasure.ERROR_FREE,
)
DRAWS = 20
"""Random spans are drawn so many times, and what they score is averaged."""
SHORT = 3
"""Letters up to which a word is short, as most function words are."""
_RANDOM = "random"
_SHORT_WORDS = "every short word"
_EVERYTHING = "everything"
_Key = tuple[str, str]


@checked
def score_spans(
    gold: Spans,
    predicted: Mapping[str, Spans],
    *,
    measures: Sequence[SpanMeasure | str] = DEFAULT_MEASURES,
    tokenize: str = DEFAULT_TOKENIZER,
    controls: bool = True,
    called: str = "gold",
    resampling: Resampling | None = None,
) -> SpanScores:
    """Return how well sets of spans agree with what people marked; without any, each annotator with the others.

    Only segments that all have are compared: the same segment of the same system, or of the only system of both. A set
    is compared with every annotator of a segment, and counts are added up. Intervals and tests draw segments, with all that is
    marked in them in every system.
    """
    chosen = tuple(dict.fromkeys(SpanMeasure(each) for each in measures)) or DEFAULT_MEASURES
    drawn = resampling or Resampling()
    marks = _keyed(gold)
    sets = {name: _keyed(spans, of=gold) for name, spans in predicted.items()}
    against = dict.fromkeys(sets, marks)
    if not sets:
        sets, against = _annotators_against_others(gold)
    keys = [key for key in marks if all(key in own for own in sets.values())]
    if not keys:
        raise InputError(
            "no segment is in all of them; segments are matched by system and number, or by name",
            where=", ".join(sets) or called,
        )
    _check_texts(marks, sets, keys)
    words = {key: _words(marks[key], tokenize) for key in keys}
    units = {unit: index for index, unit in enumerate(dict.fromkeys(key[1] for key in keys))}
    rows = {name: np.zeros((len(units), len(chosen) * COLUMNS)) for name in sets}
    for name, own in sets.items():
        for key in keys:
            rows[name][units[key[1]]] += _row(own[key], against[name][key], words[key], chosen)
    names = [*rows] if predicted else []
    control_names: set[str] = set()
    if controls:
        for name, each in _controls(sets, marks, keys, words, units, chosen, drawn.seed):
            rows[name] = each
            control_names.add(name)
    resampled = bootstrap_sums(np.stack([*rows.values()]), drawn)
    totals, samples = resampled.total(), resampled.resampled()
    scores = [
        _score(name, (column, measure), totals[place], samples[place], drawn, len(units))
        for column, measure in enumerate(chosen)
        for place, name in enumerate(rows)
    ]
    places = {name: place for place, name in enumerate(rows)}
    gamma = _gamma([marks[key] for key in keys], [units[key[1]] for key in keys], drawn)
    return SpanScores(
        gold=called,
        segments=len(keys),
        marked=sum(len(each.spans) for key in keys for each in marks[key]),
        annotators=tuple(dict.fromkeys(each.annotator for key in keys for each in marks[key])),
        counts={
            name: sum(len(each.spans) for key in keys for each in own[key])
            for name, own in sets.items()
        },
        scores=tuple(replace(each, control=each.spans in control_names) for each in scores),
        differences=tuple(_differences(names, places, chosen[0], totals, samples, drawn)),
        gamma=gamma,
        resamples=drawn.count,
        seed=drawn.seed,
        notes=tuple(_notes(marks, sets, keys, len(units))),
    )


def _keyed(spans: Spans, *, of: Spans | None = None) -> dict[_Key, list[MarkedSegment]]:
    """Return the segments by what the same ones have elsewhere; where both have one system, whatever it is called."""
    alone = of is not None and len(of.systems) == len(spans.systems) == 1
    found: dict[_Key, list[MarkedSegment]] = {}
    for (system, segment), marked in spans.by_segment().items():
        key = (of.systems[0] if alone and of is not None else system, segment)
        found[key] = marked
    return found


def _annotators_against_others(
    gold: Spans,
) -> tuple[dict[str, dict[_Key, list[MarkedSegment]]], dict[str, dict[_Key, list[MarkedSegment]]]]:
    """Return each annotator's marks, and those of all others in the segments of several annotators."""
    if len(gold.annotators) < 2:
        raise InputError(
            "one annotator marked the spans; name a file of spans to compare with, or marks of several annotators"
        )
    several = {key for key, marked in gold.by_segment().items() if len(marked) > 1}
    shared = gold.chosen(lambda each: each.key in several)
    sets: dict[str, dict[_Key, list[MarkedSegment]]] = {}
    against: dict[str, dict[_Key, list[MarkedSegment]]] = {}
    for name in gold.annotators:
        own = tuple(each for each in shared if each.annotator == name)
        others = tuple(each for each in shared if each.annotator != name)
        sets[name or "no name"] = _keyed(Spans(own))
        against[name or "no name"] = _keyed(Spans(others))
    return sets, against


def _check_texts(
    marks: Mapping[_Key, Sequence[MarkedSegment]],
    sets: Mapping[str, Mapping[_Key, Sequence[MarkedSegment]]],
    keys: Sequence[_Key],
) -> None:
    for key in keys:
        texts = [
            each.target
            for own in (marks, *sets.values())
            for each in own[key]
            if each.target is not None
        ]
        for text in texts:
            if text != texts[0]:
                raise InputError(
                    f"{text!r} was marked here, and {texts[0]!r} there; spans of different texts cannot be compared",
                    where=f"segment {key[1]}" + (f" of {key[0]}" if key[0] else ""),
                )


def _words(marked: Sequence[MarkedSegment], tokenize: str) -> list[tuple[int, int]]:
    line = marked[0].target
    if line is None:
        return []
    where = marked[0].where or f"segment {marked[0].segment}"
    return token_spans(line, tokenizer(tokenize)(line), where=where)


def _row(
    predicted: Sequence[MarkedSegment],
    gold: Sequence[MarkedSegment],
    words: Sequence[tuple[int, int]],
    measures: Sequence[SpanMeasure],
) -> Floats:
    row = np.zeros(len(measures) * COLUMNS)
    for one in predicted:
        for other in gold:
            length = None if other.target is None else len(other.target)
            row += span_statistics(
                one.spans, other.spans, measures=measures, length=length, words=words
            )
    return row


def _controls(
    sets: Mapping[str, Mapping[_Key, Sequence[MarkedSegment]]],
    marks: Mapping[_Key, Sequence[MarkedSegment]],
    keys: Sequence[_Key],
    words: Mapping[_Key, Sequence[tuple[int, int]]],
    units: Mapping[str, int],
    measures: Sequence[SpanMeasure],
    seed: int,
) -> Iterator[tuple[str, Floats]]:
    """Yield what is scored without looking at errors: spans at random places, short words, everything."""
    shape = (len(units), len(measures) * COLUMNS)
    for name, own in sets.items():
        rng = np.random.default_rng(seed)
        rows = np.zeros(shape)
        for _ in range(DRAWS):
            for key in keys:
                moved = [_at_random(each, marks[key][0].target, rng) for each in own[key]]
                rows[units[key[1]]] += _row(moved, marks[key], words[key], measures)
        yield f"{_RANDOM} {name}", rows / DRAWS
    for name, spans_of in ((_SHORT_WORDS, _short_words), (_EVERYTHING, _everything)):
        rows = np.zeros(shape)
        for key in keys:
            first = marks[key][0]
            whole = replace(first, spans=tuple(spans_of(first.target or "", words[key])))
            rows[units[key[1]]] += _row([whole], marks[key], words[key], measures)
        yield name, rows


def _at_random(marked: MarkedSegment, line: str | None, rng: np.random.Generator) -> MarkedSegment:
    """Return as many spans of the same lengths at other places of the text."""
    spans = []
    for span in marked.spans:
        text = line if span.side is Side.TARGET else marked.source
        room = max(0, len(text or "") - (span.end - span.start))
        start = int(rng.integers(room + 1)) if text is not None else span.start
        end = start + span.end - span.start
        spans.append(replace(span, start=start, end=end, text=None))
    return replace(marked, spans=tuple(spans))


def _short_words(line: str, words: Sequence[tuple[int, int]]) -> Iterator[Span]:
    for start, end in words:
        if end - start <= SHORT and any(map(str.isalpha, line[start:end])):
            yield Span.of(line, start, end)


def _everything(line: str, _words: Sequence[tuple[int, int]]) -> Iterator[Span]:
    if line:
        yield Span.of(line, 0, len(line))


def _of(place: int, statistics: Floats) -> Floats:
    """Return precision, recall and F1 by the measure at a place."""
    return precision_recall_f1(statistics[..., place * COLUMNS : (place + 1) * COLUMNS])


def _score(
    name: str,
    measure: tuple[int, SpanMeasure],
    totals: Floats,
    resampled: Floats,
    drawn: Resampling,
    units: int,
) -> SpanScore:
    column, called = measure
    values = _of(column, totals)
    bounds = np.full((3, 2), np.nan)
    if units >= LEAST_SEGMENTS:
        bounds = percentile_intervals(_of(column, resampled).T, level=drawn.level)
    found = [
        Estimate(float(value), float(low), float(high))
        for value, (low, high) in zip(values, bounds, strict=True)
    ]
    return SpanScore(
        spans=name, measure=str(called), precision=found[0], recall=found[1], f1=found[2]
    )


def _differences(
    names: Sequence[str],
    places: Mapping[str, int],
    measure: SpanMeasure,
    totals: Floats,
    resampled: Floats,
    drawn: Resampling,
) -> Iterator[SpanDifference]:
    """Yield the difference in F1 of every two sets, on the same resamples."""
    pairs = [*combinations(names, 2)]
    if not pairs:
        return
    f1, sampled = _of(0, totals)[:, 2], _of(0, resampled)[..., 2]
    rows = np.stack([sampled[places[one]] - sampled[places[other]] for one, other in pairs])
    tests = percentile_p_values(rows)
    bounds = percentile_intervals(rows, level=drawn.level)
    corrected = holm([float(p) for p in tests])
    for (one, other), p, (low, high), adjusted in zip(pairs, tests, bounds, corrected, strict=True):
        value = float(f1[places[one]] - f1[places[other]])
        yield SpanDifference(
            first=one,
            second=other,
            measure=str(measure),
            difference=Estimate(value, float(low), float(high), p=float(p)),
            holm=adjusted,
        )


def contested(spans: Spans, count: int) -> Spans:
    """Return so many segments on whose spans annotators agree least, the worst first, without the spans.

    That is the disorder of the best alignment of their spans (section 21.3); segments on which all agree are left out.
    """
    disorders = []
    for marked in spans.by_segment().values():
        disorder = total_disorder(_marks(marked))
        if disorder > 0:
            disorders.append((disorder, marked[0]))
    disorders.sort(key=lambda each: -each[0])
    return Spans(
        tuple(replace(each, spans=(), annotator="", score=None) for _, each in disorders[:count])
    )


def _marks(marked: Sequence[MarkedSegment]) -> list[list[Unit]]:
    """Return what each annotator marked in the target, by name; a severity is the label, or else the category."""
    return [
        [
            (float(span.start), float(span.end), span.severity or span.category)
            for span in each.spans
            if span.side is Side.TARGET
        ]
        for each in sorted(marked, key=lambda each: each.annotator)
    ]


def _gamma(
    texts: Sequence[Sequence[MarkedSegment]], units: Sequence[int], drawn: Resampling
) -> Estimate:
    """Return the agreement of the annotators of each text; a severity is the category, or else the category."""
    shared = [
        (unit, sorted(marked, key=lambda each: each.annotator))
        for unit, marked in zip(units, texts, strict=True)
        if len(marked) > 1
    ]
    if not shared:
        return Estimate(reason="no segment was marked by two annotators")
    marks = [_marks(marked) for _, marked in shared]
    if not any(own for text in marks for own in text):
        return Estimate(reason="nobody marked anything")
    rows = np.zeros((max(units) + 1, 2))
    for (unit, _), row in zip(shared, gamma_agreement(marks, seed=drawn.seed), strict=True):
        rows[unit] += row
    observed, expected = rows.sum(axis=0)
    if expected <= 0:
        return Estimate(reason="chance gives no disorder")
    if len(shared) < LEAST_SEGMENTS:
        return Estimate(1.0 - observed / expected)
    sums = bootstrap_sums(rows[np.newaxis], drawn).resampled()[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        sampled = np.where(sums[:, 1] > 0, 1.0 - sums[:, 0] / sums[:, 1], np.nan)
    low, high = percentile_intervals(sampled[np.newaxis], level=drawn.level)[0]
    return Estimate(1.0 - observed / expected, float(low), float(high))


def _notes(
    marks: Mapping[_Key, object],
    sets: Mapping[str, Mapping[_Key, Sequence[MarkedSegment]]],
    keys: Sequence[_Key],
    units: int,
) -> Iterator[str]:
    left = len(marks) - len(keys)
    if left:
        yield f"left out, as not all files have them: {counted(left, 'marked segment')}"
    for name, own in sets.items():
        others = len([key for key in own if key not in marks])
        if others:
            yield f"{name}: left out, as nobody marked them: {counted(others, 'segment')}"
    note = evidence_note(units)
    if note:
        yield note
    known = {*SEVERITY_WEIGHTS, ""}
    unknown = {
        span.severity
        for own in sets.values()
        for key in keys
        for each in own[key]
        for span in each.spans
        if span.severity.casefold() not in known
    }
    if unknown:
        yield f"severities without a weight count 1: {', '.join(sorted(unknown))}"
