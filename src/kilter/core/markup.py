"""Texts as terminals, Markdown and LaTeX show them."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING
from unicodedata import bidirectional, category, east_asian_width

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_MINUS = re.compile(r"(?<!\w)-(?=[\d.*])")
# In Markdown: what makes emphasis, code, cells, tags or formulas; brackets and entities only where
# they would make a link or a character.
_MARKDOWN = re.compile(r"[\\`*_|<~$]|\](?=[(\[])|&(?=#?\w+;)")
_UNSEEN = frozenset({"Cc", "Cs", "Zl", "Zp"})
# What turns around the direction of all that follows.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_LEFTWARD = frozenset({"R", "AL", "AN"})
_WITHOUT_WIDTH = frozenset({"Mn", "Me", "Cf"})
_SPECIAL = {
    "\\": "\\textbackslash{}",
    # The font of plain LaTeX has other characters in these three places.
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "|": "\\textbar{}",
    "±": "$\\pm$",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


def text_width(text: str) -> int:
    """Return how many terminal columns a text takes: two for wide characters, none for accents."""
    if text.isascii():
        return len(text)
    return sum(
        0 if category(c) in _WITHOUT_WIDTH else 2 if east_asian_width(c) in "WF" else 1
        for c in text
    )


def visible(text: str) -> str:
    r"""Return a text in one line: line breaks, other control characters and turns of direction as Python writes them.

    >>> print(visible("a" + chr(10) + "b"))
    a\nb
    """
    if text.isprintable():
        return text
    return "".join(repr(c)[1:-1] if category(c) in _UNSEEN or c in _TURNING else c for c in text)


def isolated(text: str) -> str:
    """Return words that are written to the left so that they turn nothing around them; others as they are.

    They stand between U+2068 and U+2069, which terminals and browsers heed and do not show.

    >>> isolated("cat"), isolated(chr(0x5D0)) == chr(0x2068) + chr(0x5D0) + chr(0x2069)
    ('cat', True)
    """
    if text.isascii() or not any(bidirectional(c) in _LEFTWARD for c in text):
        return text
    return f"\u2068{text}\u2069"


def markdown_text(text: str) -> str:
    r"""Return a text as Markdown that shows it as it is, inside a table or outside.

    >>> print(markdown_text("a|b_c"))
    a\|b\_c
    """
    return _MARKDOWN.sub(r"\\\g<0>", visible(text))


def latex_text(text: str) -> str:
    r"""Return a text as LaTeX: special characters escaped, the minus of a number as a minus sign.

    >>> print(latex_text("-0.5 ±0.1 a_b"))
    $-$0.5 $\pm$0.1 a\_b
    """
    return _MINUS.sub("$-$", escaped_latex(text))


def escaped_latex(text: str) -> str:
    """Return a text as LaTeX, every character as it stands."""
    escaped = "".join(_SPECIAL.get(character, character) for character in visible(text))
    return escaped.replace("--", "-{}-").replace("--", "-{}-")  # two hyphens would become a dash


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
