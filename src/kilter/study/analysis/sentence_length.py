"""Lengths and source languages of the judged sentences. Section 13.1"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import isnan, sqrt
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.render.chart.chart import Curve, curve_chart
from kilter.render.chart.frame import Caption, statement
from kilter.render.chart.mark import Histogram
from kilter.render.chart.row_chart import Row, RowGroup, count_rows, row_chart, row_pages
from kilter.render.page.sub_report import Figure, SubReport, figure_pages
from kilter.stats.correlation import pearson
from kilter.stats.participant_effect import least_squares
from kilter.stats.undefined import Undefined
from kilter.study.analysis.judged_correlation import LEAST_COMMON
from kilter.study.analysis.summary import SUMMARY, Summary, summarise, summary_cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.study.judgments.judgment_study import JudgedSentence, JudgmentStudy

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lengths:
    """How many sentences have each number of words; `text` is source, reference or hypothesis."""

    text: str
    counts: Mapping[int, int]
    summary: Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class Regression:
    """A line y = intercept + slope x by least squares, and Pearson's r of so many points."""

    intercept: float
    slope: float
    pearson: float
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthReport:
    """Lengths of the three texts, and the regression of hypothesis on reference length.

    `pairs` counts the sentences with each two lengths of reference and hypothesis.
    """

    lengths: tuple[Lengths, ...]
    pairs: Mapping[tuple[int, int], int]
    regression: Regression | Undefined


def sentence_lengths(study: JudgmentStudy) -> LengthReport:
    """Return the lengths in words, split at blanks, of all sentences that are analysed and were judged."""
    judged = _judged(study)
    texts: dict[str, list[str | None]] = {
        "source": [sentence.source for sentence in judged],
        "reference": [sentence.reference for sentence in judged],
        "hypothesis": [sentence.hypothesis for sentence in judged],
    }
    lengths = tuple(_lengths(name, listed) for name, listed in texts.items())
    reference, hypothesis = _counted(texts["reference"]), _counted(texts["hypothesis"])
    pairs = Counter(
        zip(reference.astype(int).tolist(), hypothesis.astype(int).tolist(), strict=True)
    )
    return LengthReport(
        lengths=lengths,
        pairs=dict(sorted(pairs.items())),
        regression=regression(reference, hypothesis),
    )


def regression(x: Floats, y: Floats) -> Regression | Undefined:
    """Return the line of y on x."""
    if len(x) < LEAST_COMMON:
        return Undefined(f"{counted(len(x), 'sentence')}; a correlation needs {LEAST_COMMON}")
    r = float(pearson(x, y))
    if isnan(r):
        return Undefined(f"{counted(len(x), 'sentence')} whose lengths do not vary")
    intercept, slope = least_squares(y, x)
    return Regression(intercept=intercept, slope=slope, pearson=r, count=len(x))


def _judged(study: JudgmentStudy) -> list[JudgedSentence]:
    judged = set(study.sentence[study.rows()].tolist())
    return [sentence for place, sentence in enumerate(study.sentences) if place in judged]


def _counted(texts: Sequence[str | None]) -> Floats:
    return np.array([np.nan if text is None else len(text.split()) for text in texts], dtype=float)


def _lengths(name: str, texts: Sequence[str | None]) -> Lengths:
    words = _counted(texts)
    known = words[~np.isnan(words)].astype(int)
    return Lengths(
        text=name, counts=dict(sorted(Counter(known.tolist()).items())), summary=summarise(words)
    )


def source_languages(study: JudgmentStudy) -> dict[str, int]:
    """Return how many sentences come from each source language, the most frequent first."""
    counts = Counter(sentence.source_language or "unknown" for sentence in _judged(study))
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))


def length_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of lengths in words."""
    lengths = sentence_lengths(study)
    line = lengths.regression
    text = f"The regression of hypothesis on reference length is {line}."
    if not isinstance(line, Undefined):
        text = (
            f"Hypothesis and reference length correlate with Pearson's r = {line.pearson:.3f}; the line is "
            f"hypothesis = {line.intercept:.2f} + {line.slope:.3f} x reference, over "
            f"{counted(line.count, 'sentence')}."
        )
    return SubReport(
        name="lengths",
        title="Lengths of sentences",
        text=(text,),
        data=Table(
            columns=("text", "words", "sentences"),
            rows=tuple(
                (each.text, words, count)
                for each in lengths.lengths
                for words, count in each.counts.items()
            ),
        ),
        shown=(
            Table(
                columns=("text", *SUMMARY),
                rows=tuple((each.text, *summary_cells(each.summary)) for each in lengths.lengths),
                title="Words of the judged sentences",
            ),
        ),
        figures=(
            Figure(svg=length_figure(lengths, simulated=study.simulated)),
            Figure(
                svg=length_scatter_figure(lengths, simulated=study.simulated),
                name="figure-regression",
            ),
        ),
        notes=(
            (
                "n: sentences; missing: sentences whose text is unknown. Words are split at blanks; control "
                "items are left out."
            ),
        ),
    )


def language_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of source languages."""
    languages = source_languages(study)
    total = sum(languages.values())
    known = [name for name in languages if name != "unknown"]
    text = f"The sentences come from {counted(len(known), 'source language')}."
    if "unknown" in languages:
        text += f" The source language of {counted(languages['unknown'], 'sentence')} is unknown."
    return SubReport(
        name="languages",
        title="Source languages",
        text=(text,),
        data=Table(
            columns=("source language", "sentences", "share"),
            rows=tuple((name, count, count / total) for name, count in languages.items()),
        ),
        notes=(f"n: {counted(total, 'sentence')} judged; missing: {languages.get('unknown', 0)}.",),
        figures=figure_pages(language_figures(languages, simulated=study.simulated)),
    )


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


def language_figures(languages: Mapping[str, int], *, simulated: bool) -> tuple[str, ...]:
    """Return the numbers of sentences by source language."""
    caption = Caption(title="Source languages", simulated=simulated)
    if not languages:
        return (statement(caption, Undefined("there is no sentence")),)
    total = sum(languages.values())
    return row_pages(
        [RowGroup("", count_rows(languages))],
        caption=caption,
        axis=f"sentences (n = {total})",
        whole=True,
    )
