"""What stands on printed pages: words, rows of boxes, places to write, signs of where they are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from kilter.study.paper.form import Box, Field
from kilter.study.paper.type.typesetter import Lettering

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kilter.study.paper.form import Form
    from kilter.study.paper.pdf_file import PdfPage
    from kilter.study.paper.type.typesetter import SetLine, Typesetter

MM = 72 / 25.4
_BOX = 5 * MM
_STEP = 12 * MM  # from box to box
_BESIDE = 3 * MM  # between a box and its label, which is not to be taken for a mark
_APART = 7 * MM  # between a label and the next box
_LABEL = 38 * MM  # at least, for what the ends of a row mean
_FIELD = 8.5 * MM
_LEADING = 1.35
_DIGITS = 7.0
_NUMBERED = 3.2 * MM  # beneath a box, for its number


@dataclass(slots=True)
class Column:
    """The column of a page that blocks are drawn in, from its top downwards.

    Lengths across are from the side where reading begins, so that the same block serves both directions. Places
    for answers are written into the form, if there is one.
    """

    page: PdfPage
    number: int
    left: float
    width: float
    top: float
    is_leftward: bool
    form: Form | None = None

    def text(self, line: SetLine, across: float, down: float, *, part: float = 0.0) -> None:
        """Set a line; `part` of it lies before the place: 0 begins there, 1 ends there, 1/2 is centred."""
        begin = across - part * line.width
        self.page.text(line, self._left(begin, line.width), self.top - down)

    def own_text(self, line: SetLine, indent: float, down: float, *, is_leftward: bool) -> None:
        """Set a line at the side where its own language begins."""
        away = self.width - line.width - indent if is_leftward else indent
        self.page.text(line, self.left + away, self.top - down)

    def rule(self, across: float, down: float, width: float) -> None:
        """Draw a line."""
        self.page.line(self._left(across, width), self.top - down, width)

    def box(self, key: tuple[int, str, int] | None, across: float, down: float) -> None:
        """Draw a box; a key says where it belongs: position, question and value."""
        x, y = self._left(across, _BOX), self.top - down - _BOX
        self.page.rectangle(x, y, _BOX, _BOX)
        if key is not None and self.form is not None:
            position, question, value = key
            place = (round(x, 2), round(y, 2), round(_BOX, 2))
            self.form.boxes.append(Box(self.number, position, question, value, *place))

    def field(
        self,
        key: tuple[int, str] | None,
        across: float,
        down: float,
        size: tuple[float, float],
        *,
        is_framed: bool = True,
    ) -> None:
        """Draw a place to write in, as a frame or a line."""
        width, height = size
        x, y = self._left(across, width), self.top - down - height
        if is_framed:
            self.page.rectangle(x, y, width, height)
        else:
            self.page.line(x, y, width)
        if key is not None and self.form is not None:
            place = (round(x, 2), round(y, 2), round(width, 2), round(height, 2))
            self.form.fields.append(Field(self.number, *key, *place))

    def _left(self, across: float, width: float) -> float:
        """Return the left edge of something so far from where reading begins."""
        if self.is_leftward:
            return self.left + self.width - across - width
        return self.left + across


class PaperBlock(Protocol):
    """Something that is drawn in a column; texts are known before any font is."""

    def texts(self) -> Iterable[tuple[str, str]]:
        """Yield languages and texts."""
        ...

    def height(self, setter: Typesetter, width: float) -> float:
        """Return how high the block is in a column of a width."""
        ...

    def draw(self, setter: Typesetter, column: Column) -> None:
        """Draw the block at the top of a column."""
        ...


@dataclass(frozen=True)
class Words:
    """A paragraph."""

    text: str
    look: Lettering
    indent: float = 0.0
    before: float = 0.0
    after: float = 0.0

    def texts(self) -> Iterable[tuple[str, str]]:
        """Yield the text."""
        yield self.look.language, self.text

    def height(self, setter: Typesetter, width: float) -> float:
        """Return the height of all lines and what is kept free around them."""
        lines = setter.lines(self.text, self.look, width - self.indent)
        return self.before + sum(map(leading, lines)) + self.after

    def draw(self, setter: Typesetter, column: Column) -> None:
        """Draw the lines."""
        down = self.before
        for line in setter.lines(self.text, self.look, column.width - self.indent):
            column.own_text(line, self.indent, down + base(line), is_leftward=self.look.is_leftward)
            down += leading(line)


def leading(line: SetLine) -> float:
    """Return the height that a line takes: tall letters take more."""
    return max(_LEADING * line.size, line.ascent + line.descent)


def base(line: SetLine) -> float:
    """Return how far the letters' base is below the top of a line."""
    spare = leading(line) - line.ascent - line.descent
    return spare / 2 + line.ascent


