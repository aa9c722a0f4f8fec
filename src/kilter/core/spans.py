"""Spans of errors: which characters of a segment somebody marked, and as what."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING
from unicodedata import combining

from kilter.core.errors import InputError
from kilter.core.settings import Choice, check_fields, checked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_JOINER, _VARIATIONS = "\u200d", range(0xFE00, 0xFE10)
_SKIN_TONES = range(0x1F3FB, 0x1F400)


class Side(Choice):
    """Which text a span is of."""

    TARGET = "target"
    SOURCE = "source"


@dataclass(frozen=True, kw_only=True)
class Span:
    """Characters `start` to `end` (half-open, code points from 0) of a text, and what is wrong with them.

    Without characters, `start == end`, something is missing at that place. `text` is what the characters are,
    so that an offset that was counted in another way is noticed.

    >>> Span.of("I see a cat", 2, 5, severity="minor").text
    'see'
    """

    start: int
    end: int
    text: str | None = None
    side: Side = Side.TARGET
    severity: str = ""
    category: str = ""
    cost: float | None = None
    correction: str | None = None

    def __post_init__(self) -> None:
        check_fields(self, empty=True)

    @classmethod
    @checked
    def of(
        cls,
        line: str,
        start: int,
        end: int,
        *,
        side: Side = Side.TARGET,
        severity: str = "",
        category: str = "",
    ) -> Span:
        """Return a span with its text."""
        return cls(
            start=start, end=end, text=line[start:end], side=side, severity=severity, category=category
        )  # fmt: skip

    @property
    def characters(self) -> frozenset[int]:
        """The offsets of the characters that are marked."""
        return frozenset(range(self.start, self.end))


@dataclass(frozen=True, kw_only=True)
class MarkedSegment:
    """What one annotator marked in one segment of one system: perhaps nothing.

    Segments count from 1; `name` is what a file calls them, where that is not a number. A text that the file does not
    hold is None.
    """

    segment: int
    system: str = ""
    annotator: str = ""
    name: str = ""
    target: str | None = None
    source: str | None = None
    score: float | None = None
    spans: tuple[Span, ...] = ()
    where: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        check_fields(self, empty=True)

    @property
    def key(self) -> tuple[str, str]:
        """What the same segment of the same system has in another file."""
        return self.system, self.name or str(self.segment)

    def line(self, side: Side) -> str | None:
        """Return the text of a side."""
        return self.target if side is Side.TARGET else self.source

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the spans, each as a sentence about it."""
        for number, span in enumerate(self.spans, start=1):
            fault = _fault(span, self.line(span.side))
            if fault:
                yield f"span {number} ({span.start} to {span.end} of the {span.side}) {fault}"

    def checked(self) -> MarkedSegment:
        """Return the segment, each span with its text; the first problem is an `InputError`."""
        for problem in self.problems():
            raise InputError(problem, where=self.where or f"segment {self.segment}")
        return replace(self, spans=tuple(self._with_text(span) for span in self.spans))

    def _with_text(self, span: Span) -> Span:
        line = self.line(span.side)
        return span if line is None else replace(span, text=line[span.start : span.end])


