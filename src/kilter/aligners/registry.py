"""Aligners by name."""

from __future__ import annotations

from kilter.aligners.aligner import Aligner
from kilter.core.language import base_language, check_code
from kilter.core.registry import Registry, check_knows
from kilter.core.settings import checked

ALIGNERS: Registry[Aligner] = Registry("kilter.aligners", "aligner")


MONOLINGUAL = "match"
"""What links two texts of one language where nobody chooses."""
WITH_MODEL = f"{MONOLINGUAL}:stages=exact+stem+embedding"
"""The same with the embedded model of English, for texts that are said to be English."""
BILINGUAL = "hmm"
"""What links a text and its translation where nobody chooses."""


def default_aligner(language: str | None) -> str:
    """Return what links two texts of one language where nobody chooses: with the model where there is one.

    >>> default_aligner("de"), default_aligner("en")
    ('match', 'match:stages=exact+stem+embedding')
    """
    return WITH_MODEL if base_language(language) == "en" else MONOLINGUAL


@checked
def aligner(specification: str, *, language: str | None = None) -> Aligner:
    """Return the aligner of a specification such as `match` or `match:language=de`.

    The language of the texts gives options that the specification leaves open, such as the stemmer; one
    that the aligner does not know is an `OptionError`.

    >>> aligner("match", language="zh").specification()
    'match:language=none'
    """
    made = ALIGNERS.make(specification, language=language)
    check_code(language)
    check_knows(made, made.only_language, base_language(language))
    return made
