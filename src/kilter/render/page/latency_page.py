"""What `kilter latency` found, on one HTML page: what the order forces, differences, and the segments that wait longest."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.table import html_table
from kilter.render.chart.latency_picture import latency_picture
from kilter.render.page.frame import framed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kilter.core.estimate import Estimate
    from kilter.core.table import Table
    from kilter.results.latency_result import LatencyResult

_TITLE = "Latency of simultaneous translation"
_DRAWN = 3
"""So many segments of a system are drawn."""
_LONG = 30
"""Tables with more rows are folded."""
_STYLE = """
.wide td { white-space: nowrap; }
.drawn svg { max-width: none; }
.drawn svg text { fill: #222; }
@media (prefers-color-scheme: dark) { .drawn svg { filter: invert(.91) hue-rotate(180deg); } }
"""
"""Pictures keep their size, and are scrolled; in the dark, white becomes the paper of the page."""


def latency_page(result: LatencyResult) -> str:
    """Return the page: it needs nothing but itself. Only systems whose words are there are drawn."""
    counts = [each.segments for each in result.systems.values()]
    size = f"{counted(len(result.systems), 'system')}, {counted(max(counts, default=0), 'segment')}"
    tables = result.tables()
    notes = [note.signature + note.text for table in tables for note in table.notes]
    told = "".join(f"<p>{sentence}</p>\n" for sentence in _sentences(result))
    return framed(
        _TITLE,
        f"<header>\n<h1>{_TITLE}</h1>\n<p>{size}; delays in {escape(result.unit)}</p>\n</header>\n<main>\n",
        '<section id="summary" aria-labelledby="found">\n<h2 id="found">What was found</h2>\n',
        f'<div class="verdict">\n{told}</div>\n' if told else "",
        *(_table(table) for table in tables),
        *(f"<p>{escape(note)}</p>\n" for note in notes),
        "</section>\n",
        *_pictures(result),
        "</main>\n",
        style=_STYLE,
    )


def _sentences(result: LatencyResult) -> Iterator[str]:
    """Yield of each system with links how late its words are, and what of it the order forces."""
    for name, system in result.systems.items():
        found = system.measures
        lag, least = found["lag"], found["least lag"]
        if lag.value is not None:
            forced, avoidable, anticipated = (
                _number(found[part], result.unit) for part in ("forced", "avoidable", "anticipated")
            )
            yield (
                f"<strong><bdi>{escape(name)}</bdi></strong>: a linked word is said {_number(lag, result.unit)} "
                f"{escape(result.unit)} after its source is heard: {forced} forced by the order, {avoidable} avoidable, "
                f"less {anticipated} anticipated."
            )
        elif least.value is not None:
            yield (
                f"<strong><bdi>{escape(name)}</bdi></strong>: its order makes a linked word wait "
                f"{_number(least, result.unit)} {escape(result.unit)}, even if everything is said as early as its links allow."
            )


def _number(found: Estimate, unit: str) -> str:
    """Return a number with its interval."""
    digits = 0 if unit == "ms" else 2
    value, low, high = (None if x is None else f"{x:.{digits}f}" for x in found.triple)
    return str(value) if low is None else f"{value} [{low}, {high}]"


def _table(table: Table) -> str:
    """Return a table that scrolls by itself; a long one is folded."""
    title = escape(table.title)
    shown = (
        f'<div class="wide" role="region" tabindex="0" aria-label="{title}">\n'
        f"{html_table(replace(table, notes=()))}\n</div>\n"
    )
    if len(table.rows) <= _LONG:
        return shown
    rows = counted(len(table.rows), "row")
    return f"<details>\n<summary>{title}: {rows}</summary>\n{shown}</details>\n"


def _pictures(result: LatencyResult) -> Iterator[str]:
    """Yield the segments of each system that wait longest, drawn."""
    figures = []
    for system, words in result.words.items():
        if words.source is None or words.links is None or words.heard is None:
            continue
        for measure in ("forced", "least lag"):
            values = result.segment_arrays.get((system, measure))
            if values is None:
                continue
            # The longest wait first, of equals the first segment; what is not known or does not wait is left out.
            order = np.argsort(-np.nan_to_num(values), kind="stable")[:_DRAWN].tolist()
            for segment in order:
                if values[segment] > 0:
                    title = f"{system}, segment {segment + 1}"
                    said = f"{measure} {values[segment]:.2f} {result.unit} per linked word"
                    picture = latency_picture(words, segment, unit=result.unit, title=title)
                    figures.append(
                        f"<figure>\n<figcaption>{escape(title)}: {escape(said)}</figcaption>\n"
                        f'<div class="wide drawn" role="region" tabindex="0" aria-label="{escape(title)}">\n'
                        f"{picture}</div>\n</figure>\n"
                    )
            break
    if figures:
        yield (
            '<section aria-labelledby="longest">\n<h2 id="longest">Segments whose order makes words wait longest</h2>\n'
            "<p>Time goes right, words of the translation go down. A dot stands where a linked source word is heard, "
            "a diamond where the word is said.</p>\n"
        )
        yield from figures
        yield "</section>\n"
