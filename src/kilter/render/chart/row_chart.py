"""Charts in rows: labels on the left, marks on one scale, their numbers on the right."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kilter.render.chart.drawing import (
    AXIS,
    FAINT,
    LINE,
    SIZE,
    SMALL,
    Drawing,
    height_of,
    style,
    widest,
)
from kilter.render.chart.frame import (
    MARGIN,
    ROOM,
    WIDTH,
    Caption,
    Key,
    Scale,
    bounds,
    finish,
    head,
    tick_label,
)
from kilter.render.chart.mark import Bar, Histogram
from kilter.render.chart.text_box import text_length
from kilter.stats.undefined import Undefined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kilter.render.chart.drawing import Style
    from kilter.render.chart.frame import Caption
    from kilter.render.chart.mark import Mark

_LABELS = 250.0
_NUMBERS = 190.0
_GAP = 10.0
# From this height on the numbers of the axis stand above the rows as well.
_TALL = 700.0
PAGE = 1060.0
"""As high as a figure can be to stand on a page of A4 that it fills from margin to margin: 16 cm by 23.5 cm."""


@dataclass(frozen=True, slots=True)
class Row:
    """A label and its marks, one for each series; a reason stands where there is none.

    Marks have the colours of their series, or all of them that of the row.
    """

    label: str
    marks: Sequence[Mark | Undefined]
    colour: str = ""

    def look(self, number: int) -> Style:
        """Return how the mark of a series looks."""
        return replace(style(number), colour=self.colour) if self.colour else style(number)


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows below a heading; the heading may be empty. A reason instead of rows is written out."""

    heading: str
    rows: Sequence[Row] | Undefined

    @property
    def listed(self) -> Sequence[Row]:
        """The rows, none if there is a reason in their place."""
        return () if isinstance(self.rows, Undefined) else self.rows


def row_chart(
    sections: Sequence[RowGroup],
    *,
    caption: Caption,
    axis: str,
    series: Sequence[str] = (),
    keys: Sequence[Key] = (),
    reach: Sequence[float] = (),
    rule: float | None = None,
    whole: bool = False,
) -> str:
    """Return a picture of rows, however high.

    `series` names the marks of each row, `keys` further entries of the legend; the scale covers all marks
    and `reach`, in `whole` numbers if values are counts; `rule` is a value at which a dashed line stands.
    """
    chart = _Chart(caption, axis, series, keys, rule)
    layout = _Layout(sections, [*reach, *([] if rule is None else [rule])], least=float(whole))
    return chart.draw(sections, layout, caption)


def row_pages(
    sections: Sequence[RowGroup],
    *,
    caption: Caption,
    axis: str,
    series: Sequence[str] = (),
    keys: Sequence[Key] = (),
    reach: Sequence[float] = (),
    rule: float | None = None,
    whole: bool = False,
) -> tuple[str, ...]:
    """Return the pictures of rows, none of them higher than a printed page, all on the same scale.

    Rows below one heading stay together where a page can hold them. The numbers of several pictures
    stand behind their title.
    """
    chart = _Chart(caption, axis, series, keys, rule)
    layout = _Layout(sections, [*reach, *([] if rule is None else [rule])], least=float(whole))
    pages = _pages(sections, layout, PAGE - chart.around(layout))
    if len(pages) == 1:
        return (chart.draw(sections, layout, caption),)
    return tuple(
        chart.draw(
            page, layout, replace(caption, title=f"{caption.title} ({number} of {len(pages)})")
        )
        for number, page in enumerate(pages, start=1)
    )


def _pages(sections: Sequence[RowGroup], layout: _Layout, room: float) -> list[list[RowGroup]]:
    """Return sections page by page; one that no page can hold goes on below its heading on the next."""
    pages: list[list[RowGroup]] = [[]]
    left = room
    for section in sections:
        if pages[-1] and layout.height([section]) > left:
            pages.append([])
            left = room
        heading, rows = section.heading, list(section.listed)
        part = section
        while layout.height([part]) > left and len(rows) > 1:
            fitting = 1
            while layout.height([RowGroup(heading, rows[: fitting + 1])]) <= left:
                fitting += 1
            pages[-1].append(RowGroup(heading, rows[:fitting]))
            pages.append([])
            left, rows = room, rows[fitting:]
            heading = f"{section.heading}, continued" if section.heading else ""
            part = RowGroup(heading, rows)
        pages[-1].append(part)
        left -= layout.height([part])
    return pages


