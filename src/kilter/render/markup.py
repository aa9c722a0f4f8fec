"""Texts as terminals, Markdown and LaTeX show them."""

from __future__ import annotations

import re
from unicodedata import bidirectional, category, east_asian_width

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
