"""The page of a report on systems: one HTML file that needs nothing but itself."""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kilter import __version__
from kilter.core.counted import counted
from kilter.core.estimate import p_text
from kilter.metrics.citation import PUBLICATIONS
from kilter.metrics.kilter import Kilter
from kilter.metrics.version_two import VERSION_TWO
from kilter.render.page.report_data import report_data
from kilter.results.comparison import SignificanceTest, bracketed_p, printed_parts
from kilter.results.explanation import ErrorKind, WordState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kilter.core.estimate import Estimate
    from kilter.results.comparison import MetricComparison, Pair, PartDifference
    from kilter.results.reported_systems import ReportedSystems

_SURE = 0.05
_MINUS = "\u2212"
_KINDS = {
    ErrorKind.SWAP: "swaps",
    ErrorKind.WORD: "words",
    ErrorKind.PHRASE: "phrases",
    ErrorKind.INVERSION: "inversions",
    ErrorKind.COMPLEX: "complex",
}
# The metrics of order of which the first that was computed is told in numbers.
_ORDERS = ("order", "kendall")


def difference_sentences(report: ReportedSystems) -> Iterator[tuple[str, str]]:
    """Yield the name of each system but the baseline, and in a sentence how it differs from that.

    In numbers by the first metric and by one of order; of the others, by how many it is better or worse; then its
    order errors, with those of the baseline in brackets.
    """
    comparison = report.comparison
    told = _told(report)
    for system in comparison.systems:
        if system == comparison.baseline:
            continue
        pairs = [(each, each.pair(comparison.baseline, system)) for each in comparison.metrics]
        found = [(metric, pair) for metric, pair in pairs if pair is not None]
        parts = [_in_numbers(report, metric, pair) for metric, pair in found if metric.name in told]
        others = [_verdict(metric, pair) for metric, pair in found if metric.name not in told]
        if others:
            parts.append(_counted_verdicts(others))
        if report.errors:
            parts.append(_in_errors(report, system))
        yield system, f"Against {comparison.baseline}, it is {'; '.join(parts)}."


def _told(report: ReportedSystems) -> list[str]:
    names = list(report.metrics)
    tools = {facts.tool: name for name, facts in reversed(report.metrics.items())}
    order = next((tools[tool] for tool in _ORDERS if tool in tools), None)
    return list(dict.fromkeys([names[0], order or names[min(1, len(names) - 1)]]))


def _verdict(metric: MetricComparison, pair: Pair) -> str:
    """Return better, worse or equal, or that it is not sure; in the words of a sentence."""
    if pair.difference is None:
        return "undefined"
    if pair.difference == 0:
        return "equal"
    better = (pair.difference > 0) == metric.higher_is_better
    p = _corrected(pair)
    sure = "" if p is not None and p < _SURE else "not significantly "
    return sure + ("better" if better else "worse")


def _in_numbers(report: ReportedSystems, metric: MetricComparison, pair: Pair) -> str:
    verdict = f"{_verdict(metric, pair)} by {metric.name}"
    if pair.difference is None:
        return verdict
    numbers = _signed(pair.difference)
    if pair.low is not None and pair.high is not None:
        level = round(100 * report.comparison.resampling.level)
        numbers += f", {level}% interval {_signed(pair.low)} to {_signed(pair.high)}"
    p = _corrected(pair)
    if p is not None:
        numbers += f", corrected p {p_text(p)}"
    return f"{verdict} ({numbers}){_in_parts(pair)}"


def _in_parts(pair: Pair) -> str:
    """Return what the difference consists of, as `compare` prints it; nothing for a metric without parts."""
    if not pair.parts:
        return ""
    listed = [
        f"{shown.replace('-', _MINUS)} by {part.name}{bracketed_p(_corrected(part))}"
        for part, shown in zip(pair.parts, printed_parts(pair), strict=True)
    ]
    return f", of which {', '.join(listed)}"


def _signed(value: float) -> str:
    """Return a difference with its sign, as the page's tables write it; zero has none."""
    shown = f"{value:+.4f}".replace("-", _MINUS)
    return shown if float(f"{value:.4f}") else shown[1:]


