"""What the editor sends of a sentence, checked before anything is made of it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kilter.core.counted import counted
from kilter.study.annotation.drawn_link import DrawnLink
from kilter.study.annotation.project import LONGEST_TRANSLATION, MOST_WORDS
from kilter.study.annotation.web.request import RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.study.annotation.project import Project

LONGEST_COMMENT = 5000
_MOST_LINKS = 5000
_LONGEST_SECONDS = 24 * 3600.0
_LAST_VERSION = 2**31 - 1
_LINK_KEYS = frozenset({"source", "target", "sure", "proposed", "certainty"})
_KINDS = {str: "a text", bool: "true or false", int: "a whole number", list: "a list"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceForm:
    """A translation, its words, and links that count the words in `before`."""

    translation: str
    target: tuple[str, ...]
    before: tuple[str, ...]
    links: tuple[DrawnLink, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveForm:
    """What else is saved; `seconds` were spent since `version`."""

    version: int
    comment: str
    bookmark: bool
    done: bool
    seconds: float


def sentence_form(
    form: Mapping[str, Any],
    project: Project,
    *,
    words: Sequence[str],
    stored: Sequence[str],
) -> SentenceForm:
    """Return translation and links of a form; `stored` are the words that links count if nothing says so."""
    translation = _text(form, "translation", longest=LONGEST_TRANSLATION)
    target = tuple(project.target_words(translation))
    if len(target) > MOST_WORDS:
        raise _invalid(
            f"The translation has {counted(len(target), 'word')}; {MOST_WORDS} are possible."
        )
    before = tuple(_words(form["target"])) if "target" in form else tuple(stored)
    return SentenceForm(
        translation=translation,
        target=target,
        before=before,
        links=_links(_taken(form, "links", list), len(words), len(before)),
    )


def save_form(form: Mapping[str, Any]) -> SaveForm:
    """Return what is saved beside translation and links."""
    version = _taken(form, "version", int)
    if not 0 <= version < _LAST_VERSION:
        raise _invalid(f"version is {version}; it counts saves from 0.")
    seconds = form.get("seconds", 0)
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not is_number or not 0 <= seconds <= _LONGEST_SECONDS:
        raise _invalid("seconds must be a number from 0 to 86400.")
    return SaveForm(
        version=version,
        comment=_text(form, "comment", longest=LONGEST_COMMENT),
        bookmark=_taken(form, "bookmark", bool),
        done=_taken(form, "done", bool),
        seconds=float(seconds),
    )


def _invalid(message: str) -> RefusedError:
    return RefusedError(422, "invalid", message)


def _taken(form: Mapping[str, Any], key: str, kind: type) -> Any:
    value = form.get(key)
    # Python counts true and false among whole numbers; JSON does not.
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise _invalid(f"{key} must be {_KINDS[kind]}.")
    return value


def _text(form: Mapping[str, Any], key: str, *, longest: int) -> str:
    text: str = _taken(form, key, str)
    return _storable(text, key, longest=longest)


def _storable(text: str, key: str, *, longest: int) -> str:
    if len(text) > longest:
        raise _invalid(f"{key} has {len(text)} characters; {longest} are possible.")
    for character in text:
        # Databases and files have no place for these; a line break is not part of a sentence's line.
        if unicodedata.category(character) == "Cs" or character == "\x00":
            raise _invalid(f"{key} holds a character that cannot be stored.")
    if key == "translation" and len(text.splitlines()) > 1:
        raise _invalid("The translation must be one line.")
    return text


def _words(given: Any) -> list[str]:
    if not isinstance(given, list) or len(given) > MOST_WORDS:
        raise _invalid(f"target must be a list of words, up to {MOST_WORDS}.")
    if not all(isinstance(word, str) and len(word) <= LONGEST_TRANSLATION for word in given):
        raise _invalid("target must be a list of words.")
    return given


def _links(given: Sequence[Any], sources: int, targets: int) -> tuple[DrawnLink, ...]:
    if len(given) > _MOST_LINKS:
        raise _invalid(f"There are {counted(len(given), 'link')}; {_MOST_LINKS} are possible.")
    found: dict[tuple[int, int], DrawnLink] = {}
    for entry in given:
        link = _link(entry, sources, targets)
        if link.pair in found:
            raise _invalid(f"The link {link.source}-{link.target} is there twice.")
        found[link.pair] = link
    return tuple(found[pair] for pair in sorted(found))


def _link(entry: Any, sources: int, targets: int) -> DrawnLink:
    if not isinstance(entry, dict) or entry.keys() - _LINK_KEYS:
        raise _invalid(f"Each link is an object with {', '.join(sorted(_LINK_KEYS))}.")
    source, target = _taken(entry, "source", int), _taken(entry, "target", int)
    if not 0 <= source < sources or not 0 <= target < targets:
        raise _invalid(
            f"The link {source}-{target} joins words that are not there: there are {sources} and "
            f"{targets}, counted from 0."
        )
    proposed = entry.get("proposed", False)
    certainty = entry.get("certainty")
    if not isinstance(proposed, bool):
        raise _invalid("proposed must be true or false.")
    is_number = isinstance(certainty, int | float) and not isinstance(certainty, bool)
    if certainty is not None and not (is_number and 0 < certainty <= 1):
        raise _invalid("certainty must be a number above 0 and at most 1, or null.")
    return DrawnLink(
        source,
        target,
        _taken(entry, "sure", bool),
        proposed,
        None if certainty is None else float(certainty),
    )
