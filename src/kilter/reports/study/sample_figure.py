"""Figures of sentences and participants: quality by place, lengths, languages, demographics. Section 13.1"""

from __future__ import annotations

from math import floor, sqrt
from typing import TYPE_CHECKING

from kilter.counted import counted
from kilter.reports.chart.chart import Curve, curve_chart
from kilter.reports.chart.frame import Caption, statement
from kilter.reports.chart.mark import Bar, Histogram
from kilter.reports.chart.row_chart import Row, RowGroup, row_chart
from kilter.statistics.undefined import Undefined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.survey.analysis.demographics import FieldDescription
    from kilter.survey.analysis.sentence_length import LengthReport, Lengths
    from kilter.survey.analysis.summary import Summary
    from kilter.survey.analysis.uniformity import PlaceQuality

_MOST_NAMED = 30
_MOST_VALUES = 12


def quality_figure(places: Sequence[PlaceQuality], *, by: str, simulated: bool) -> str:
    """Return mean answers, rank scores and degree scores by `position` or by `questionnaire`."""
    title = f"Quality by {by}"
    if not places:
        nothing = Undefined("there is no judgment")
        return statement(Caption(title=title, simulated=simulated), nothing)
    measures = {name: [place.answers[name] for place in places] for name in places[0].answers}
    measures["rank score (translations)"] = [place.rank_score for place in places]
    measures["degree score (permutations)"] = [place.degree_score for place in places]
    named = len(places) <= _MOST_NAMED
    at = [float(number if named else place.place) for number, place in enumerate(places)]
    curves, notes = list[Curve](), list[str]()
    for name, summaries in measures.items():
        points = _means(at, summaries)
        if points:
            curves.append(Curve(name=name, points=points))
        if len(points) < len(places):
            notes.append(_left_out(name, summaries, by))
    kinds: dict[str, int] = {}
    for place in places:
        for kind, count in place.kinds.items():
            kinds[kind] = kinds.get(kind, 0) + count
    items = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
    notes.append(
        f"Judged items: {items}. The dashed line is 0.5, where means lie if all are alike."
    )
    total = sum(place.judgments for place in places)
    return curve_chart(
        curves,
        caption=Caption(title=title, notes=notes, simulated=simulated),
        x=f"{by} (n = {counted(total, 'judgment')})",
        y="mean, from 0 to 1",
        labels=[str(place.place) for place in places] if named else (),
        reach=(0.0, 1.0),
        rule=0.5,
    )


def _means(at: Sequence[float], summaries: Sequence[Summary]) -> list[tuple[float, float]]:
    return [
        (place, summary.mean)
        for place, summary in zip(at, summaries, strict=True)
        if not isinstance(summary.mean, Undefined)
    ]


def _left_out(name: str, summaries: Sequence[Summary], by: str) -> str:
    missing = [summary.mean for summary in summaries if isinstance(summary.mean, Undefined)]
    where = f"at {len(missing)} of {counted(len(summaries), by)}"
    return f"{name}, {where}: {missing[0]}"


def length_figure(report: LengthReport, *, simulated: bool) -> str:
    """Return the distributions of the numbers of words of source, reference and hypothesis."""
    rows = [Row(lengths.text, [_length_mark(lengths)]) for lengths in report.lengths]
    caption = Caption(
        title="Lengths of sentences",
        notes=["Columns count sentences with so many words; triangles are medians."],
        simulated=simulated,
    )
    return row_chart([RowGroup("", rows)], caption=caption, axis="words", reach=[0.0], whole=True)


def _length_mark(lengths: Lengths) -> Histogram | Undefined:
    summary = lengths.summary
    if isinstance(summary.median, Undefined):
        return summary.median
    low, high = min(lengths.counts), max(lengths.counts)
    missing = f", {summary.missing} missing" if summary.missing else ""
    return Histogram(
        edges=[edge - 0.5 for edge in range(low, high + 2)],
        counts=[lengths.counts.get(words, 0) for words in range(low, high + 1)],
        median=summary.median,
        tall=90,
        text=f"n = {summary.count}{missing}; median {summary.median:g}",
    )