def _counted_verdicts(verdicts: list[str]) -> str:
    kinds = dict.fromkeys(verdicts)
    listed = ", ".join(f"{kind} by {verdicts.count(kind)}" for kind in kinds)
    return f"of {counted(len(verdicts), 'further metric')} {listed}"


def _in_errors(report: ReportedSystems, system: str) -> str:
    """Return how many order errors the system has, and of which kinds, beside those of the baseline."""
    baseline = report.systems.index(report.comparison.baseline)
    counts, place = report.error_counts, report.systems.index(system)
    mine, theirs = counts[place], counts[baseline]
    kinds = ", ".join(
        f"{name} {mine[kind]} ({theirs[kind]})"
        for kind, name in _KINDS.items()
        if mine[kind] or theirs[kind]
    )
    listed = f": {kinds}" if kinds else ""
    other = report.comparison.baseline
    rates = [
        f"{100 * row.sum() / max(1, np.sum(errors.hypothesis_states == WordState.LINKED)):.1f}"
        for row, errors in ((mine, report.errors[place]), (theirs, report.errors[baseline]))
    ]
    return (
        f"it has {counted(int(mine.sum()), 'order error')} worth a look, {rates[0]} in 100 linked words, "
        f"{other} has {theirs.sum()}, {rates[1]} in 100{listed}"
    )


def _corrected(pair: Pair | PartDifference) -> float | None:
    """Return the p-value of the first test, corrected for all pairs with the baseline, as in `compare`."""
    corrected = pair.holm if pair.holm_baseline is None else pair.holm_baseline
    return next(iter(corrected.values()), None)


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
    text = (
        f"We scored {counted(systems, 'system')} on {counted(report.count, 'segment')} with "
        f"{counted(references, 'reference')} by {_listed(list(report.metrics))}, with Kilter "
        f"{__version__}; texts were tokenised by {corpus.tokenizer}"
        f"{' and lower-cased' if corpus.lowercase else ''}. Intervals are percentile bootstrap "
        f"intervals of {100 * drawn.level:g}% from {counted(drawn.count, 'resample')} of segments "
        f"(seed {drawn.seed})."
    )
    weighted = [
        name
        for name, facts in report.metrics.items()
        if facts.tool == Kilter.name and f"weights={VERSION_TWO}" in facts.variant
    ]
    if weighted:
        text += (
            f" {_listed(weighted)} {'weighs' if len(weighted) == 1 else 'weigh'} parts otherwise in scores of "
            "systems than in those of segments."
        )
    if systems > 1:
        text += (
            f" Differences were tested by {_TESTS[comparison.tests[0]]}; p-values are corrected by "
            "Holm's method over all systems set against the baseline, metric by metric."
        )
    return text


def signatures_text(report: ReportedSystems) -> str:
    """Return the signature of each metric, one a line."""
    return "\n".join(facts.signature for facts in report.metrics.values())


def citations_text(report: ReportedSystems) -> str:
    """Return the BibTeX of the metrics, each publication once."""
    keys = dict.fromkeys(key for facts in report.metrics.values() for key in facts.citations)
    return "\n\n".join(PUBLICATIONS.get(key, key) for key in keys)


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


