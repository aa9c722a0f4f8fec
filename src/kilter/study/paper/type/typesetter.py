"""Text set in lines: fonts by word, shapes by script and direction, lines no wider than their column."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING
from unicodedata import category

from kilter.study.paper.type.bidirectional import levels, visual_runs
from kilter.study.paper.type.line_break import break_places, clusters
from kilter.study.paper.type.typeface import harfbuzz

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kilter.study.paper.type.typeface import Glyph, Typeface
    from kilter.study.paper.type.typeface_choice import TypefacePair


@dataclass(frozen=True, slots=True, kw_only=True)
class Lettering:
    """How a text looks: size in points, weight, the language it is in, and the direction it begins with."""

    size: float
    language: str
    is_leftward: bool = False
    is_bold: bool = False


@dataclass(frozen=True, slots=True)
class SetRun:
    """Shapes of one font, from left to right; `is_thick` where a bold font is missing."""

    face: Typeface
    is_thick: bool
    glyphs: tuple[Glyph, ...]

    @property
    def advance(self) -> float:
        """How wide the shapes are together, in parts of the letter size."""
        return sum(glyph.advance for glyph in self.glyphs)


@dataclass(frozen=True, slots=True)
class SetLine:
    """One line of text with its letter size; lengths are points."""

    runs: tuple[SetRun, ...]
    size: float

    @property
    def width(self) -> float:
        """How wide the line is."""
        return self.size * sum(run.advance for run in self.runs)

    @property
    def ascent(self) -> float:
        """How far it rises above its base."""
        return self.size * max((run.face.ascent for run in self.runs), default=0.9)

    @property
    def descent(self) -> float:
        """How far it falls below its base."""
        return self.size * max((run.face.descent for run in self.runs), default=0.2)


@dataclass(frozen=True, slots=True)
class _RunStyle:
    """What letters that are shaped together share."""

    face: Typeface
    is_thick: bool
    script: str


class Typesetter:
    """Sets texts in fonts, of which the first that has all letters of a word is taken."""

    def __init__(self, faces: Sequence[TypefacePair]) -> None:
        self._faces = faces
        self._set: dict[tuple[str, Lettering, float], list[SetLine]] = {}
        self._widths: dict[tuple[str, Lettering], float] = {}

    def line(self, text: str, look: Lettering) -> SetLine:
        """Return a text in one line, however wide it is."""
        return self._line(text, levels(text, is_leftward=look.is_leftward), look)

    def lines(self, text: str, look: Lettering, width: float) -> list[SetLine]:
        """Return a text in lines that are no wider than a width, if its longest letter is not."""
        key = (text, look, width)
        if key not in self._set:
            self._set[key] = [*self._lines(text, look, width)]
        return self._set[key]

    def _lines(self, text: str, look: Lettering, width: float) -> Iterator[SetLine]:
        for paragraph in text.split("\n"):
            depth = levels(paragraph, is_leftward=look.is_leftward)
            for first, end in self._breaks(paragraph, look, width):
                kept = len(paragraph[first:end].rstrip())
                shown = slice(first, first + kept)
                yield self._line(paragraph[shown], depth[shown], look)

    def _breaks(self, text: str, look: Lettering, width: float) -> Iterator[tuple[int, int]]:
        """Yield the first letter and the end of each line: as much as fits, at least one piece."""
        line = place = 0
        filled = 0.0
        for end in self._pieces(text, look, width):
            piece = text[place:end]
            if place > line and filled + self._width(piece.rstrip(), look) > width:
                yield line, place
                line, filled = place, 0.0
            filled += self._width(piece, look)
            place = end
        yield line, len(text)

    def _pieces(self, text: str, look: Lettering, width: float) -> Iterator[int]:
        """Yield the ends of pieces; a piece that is wider than the column is cut between its letters."""
        place = 0
        for end in break_places(text):
            if self._width(text[place:end].rstrip(), look) > width:
                for cluster in clusters(text[place:end])[:-1]:
                    place += len(cluster)
                    yield place
            yield end
            place = end

    def _width(self, text: str, look: Lettering) -> float:
        key = (text, look)
        if key not in self._widths:
            self._widths[key] = self.line(text, look).width
        return self._widths[key]

    def _line(self, text: str, depth: Sequence[int], look: Lettering) -> SetLine:
        styles = self._styles(text, look)
        runs = []
        for first, end, is_leftward in visual_runs(depth):
            parts = [
                (style, [*group])
                for style, group in groupby(range(first, end), key=lambda place: styles[place])
            ]
            for style, places in reversed(parts) if is_leftward else parts:
                glyphs = style.face.shaped(
                    text[places[0] : places[-1] + 1],
                    is_leftward=is_leftward,
                    language=look.language,
                )
                runs.append(SetRun(style.face, style.is_thick, tuple(glyphs)))
        return SetLine(tuple(runs), look.size)

    def _styles(self, text: str, look: Lettering) -> list[_RunStyle]:
        """Return the font and script of each letter."""
        faces: list[tuple[Typeface, bool]] = []
        for is_blank, group in groupby(text, key=str.isspace):
            word = "".join(group)
            if is_blank:
                faces += [faces[-1] if faces else self._face(word, look)] * len(word)
            elif any(pair.regular.has(word) for pair in self._faces):
                faces += [self._face(word, look)] * len(word)
            else:
                for cluster in clusters(word):
                    faces += [self._face(cluster, look)] * len(cluster)
        return [
            _RunStyle(face, thick, script)
            for (face, thick), script in zip(faces, _scripts(text), strict=True)
        ]

    def _face(self, word: str, look: Lettering) -> tuple[Typeface, bool]:
        """Return the first font that has a word, and whether its lines must be made thicker."""
        pair = next((pair for pair in self._faces if pair.regular.has(word)), self._faces[0])
        if not look.is_bold:
            return pair.regular, False
        if pair.bold is not None and pair.bold.has(word):
            return pair.bold, False
        return pair.regular, True


def _scripts(text: str) -> list[str]:
    """Return the script of each letter; signs that belong to none go with what stands before or behind."""
    found = [_script(letter) for letter in text]
    known = next((script for script in found if script), "")
    for place, script in enumerate(found):
        known = found[place] = script or known
    return found


@cache
def _script(letter: str) -> str:
    """Return the script of a letter, or nothing for those that all scripts share."""
    if not category(letter).startswith("L"):
        return ""
    buffer = harfbuzz().Buffer()
    buffer.add_str(letter)
    buffer.guess_segment_properties()
    return str(buffer.script or "")
