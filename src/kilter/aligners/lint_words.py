"""Words that a linter of reference links treats specially, by language: a new language is one entry."""

from __future__ import annotations

from typing import NamedTuple


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