_STATIC = Path(__file__).parent / "static"
_SCRIPTS = (
    "element.js", "data.js", "error.js", "chart.js", "overview.js", "pair.js", "structure.js", "segment.js", "browser.js", "main.js",
)  # fmt: skip
_SECTIONS = {
    "differences": "Differences",
    "systems": "Systems",
    "ranks": "Ranks by metric",
    "distributions": "Distributions and length",
    "words": "Words and lengths",
    "pair": "Two systems",
    "errors": "Order errors",
    "segments": "Segments",
    "methods": "Methods",
}
_MOST_TOLD = 12
"""Systems whose differences are told at once."""
_OF_SEVERAL = ("ranks", "pair")
"""Sections that one system alone has not."""
_SORTS = {
    "segment": "number",
    "length": "length of the reference",
    "first": "score of the first system",
    "second": "score of the second system",
    "difference": "difference, second less first",
    "distance": "size of the difference",
}
_COLUMNS = {
    "segment": "no.",
    "length": "words",
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
    style = (_STATIC / "report.css").read_text(encoding="utf-8")
    names = [*_SCRIPTS, *(["live.js"] if live else [])]
    sources = [(_STATIC / name).read_text(encoding="utf-8") for name in names]
    script = '"use strict";\n(() => {\n' + "\n".join(sources) + "})();\n"
    policy = (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_hash(script)}'; "
        f"img-src data:; base-uri 'none'; form-action 'none'"
        f"{'; connect-src ' + chr(39) + 'self' + chr(39) if live else ''}"
    )
    return "".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
            f'<link rel="icon" href="data:,">\n<title>{escape(report.title)}</title>\n',
            f"<style>{style}</style>\n</head>\n<body>\n",
            '<a class="skip" href="#grid">Skip to the segments</a>\n',
            *_head(report),
            "<main>\n",
            *_differences(report),
            *_systems(report),
            *_pictures(report),
            *_errors(report),
            *_segments(report),
            *_methods(report),
            "</main>\n",
            f"<footer><p>Made by Kilter {escape(__version__)}.</p></footer>\n",
            f'<script type="application/json" id="report-data">{_data(report)}</script>\n',
            f"<script>{script}</script>\n</body>\n</html>\n",
        ]
    )


def _hash(script: str) -> str:
    return b64encode(sha256(script.encode()).digest()).decode()


def _data(report: ReportedSystems) -> str:
    document = {**report_data(report), "numbers": report.to_dict()}
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character, written in _UNSAFE.items():
        text = text.replace(character, written)
    return text


def _head(report: ReportedSystems) -> Iterator[str]:
    size = f"{counted(len(report.systems), 'system')}, {counted(report.count, 'segment')}, "
    size += counted(len(report.corpus.references), "reference")
    yield f'<header>\n<h1 dir="auto">{escape(report.title)}</h1>\n<p>{size}</p>\n</header>\n'
    links = "".join(
        f'<li><a href="#{key}">{name}</a></li>\n'
        for key, name in _SECTIONS.items()
        if len(report.systems) > 1 or key not in _OF_SEVERAL
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


def _section(key: str, *parts: str) -> str:
    return (
        f'<section id="{key}" aria-labelledby="{key}-title">\n'
        f'<h2 id="{key}-title">{_SECTIONS[key]}</h2>\n{"".join(parts)}</section>\n'
    )


def _differences(report: ReportedSystems) -> Iterator[str]:
    told = [
        f"<li><strong><bdi>{escape(name)}</bdi></strong>. {escape(text)}</li>\n"
        for name, text in difference_sentences(report)
    ]
    alone = f"<p>There is one system, <bdi>{escape(report.systems[0])}</bdi>.</p>\n"
    notes = "".join(f"<li>{escape(note)}</li>\n" for note in report.notes)
    listed = f'<ul class="notes">\n{notes}</ul>\n' if notes else ""
    first = f"<ul>\n{''.join(told[:_MOST_TOLD])}</ul>\n" if told else alone
    rest = ""
    if len(told) > _MOST_TOLD:
        more = counted(len(told) - _MOST_TOLD, "further system")
        rest = f"<details>\n<summary>{more}</summary>\n<ul>\n{''.join(told[_MOST_TOLD:])}</ul>\n</details>\n"
    yield _section("differences", first, rest, listed)


def _systems(report: ReportedSystems) -> Iterator[str]:
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in report.metrics)
    rows = []
    for place, system in enumerate(report.systems):
        cells = []
        for metric in report.comparison.metrics:
            pair = metric.pair(report.comparison.baseline, system)
            mark = "" if pair is None or pair.mark_baseline is None else str(pair.mark_baseline)
            cells.append(_cell(metric.intervals[place], mark))
        rows.append(f'<tr><th scope="row" dir="auto">{escape(system)}</th>{"".join(cells)}</tr>\n')
    level = f"{100 * report.comparison.resampling.level:g}%"
    few = report.comparison.decision_note
    lacking = report.comparison.lacking
    unsure = f", ? too few {lacking} to decide" if few or lacking == "segments" else ""
    if few and lacking == "resamples":
        unsure += f": {few}"
    marks = (
        f"; marks compare with the baseline, {report.comparison.baseline}: better +** / +* or worse -** / -* "
        f"with corrected p < .01 / < .05, 0 neither{unsure}"
        if len(report.systems) > 1
        else ""
    )
    caption = f"Corpus scores with {level} bootstrap intervals{marks}"
    yield _section(
        "systems",
        f'<div class="wide" role="region" tabindex="0" aria-label="Corpus scores">\n<table>\n'
        f'<caption>{escape(caption)}</caption>\n<thead><tr><th scope="col" class="text">system</th>'
        f"{heads}</tr></thead>\n<tbody>\n{''.join(rows)}</tbody>\n</table>\n</div>\n",
        '<div id="intervals"></div>\n<div id="matrix"></div>\n',
    )