@dataclass(frozen=True)
class BoxScale:
    """A row of boxes, numbered or not, between two labels."""

    key: tuple[int, str] | None
    values: Sequence[int]
    ends: tuple[str, str]
    look: Lettering
    numbered: bool = True

    def texts(self) -> Iterable[tuple[str, str]]:
        """Yield labels and numbers."""
        numbers = map(str, self.values) if self.numbered else ()
        yield from ((self.look.language, text) for text in (*self.ends, *numbers))

    @cached_property
    def _digits(self) -> Lettering:
        return Lettering(size=_DIGITS, language=self.look.language)

    def _step(self, width: float) -> float:
        return min(_STEP, (width - 2 * _LABEL) / len(self.values))

    def _label_width(self, width: float) -> float:
        """Return the room for a label on either side."""
        return (width - self._step(width) * len(self.values)) / 2 - _BESIDE

    def _labels(self, setter: Typesetter, width: float) -> list[list[SetLine]]:
        return [setter.lines(end, self.look, self._label_width(width)) for end in self.ends]

    def height(self, setter: Typesetter, width: float) -> float:
        """Return the height of boxes and numbers, or of labels, if they are higher."""
        labels = self._labels(setter, width)
        lines = max(sum(map(leading, label)) for label in labels)
        return max(_BESIDE + _BOX + _NUMBERED, lines) + 0.5 * MM

    def draw(self, setter: Typesetter, column: Column) -> None:
        """Draw boxes with numbers beneath, and a label on either side."""
        step, room = self._step(column.width), self._label_width(column.width)
        high = self.height(setter, column.width) - 0.5 * MM
        top = _BESIDE + (high - (_BESIDE + _BOX + _NUMBERED)) / 2
        first = room + _BESIDE + (step - _BOX) / 2
        for number, value in enumerate(self.values):
            across = first + number * step
            key = None if self.key is None else (*self.key, value)
            column.box(key, across, top)
            if self.numbered:
                column.text(
                    setter.line(str(value), self._digits),
                    across + _BOX / 2,
                    top + _BOX + 2.9 * MM,
                    part=0.5,
                )
        for end, label in enumerate(self._labels(setter, column.width)):
            down = top + _BOX / 2 - sum(map(leading, label)) / 2
            for line in label:
                at = column.width - room if end else room
                column.text(line, at, down + base(line), part=0.0 if end else 1.0)
                down += leading(line)


@dataclass(frozen=True)
class Choices:
    """Boxes with a label each, side by side as long as there is room."""

    key: tuple[int, str] | None
    labels: Sequence[str]
    look: Lettering
    indent: float = 4 * MM

    def texts(self) -> Iterable[tuple[str, str]]:
        """Yield the labels."""
        yield from ((self.look.language, label) for label in self.labels)

    def _places(
        self, setter: Typesetter, width: float
    ) -> tuple[list[tuple[float, float, list[SetLine]]], float]:
        """Return where boxes are, with the lines of their labels, and how far all reach down."""
        places: list[tuple[float, float, list[SetLine]]] = []
        across, down, low = self.indent, 0.0, 0.0
        for label in self.labels:
            room = width - self.indent - _BOX - _BESIDE
            lines = setter.lines(label, self.look, room)
            needed = _BOX + _BESIDE + max(line.width for line in lines)
            if across > self.indent and across + needed > width:
                across, down = self.indent, low
            places.append((across, down, lines))
            across += needed + _APART
            low = max(low, down + _BESIDE + max(_BOX, sum(map(leading, lines))))
        return places, low

    def height(self, setter: Typesetter, width: float) -> float:
        """Return the height of all rows."""
        return self._places(setter, width)[1] + 2 * MM

    def draw(self, setter: Typesetter, column: Column) -> None:
        """Draw boxes and labels."""
        for value, (across, down, lines) in enumerate(
            self._places(setter, column.width)[0], start=1
        ):
            key = None if self.key is None else (*self.key, value)
            column.box(key, across, down + _BESIDE)
            low = down + _BESIDE + (_BOX - leading(lines[0])) / 2
            for line in lines:
                column.text(line, across + _BOX + _BESIDE, low + base(line))
                low += leading(line)


