"""One sentence in time: source and target words, links, and the lag that is forced, avoidable or anticipated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import OptionError
from kilter.render.chart.drawing import AXIS, FAINT, SIZE, SMALL, TITLE, Drawing, style
from kilter.render.chart.text_box import text_length

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kilter.results.latency_result import WordLatency

_FORCED, _AVOIDABLE, _ANTICIPATED = style(1), style(0), style(3)
_MARGIN, _ROW, _BAR, _SPAN = 20.0, 24.0, 9.0, 56.0


def latency_picture(
    words: WordLatency,
    segment: int,
    *,
    unit: str,
    title: str = "",
) -> str:
    """Return one segment (zero-based) as SVG: time goes right, target words go down.

    A dot stands where a linked source word ends, in the row of its target word; bars begin at the last of them.
    """
    if not 0 <= segment < len(words.words):
        raise OptionError(f"segment is {segment + 1}; there are {len(words.words)}")
    if words.source is None or words.heard is None or words.links is None:
        raise OptionError("a picture needs the source and links")
    source, links = words.source[segment], words.links.segment(segment)
    first_heard = sum(map(len, words.source[:segment]))
    heard: list[float] = words.heard[first_heard : first_heard + len(source)].tolist()
    begin, end = words.offsets[segment : segment + 2].tolist()
    rows = range(begin, end)
    said = np.where(np.isnan(words.delays), words.needed, words.delays)
    last = max([*heard, *said[begin:end].tolist(), 1e-9])
    left = _MARGIN + max([text_length(each, SIZE) for each in words.words[segment]] or [0.0]) + 14
    width = max(480.0, left + _SPAN * max(len(source), 4) + _MARGIN)
    scale = (width - _MARGIN - left - 10) / float(last)

    def at(time: float) -> float:
        """Return where a time lies."""
        return left + scale * time

    drawing = Drawing()
    name = title or f"Segment {segment + 1}"
    drawing.text((_MARGIN, _MARGIN + TITLE), name, size=TITLE, bold=True)
    top = _legend(drawing, 2 * _MARGIN + TITLE, known=not np.isnan(words.delays[begin:end]).all())
    top = _source_words(drawing, top, source, [at(each) for each in heard], at(0.0))
    bottom = top + _ROW * len(rows) + 6
    for time in heard:
        drawing.line((at(time), top - 4), (at(time), bottom), colour=FAINT)
    drawing.line((at(0.0), bottom), (at(last), bottom), colour=AXIS)
    drawing.text((at(last), bottom + 18), f"time in {unit}", size=SMALL, anchor="end", colour=AXIS)
    for line, row in enumerate(rows):
        y = top + _ROW * (line + 0.5)
        drawing.text((left - 8, y + 4), words.words[segment][line], anchor="end")
        _bars(drawing, words, row, at, y)
        for first, second in links:
            if second == line:
                drawing.marker("circle", (at(heard[first]), y), colour="#222", radius=3.0)
        drawing.marker("diamond", (at(float(said[row])), y), colour="#222", radius=4.0)
    return drawing.document(
        width,
        bottom + 30,
        title=name,
        description=_described(words, segment, unit),
    )


def _legend(drawing: Drawing, top: float, *, known: bool) -> float:
    """Draw what the colours mean; return where the picture goes on."""
    entries = [("forced by the order", _FORCED)]
    if known:
        entries += [("avoidable", _AVOIDABLE), ("anticipated", _ANTICIPATED)]
    x = _MARGIN
    for text, look in entries:
        drawing.hatched_box((x, top - _BAR), (22, _BAR), colour=look.colour, hatch=look.hatch)
        drawing.text((x + 28, top), text, size=SMALL)
        x += 28 + text_length(text, SMALL) + 18
    for shape, text in (
        ("circle", "linked source word heard"),
        ("diamond", "said" if known else "can be said"),
    ):
        drawing.marker(
            shape, (x + 5, top - 4), colour="#222", radius=4.0 if shape == "diamond" else 3.0
        )
        drawing.text((x + 14, top), text, size=SMALL)
        x += 14 + text_length(text, SMALL) + 18
    return top + 14


def _source_words(
    drawing: Drawing, top: float, source: Sequence[str], ends: Sequence[float], start: float
) -> float:
    """Write source words where they are heard, in as many lines as keep them apart; return where rows begin."""
    lines: list[float] = []
    placed = []
    for word, end, begin in zip(source, ends, [start, *ends], strict=False):
        half = text_length(word, SMALL) / 2 + 3
        centre = (begin + end) / 2
        line = next((k for k, taken in enumerate(lines) if taken <= centre - half), len(lines))
        if line == len(lines):
            lines.append(0.0)
        lines[line] = centre + half
        placed.append((word, centre, line))
    for word, centre, line in placed:
        drawing.text((centre, top + 16 * (line + 1)), word, size=SMALL, anchor="middle")
    return top + 16 * max(1, len(lines)) + 14


def _bars(
    drawing: Drawing, words: WordLatency, row: int, at: Callable[[float], float], y: float
) -> None:
    """Draw what the word waits for, from the last linked source word on."""
    own = float(words.own[row])
    if np.isnan(own):
        return
    parts = [
        float(np.nan_to_num(each[row]))
        for each in (words.forced, words.avoidable, words.anticipated)
    ]
    forced, avoidable, anticipated = parts
    for start, size, look in (
        (own, forced, _FORCED),
        (own + forced, avoidable, _AVOIDABLE),
        (own - anticipated, anticipated, _ANTICIPATED),
    ):
        if size > 0:
            drawing.hatched_box(
                (at(start), y - _BAR / 2),
                (at(start + size) - at(start), _BAR),
                colour=look.colour,
                hatch=look.hatch,
            )


def _described(words: WordLatency, segment: int, unit: str) -> str:
    begin, end = words.offsets[segment : segment + 2].tolist()
    told = []
    for word, row in zip(words.words[segment], range(begin, end), strict=True):
        parts = [
            f"{name} {float(values[row]):g}"
            for name, values in (
                ("forced", words.forced), ("avoidable", words.avoidable), ("anticipated", words.anticipated)
            )
            if not np.isnan(values[row]) and values[row] > 0
        ]  # fmt: skip
        if parts:
            told.append(f"{word}: {', '.join(parts)}")
    return f"Lag of each word in {unit}. " + ("; ".join(told) or "No word lags behind its source.")