@dataclass(frozen=True)
class Spans:
    """Marked segments of any number of systems and annotators, in the order of the file."""

    segments: tuple[MarkedSegment, ...]

    def __post_init__(self) -> None:
        check_fields(self, empty=True)

    def __len__(self) -> int:
        return len(self.segments)

    def __iter__(self) -> Iterator[MarkedSegment]:
        return iter(self.segments)

    @property
    def count(self) -> int:
        """The number of spans."""
        return sum(len(each.spans) for each in self.segments)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order in which they come."""
        return tuple(dict.fromkeys(each.system for each in self.segments))

    @property
    def annotators(self) -> tuple[str, ...]:
        """The annotators, in the order in which they come."""
        return tuple(dict.fromkeys(each.annotator for each in self.segments))

    def chosen(self, keep: Callable[[MarkedSegment], bool]) -> Spans:
        """Return some of the segments."""
        return Spans(tuple(filter(keep, self.segments)))

    def named(self, system: str) -> Spans:
        """Return the spans as those of a system, where nobody said whose they are."""
        return Spans(tuple(replace(each, system=each.system or system) for each in self.segments))

    def checked(self) -> Spans:
        """Return the spans with their texts; the first that does not fit its text is an `InputError`."""
        return Spans(tuple(each.checked() for each in self.segments))

    def by_segment(self) -> dict[tuple[str, str], list[MarkedSegment]]:
        """Return what was marked in each segment of each system, by all annotators."""
        found: dict[tuple[str, str], list[MarkedSegment]] = {}
        for each in self.segments:
            found.setdefault(each.key, []).append(each)
        return found


def _fault(span: Span, line: str | None) -> str | None:
    """Return what is wrong with the offsets of a span, and what would be right."""
    if span.start < 0 or span.end < span.start:
        return (
            "ends before it starts; offsets count from 0, and the end is behind the last character"
        )
    if line is None:
        return None
    if span.end > len(line):
        hint = _reading(span, line) if span.text else ""
        fault = f"ends behind the {len(line)} characters of the text"
        return fault + (hint or "; is the text the one that was marked?")
    held = line[span.start : span.end]
    if span.text is not None and span.text != held:
        return f"holds {held!r}, and the file says {span.text!r}{_reading(span, line)}"
    return None


def _reading(span: Span, line: str) -> str:
    """Return how offsets must have been counted for the text that a file has."""
    if span.text == line[span.start : span.end + 1]:
        return "; its end is the last character (inclusive), and should be the one behind it"
    units = utf16_characters(line)
    if span.end < len(units) and span.text == line[units[span.start] : units[span.end]]:
        return "; its offsets count units of UTF-16, and should count characters"
    if span.text == line[span.start - 1 : span.end - 1]:
        return "; its offsets count from 1, and should count from 0"
    return ""


def utf16_characters(text: str, *, without: str = "") -> list[int]:
    r"""Return for each unit of UTF-16, and for the end, the character it belongs to; some characters may not count.

    >>> utf16_characters("a\U0001f600b"), utf16_characters("a\nb", without="\n")
    ([0, 1, 1, 2, 3], [0, 2, 3])
    """
    found: list[int] = []
    for index, character in enumerate(text):
        if character not in without or not without:
            found += [index] * (2 if ord(character) > 0xFFFF else 1)
    return [*found, len(text)]


def utf16_units(text: str, *, without: str = "") -> list[int]:
    r"""Return how many units of UTF-16 stand before each character, and in all; some characters may not count.

    >>> utf16_units("a\U0001f600b"), utf16_units("a\nb", without="\n")
    ([0, 1, 3, 4], [0, 1, 1, 2])
    """
    found = [0]
    for character in text:
        size = 0 if without and character in without else 2 if ord(character) > 0xFFFF else 1
        found.append(found[-1] + size)
    return found


def splits_character(text: str, offset: int) -> bool:
    """Return whether an offset cuts what people see as one character: an accent, an emoji of several.

    >>> splits_character("e" + chr(0x301), 1), splits_character("ee", 1)
    (True, False)
    """
    if not 0 < offset < len(text):
        return False
    last, here = text[offset - 1], text[offset]
    code = ord(here)
    joined = _JOINER in (last, here) or code in _VARIATIONS or code in _SKIN_TONES
    return bool(combining(here)) or joined


_WORD = re.compile(r"\S+")


def blank_words(text: str) -> list[tuple[int, int]]:
    """Return where the words between blanks stand.

    >>> blank_words("I  see")
    [(0, 1), (3, 6)]
    """
    return [match.span() for match in _WORD.finditer(text)]


def covered_words(words: list[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """Return which words characters touch, half-open; for no characters, the word they would come before.

    >>> covered_words([(0, 1), (3, 6)], 4, 5), covered_words([(0, 1), (3, 6)], 2, 2)
    ((1, 2), (1, 1))
    """
    if start == end:
        first = sum(1 for _, stop in words if stop <= start)
        return first, first
    touched = [index for index, (begin, stop) in enumerate(words) if begin < end and stop > start]
    if not touched:
        first = sum(1 for _, stop in words if stop <= start)
        return first, first
    return touched[0], touched[-1] + 1


def runs(tags: list[str]) -> list[tuple[str, int, int]]:
    """Return each run of equal tags, with its first word and the one behind its last.

    >>> runs(["OK", "BAD", "BAD"])
    [('OK', 0, 1), ('BAD', 1, 3)]
    """
    found, at = [], 0
    for tag, group in groupby(tags):
        size = len(list(group))
        found.append((tag, at, at + size))
        at += size
    return found
