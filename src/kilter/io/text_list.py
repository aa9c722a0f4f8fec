"""Texts in memory, one segment an entry: lists, arrays, columns of tables and iterators alike."""

from __future__ import annotations

from typing import Any

from kilter.core.errors import InputError
from kilter.core.sequence import in_order, shown, unsequenced
from kilter.io.text import check_lines

LINES = "a list of strings, one per segment"


def text_lines(lines: object, *, where: str, wanted: str = LINES) -> tuple[str, ...]:
    """Return the lines of a text; whatever could not be a text of a file is an `InputError`.

    Anything that gives strings one after another will do; `wanted` is what a message asks for instead.

    >>> text_lines(iter(["a b", "c"]), where="source")
    ('a b', 'c')
    >>> text_lines({"a b", "c"}, where="source")
    Traceback (most recent call last):
        ...
    kilter.core.errors.InputError: source: is a set, which has no order; pass a list of strings, one per segment
    """
    listed = tuple(entries(lines, where=where, wanted=wanted))
    check_lines(listed, where=where)
    return listed


def entries(values: object, *, where: str, wanted: str) -> list[Any]:
    """Return values that come one after another as a list; anything else is an `InputError`."""
    fault = unsequenced(values)
    if fault is not None:
        advice = f"one of its columns, {wanted}" if "whole table" in fault else wanted
        raise InputError(f"{fault}; pass {advice}", where=where)
    return in_order(values)


def segment_words(segments: object, *, where: str) -> list[list[str]]:
    """Return segments that are split into words already; anything else is an `InputError`.

    >>> segment_words([["a", "b"], []], where="source")
    [['a', 'b'], []]
    """
    return [
        word_list(words, where=f"{where}: segment {place}")
        for place, words in enumerate(
            entries(segments, where=where, wanted="a list of words for each segment"), start=1
        )
    ]


def word_list(words: object, *, where: str) -> list[str]:
    """Return the words of one segment; anything else than strings is an `InputError`."""
    listed = entries(words, where=where, wanted="a list of words")
    for place, word in enumerate(listed):
        if not isinstance(word, str):
            raise InputError(f"word {place} is {shown(word)}, not a string", where=where)
    return listed
