"""Snowball stemmers by language code. [Porter 2001]"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable

NO_STEMMER = "none"
UNSTEMMED = ("ja", "ko", "zh")
"""Languages that have a tokeniser of their own, but no Snowball stemmer."""

ALGORITHMS = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "st": "sesotho",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}


def check_language(language: str) -> None:
    """Raise an `OptionError` for a code that no Snowball stemmer has."""
    if language != NO_STEMMER and language not in ALGORITHMS:
        listed = ", ".join(ALGORITHMS)
        raise OptionError(
            f"match: there is no stemmer for language {language!r}; use {NO_STEMMER} or one of "
            f"{listed}"
        )


def stemmer(language: str) -> Callable[[str], str]:
    """Return a function from a word to its stem, for one thread at a time.

    A Snowball stemmer works on a word that it holds, so that two threads that shared one would get stems
    of each other's words. Every call therefore makes another; that takes less time than one stem.
    """
    import snowballstemmer

    algorithm = ALGORITHMS[language]
    if algorithm not in snowballstemmer.algorithms():
        raise OptionError(
            f"match: the installed snowballstemmer has no {algorithm} stemmer; "
            "upgrade it with: pip install -U snowballstemmer"
        )
    stem: Callable[[str], str] = snowballstemmer.stemmer(algorithm).stemWord
    return stem
