"""Checks of the links that reference reorderings are made from. [FRS]

The method asks one annotator to translate and to align, aiming at translations that are easy to align.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING
from unicodedata import category

from kilter.aligners.lint_words import LINT_WORDS
from kilter.counted import counted
from kilter.errors import InputError, OptionError
from kilter.formats.text_list import segment_words
from kilter.options.argument import checked
from kilter.structures.link.link_batch import LinkBatch
from kilter.structures.result.lint_report import Check, Finding, LintReport, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator


SEVERITIES = {
    Check.SOURCE: Severity.ERROR,
    Check.TARGET: Severity.ERROR,
    Check.SCATTERED: Severity.WARNING,
    Check.PRONOUN: Severity.WARNING,
}


@checked
def lint(
    source: object,
    target: object,
    links: LinkBatch,
    *,
    language: str | None = "en",
    allowed: Iterable[str] = (),
    severities: Mapping[Check, Severity] | None = None,
) -> LintReport:
    """Return what is wrong with sentences and links as reference data. Section 5.3

    Every source word must be linked, except punctuation, the words that the language of the source allows
    and those in `allowed`; every target word must be linked; the target words of a source word should
    stand together; personal pronouns should be linked, which is said of them besides. The links lie
    inside their sentences.

    >>> from kilter.structures.link.link_batch import LinkBatch
    >>> report = lint([["the", "cat", "sat"]], [["neko"]], LinkBatch.of([[(1, 0)]]))
    >>> [(str(finding.check), finding.word) for finding in report.findings], report.clean
    ([('source-unaligned', 'sat')], 0)
    """
    if language is not None and language not in LINT_WORDS:
        listed = ", ".join(LINT_WORDS)
        raise OptionError(
            f"there are no word lists for the language {language!r}; there are {listed}, or none with "
            "words of your own"
        )
    sides = [
        segment_words(words, where=name) for name, words in (("source", source), ("target", target))
    ]
    if not len(sides[0]) == len(sides[1]) == len(links):
        raise InputError(
            f"the source has {counted(len(sides[0]), 'segment')}, the target {len(sides[1])} and the links "
            f"{len(links)}; all need equally many"
        )
    free, pronouns = LINT_WORDS[language] if language else (frozenset[str](), frozenset[str]())
    checker = _Checker({*free, *(word.lower() for word in allowed)}, pronouns)
    chosen = {**SEVERITIES, **(severities or {})}
    findings = [
        Finding(
            check=check,
            severity=chosen[check],
            segment=segment,
            position=position,
            word=word,
            reason=reason,
        )
        for segment in range(len(links))
        for check, position, word, reason in checker.run(
            sides[0][segment], sides[1][segment], links.segment(segment)
        )
        if chosen[check] is not Severity.OFF
    ]
    return LintReport(segments=len(links), severities=chosen, findings=tuple(findings))


class _Checker:
    def __init__(self, allowed: set[str], pronouns: frozenset[str]) -> None:
        self.allowed = allowed
        self.pronouns = pronouns

    def run(
        self, source: Sequence[str], target: Sequence[str], links: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[Check, int, str, str]]:
        partners: dict[int, list[int]] = {}
        for first, second in links:
            partners.setdefault(first, []).append(second)
        for position, word in enumerate(source):
            if position in partners:
                places = sorted(partners[position])
                if places[-1] - places[0] >= len(places):
                    listed = ", ".join(map(str, places))
                    yield (Check.SCATTERED, position, word,
                           f"its target words {listed} do not stand together")  # fmt: skip
            elif word.lower() not in self.allowed and not is_punctuation(word):
                yield Check.SOURCE, position, word, "this source word has no link"
                if word.lower() in self.pronouns:
                    yield Check.PRONOUN, position, word, "this pronoun has no link; translate it"
        linked = {second for _, second in links}
        for position, word in enumerate(target):
            if position not in linked:
                yield Check.TARGET, position, word, "this target word has no link"


def is_punctuation(word: str) -> bool:
    """Return whether a word holds neither letters nor digits nor any other sign that means something.

    >>> is_punctuation("..."), is_punctuation("%"), is_punctuation("U.S.")
    (True, True, False)
    """
    return all(category(character).startswith("P") for character in word)