@dataclass(frozen=True, slots=True)
class _Chart:
    """What all pages of a chart have around their rows."""

    caption: Caption
    axis: str
    series: Sequence[str]
    keys: Sequence[Key]
    rule: float | None

    def around(self, layout: _Layout) -> float:
        """Return how much height is not for rows: title, legend, both rows of numbers, axis and notes."""
        titled = replace(self.caption, title=f"{self.caption.title} (10 of 10)")
        top = head(Drawing(), titled, self._legend(layout))
        below = 2 * SIZE + height_of(self.axis, room=ROOM)
        notes = sum(height_of(note, room=ROOM, size=SMALL) for note in self.caption.notes)
        return top + SIZE + 4 + below + notes + SMALL * LINE

    def _legend(self, layout: _Layout) -> list[Key]:
        marks = [
            mark for row in layout.rows for mark in row.marks if not isinstance(mark, Undefined)
        ]
        shape = "box" if all(isinstance(mark, Bar | Histogram) for mark in marks) else "marker"
        coloured = any(row.colour for row in layout.rows)
        looks = [style(number) for number in range(len(self.series))]
        named = [
            Key(name, shape=shape, look=replace(look, colour=AXIS) if coloured else look)
            for name, look in zip(self.series, looks, strict=True)
        ]
        return [*named, *self.keys]

    def draw(self, sections: Sequence[RowGroup], layout: _Layout, caption: Caption) -> str:
        """Return the picture of these sections, whose rows are among those of the layout."""
        drawing = Drawing()
        top = head(drawing, caption, self._legend(layout))
        if any(section.listed for section in sections) and layout.height(sections) > _TALL:
            top += SIZE + 4
            tick_labels(drawing, layout.scale, top - 4)
        y = top
        parts = list[tuple[float, RowGroup | Row]]()
        for section in sections:
            parts.append((y, section))
            y += _head_height(section)
            for row in section.listed:
                parts.append((y, row))
                y += layout.row_height(row)
        if any(section.listed for section in sections):
            y += _axis(drawing, layout.scale, (top, y), self.axis, self.rule)
        for at, part in parts:
            if isinstance(part, RowGroup):
                _heading(drawing, part, at)
            else:
                layout.draw(drawing, part, at)
        return finish(drawing, y, caption, _described(sections, self.series))


class _Layout:
    """Where labels end and numbers begin, from the lengths of the texts."""

    def __init__(
        self, sections: Sequence[RowGroup], reach: Sequence[float], *, least: float
    ) -> None:
        self.rows = [row for section in sections for row in section.listed]
        marks = [mark for row in self.rows for mark in row.marks if not isinstance(mark, Undefined)]
        self.labels = widest([row.label for row in self.rows], most=_LABELS)
        self.numbers = widest([mark.text for mark in marks], size=SMALL, most=_NUMBERS)
        values = [value for mark in marks for value in mark.reach]
        low, high = bounds([*values, *reach])
        left = MARGIN + self.labels + _GAP
        right = WIDTH - MARGIN - self.numbers - (_GAP if self.numbers else 0)
        self.scale = Scale(low, high, left, right, least=least)

    def slot(self, mark: Mark | Undefined) -> float:
        """Return how much height a mark and its numbers take, or the reason for none."""
        if isinstance(mark, Undefined):
            return 2 + height_of(str(mark), size=SMALL, room=self._reason_room)
        return max(mark.height, 2 + height_of(mark.text, size=SMALL, room=self.numbers))

    def height(self, sections: Sequence[RowGroup]) -> float:
        """Return how high sections are."""
        rows = (row for section in sections for row in section.listed)
        return sum(map(_head_height, sections)) + sum(map(self.row_height, rows))

    def row_height(self, row: Row) -> float:
        """Return how high a row is."""
        gap = 2 if len(row.marks) < 2 else 8
        label = height_of(row.label, room=self.labels)
        return gap + max(label, sum(map(self.slot, row.marks)))

    @property
    def _reason_room(self) -> float:
        return WIDTH - MARGIN - self.scale.start - 4

    def draw(self, drawing: Drawing, row: Row, top: float) -> None:
        """Draw the label in the middle of its row, and the marks one below another."""
        height = self.row_height(row)
        label = top + (height - height_of(row.label, room=self.labels)) / 2
        drawing.paragraph((MARGIN + self.labels, label), row.label, room=self.labels, anchor="end")
        y = top + (height - sum(map(self.slot, row.marks))) / 2
        for number, mark in enumerate(row.marks):
            slot = self.slot(mark)
            if isinstance(mark, Undefined):
                self._state(drawing, mark, y)
            else:
                mark.draw(drawing, self.scale, y + slot / 2, row.look(number))
                lines = height_of(mark.text, size=SMALL, room=self.numbers)
                place = (self.scale.end + _GAP, y + (slot - lines) / 2)
                drawing.paragraph(place, mark.text, room=self.numbers, size=SMALL)
            y += slot

    def _state(self, drawing: Drawing, reason: Undefined, y: float) -> None:
        """Write a reason on white, so that no line of the grid runs through it."""
        room = self._reason_room
        height = height_of(str(reason), size=SMALL, room=room)
        drawing.box((self.scale.start + 1, y - 1), (room + 3, height + 3), fill="#fff")
        drawing.paragraph((self.scale.start + 4, y + 1), str(reason), room=room, size=SMALL)


