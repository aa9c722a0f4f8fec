"""Snowball stemmers by language code. [Porter 2001]"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from kilter.core.errors import OptionError
from kilter.core.language import check_code

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

NO_STEMMER = "none"
LONGEST = 1000
"""Letters of a word that is stemmed; a longer one is its own stem, or its stem could take minutes."""
UNSTEMMED = ("ja", "ko", "zh")
"""Languages that have a tokeniser of their own, and no endings to take off."""

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


_OTHER_CODES = (
    "aa ab ae af ak am an as av ay az ba be bg bh bi bm bn bo br bs ce ch co cr cu cv cy dv dz ee ff fj "
    "fo fy gd gl gn gu gv ha he ho hr ht hz ia ie ig ii ik io is iu jv ka kg ki kj kk kl km kn kr ks ku "
    "kv kw ky la lb lg li ln lo lu lv mg mh mi mk ml mn mr ms mt my na nd ng nn nr nv ny oc oj om or os "
    "pa pi ps qu rm rn rw sa sc sd se sg si sk sl sm sn so sq ss su sw te tg th ti tk tl tn to ts tt tw "
    "ty ug uk ur uz ve vi vo wa wo xh yo za zu "
)
LACKING = frozenset(_OTHER_CODES.split())
"""The other codes of ISO 639-1: languages that no Snowball stemmer is of."""


def check_language(language: str) -> None:
    """Raise an `OptionError` for a code that no Snowball stemmer has."""
    check_code(language)
    if language != NO_STEMMER and language not in ALGORITHMS:
        listed = ", ".join(ALGORITHMS)
        raise OptionError(
            f"match: there is no stemmer for language {language!r}; use {NO_STEMMER}, or one of "
            f"{listed}"
        )


def stemmer(language: str) -> Callable[[Sequence[str]], list[str]]:
    """Return a function from words to their stems, for one thread at a time.

    A Snowball stemmer works on a word that it holds, so that two threads that shared one would get stems
    of each other's words. Every call therefore makes another; that takes less time than one stem.

    What a stem is, snowballstemmer says. PyStemmer makes the same ones forty times as fast, and is asked
    where it is of the same release: stems change with releases, and numbers must not depend on what else
    is installed.
    """
    algorithm = ALGORITHMS[language]
    try:
        module = import_module(f"snowballstemmer.{algorithm}_stemmer")
    except ModuleNotFoundError as error:
        raise OptionError(
            f"match: the installed snowballstemmer has no {algorithm} stemmer; "
            "upgrade it with: pip install -U snowballstemmer"
        ) from error
    compiled = _compiled()
    plain = getattr(module, f"{algorithm.capitalize()}Stemmer")
    made = plain() if compiled is None else compiled.Stemmer(algorithm, 0)
    stems: Callable[[Sequence[str]], list[str]] = made.stemWords

    def bounded(words: Sequence[str]) -> list[str]:
        if max(map(len, words), default=0) <= LONGEST:
            return stems(words)
        found = stems([word if len(word) <= LONGEST else "" for word in words])
        pairs = zip(words, found, strict=True)
        return [stem if len(word) <= LONGEST else word for word, stem in pairs]

    return bounded


@cache
def _compiled() -> ModuleType | None:
    """Return the module of PyStemmer, if it is of the release of snowballstemmer."""
    from importlib.metadata import version

    try:
        found = import_module("Stemmer")
    except ImportError:
        return None
    return found if _release(found.version()) == _release(version("snowballstemmer")) else None


def _release(number: str) -> list[str]:
    """Return the first two parts of a version: the third changes no stem."""
    return number.split(".")[:2]
