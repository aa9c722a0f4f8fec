"""Tables of counts as shaded cells with their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.render.chart.drawing import AXIS, LINE, SIZE, Drawing, widest
from kilter.render.chart.frame import MARGIN, ROOM, WIDTH, finish, head
from kilter.render.chart.mark import shade

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.render.chart.frame import Caption

_WIDEST = 78.4
_HEIGHT = 40.0


def heat_map(
    counts: Sequence[Sequence[int]],
    *,
    caption: Caption,
    rows: tuple[str, Sequence[str]],
    columns: tuple[str, Sequence[str]],
) -> str:
    """Return a picture of counts[row][column]; `rows` and `columns` are the axes and their labels.

    The first row stands at the bottom, as in a plane; the more, the darker.
    """
    drawing = Drawing()
    top = head(drawing, caption)
    most = max((count for line in counts for count in line), default=0)
    labels = widest(rows[1], most=120)
    left = MARGIN + SIZE * LINE + labels + 14
    wide = min(_WIDEST, (WIDTH - MARGIN - left) / max(1, len(columns[1])))
    bottom = top + _HEIGHT * len(counts)
    for place, (label, line) in enumerate(zip(rows[1], counts, strict=True)):
        y = bottom - _HEIGHT * (place + 1)
        drawing.text((left - 8, y + _HEIGHT / 2 + SIZE * 0.35), label, anchor="end")
        for number, count in enumerate(line):
            tone = shade(count / most if most else 0.0)
            x = left + wide * number
            drawing.box((x, y), (wide, _HEIGHT), fill=tone.fill, stroke=AXIS)
            drawing.text(
                (x + wide / 2, y + _HEIGHT / 2 + SIZE * 0.35),
                str(count),
                anchor="middle",
                colour=tone.ink,
            )
    for number, label in enumerate(columns[1]):
        drawing.text((left + wide * (number + 0.5), bottom + SIZE + 4), label, anchor="middle")
    right = left + wide * len(columns[1])
    below = bottom + SIZE + 10
    below += drawing.paragraph(
        ((left + right) / 2, below), columns[0], room=min(ROOM, right - left), anchor="middle"
    )
    middle = (top + bottom) / 2
    drawing.text((MARGIN + SIZE * 0.7, middle), rows[0], anchor="middle", upward=True)
    described = (
        f"{rows[0]} {label}, {columns[0]} {name}: {count}"
        for label, line in zip(rows[1], counts, strict=True)
        for name, count in zip(columns[1], line, strict=True)
    )
    return finish(drawing, below + 6, caption, described)
