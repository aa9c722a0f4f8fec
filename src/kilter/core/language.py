"""Languages of texts by their codes."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Literal, NamedTuple

from kilter.core.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable


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


_RIGHT_TO_LEFT = frozenset(
    ("ar", "arc", "azb", "ckb", "dv", "fa", "he", "ks", "lrc", "mzn", "nqo", "pnb", "ps", "sd", "syr", "ug", "ur", "yi")
)  # fmt: skip
_SCRIPTS_RIGHT_TO_LEFT = frozenset(("adlm", "arab", "hebr", "mand", "nkoo", "rohg", "syrc", "thaa"))


def writing_direction(code: str) -> Literal["ltr", "rtl"]:
    """Return the direction in which a language is written, as HTML names it; a script in the code decides.

    >>> writing_direction("ckb"), writing_direction("ar-EG"), writing_direction("de")
    ('rtl', 'rtl', 'ltr')
    >>> writing_direction("pa-Arab"), writing_direction("ug-Latn")
    ('rtl', 'ltr')
    """
    base, *parts = code.lower().replace("_", "-").split("-")
    script = next((part for part in parts if len(part) == len("Arab") and part.isalpha()), None)
    is_leftward = base in _RIGHT_TO_LEFT if script is None else script in _SCRIPTS_RIGHT_TO_LEFT
    return "rtl" if is_leftward else "ltr"


def same_pair(one: str, other: str) -> bool:
    """Return whether two names are of one language pair, by names of languages or by their codes.

    >>> same_pair("de-en", "German-English"), same_pair("ces-eng", "cs-en"), same_pair("de-en", "en-de")
    (True, True, False)
    """
    return _pair(one) == _pair(other)


def _pair(name: str) -> tuple[str, ...]:
    parts = name.lower().replace(" ", "_").split("-")
    return tuple(_CODES.get(part, part) for part in parts)


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


_WORD = re.compile(r"[^\W\d_]+")
_LOOKED_AT = 200
"""Lines with words; more of them say no more."""
# The words that make up a third of every text. One that languages share counts for each of them, unless
# it is English.
_FREQUENT = {
    "en": "the of and to in that is was it for with as his he be on by at this had not are but from or have "
    "an they which you were their been has would there what will when who more if about can its into "
    "than them only other some could these two may then do any my now such like our over me even most "
    "after also made did many before must through years where much your way well down should because "
    "each just those how too little very make still own see work between both she her we i a all no so "
    "up out said new people first over against during without under while being does my says",
    "de": "der die und den von das nicht mit sich des auf für ist dem ein eine als auch es werden aus er hat "
    "dass sie nach wird bei einer einem einen noch wie über zum sind haben nur oder aber vor zur bis "
    "mehr durch kann wenn ich wir ihr sein seine wurde gegen vom zu im war nur schon diese dieser",
    "fr": "de le la les en des et est une du dans qui que pour pas au sur il plus ce sont avec par ne se aux ont "
    "cette mais ou son sa ses comme nous vous leur elle été être fait tout aussi était deux même un ils",
    "es": "de la el los las del un que en por con una para es su al lo como más pero sus le ya o este sí porque esta "
    "entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante ha han fue",
    "cs": "se na že je v s z k do o ale jako by si tak po za pro jsou jeho však podle jsem které který "
    "která ze bylo byl byla už jen aby od také při kde má až nebo co této není jeho bude i to",
    "it": "di la un che il per è una sono non con gli più anche dei della delle nel alla come ma si lo ha questo "
    "le dal nella suo loro essere stato quando dove molto ci cui tra ogni",
    "nl": "de het een van en dat die op te zijn voor met niet aan er om ook als maar door ze hij bij nog naar "
    "uit kan worden wordt deze geen werd over hebben heeft dan zo wel veel meer",
    "pt": "de que da em do não uma os dos um para com mais como mas ao pelo pela são foi das seu sua ou quando muito nos já "
    "também só até isso ela entre depois sem mesmo aos ter seus quem nas esse eles você à",
    "pl": "nie się jest na że jak po ale tym czy za dla już tylko oraz przez jego być są od może był który "
    "która które tego co tak przy także jej ich lub bardzo w z do to i o",
    "sv": "och att det som en på är av för med den till inte har om ett han men var jag sig från vi så kan "
    "när år under också efter eller nu där vid mot ska skulle kommer ut får finns vara hade alla",
    "da": "og at det er en til på som de med han af for ikke den jeg der har et om vi var sig men så kan "
    "fra ved når efter også eller nu være skal havde blev ville hun mod bliver været",
    "fi": "ja on ei että se oli hän mutta ovat myös kun niin kuin sen tai joka mukaan jo vain ole olisi "
    "sitä nyt siitä tämä hänen vielä voi jos ne mitä kuitenkin jälkeen",
    "hu": "a az és hogy nem is egy ez van volt meg de csak már ha még el mint kell lesz azt ezt vagy nagyon "
    "aki ami minden most azonban szerint után",
    "ro": "și de la în cu nu pe care este o din un pentru că a fi mai au ca ce le sunt prin sau fost după "
    "dar acest această lui fără între dacă până către",
    "tr": "ve bir bu için da de çok ile olarak daha gibi olan kadar sonra var ne ama ki en her o değil "
    "ise veya yeni oldu",
}
_ENGLISH = frozenset(_FREQUENT.pop("en").split())
_LANGUAGES_OF: dict[str, list[str]] = {}
"""The languages that a frequent word is of, unless it is English."""
for _code, _words_of_code in _FREQUENT.items():
    for _word in {*_words_of_code.split()} - _ENGLISH:
        _LANGUAGES_OF.setdefault(_word, []).append(_code)
_EVERY = {"en": _ENGLISH, **{code: frozenset(words.split()) for code, words in _FREQUENT.items()}}
"""The same with words that are English, too: to tell two languages from each other."""
_SCRIPTS = {
    ("Japanese", "ja"): r"\u3041-\u30ff",  # kana; Japanese has Chinese characters too
    ("Korean", "ko"): r"\uac00-\ud7a3",
    ("Chinese", "zh"): r"\u3400-\u4dbf\u4e00-\u9fff",
    ("Thai", "th"): r"\u0e00-\u0e7f",
    ("Greek", "el"): r"\u0370-\u03ff",
    ("Hebrew", "he"): r"\u0590-\u05ff",
    ("a language in Cyrillic", None): r"\u0400-\u04ff",
    ("a language in Arabic letters", None): r"\u0600-\u06ff",
    ("a language in Devanagari", None): r"\u0900-\u097f",
}
_IN_SCRIPT = {seems: re.compile(f"[{letters}]") for seems, letters in _SCRIPTS.items()}
NAMES = {
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "cs": "Czech",
    "it": "Italian",
    "nl": "Dutch",
    "pt": "Portuguese",
    "pl": "Polish",
    "sv": "Swedish",
    "da": "Danish",
    "fi": "Finnish",
    "hu": "Hungarian",
    "ro": "Romanian",
    "tr": "Turkish",
}
"""The languages that are known by their words, but for English."""


# Found on WMT's texts in six languages: windows of 20 lines are told apart without a mistake.
_SCRIPT_SHARE = 0.2
"""Of all letters, so many are of another script."""
_LEAST = 3
"""So many frequent words of another language there are at least, ..."""
_SHARE = 0.1
"""... of all words this share, ..."""
_TIMES = 1.5
"""... and so many times the English ones."""


class NotEnglish(NamedTuple):
    """What a text seems to be, and the code of its language where that is known."""

    seems: str
    code: str | None


def not_english(lines: Iterable[str]) -> NotEnglish | None:
    """Return what a text seems to be that is clearly not English; None for English, and for doubt.

    >>> not_english(["Die Kinder haben den Ball nicht gesehen ."])
    NotEnglish(seems='German', code='de')
    >>> not_english(["Дети не видели мяча ."])
    NotEnglish(seems='a language in Cyrillic', code=None)
    >>> not_english(["The children did not see the ball ."]) is None
    True
    """
    words = _words(lines)
    script = _script(words)
    if script is not None or not words:
        return script
    hits, english = dict.fromkeys(_FREQUENT, 0), 0
    for word, times in words.items():
        english += times * (word in _ENGLISH)
        for code in _LANGUAGES_OF.get(word, ()):
            hits[code] += times
    code = max(hits, key=hits.__getitem__)
    most = hits[code]
    if most >= _LEAST and most > _TIMES * english and most >= _SHARE * words.total():
        return NotEnglish(NAMES[code], code)
    return None


def _script(words: Counter[str]) -> NotEnglish | None:
    """Return what words seem to be by their script alone."""
    letters, other = 0, []
    for word, times in words.items():
        letters += len(word) * times
        if not word.isascii():  # no script that is looked for has a letter of ASCII
            other.append((word, times))
    for seems, letter in _IN_SCRIPT.items() if other else ():
        inside = sum(len(letter.findall(word)) * times for word, times in other)
        if inside > _SCRIPT_SHARE * letters:
            return NotEnglish(*seems)
    return None


def seeming_languages(lines: Iterable[str], others: Iterable[str]) -> tuple[str, str] | None:
    """Return what two texts seem to be if they are clearly of different languages; None for doubt.

    Either is in a script of its own, or has 1.5 times as many of the frequent words of its language as of
    that of the other, and each tenth word is one of them.

    >>> seeming_languages(["Das ist der Hund , den wir sahen ."], ["This is the dog that we saw ."])
    ('German', 'English')
    """
    one, other = _words(lines), _words(others)
    scripts = _script(one), _script(other)
    if scripts != (None, None):
        seems = [
            each.seems if each else _language(words)[1]
            for each, words in zip(scripts, (one, other), strict=True)
        ]
        return (seems[0], seems[1]) if seems[0] != seems[1] and all(seems) else None
    (first, name), (second, other_name) = _language(one), _language(other)
    if not name or not other_name or first == second:
        return None
    for words, own, else_ in ((one, first, second), (other, second, first)):
        if _hits(words, own) <= _TIMES * _hits(words, else_):
            return None
    return name, other_name


def _language(words: Counter[str]) -> tuple[str, str]:
    """Return the code and the name of the language whose frequent words are most; empty for too few."""
    code = max(_EVERY, key=lambda each: _hits(words, each))
    hits = _hits(words, code)
    if hits < _LEAST or hits < _SHARE * words.total():
        return "", ""
    return code, NAMES.get(code, "English")


def _hits(words: Counter[str], code: str) -> int:
    return sum(words[word] for word in _EVERY[code])


def _words(lines: Iterable[str]) -> Counter[str]:
    """Return how often each word occurs in the first lines that have any."""
    words: Counter[str] = Counter()
    looked = 0
    for line in lines:
        here = _WORD.findall(line.lower())
        words.update(here)
        looked += bool(here)
        if looked == _LOOKED_AT:
            break
    return words
