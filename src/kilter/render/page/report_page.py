"""The page of a report on systems: one HTML file that needs nothing but itself."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING

from kilter import __version__
from kilter.core.counted import counted
from kilter.core.estimate import Estimate
from kilter.core.table import html_table
from kilter.metrics.citation import PUBLICATIONS
from kilter.metrics.kilter import Kilter
from kilter.metrics.version_two import VERSION_TWO
from kilter.render.page.frame import STATIC, framed
from kilter.render.page.report_data import report_data
from kilter.results.comparison import SignificanceTest
from kilter.results.score_result import WHOLE
from kilter.results.verdict import MOST_VERDICTS, claim, listed, overview

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kilter.results.comparison import Comparison, MetricComparison
    from kilter.results.reported_systems import ReportedSystems

_MINUS = "\u2212"
_TESTS = {
    SignificanceTest.BOOTSTRAP: "paired bootstrap",
    SignificanceTest.RANDOMISATION: "approximate randomisation",
    SignificanceTest.PERMUTATION: "sign-flip permutation",
}


def methods_text(report: ReportedSystems) -> str:
    """Return a paragraph on scores, intervals and tests."""
    comparison, corpus = report.comparison, report.corpus
    drawn = comparison.resampling
    systems, references = len(comparison.systems), len(corpus.references)
    own = [name for name, facts in report.metrics.items() if facts.tool]
    given = [name for name, facts in report.metrics.items() if not facts.tool]
    text = (
        f"We scored {counted(systems, 'system')} on {counted(report.count, 'segment')} "
        f"{'without a reference' if report.of_source else 'with ' + counted(references, 'reference')} by {listed(own)}, with Kilter "
        f"{__version__}; texts were tokenised by {corpus.tokenizer}"
        f"{' and lower-cased' if corpus.lowercase else ''}. Intervals are percentile bootstrap "
        f"intervals of {100 * drawn.level:g}% from {counted(drawn.count, 'resample')} of segments "
        f"(seed {drawn.seed})."
    )
    if given:
        text += f" Segment scores of {listed(given)} are those of other programs; a system has their mean."
    weighted = [
        name
        for name, facts in report.metrics.items()
        if facts.tool == Kilter.name and f"weights={VERSION_TWO}" in facts.variant
    ]
    if weighted:
        text += (
            f" {listed(weighted)} {'weighs' if len(weighted) == 1 else 'weigh'} parts otherwise in scores of "
            "systems than in those of segments."
        )
    if systems > 1:
        text += (
            f" Differences were tested by {_TESTS[comparison.tests[0]]}; p-values are corrected by "
            "Holm's method over all systems compared with the baseline, metric by metric."
        )
    return text


def signatures_text(report: ReportedSystems) -> str:
    """Return the signature of each metric, one a line."""
    return "\n".join(facts.signature for facts in report.metrics.values())


def citations_text(report: ReportedSystems) -> str:
    """Return the BibTeX of the metrics, each publication once."""
    keys = dict.fromkeys(key for facts in report.metrics.values() for key in facts.citations)
    return "\n\n".join(PUBLICATIONS.get(key, key) for key in keys)


_SCRIPTS = (
    "element.js", "data.js", "door.js", "error.js", "chart.js", "summary.js", "overview.js", "pair.js", "structure.js", "segment.js", "browser.js", "main.js",
)  # fmt: skip
_SECTIONS = {
    "summary": "Summary",
    "systems": "All systems",
    "distributions": "Distributions and length",
    "words": "Word accuracy and length",
    "pair": "Two systems",
    "errors": "Order errors",
    "segments": "Segments",
    "methods": "Methods",
}
_OF_SEVERAL = ("systems", "pair")
"""Sections that one system alone has not."""
_OF_REFERENCE = ("words", "errors")
"""Sections that there are not without a reference."""
_SORTS = {
    "segment": "number",
    "length": "length of the reference",
    "first": "score of the first system",
    "second": "score of the second system",
    "difference": "difference, second minus first",
    "distance": "size of the difference",
}
_COLUMNS = {
    "segment": "no.",
    "length": "length",
    "first": "first",
    "second": "second",
    "difference": "difference",
    "errors": "errors",
}
_PLACES = {
    "any": "any text",
    "reference": "reference",
    "first": "first system",
    "second": "second system",
    "source": "source",
}
# Nothing of the data may end the script that holds it.
_UNSAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def report_page(report: ReportedSystems, *, live: bool = False) -> str:
    """Return the page; a `live` one asks the server that it came from whether there is a newer one."""
    names = [*_SCRIPTS, *(["live.js"] if live else [])]
    sources = [(STATIC / name).read_text(encoding="utf-8") for name in names]
    return framed(
        report.title,
        '<a class="skip" href="#grid">Skip to the segments</a>\n',
        *_head(report),
        "<main>\n",
        *_summary(report),
        *_systems(report),
        *_pictures(report),
        *_errors(report),
        *_segments(report),
        *_methods(report),
        "</main>\n",
        data=f'<script type="application/json" id="report-data">{_data(report)}</script>\n',
        script='"use strict";\n(() => {\n' + "\n".join(sources) + "})();\n",
        policy="; connect-src 'self'" if live else "",
    )


def _data(report: ReportedSystems) -> str:
    document = {**report_data(report), "numbers": report.to_dict()}
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character, written in _UNSAFE.items():
        text = text.replace(character, written)
    return text


def _head(report: ReportedSystems) -> Iterator[str]:
    size = f"{counted(len(report.systems), 'system')}, {counted(report.count, 'segment')}, "
    size += (
        "no reference: systems are compared with the order of the source"
        if report.of_source
        else counted(len(report.corpus.references), "reference")
    )
    yield f'<header>\n<h1 dir="auto">{escape(report.title)}</h1>\n<p>{size}</p>\n</header>\n'
    links = "".join(
        f'<li><a href="#{key}">{name}</a></li>\n'
        for key, name in _SECTIONS.items()
        if key in _sections(report)
    )
    yield f'<nav aria-label="Contents">\n<ul>\n{links}</ul>\n</nav>\n'
    yield (
        '<div class="chosen" role="group" aria-label="What is shown">\n'
        + _field("metric", "Metric", '<select id="metric" autocomplete="off"></select>')
        + _field("first", "First system", '<select id="first" autocomplete="off"></select>')
        + _field("second", "Second system", '<select id="second" autocomplete="off"></select>')
        + '<button type="button" id="theme" class="push" aria-pressed="false">Dark</button>\n</div>\n'
    )
    yield "<noscript><p>Pictures and the list of segments need JavaScript.</p></noscript>\n"


def _sections(report: ReportedSystems) -> list[str]:
    """Return the sections of a page: not those about several systems of one alone, nor about words without a reference."""
    left_out = {
        *(_OF_SEVERAL if len(report.systems) < 2 else ()),
        *(_OF_REFERENCE if report.of_source else ()),
    }
    return [key for key in _SECTIONS if key not in left_out]


def _section(key: str, *parts: str) -> str:
    return (
        f'<section id="{key}" aria-labelledby="{key}-title">\n'
        f'<h2 id="{key}-title">{_SECTIONS[key]}</h2>\n{"".join(parts)}</section>\n'
    )


def _summary(report: ReportedSystems) -> Iterator[str]:
    """Yield what was found, in sentences; the scores of all systems; and the errors that differ most."""
    several = len(report.systems) > 1
    notes = "".join(f"<li>{escape(note)}</li>\n" for note in report.notes)
    listed_notes = (
        f'<div class="notes">\n<p>Please note:</p>\n<ul>\n{notes}</ul>\n</div>\n' if notes else ""
    )
    yield _section(
        "summary",
        *(_verdicts(report.comparison, of_source=report.of_source) if several else ()),
        *_score_table(report),
        listed_notes,
        '<div id="differing"></div>\n' if several and report.errors else "",
    )


def _verdicts(comparison: Comparison, *, of_source: bool) -> Iterator[str]:
    """Yield what is known of each system in words, with the sentences that have numbers folded; of many, the leaders."""
    sentences = "".join(f"<p>{escape(sentence)}</p>\n" for sentence in overview(comparison))
    if len(comparison.systems) - 1 > MOST_VERDICTS:
        if of_source:
            return
        yield f'<div class="verdict">\n{sentences}</div>\n'
        return
    claims = "".join(
        f"<li><strong><bdi>{escape(system)}</bdi></strong>: {escape(claim(comparison, system))}.</li>\n"
        for system in comparison.systems
        if system != comparison.baseline
    )
    folded = (
        f"<details>\n<summary>The same with numbers, to quote</summary>\n{sentences}</details>\n"
    )
    if of_source:  # nothing is better or worse there
        folded = ""
    yield (
        f'<div class="verdict">\n<p>Compared with the baseline <bdi>{escape(comparison.baseline)}</bdi>:</p>\n'
        f"<ul>\n{claims}</ul>\n"
        f"{folded}</div>\n"
    )


def _score_table(report: ReportedSystems) -> Iterator[str]:
    """Yield the table of all systems, in which every score has a small picture of its interval."""
    comparison = report.comparison
    main = next((each for each in comparison.metrics if each.name == WHOLE), comparison.metrics[0])
    better = "closer to the order of the source" if report.of_source else "better"
    names = {
        metric.name: f"higher is {better}" if metric.higher_is_better else f"lower is {better}"
        for metric in comparison.metrics
    }
    several = len(report.systems) > 1
    columns = list(names.items())
    if several:
        columns.append(
            (f"{main.name} difference", f"{main.name} minus that of {comparison.baseline}")
        )
    heads = "".join(
        f'<th scope="col" aria-sort="none"><button type="button" class="plain" data-column="{place}" '
        f'title="{escape(meaning)}"><bdi>{escape(name)}</bdi></button></th>'
        for place, (name, meaning) in enumerate(columns, start=1)
    )
    many = len(report.systems) - 1 > MOST_VERDICTS
    differences = [_difference(comparison, main, system) for system in report.systems]
    shown = [(metric, _span(metric.intervals)) for metric in comparison.metrics]
    wide = _span([*differences, Estimate(0.0)])
    rows = []
    for place, system in enumerate(report.systems):
        cells = []
        for metric, span in shown:
            pair = metric.pair(comparison.baseline, system)
            mark = "" if pair is None or pair.mark_baseline is None else str(pair.mark_baseline)
            cells.append(_cell(metric.intervals[place], span, ".4f", mark))
        if several:
            cells.append(_cell(differences[place], wide, "+.4f", zero=True))
        told = ""
        if system == comparison.baseline and several:
            told = '<span class="low">baseline</span>'
        elif many:
            told = f'<span class="low">{escape(claim(comparison, system))}</span>'
        rows.append(
            f'<tr><th scope="row"><bdi>{escape(system)}</bdi>{told}</th>{"".join(cells)}</tr>\n'
        )
    heading = '<th scope="col" class="text" aria-sort="none">{}</th>'.format(
        '<button type="button" class="plain" data-column="0">system</button>'
    )
    yield (
        '<div class="wide" role="region" tabindex="0" aria-label="Scores of all systems">\n<table id="scores">\n'
        f"<caption>{escape(_score_caption(report))}</caption>\n<thead><tr>{heading}{heads}</tr></thead>\n"
        f"<tbody>\n{''.join(rows)}</tbody>\n</table>\n</div>\n"
    )


def _score_caption(report: ReportedSystems) -> str:
    """Return what the table of scores shows and what its marks stand for."""
    comparison = report.comparison
    lower = [each.name for each in comparison.metrics if not each.higher_is_better]
    direction = "higher is better"
    if report.of_source:
        direction = "higher is closer to the order of the source, but lower in anticipation"
    elif lower:
        direction += f", but lower in {listed(lower)}"
    caption = f"Scores of the whole text, {direction}; lines are {100 * comparison.resampling.level:g}% bootstrap intervals"
    if len(report.systems) < 2:
        return f"{caption}."
    few, lacking = comparison.decision_note, comparison.lacking
    unsure = f"; ? too few {lacking} to decide" if few or lacking == "segments" else ""
    if few and lacking == "resamples":
        unsure += f": {few}"
    main = next((each for each in comparison.metrics if each.name == WHOLE), comparison.metrics[0])
    better, worse = ("closer", "farther") if report.of_source else ("better", "worse")
    return (
        f"{caption}. Marks compare with {comparison.baseline}: + {better}, - {worse} (corrected p < .05, "
        f"with ** p < .01); 0 no significant difference{unsure}. The last column is the difference from {comparison.baseline} "
        f"in {main.name}."
    )


def _difference(comparison: Comparison, metric: MetricComparison, system: str) -> Estimate:
    """Return how far a system is above the baseline, with its interval."""
    pair = metric.pair(comparison.baseline, system)
    if pair is None:
        return Estimate(None)
    return pair.estimate


def _span(estimates: Sequence[Estimate]) -> tuple[float, float]:
    """Return the lowest and the highest number of some estimates and of their intervals."""
    known = [value for each in estimates for value in each.triple if value is not None]
    return (min(known), max(known)) if known else (0.0, 1.0)


_WIDTH, _HEIGHT = 88, 12
"""Pixels of the small pictures of intervals."""


def _cell(
    interval: Estimate,
    span: tuple[float, float],
    digits: str,
    mark: str = "",
    *,
    zero: bool = False,
) -> str:
    """Return a cell with a number, its mark, and a picture of its interval between the ends of the column."""
    if interval.value is None:
        return f'<td title="{escape(interval.reason)}">-</td>'
    low, high = span

    def across(value: float) -> str:
        share = (value - low) / (high - low) if high > low else 0.5
        return f"{4 + share * (_WIDTH - 8):.1f}"

    middle = _HEIGHT / 2
    axis = (
        f'<line class="axis" x1="{across(0.0)}" x2="{across(0.0)}" y1="0" y2="{_HEIGHT}"/>'
        if zero
        else ""
    )
    line, title = "", ""
    if interval.low is not None and interval.high is not None:
        line = (
            f'<line class="span" x1="{across(interval.low)}" x2="{across(interval.high)}" '
            f'y1="{middle:g}" y2="{middle:g}"/>'
        )
        title = f' title="{_number(interval.low, digits)} to {_number(interval.high, digits)}"'
    sign = {"+": "up", "-": "down"}.get(mark[:1], "")
    shown = f' <span class="mark {sign}">{escape(mark.replace("-", _MINUS))}</span>' if mark else ""
    return (
        f'<td data-value="{interval.value!r}"{title}>{_number(interval.value, digits)}{shown}'
        f'<svg width="{_WIDTH}" height="{_HEIGHT}" aria-hidden="true">{axis}{line}'
        f'<circle cx="{across(interval.value)}" cy="{middle:g}" r="3.5"/></svg></td>'
    )


def _number(value: float, digits: str) -> str:
    """Return a number with a true minus; zero has no sign."""
    shown = format(value, digits)
    if float(shown) == 0.0:
        shown = shown.lstrip("+-")
    return shown.replace("-", _MINUS)


def _systems(report: ReportedSystems) -> Iterator[str]:
    if len(report.systems) < 2:
        return
    tables = "".join(
        f'<div class="wide" role="region" tabindex="0" aria-label="{escape(table.title) or "Legend"}">\n'
        f"{html_table(table)}\n</div>\n"
        for table in report.comparison.detailed_tables()
    )
    yield _section(
        "systems",
        '<div class="plots">\n<div id="intervals"></div>\n<div id="ranks"><div id="ranks-picture"></div></div>\n</div>\n<div id="matrix"></div>\n',
        "<details>\n<summary>All intervals, differences, tests and effect sizes</summary>\n"
        f"{tables}</details>\n",
    )


def _pictures(report: ReportedSystems) -> Iterator[str]:
    yield _section(
        "distributions",
        '<div class="plots">\n<div id="distribution"></div>\n<div id="length"></div>\n</div>\n',
    )
    if not report.of_source:
        yield _section(
            "words",
            '<div class="plots">\n',
            *(f'<div id="words-{grouping}"></div>\n' for grouping in report.word_accuracy),
            '<div id="length-difference"></div>\n</div>\n',
        )
    if len(report.systems) == 1:
        return
    yield _section(
        "pair",
        '<p id="pair-told"></p>\n<div class="plots" id="pair-pictures" hidden>\n<div id="scatter"></div>\n'
        '<div id="differences-picture"></div>\n</div>\n<div class="plots" id="ngrams"></div>\n',
    )


def _errors(report: ReportedSystems) -> Iterator[str]:
    if report.of_source:
        return
    if not report.errors:
        yield _section("errors", "<p>The links of these texts give no order.</p>\n")
        return
    yield _section(
        "errors",
        '<div id="error-kinds"></div>\n<div class="plots" id="error-groups"></div>\n'
        '<div id="more-groups"></div>\n',
        "<p>Only errors worth a look are counted. Others are left out because links nearby are missing, so that a system with fewer links shows "
        "fewer errors: <i>Numbers</i> has how many, and <code>kilter explain --all</code> shows them. What an error costs is what its repair would "
        "gain in the scores of segments; words that move together share it, and the most expensive groups come first.</p>\n",
    )


def _segments(report: ReportedSystems) -> Iterator[str]:
    several = (
        "<p>Lengths are those of the first reference; links and order errors those of the reference that "
        "suits a segment best.</p>\n"
        if len(report.corpus.references) > 1
        else ""
    )
    against = "source" if report.of_source else "reference"
    has_source = report.corpus.source is not None and not report.of_source
    places = {key: name for key, name in _PLACES.items() if key != "source" or has_source}
    places["reference"] = against
    heads = "".join(
        f'<div role="columnheader" class="number" aria-sort="none"><button type="button" class="plain" '
        f'data-key="{key}">{name}</button></div>\n'
        for key, name in _COLUMNS.items()
    )
    yield _section(
        "segments",
        '<p class="hint">Keys: <kbd>/</kbd> filter, <kbd>↑</kbd> <kbd>↓</kbd> move, '
        "<kbd>Enter</kbd> open, <kbd>Esc</kbd> close.</p>\n",
        several,
        '<form class="filters" id="filters" role="search" aria-label="Segments">\n'
        + _field(
            "query",
            "Search",
            '<input type="search" id="query" dir="auto" autocomplete="off" '
            'placeholder="words, or &quot;a phrase&quot;">',
        )
        + _field("where", "Look in", _select("where", places))
        + _field("least", "Length from", _length("least"))
        + _field("most", "Length to", _length("most"))
        + _field("type", "Order errors", _select("type", {"": "any"}))
        + _field("tag", "Misplaced tag", _select("tag", {"": "any"}))
        + _field(
            "sort", "Sort by", _select("sort", _SORTS | {"length": f"length of the {against}"})
        )
        + '<button type="button" id="turn">Reverse</button>\n</form>\n',
        '<p id="only"></p>\n<p id="found" role="status" aria-live="polite"></p>\n<div class="browser">\n',
        '<div id="grid" role="grid" aria-label="List of segments" aria-colcount="7" tabindex="0">\n'
        f'<div role="rowgroup">\n<div role="row" class="head" aria-rowindex="1">\n{heads}'
        f'<div role="columnheader" class="words">{against}, first system</div>\n</div>\n</div>\n'
        '<div role="rowgroup" id="rows"></div>\n</div>\n',
        '<div id="segment" role="region" aria-label="Segment"></div>\n</div>\n',
    )


def _field(key: str, name: str, control: str) -> str:
    """Return a control below its name."""
    two = " data-two" if key == "second" else ""
    return f'<div class="field"{two}><label for="{key}">{name}</label>{control}</div>\n'


def _select(key: str, names: dict[str, str]) -> str:
    options = "".join(f'<option value="{value}">{name}</option>' for value, name in names.items())
    return f'<select id="{key}" autocomplete="off">{options}</select>'


def _length(key: str) -> str:
    return f'<input type="number" id="{key}" min="0" autocomplete="off">'


def _methods(report: ReportedSystems) -> Iterator[str]:
    texts = {
        "methods-text": ("In words", methods_text(report)),
        "signatures": ("Signatures", signatures_text(report)),
        "citations": ("BibTeX", citations_text(report)),
    }
    yield _section(
        "methods",
        *(
            f'<h3 id="{key}-title">{title} <button type="button" data-copy="{key}">Copy</button></h3>\n'
            f'<pre id="{key}" tabindex="0" role="region" aria-labelledby="{key}-title">{escape(text)}</pre>\n'
            for key, (title, text) in texts.items()
        ),
        "<p>Segment scores in this page are rounded to 32-bit floating point numbers (7 digits), costs of "
        "order errors to 4 decimals and their shares to a tenth of a percent; corpus scores, intervals and "
        "tests were computed before.</p>\n",
    )
