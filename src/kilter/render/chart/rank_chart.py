"""Places of systems by metric as lines that cross where metrics disagree, known as a bump chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.render.chart.drawing import FAINT, SIZE, Drawing, style, widest
from kilter.render.chart.frame import MARGIN, WIDTH, Key, finish, head

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.render.chart.frame import Caption

_STEP = 28.0
_LONGEST = 160.0


def rank_chart(
    ranks: Mapping[str, Sequence[int | None]], *, caption: Caption, columns: Sequence[str]
) -> str:
    """Return a picture of places, 1 at the top, by name and column; None leaves one out.

    >>> from kilter.render.chart.frame import Caption
    >>> "<polyline" in rank_chart({"a": [1, 2]}, caption=Caption(title="t"), columns=["x", "y"])
    True
    """
    drawing = Drawing()
    keys = [Key(name, shape="curve", look=style(place)) for place, name in enumerate(ranks)]
    top = head(drawing, caption, keys) + 10
    last = max([rank for row in ranks.values() for rank in row if rank is not None], default=1)
    left, right = MARGIN + 40, WIDTH - MARGIN - 20
    wide = (right - left) / max(1, len(columns) - 1)
    for level in range(1, last + 1):
        y = top + _STEP * (level - 1)
        drawing.line((left, y), (right, y), colour=FAINT)
        drawing.text((left - 14, y + SIZE * 0.35), str(level), anchor="end")
    for place, row in enumerate(ranks.values()):
        look = style(place)
        run: list[tuple[float, float]] = []
        for column, rank in enumerate(row):
            if rank is not None:
                run.append((left + wide * column, top + _STEP * (rank - 1)))
            if rank is None or column == len(row) - 1:
                drawing.polyline(run, colour=look.colour, dash=look.dash)
                for point in run:
                    drawing.marker(look.marker, point, colour=look.colour)
                run = []
    bottom = top + _STEP * (last - 1) + 16
    upward = widest(columns, most=_LONGEST) > wide - 8
    for column, name in enumerate(columns):
        at = left + wide * column
        if upward:
            drawing.text((at + SIZE * 0.35, bottom), name, anchor="end", upward=True)
        else:
            drawing.text((at, bottom + SIZE), name, anchor="middle")
    bottom += widest(columns, most=WIDTH) + 10 if upward else 2 * SIZE
    described = (
        f"{name}: "
        + ", ".join(
            f"{column} {'none' if rank is None else rank}"
            for column, rank in zip(columns, row, strict=True)
        )
        for name, row in ranks.items()
    )
    return finish(drawing, bottom, caption, described)
