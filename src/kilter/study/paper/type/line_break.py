"""Where a line may end: at blanks and hyphens, and between the letters of scripts without blanks."""

from __future__ import annotations

from unicodedata import category, combining, east_asian_width, name

# Nothing of these begins a line, and nothing of those ends one, in texts without blanks: closing and opening
# punctuation by their categories, small kana, marks of repetition and length, and others.
_CLOSING, _OPENING = frozenset({"Pe", "Pf", "Po", "Sk", "Lm"}), frozenset({"Ps", "Pi", "Sc"})
_SMALL = frozenset("ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ")
_BLANKS = frozenset(" \t\u1680\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u200b\u205f\u3000")
_HYPHENS = frozenset("-\u2010\u2012\u2013\u2014/")


def break_places(text: str) -> list[int]:
    """Return the places at which a new line may begin, the end of the text included.

    >>> break_places("a word-by-word test")
    [2, 7, 10, 15, 19]
    >>> break_places("日本語。")
    [1, 2, 4]
    """
    return [
        place
        for place in range(1, len(text))
        if _may_break(text[place - 1], text[place], text[place - 2 : place - 1])
    ] + [len(text)]


def _may_break(before: str, after: str, earlier: str) -> bool:
    if after in _BLANKS or combining(after):
        return False
    if before in _BLANKS:
        return True
    if before in _HYPHENS:
        return earlier.isalpha() and after.isalpha()
    if category(after) in _CLOSING or after in _SMALL or category(before) in _OPENING:
        return False
    return _is_ideographic(before) or _is_ideographic(after)


def _is_ideographic(letter: str) -> bool:
    """Return whether lines may be broken at a letter without a blank; Korean has blanks."""
    return east_asian_width(letter) in "WF" and not name(letter, "").startswith("HANGUL")


def clusters(text: str) -> list[str]:
    r"""Return the letters of a text with the marks that belong to them.

    >>> len(clusters("e\u0301a"))
    2
    """
    found: list[str] = []
    for letter in text:
        if found and (combining(letter) or letter in "\u200d\ufe0f\ufe0e"):
            found[-1] += letter
        else:
            found.append(letter)
    return found
