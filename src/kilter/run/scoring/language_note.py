"""What is said of texts that are taken for English and clearly are not."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from kilter.aligners.stemmer import LACKING
from kilter.core.counted import counted
from kilter.core.errors import KilterWarning
from kilter.core.language import MISTAKABLE, base_language
from kilter.core.language_guess import not_english

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kilter.run.scoring.run import Run

ENGLISH = "en"
NAMING = "name the language"


def language_note(
    texts: Sequence[tuple[str, Iterable[str]]], assumed: str, *, remedy: str = NAMING
) -> str | None:
    """Return that named texts seem to be in another language than was assumed; None where all may be so.

    >>> language_note([("a.de", ["Das ist der Hund , den ich sah ."])], "the stems of match")
    'a.de: seems to be German, but no language was named, so that the stems of match are English; name the \
language, such as de'
    """
    others = [(name, guess) for name, lines in texts if (guess := not_english(lines)) is not None]
    if not others:
        return None
    (name, guess), *rest = others
    more = f" (and {counted(len(rest), 'more text')})" if rest else ""
    example = f", such as {guess.code}" if guess.code and remedy == NAMING else ""
    return (
        f"{name}{more}: seems to be {guess.seems}, but no language was named, so that {assumed} are English; "
        f"{remedy}{example}"
    )


def run_language_notes(
    run: Run, language: str | None, texts: Sequence[tuple[str, Iterable[str]]]
) -> list[str]:
    """Return what of a run is English though its texts seem not to be, or what its language lacks."""
    if language is not None:
        other = _other_language(texts) if base_language(language) == ENGLISH else []
        return [*other, *_lacking_notes(run, language)]
    assumed: dict[str, None] = {}
    for metric in run.metrics.values():
        for one in run.uses(metric):
            stems = run.runs_aligner and run.takes_links(metric)
            if stems and one.aligner.assumed_language == ENGLISH:
                assumed[f"the stems of {one.aligner.name}"] = None
            if run.takes_meaning(metric):
                assumed[f"the word vectors of {metric.name}"] = None
            parser = one.parser if run.takes_trees(metric) else None
            if parser is not None and parser.known_language == ENGLISH:
                assumed[f"the trees of {parser.name}"] = None
    note = language_note(texts, " and ".join(assumed)) if assumed else None
    return [] if note is None else [note]


def _other_language(texts: Sequence[tuple[str, Iterable[str]]]) -> list[str]:
    """Return that a text seems not to be in English, which was named."""
    for name, lines in texts:
        guess = not_english(lines)
        if guess is not None:
            code = f", such as {guess.code}" if guess.code else ""
            return [
                f"{name}: seems to be {guess.seems}, but the language named is en; name its own{code}"
            ]
    return []


def _lacking_notes(run: Run, language: str) -> list[str]:
    """Return that the stems that a run looks for are those of a language without a stemmer."""
    base = base_language(language)
    if base not in LACKING or not run.runs_aligner:
        return []
    used = (
        one.aligner
        for metric in run.metrics.values()
        if run.takes_links(metric)
        for one in run.uses(metric)
    )
    if not any(each.lacks_stemmer for each in used):
        return []
    fault = f"there is no stemmer for the language {language}, so that match links words of the same form alone"
    name, code = MISTAKABLE.get(base, ("", ""))
    meant = f" ({name} is {code})" if name else ""
    return [f"{fault}{meant}; match:stages=exact+similar links similar ones, too"]


def warn_of_language(
    texts: Sequence[tuple[str, Iterable[str]]], assumed: str, *, remedy: str = NAMING
) -> None:
    """Warn of texts that are taken for English, without a word from anybody, and seem not to be."""
    note = language_note(texts, assumed, remedy=remedy)
    if note is not None:
        warnings.warn(note, KilterWarning, stacklevel=3)