def _head_height(section: RowGroup) -> float:
    height = 0.0
    if section.heading:
        height += 10 + height_of(section.heading, room=ROOM, bold=True)
    if isinstance(section.rows, Undefined):
        height += 6 + height_of(str(section.rows), room=ROOM)
    return height


def _heading(drawing: Drawing, section: RowGroup, top: float) -> None:
    """Write the heading on white, and the reason if there are no rows."""
    height = _head_height(section)
    if height:
        drawing.box((0, top), (WIDTH, height), fill="#fff")
    if section.heading:
        top += 6 + drawing.paragraph((MARGIN, top + 6), section.heading, room=ROOM, bold=True)
    if isinstance(section.rows, Undefined):
        drawing.paragraph((MARGIN, top + 2), str(section.rows), room=ROOM)


def _axis(
    drawing: Drawing, scale: Scale, span: tuple[float, float], label: str, rule: float | None
) -> float:
    """Draw grid, numbers and label of the horizontal axis; return the height below the rows."""
    top, bottom = span
    for at in map(scale, scale.ticks):
        drawing.line((at, top), (at, bottom), colour=FAINT)
    drawing.line((scale.start, bottom), (scale.end, bottom), colour=AXIS)
    if rule is not None:
        drawing.line((scale(rule), top), (scale(rule), bottom), colour=AXIS, width=1.5, dash="5 3")
    tick_labels(drawing, scale, bottom + SIZE + 4)
    return 2 * SIZE + axis_label(drawing, scale, bottom + SIZE + 10, label)


def axis_label(drawing: Drawing, scale: Scale, top: float, label: str) -> float:
    """Write the label of a horizontal axis below its middle, or nearby if it is long; return its height."""
    half = min(text_length(label, SIZE), ROOM) / 2
    middle = min(max((scale.start + scale.end) / 2, MARGIN + half), WIDTH - MARGIN - half)
    return drawing.paragraph((middle, top), label, room=ROOM, anchor="middle")


def tick_labels(drawing: Drawing, scale: Scale, base: float) -> None:
    """Write the numbers of a horizontal axis, leaving out those that would touch the one before."""
    free = 0.0
    for tick in scale.ticks:
        text, at = tick_label(tick), scale(tick)
        half = text_length(text, SIZE) / 2
        if at - half >= free:
            drawing.text((at, base), text, anchor="middle")
            free = at + half + 4


def _described(sections: Sequence[RowGroup], series: Sequence[str]) -> Iterator[str]:
    """Yield what the rows say in words, for readers who do not see them."""
    for section in sections:
        heading = f"{section.heading}: " if section.heading else ""
        if isinstance(section.rows, Undefined):
            yield f"{heading}{section.rows}"
            continue
        for row in section.rows:
            texts = [str(mark) if isinstance(mark, Undefined) else mark.text for mark in row.marks]
            if len(series) == len(texts):
                texts = [f"{name} {text}" for name, text in zip(series, texts, strict=True)]
            yield f"{heading}{row.label} {', '.join(texts)}"
            heading = ""


def count_rows(counts: Mapping[str, int]) -> list[Row]:
    """Return a bar for each count, with its share of all."""
    total = sum(counts.values())
    return [
        Row(name, [Bar(value=count, text=f"{count} ({100 * count / total:.0f}%)")])
        for name, count in counts.items()
    ]


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
