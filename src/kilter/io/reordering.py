"""Reordered sentences in files: as text with tied words in double braces, as positions, as JSON. [FRS]"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import chain
from os import PathLike, fspath
from typing import Any, NamedTuple

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError, Remedy, Setting
from kilter.core.reordering import PrintedOrder, Reordering, group_numbers
from kilter.core.settings import checked, chosen, shown
from kilter.io.compression import format_suffix
from kilter.io.conllu import holds_trees
from kilter.io.json_text import parse_json
from kilter.io.stream import ByteSource, byte_source
from kilter.io.text import read_table_lines, read_text, text_lines

_OPEN, _CLOSE = "{{", "}}"
_POSITION = re.compile(r"0|[1-9][0-9]{0,8}")

_WANTED = Remedy(
    "reordered sentences, one a line",
    "reordered sentences, one a line, such as the reference reorderings that -R names",
)


class ReorderingForm(StrEnum):
    """How a line gives a reordered sentence."""

    TEXT = "text"
    POSITIONS = "positions"
    JSONL = "jsonl"


def form_of(path: str) -> ReorderingForm:
    """Return the form that a file's name says: `.jsonl`, `.positions`, or else text.

    >>> str(form_of("references.jsonl.gz"))
    'jsonl'
    """
    suffix = format_suffix(path).removeprefix(".")
    return ReorderingForm(suffix) if suffix in ("jsonl", "positions") else ReorderingForm.TEXT


@checked
def reordering_text(words: Sequence[str], groups: Iterable[Sequence[int]]) -> str:
    """Return the words in the order of the groups, groups of two or more as `{{ w w }}`.

    >>> reordering_text(["Tax", "Deduction", "For"], [[2], [0, 1]])
    'For {{ Tax Deduction }}'
    """
    parts = []
    for group in groups:
        if not group or min(group) < 0 or max(group) >= len(words):
            raise InputError(
                f"the group {shown(list(group))} is empty or points past the {counted(len(words), 'word')}, "
                "counted from 0"
            )
        listed = " ".join(words[position] for position in group)
        parts.append(listed if len(group) == 1 else f"{_OPEN} {listed} {_CLOSE}")
    return " ".join(parts)


@checked
def write_reorderings(
    texts: Sequence[Sequence[str]],
    reordering: Reordering | PrintedOrder,
    *,
    form: ReorderingForm | str = ReorderingForm.TEXT,
    where: Callable[[int], str] = lambda segment: f"segment {segment + 1}",
) -> Iterator[str]:
    """Yield one line per segment: its words, reordered.

    `positions` has the source positions instead, counted from 0; `jsonl` has an object with the words in
    source order and the groups of positions. A word that is a double brace or holds a blank can only be
    written in these. `where` says what messages call the segment with this number, from 0.
    """
    form = chosen(ReorderingForm, form, "form")
    for segment, words in enumerate(texts):
        groups = reordering.groups(segment)
        if form is ReorderingForm.JSONL:
            yield json.dumps({"words": list(words), "groups": groups}, ensure_ascii=False)
        elif form is ReorderingForm.POSITIONS:
            yield reordering_text([str(position) for position in range(len(words))], groups)
        else:
            for word in words:
                reason = _why_no_text(word)
                if reason is not None:
                    raise InputError(
                        f"{reason}; write positions, or keep the words with",
                        where=where(segment),
                        advice=Setting("format", "jsonl"),
                    )
            yield reordering_text(words, groups)


def _why_no_text(word: str) -> str | None:
    """Return why a word cannot stand in a line of text, or None."""
    if word in (_OPEN, _CLOSE):
        return f"the word {word} would read as a tied group"
    if word.split() != [word]:
        return f"the word {word!r} holds a blank and would read as several words"
    return None


class _ReorderingLine(NamedTuple):
    """One reordered sentence: entries in groups, and the words in source order where they are given."""

    groups: list[list[Any]]
    words: tuple[str, ...] | None = None


@checked
def read_reorderings(
    source: ByteSource | str, *, form: ReorderingForm | str | None = None
) -> PrintedOrder:
    """Return the reordered sentences of a file, one a line; what is wrong with it is an `InputError`.

    Without `form` the name of the file decides, see `form_of`. An empty line is a sentence without words.
    """
    source = byte_source(source)
    form = form_of(source.path) if form is None else chosen(ReorderingForm, form, "form")
    lines = read_text(source) if form is ReorderingForm.TEXT else read_table_lines(source)
    if holds_trees(lines):
        raise InputError(
            "holds dependency trees in CoNLL-U where there should be",
            where=source.name,
            advice=_WANTED,
        )
    return _read(lines, source.name, form)


def printed_order(given: object, *, where: str) -> PrintedOrder:
    """Return reordered sentences that are given: themselves, the name of a file, or lines of text.

    Tied words of a line stand in double braces.

    >>> printed_order(["A {{ Tax Deduction }} For"], where="references").group.tolist()
    [0, 1, 1, 2]
    """
    if isinstance(given, PrintedOrder):
        return given
    if isinstance(given, (str, PathLike)):
        return read_reorderings(fspath(given))
    return _read(text_lines(given, where=where), where, ReorderingForm.TEXT)


def _read(texts: Sequence[str], name: str, form: ReorderingForm) -> PrintedOrder:
    read = {
        ReorderingForm.TEXT: _text_line,
        ReorderingForm.POSITIONS: _positions_line,
        ReorderingForm.JSONL: _json_line,
    }[form]
    lines: list[_ReorderingLine] = []
    for number, line in enumerate(texts, start=1):
        try:
            lines.append(read(line))
        except InputError as error:
            raise InputError(str(error), where=f"{name}:{number}") from None
    return _printed(name, form, lines)


def parse_reordering(line: str) -> list[list[str]]:
    """Return the groups of words of a line of text.

    >>> parse_reordering("A {{ Tax Deduction }} For")
    [['A'], ['Tax', 'Deduction'], ['For']]
    """
    groups: list[list[str]] = []
    inside = False
    for position, word in enumerate(line.split(), start=1):
        if word == _OPEN:
            if inside:
                raise InputError(
                    f"a second {_OPEN} at word {position}; groups do not nest, close the first"
                )
            inside = True
            groups.append([])
        elif word == _CLOSE:
            if not inside:
                raise InputError(
                    f"{_CLOSE} at word {position} closes nothing; write {{{{ before the group"
                )
            if not groups[-1]:
                raise InputError(
                    f"the group that ends at word {position} is empty; remove its braces"
                )
            inside = False
        elif inside:
            groups[-1].append(word)
        else:
            groups.append([word])
    if inside:
        raise InputError(f"{_OPEN} is never closed; write {_CLOSE} after the group")
    return groups


def _text_line(line: str) -> _ReorderingLine:
    return _ReorderingLine(parse_reordering(line))


def _positions_line(line: str) -> _ReorderingLine:
    groups = parse_reordering(line)
    for word in chain.from_iterable(groups):
        if not _POSITION.fullmatch(word):
            raise InputError(
                f"{word!r} is no position; write source positions such as 2 0 {{{{ 1 3 }}}}, counted "
                "from 0"
            )
    listed = [[int(word) for word in group] for group in groups]
    _check_distinct(listed)
    return _ReorderingLine(listed)


def _json_line(line: str) -> _ReorderingLine:
    try:
        entry = parse_json(line)
    except ValueError:
        raise InputError('is not JSON; write {"words": [...], "groups": [[...], ...]}') from None
    entry = entry if isinstance(entry, dict) else {}
    words: Any = entry.get("words")
    groups: Any = entry.get("groups")
    if not _is_list(words, str) or not isinstance(groups, list):
        raise InputError(
            'needs "words", a list of texts, and "groups", a list of lists of positions'
        )
    for group in groups:
        if not _is_list(group, int) or not group:
            raise InputError(
                f"the group {json.dumps(group)} is not a list of one or more positions"
            )
        for position in group:
            if not 0 <= position < len(words):
                raise InputError(
                    f"position {position} lies outside the {counted(len(words), 'word')}, counted from 0"
                )
    for word in words:
        if not word:
            raise InputError("a word is empty; leave it out, or give its form")
    _check_distinct(groups)
    return _ReorderingLine(groups, tuple(words))


def _is_list(value: object, kind: type) -> bool:
    return isinstance(value, list) and all(type(entry) is kind for entry in value)


def _check_distinct(groups: list[list[int]]) -> None:
    seen: set[int] = set()
    for position in chain.from_iterable(groups):
        if position in seen:
            raise InputError(f"position {position} stands twice; each word has one place")
        seen.add(position)


def _printed(name: str, form: ReorderingForm, lines: list[_ReorderingLine]) -> PrintedOrder:
    group, offsets = group_numbers([list(map(len, line.groups)) for line in lines])
    flat = [list(chain.from_iterable(line.groups)) for line in lines]
    if form is ReorderingForm.TEXT:
        return PrintedOrder(name, group, offsets, words=tuple(map(tuple, flat)))
    order = np.array(list(chain.from_iterable(flat)), dtype=np.int32)
    if form is ReorderingForm.POSITIONS:
        return PrintedOrder(name, group, offsets, order=order)
    sources = tuple(line.words or () for line in lines)
    words = tuple(
        tuple(words[position] for position in positions)
        for words, positions in zip(sources, flat, strict=True)
    )
    return PrintedOrder(name, group, offsets, words=words, order=order, sources=sources)
