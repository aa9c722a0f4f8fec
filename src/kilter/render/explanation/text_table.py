"""Texts and tables in the columns of a terminal."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from kilter.render.markup import text_width

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

GAP = "  "


def padded(text: str, width: int) -> str:
    """Return a text with blanks up to a width."""
    return text + " " * (width - text_width(text))


def wrapped(text: str, width: int) -> list[str]:
    """Return a text in lines that are no wider, broken at blanks; a word that is wider has a line of its own.

    >>> wrapped("to be or not to be", 8)
    ['to be or', 'not to', 'be']
    """
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and text_width(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return [line.rstrip() for line in lines]


def text_table(
    rows: Sequence[Sequence[str]], *, numbers: Collection[int], width: int | None = None
) -> list[str]:
    """Return rows in columns as wide as their widest cell; columns of numbers end below one another.

    A table that is wider than `width` breaks its widest cells into lines, as far as their words allow.

    >>> text_table([("a", "1"), ("bc", "10")], numbers={1})
    ['a    1', 'bc  10']
    >>> text_table([("a", "this and that is so"), ("b", "so")], numbers=(), width=16)
    ['a  this and that', '   is so', 'b  so']
    """
    columns = [*zip(*rows, strict=True)]
    widths = [max(map(text_width, column)) for column in columns]
    if width is not None:
        words = [max(text_width(word) for cell in column for word in cell.split(" ")) for column in columns]  # fmt: skip
        _narrow(widths, words, width - len(GAP) * (len(widths) - 1))
    found = []
    for row in rows:
        cells = [
            [cell] if text_width(cell) <= wide else wrapped(cell, wide)
            for cell, wide in zip(row, widths, strict=True)
        ]
        for line in zip_longest(*cells, fillvalue=""):
            texts = [
                " " * (wide - text_width(cell)) + cell if place in numbers else padded(cell, wide)
                for place, (cell, wide) in enumerate(zip(line, widths, strict=True))
            ]
            found.append(GAP.join(texts).rstrip())
    return found


def _narrow(widths: list[int], least: Sequence[int], room: int) -> None:
    """Take what is too much off the widest column that can be narrower, and off the next when they are alike."""
    while sum(widths) > room:
        able = [place for place, width in enumerate(widths) if width > least[place]]
        if not able:
            return
        widths[max(able, key=lambda place: widths[place])] -= 1
