"""Lower case of words by the rules of their language: Turkish and Azerbaijani write i with and without a dot."""

from __future__ import annotations

from kilter.core.language import base_language

_TURKIC = ("az", "tr")
_DOTTED = "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}"
_DECOMPOSED = "I\N{COMBINING DOT ABOVE}"
_LETTERS = str.maketrans({"I": "\N{LATIN SMALL LETTER DOTLESS I}", _DOTTED: "i"})


def has_dotless_i(language: str | None) -> bool:
    """Return whether I and i are capital and small of two letters in the language of a code.

    >>> has_dotless_i("tr"), has_dotless_i("az-Latn"), has_dotless_i("de"), has_dotless_i(None)
    (True, True, False, False)
    """
    return base_language(language) in _TURKIC


def lowered(text: str, *, turkic: bool) -> str:
    """Return a text in lower case, by the rules of Turkish or as Python does.

    >>> lowered("IŞIK", turkic=True), lowered("IŞIK", turkic=False)
    ('ışık', 'işik')
    """
    return (_small_i(text) if turkic else text).lower()


def plain_dots(word: str, *, turkic: bool) -> str:
    """Return a word that case folding does not tear apart: a capital i with a dot as i, in Turkish I as dotless i.

    Folding makes two characters of it otherwise, i and a combining dot.

    >>> plain_dots("İzmir", turkic=False), plain_dots("Irmak", turkic=True)
    ('izmir', 'ırmak')
    """
    return _small_i(word) if turkic else word.replace(_DOTTED, "i")


def _small_i(text: str) -> str:
    return text.replace(_DECOMPOSED, "i").translate(_LETTERS)
