"""Links between two texts by any aligner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.align.registry import aligner as make_aligner
from kilter.align.stemmer import NO_STEMMER, UNSTEMMED
from kilter.formats.tokenizer import check_spaced, tokenizer
from kilter.pipeline.corpus import Texts, check_counts
from kilter.structures.language import base_language, check_knows
from kilter.structures.token_column import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kilter.align.aligner import Aligner
    from kilter.structures.link_batch import LinkBatch

    Named = tuple[str, Sequence[str]]


def align_texts(
    first: Named,
    second: Named,
    *,
    aligner: str = "match",
    tokenize: str = "none",
    language: str | None = None,
    lowercase: bool = False,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[LinkBatch, tuple[list[list[str]], list[list[str]]]]:
    """Return the links between two named texts and the words that they count."""
    check_counts(Texts(systems=dict([first]), references=dict([second])))
    chosen = language_aligner(aligner, language)
    split = tokenizer(tokenize)
    words = tuple(
        [split(line.lower() if lowercase else line) for line in lines]
        for _, lines in (first, second)
    )
    vocabulary = Vocabulary()
    columns = vocabulary.column(words[0]), vocabulary.column(words[1])
    for name, lines in (first, second):
        check_spaced(lines, where=name, name=tokenize)
    links = chosen.align(columns[0], columns[1], vocabulary, jobs=jobs, progress=progress)
    return links, (words[0], words[1])


def language_aligner(specification: str, language: str | None) -> Aligner:
    """Return the aligner; the language of the texts is that of its stemmer unless it says otherwise.

    >>> language_aligner("match", "zh").specification()
    'match:language=none'
    """
    name, colon, options = str(specification).partition(":")
    base = base_language(language)
    if base and name == "match" and "language=" not in options:
        stemmed = NO_STEMMER if base in UNSTEMMED else base
        specification += ("," if colon else ":") + f"language={stemmed}"
    made = make_aligner(specification)
    check_knows(made, made.only_language, base)
    return made