@dataclass(frozen=True)
class YesNo:
    """A line to agree to, with boxes for yes and no at the end of it."""

    key: tuple[int, str]
    text: str
    answers: tuple[str, str]
    look: Lettering

    def texts(self) -> Iterable[tuple[str, str]]:
        """Yield the line and the answers."""
        yield from ((self.look.language, text) for text in (self.text, *self.answers))

    def _room(self, setter: Typesetter, width: float) -> float:
        answers = [setter.line(answer, self.look).width for answer in self.answers]
        return width - sum(answers) - 2 * (_BOX + _BESIDE) - 2 * _APART

    def height(self, setter: Typesetter, width: float) -> float:
        """Return the height of the line, or of its boxes."""
        lines = setter.lines(self.text, self.look, self._room(setter, width))
        return max(sum(map(leading, lines)), _BOX) + 3.5 * MM

    def draw(self, setter: Typesetter, column: Column) -> None:
        """Draw the line and the boxes."""
        room = self._room(setter, column.width)
        lines = setter.lines(self.text, self.look, room)
        down = max(0.0, (_BOX - leading(lines[0])) / 2)
        for line in lines:
            column.text(line, 0, down + base(line))
            down += leading(line)
        across = room + _APART
        for value, answer in enumerate(self.answers, start=1):
            line = setter.line(answer, self.look)
            column.box((*self.key, value), across, 0)
            column.text(line, across + _BOX + _BESIDE, (_BOX - leading(line)) / 2 + base(line))
            across += _BOX + _BESIDE + line.width + _APART


@dataclass(frozen=True)
class Written:
    """A frame, or a line, to write in, with a label before it."""

    key: tuple[int, str] | None
    label: str
    look: Lettering
    width: float | None = None
    is_framed: bool = True
    label_width: float | None = None
    tall: float = _FIELD

    def texts(self) -> Iterable[tuple[str, str]]:
        """Yield the label."""
        yield self.look.language, self.label

    def height(self, setter: Typesetter, width: float) -> float:  # noqa: ARG002 - the same for all
        """Return the height of the frame and the room beneath it."""
        return self.tall + 2.5 * MM

    def draw(self, setter: Typesetter, column: Column) -> None:
        """Draw label and frame."""
        across = self.label_width or 0.0
        if self.label:
            line = setter.line(self.label, self.look)
            down = (self.tall - leading(line)) / 2 if self.is_framed else self.tall - leading(line)
            column.text(line, 0, down + base(line))
            across = max(across, line.width + 3 * MM)
        wide = column.width - across if self.width is None else self.width
        column.field(
            self.key, across, 0, (min(wide, column.width - across), self.tall),
            is_framed=self.is_framed,
        )  # fmt: skip


@dataclass(frozen=True)
class LanguageRows:
    """A table of languages: a name, a box for how well each is known, and qualifications."""

    question: str
    rows: int
    columns: tuple[str, str, str]
    levels: Sequence[str]
    look: Lettering

    def texts(self) -> Iterable[tuple[str, str]]:
        """Yield headings and numbers."""
        for text in (*self.columns, self._legend, *map(str, range(1, len(self.levels) + 1))):
            yield self.look.language, text

    @property
    def _legend(self) -> str:
        listed = ", ".join(f"{number} {level}" for number, level in enumerate(self.levels, start=1))
        return f"{self.columns[1]}: {listed}"

    def _widths(self, width: float) -> tuple[float, float]:
        """Return the width of a text field and the step from box to box."""
        step = min(9 * MM, width / 2 / len(self.levels))
        return (width - step * len(self.levels) - 8 * MM) / 2, step

    def height(self, setter: Typesetter, width: float) -> float:
        """Return the height of the legend, the headings and the rows."""
        legend = setter.lines(self._legend, self.look, width)
        heading = leading(setter.line(self.columns[0], self.look))
        return sum(map(leading, legend)) + heading + self.rows * (_FIELD + 2.2 * MM) + 2 * MM

    def draw(self, setter: Typesetter, column: Column) -> None:
        """Draw legend, headings and rows."""
        down = 0.0
        for line in setter.lines(self._legend, self.look, column.width):
            column.text(line, 0, down + base(line))
            down += leading(line)
        wide, step = self._widths(column.width)
        boxes, last = wide + 4 * MM, wide + 8 * MM + step * len(self.levels)
        heads = [setter.line(text, self.look) for text in self.columns]
        column.text(heads[0], 0, down + base(heads[0]))
        column.text(heads[2], last, down + base(heads[2]))
        for value in range(1, len(self.levels) + 1):
            line = setter.line(str(value), self.look)
            middle = boxes + (value - 0.5) * step
            column.text(line, middle, down + base(line), part=0.5)
        down += leading(heads[0]) + 1 * MM
        for row in range(1, self.rows + 1):
            name = f"{self.question}_{row}"
            column.field((0, f"{name}_name"), 0, down, (wide, _FIELD))
            for value in range(1, len(self.levels) + 1):
                across = boxes + (value - 0.5) * step - _BOX / 2
                column.box((0, f"{name}_fluency", value), across, down + (_FIELD - _BOX) / 2)
            column.field((0, f"{name}_qualifications"), last, down, (wide, _FIELD))
            down += _FIELD + 2.2 * MM
