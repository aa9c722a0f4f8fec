"""Languages of texts by their codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.errors import OptionError

if TYPE_CHECKING:
    from kilter.core.configured import Configured


def base_language(code: str | None) -> str | None:
    """Return the language of a code, without country or script.

    >>> base_language("en_GB"), base_language("EN"), base_language("zh-Hant-TW"), base_language(None)
    ('en', 'en', 'zh', None)
    """
    return None if code is None else code.replace("_", "-").partition("-")[0].lower()


_NAMES = {
    "ar": "arabic ara",
    "be": "belarusian bel by",
    "bn": "bengali ben",
    "cs": "czech ces cze cz",
    "da": "danish dan dk",
    "de": "german deu ger",
    "el": "greek ell gre gr",
    "en": "english eng",
    "es": "spanish spa sp",
    "et": "estonian est",
    "fa": "persian fas per farsi ir",
    "fi": "finnish fin",
    "fr": "french fra fre",
    "gu": "gujarati guj",
    "ha": "hausa hau",
    "he": "hebrew heb iw il",
    "hi": "hindi hin",
    "hr": "croatian hrv",
    "ht": "haitian hat haitian_creole",
    "hu": "hungarian hun",
    "id": "indonesian ind",
    "is": "icelandic isl ice",
    "it": "italian ita",
    "ja": "japanese jpn jp",
    "kk": "kazakh kaz",
    "km": "khmer khm",
    "ko": "korean kor",
    "lt": "lithuanian lit",
    "lv": "latvian lav",
    "nl": "dutch nld dut",
    "no": "norwegian nor",
    "pl": "polish pol",
    "ps": "pashto pus",
    "pt": "portuguese por",
    "ro": "romanian ron rum",
    "ru": "russian rus",
    "sr": "serbian srp rs",
    "sv": "swedish swe",
    "ta": "tamil tam",
    "tr": "turkish tur",
    "uk": "ukrainian ukr ua",
    "vi": "vietnamese vie vn",
    "zh": "chinese zho chi cn",
}
_CODES = {name: code for code, names in _NAMES.items() for name in (code, *names.split())}

MISTAKABLE = {"ee": ("Estonian", "et"), "kr": ("Korean", "ko"), "se": ("Swedish", "sv")}
"""Codes of languages (Ewe, Kanuri, Northern Sami) that are also those of countries, whose language has another."""


def check_code(language: str | None) -> None:
    """Raise an `OptionError` for a name, or the code of a country, in place of the code of a language.

    >>> check_code("jp")
    Traceback (most recent call last):
        ...
    kilter.core.errors.OptionError: there is no language 'jp'; did you mean ja?
    """
    base = base_language(language)
    meant = _CODES.get(base or "", base)
    if meant != base:
        raise OptionError(f"there is no language {language!r}; did you mean {meant}?")


def language_code(name: str) -> str:
    """Return the code of two letters for a language's name or code; one that is not known stays as it is.

    >>> language_code("deu"), language_code("German"), language_code("xx")
    ('de', 'de', 'xx')
    """
    return _CODES.get(name.lower(), name)


def same_pair(one: str, other: str) -> bool:
    """Return whether two names are of one language pair, by names of languages or by their codes.

    >>> same_pair("de-en", "German-English"), same_pair("ces-eng", "cs-en"), same_pair("de-en", "en-de")
    (True, True, False)
    """
    return _pair(one) == _pair(other)


def _pair(name: str) -> tuple[str, ...]:
    parts = name.lower().replace(" ", "_").split("-")
    return tuple(_CODES.get(part, part) for part in parts)


def check_knows(tool: Configured, only: str | None, language: str | None) -> None:
    """Raise an `OptionError` if a tool knows only another language than that of the texts."""
    if only is not None and language is not None and language != only:
        raise OptionError(
            f"{tool.name} knows only the language {only}, not {language}; choose another"
        )
