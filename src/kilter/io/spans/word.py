"""Spans of words: M2, and a line of tags for each segment."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.core.spans import (
    MarkedSegment,
    Side,
    Span,
    Spans,
    blank_words,
    covered_words,
    runs,
)
from kilter.io.spans.entry import (
    SEVERITIES,
    check_one_system,
    needed_text,
    offset,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_OK = "OK"

# M2: words between blanks, and edits of them.

_NOOP = "noop"
_BETWEEN = "|||"


def read_m2(lines: Sequence[str], name: str) -> list[MarkedSegment]:
    """Return the edits of each sentence by annotator, as characters."""
    found: list[MarkedSegment] = []
    segment, line = 0, ""
    edits: dict[str, list[Span]] = {}

    def flush() -> None:
        for annotator, spans in (edits or {"0": []}).items():
            found.append(
                MarkedSegment(
                    segment=segment, annotator=annotator, target=line, spans=tuple(spans), where=f"{name}: sentence {segment}"
                )
            )  # fmt: skip

    for index, text in enumerate(lines, start=1):
        where = f"{name}:{index}"
        if text == "S" or text.startswith("S "):
            if segment:
                flush()
            segment, line, edits = segment + 1, text[2:], {}
        elif text.startswith("A ") and segment:
            _add_edit(text[2:], line, edits, where)
        elif text.strip():
            raise InputError(
                "is no line of M2; write S and the words, then A and an edit", where=where
            )
    if segment:
        flush()
    return found


def _add_edit(text: str, line: str, edits: dict[str, list[Span]], where: str) -> None:
    cells = text.split(_BETWEEN)
    places = cells[0].split()
    if len(cells) != 6 or len(places) != 2:
        raise InputError(
            "is no edit; write A START END|||TYPE|||CORRECTION|||REQUIRED|||-NONE-|||ANNOTATOR",
            where=where,
        )
    spans = edits.setdefault(cells[5], [])
    first, last = (offset(place, "a place", where) for place in places)
    if cells[1] == _NOOP or first < 0:
        return
    words = blank_words(line)
    if not 0 <= first <= last <= len(words):
        raise InputError(
            f"the edit is of words {first} to {last}, and the sentence has {counted(len(words), 'word')}",
            where=where,
        )
    if first == last:
        start = end = words[first][0] if first < len(words) else len(line)
    else:
        start, end = words[first][0], words[last - 1][1]
    spans.append(Span(start=start, end=end, category=cells[1], correction=cells[2]))


def write_m2(spans: Spans) -> Iterator[str]:
    """Yield sentences with their edits; a span that cuts a word is an edit of the whole word."""
    check_one_system(spans, "M2")
    numbers = _annotator_numbers(spans.annotators)
    for marked in spans.by_segment().values():
        lines = {needed_text(each) for each in marked}
        if len(lines) > 1:
            raise InputError(
                "its annotators saw different texts", where=f"segment {marked[0].segment}"
            )
        line = lines.pop()
        words = blank_words(line)
        yield " ".join(["S", *(line[start:end] for start, end in words)]) + "\n"
        for each in marked:
            rows = [
                (covered_words(words, span.start, span.end), span)
                for span in each.spans
                if span.side is Side.TARGET
            ]
            for (first, last), span in rows:
                kind = span.category or span.severity or "UNK"
                yield _edit(first, last, kind, span.correction or "", numbers[each.annotator])
            if not rows:
                yield _edit(-1, -1, _NOOP, "-NONE-", numbers[each.annotator])
        yield "\n"


def _annotator_numbers(annotators: Sequence[str]) -> dict[str, int]:
    """Return the numbers of annotators: those that they are called by, or else their places."""
    if all(re.fullmatch("[0-9]{1,9}", each) for each in annotators):
        return {each: int(each) for each in annotators}
    return {each: place for place, each in enumerate(annotators)}


def _edit(first: int, last: int, kind: str, correction: str, annotator: int) -> str:
    cells = [f"A {first} {last}", kind, correction, "REQUIRED", "-NONE-", str(annotator)]
    return _BETWEEN.join(" ".join(cell.split()) for cell in cells) + "\n"


# Tags: one a word.


def read_tags(lines: Sequence[str], name: str) -> list[MarkedSegment]:
    """Return segments whose spans still count words; `untagged` makes characters of them."""
    return [
        MarkedSegment(
            segment=index,
            spans=tuple(
                _tagged(tag, first, last) for tag, first, last in runs(line.split()) if tag != _OK
            ),
            name=str(len(line.split())),
            where=f"{name}:{index}",
        )
        for index, line in enumerate(lines, start=1)
    ]


def _tagged(tag: str, first: int, last: int) -> Span:
    kind, _, rest = tag.partition("-")
    if rest.casefold() in SEVERITIES:
        return Span(start=first, end=last, severity=rest.casefold())
    category = "" if tag == "BAD" else f"order/{rest.casefold()}" if kind == "ORDER" else tag
    return Span(start=first, end=last, category=category)


def untagged(segment: MarkedSegment) -> MarkedSegment:
    """Return a tagged segment whose spans are characters of its text."""
    words = blank_words(segment.target or "")
    if len(words) != int(segment.name):
        raise InputError(
            f"has {counted(int(segment.name), 'tag')}, and the text {counted(len(words), 'word')} between blanks",
            where=segment.where,
        )
    spans = [replace(span, start=words[span.start][0], end=words[span.end - 1][1]) for span in segment.spans]  # fmt: skip
    return replace(segment, spans=tuple(spans), name="")


def write_tags(spans: Spans) -> Iterator[str]:
    """Yield a line of tags for each segment; of two spans over a word the later one tags it."""
    check_one_system(spans, "tags")
    for marked in spans.by_segment().values():
        if len(marked) > 1:
            raise InputError(
                "was marked by several annotators, and a word has one tag; choose one annotator",
                where=f"segment {marked[0].segment}",
            )
        words = blank_words(needed_text(marked[0]))
        tags = [_OK] * len(words)
        for span in marked[0].spans:
            if span.side is Side.TARGET:
                first, last = covered_words(words, span.start, span.end)
                tags[first:last] = [_tag(span)] * (last - first)
        yield " ".join(tags) + "\n"


def _tag(span: Span) -> str:
    kind, _, rest = span.category.partition("/")
    if kind == "order" and rest:
        return f"ORDER-{'-'.join(rest.split()).upper()}"
    return f"BAD-{span.severity}" if span.severity in SEVERITIES else "BAD"