def _cell(interval: Estimate, mark: str) -> str:
    if interval.value is None:
        return "<td>undefined</td>"
    bounds = ""
    if interval.low is not None and interval.high is not None:
        bounds = f'<br><span class="low">{interval.low:.4f} to {interval.high:.4f}</span>'
    shown = f' <span class="mark">{escape(mark)}</span>' if mark else ""
    return f"<td>{interval.value:.4f}{shown}{bounds}</td>"


def _pictures(report: ReportedSystems) -> Iterator[str]:
    if len(report.systems) > 1:
        yield _section("ranks", '<div id="ranks-picture"></div>\n')
    yield _section(
        "distributions",
        '<div class="plots">\n<div id="distribution"></div>\n<div id="length"></div>\n</div>\n',
    )
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


def _left_out(report: ReportedSystems) -> str:
    """Return that only errors worth a look are shown, and how many are not."""
    hidden = ", ".join(f"{errors.system} {int(errors.left_out.sum())}" for errors in report.errors)
    return (
        "These are the errors worth a look. Others are left out because links nearby are missing "
        f"({escape(hidden)}), so that systems with fewer links show fewer errors: compare systems by their scores, not by these counts. "
        "kilter explain --all shows all. "
    )


def _errors(report: ReportedSystems) -> Iterator[str]:
    if not report.errors:
        yield _section("errors", "<p>The links of these texts give no order.</p>\n")
        return
    yield _section(
        "errors",
        '<div id="error-kinds"></div>\n<div class="plots" id="error-groups"></div>\n'
        '<div id="more-groups"></div>\n',
        f"<p>{_left_out(report)}Loss is what repairing these errors would gain, in scores of segments; words that move together "
        "share it. Groups of most loss come first.</p>\n",
    )


def _segments(report: ReportedSystems) -> Iterator[str]:
    several = (
        "<p>Lengths are those of the first reference; links and order errors those of the reference that "
        "suits a segment best.</p>\n"
        if len(report.corpus.references) > 1
        else ""
    )
    places = {k: v for k, v in _PLACES.items() if k != "source" or report.corpus.source is not None}
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
            "Words",
            '<input type="search" id="query" dir="auto" autocomplete="off" '
            'placeholder="words, or &quot;a phrase&quot;">',
        )
        + _field("where", "Look in", _select("where", places))
        + _field("least", "Length from", _length("least"))
        + _field("most", "Length to", _length("most"))
        + _field("type", "Order errors", _select("type", {"": "any"}))
        + _field("tag", "Misplaced tag", _select("tag", {"": "any"}))
        + _field("sort", "Sort by", _select("sort", _SORTS))
        + '<button type="button" id="turn">Reverse</button>\n</form>\n',
        '<p id="found" role="status" aria-live="polite"></p>\n<div class="browser">\n',
        '<div id="grid" role="grid" aria-label="List of segments" aria-colcount="7" tabindex="0">\n'
        f'<div role="rowgroup">\n<div role="row" class="head" aria-rowindex="1">\n{heads}'
        '<div role="columnheader" class="words">reference, first system</div>\n</div>\n</div>\n'
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