def length_scatter_figure(report: LengthReport, *, simulated: bool) -> str:
    """Return hypothesis against reference length, with the line of regression."""
    title = "Length of hypothesis and reference"
    line = report.regression
    if not report.pairs:
        nothing = Undefined("there is no sentence")
        return statement(Caption(title=title, simulated=simulated), nothing)
    total = sum(report.pairs.values())
    curves = [
        Curve(
            name="sentences; larger circles are several",
            points=[(float(x), float(y)) for x, y in report.pairs],
            joined=False,
            sizes=[1.5 + sqrt(count) for count in report.pairs.values()],
        )
    ]
    if isinstance(line, Undefined):
        notes = [f"Regression: {line}"]
    else:
        ends = (min(x for x, _ in report.pairs), max(x for x, _ in report.pairs))
        curves.append(
            Curve(
                name=f"hypothesis = {line.intercept:.2f} + {line.slope:.2f} * reference",
                points=[(float(x), line.intercept + line.slope * x) for x in ends],
                marked=False,
            )
        )
        notes = [f"Pearson's r = {line.pearson:.3f} of {counted(line.count, 'sentence')}."]
    return curve_chart(
        curves,
        caption=Caption(title=title, notes=notes, simulated=simulated),
        x=f"words of the reference (n = {counted(total, 'sentence')})",
        y="words of the hypothesis",
    )


def language_figure(languages: Mapping[str, int], *, simulated: bool) -> str:
    """Return the numbers of sentences by source language."""
    caption = Caption(title="Source languages", simulated=simulated)
    if not languages:
        return statement(caption, Undefined("there is no sentence"))
    total = sum(languages.values())
    return row_chart(
        [RowGroup("", _bars(languages))],
        caption=caption,
        axis=f"sentences (n = {total})",
        whole=True,
    )


def demographics_figure(
    fields: Mapping[str, FieldDescription | Undefined], *, simulated: bool
) -> str:
    """Return what participants said of themselves, field by field."""
    sections = [
        RowGroup(name.replace("_", " "), found)
        if isinstance(found, Undefined)
        else RowGroup(_field_heading(found), _bars(_values(found)))
        for name, found in fields.items()
    ]
    caption = Caption(title="Participants", simulated=simulated)
    return row_chart(sections, caption=caption, axis="participants", whole=True)


def _field_heading(found: FieldDescription) -> str:
    parts = [f"n = {found.answered}"]
    if found.missing:
        parts.append(f"{found.missing} missing")
    summary = found.summary
    if summary is not None and not isinstance(summary.mean, Undefined):
        parts.append(f"mean {summary.mean:.1f}")
        if not isinstance(summary.deviation, Undefined):
            parts.append(f"standard deviation {summary.deviation:.1f}")
    return f"{found.field.replace('_', ' ')} ({', '.join(parts)})"


def _values(found: FieldDescription) -> Mapping[str, int]:
    """Return counts by answer: numbers in their order, many of them in steps; names as they are."""
    try:
        numbers = sorted((float(value), count) for value, count in found.counts.items())
    except ValueError:
        return found.counts
    if found.summary is None:
        return found.counts
    if len(numbers) <= _MOST_VALUES:
        return {f"{value:g}": count for value, count in numbers}
    step = next(
        step * 10**power
        for power in range(300)
        for step in (1, 2, 5)
        if (numbers[-1][0] - numbers[0][0]) / (step * 10**power) < _MOST_VALUES
    )
    grouped: dict[str, int] = {}
    first, last = (floor(value / step) for value in (numbers[0][0], numbers[-1][0]))
    for place in range(first, last + 1):
        name = f"{place * step} to under {(place + 1) * step}"
        grouped[name] = sum(c for value, c in numbers if floor(value / step) == place)
    return grouped


def _bars(counts: Mapping[str, int]) -> list[Row]:
    total = sum(counts.values())
    return [
        Row(name, [Bar(value=count, text=f"{count} ({100 * count / total:.0f}%)")])
        for name, count in counts.items()
    ]
