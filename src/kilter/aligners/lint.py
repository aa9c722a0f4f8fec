"""Checks of the links that reference reorderings are made from. [FRS]

The method asks one annotator to translate and to align, aiming at translations that are easy to align.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import category

from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError
from kilter.core.links import LinkBatch
from kilter.core.settings import checked
from kilter.io.text import segment_words
from kilter.results.links import Check, Finding, LintReport, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator


class LintWords(NamedTuple):
    """Words that need no link, personal pronouns, which should have one, and particles; in lower case.

    Particles are those that follow a content word and mark its role alone: nothing else translates them.
    """

    allowed: frozenset[str]
    pronouns: frozenset[str]
    particles: frozenset[str] = frozenset()


def _words(allowed: str, pronouns: str, particles: str = "") -> LintWords:
    return LintWords(
        frozenset(allowed.split()), frozenset(pronouns.split()), frozenset(particles.split())
    )


LINT_WORDS = {
    # Articles.
    "en": _words(
        "a an the",
        "i you he she it we they me him her us them myself yourself himself herself itself ourselves "
        "yourselves themselves",
    ),
    "de": _words(
        "der die das den dem des ein eine einen einem einer eines",
        "ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm ihnen",
    ),
    # Topic, subject and object markers, which many languages express by position alone.
    "ja": _words(
        "は が を",
        "私 わたし 僕 ぼく 俺 あなた 君 きみ 彼 彼女 私達 私たち 僕たち あなたたち 彼ら 彼女たち",
        "は が を も",
    ),
}


SEVERITIES = {
    Check.SOURCE: Severity.ERROR,
    Check.TARGET: Severity.ERROR,
    Check.SCATTERED: Severity.WARNING,
    Check.PRONOUN: Severity.WARNING,
    Check.PARTICLE: Severity.WARNING,
}

_NO_WORDS = LintWords(frozenset(), frozenset())


@checked
def lint(
    source: object,
    target: object,
    links: LinkBatch,
    *,
    language: str | None = "en",
    target_language: str | None = None,
    allowed: Iterable[str] = (),
    severities: Mapping[Check, Severity] | None = None,
) -> LintReport:
    """Return what is wrong with sentences and links as reference data. Section 5.3

    Every source word must be linked, except punctuation, the words that the language of the source allows
    and those in `allowed`; every target word must be linked; the target words of a source word should
    stand together; personal pronouns should be linked, which is said of them besides. Particles of the
    `target_language` that mark a role should have a source word in common with the content word before
    them. The links lie inside their sentences.

    >>> from kilter.core.links import LinkBatch
    >>> report = lint([["the", "cat", "sat"]], [["neko"]], LinkBatch.of([[(1, 0)]]))
    >>> [(str(finding.check), finding.word) for finding in report.findings], report.clean
    ([('source-unaligned', 'sat')], 0)
    """
    for given in (language, target_language):
        if given is not None and given not in LINT_WORDS:
            listed = ", ".join(LINT_WORDS)
            raise OptionError(
                f"there are no word lists for the language {given!r}; there are {listed}, or none with "
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
    own, other = (
        LINT_WORDS[given] if given else _NO_WORDS for given in (language, target_language)
    )
    free = {*own.allowed, *(word.lower() for word in allowed)}
    checker = _Checker(free, own.pronouns, other.particles)
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
    return LintReport(
        segments=len(links),
        severities=chosen,
        findings=tuple(findings),
        skipped=_skipped(chosen, own, other),
    )


def _skipped(
    severities: Mapping[Check, Severity], source: LintWords, target: LintWords
) -> dict[Check, str]:
    """Return the checks that cannot find anything, and what makes them run."""
    pronouns = [name for name, words in LINT_WORDS.items() if words.pronouns]
    particles = [name for name, words in LINT_WORDS.items() if words.particles]
    reasons = {}
    if not source.pronouns:
        reasons[Check.PRONOUN] = f"it needs --language {' or '.join(pronouns)}"
    if not target.particles:
        reasons[Check.PARTICLE] = f"it needs --target-language {' or '.join(particles)}"
    off = [check for check, severity in severities.items() if severity is Severity.OFF]
    return {**reasons, **dict.fromkeys(off, "its severity is off")}


class _Checker:
    def __init__(
        self, allowed: set[str], pronouns: frozenset[str], particles: frozenset[str]
    ) -> None:
        self.allowed = allowed
        self.pronouns = pronouns
        self.particles = particles

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
        yield from self._particles(target, links)

    def _particles(
        self, target: Sequence[str], links: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[Check, int, str, str]]:
        """Yield particles that have no source word in common with the linked content word before them."""
        content = None
        for position, word in enumerate(target):
            if word not in self.particles:
                content = None if is_punctuation(word) else position
            elif content is not None:
                one, other = (
                    {first for first, second in links if second == place}
                    for place in (content, position)
                )
                if one and not one & other:
                    yield (Check.PARTICLE, position, word,
                           f"this particle belongs with {target[content]}; link both with the same word")  # fmt: skip


def is_punctuation(word: str) -> bool:
    """Return whether a word holds neither letters nor digits nor any other sign that means something.

    >>> is_punctuation("..."), is_punctuation("%"), is_punctuation("U.S.")
    (True, True, False)
    """
    return all(category(character).startswith("P") for character in word)
