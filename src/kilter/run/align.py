"""Links between two texts by any aligner."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from kilter.aligners.aligner import Aligner
from kilter.aligners.em_aligner import EmAligner
from kilter.aligners.registry import ALIGNERS, default_aligner
from kilter.aligners.registry import aligner as make_aligner
from kilter.core.argument import checked
from kilter.core.letter_case import has_dotless_i, lowered
from kilter.core.link_batch import LinkBatch
from kilter.core.token_column import Vocabulary
from kilter.io.text_list import text_lines
from kilter.io.tokenizer import check_spaced, default_tokenizer, tokenizer
from kilter.run.cache.kept_aligner import KeptAligner
from kilter.run.scoring.corpus import Texts, check_counts
from kilter.run.scoring.language_note import ENGLISH, warn_of_language

Named: TypeAlias = tuple[str, object]
"""What messages call a text, and its lines."""


@checked
def align(
    first: object,
    second: object,
    *,
    aligner: str | Aligner | None = None,
    tokenize: str | None = None,
    language: str | None = None,
    lowercase: bool = False,
    cache: str | None = None,
    jobs: int = 1,
) -> LinkBatch:
    """Return the links between two lists of strings; positions count words from 0.

    The texts are hypotheses and references, or, for an aligner such as `hmm`, sources and translations.
    Words are those of `score`: of the tokeniser 13a unless language or `tokenize` ask for another; "none"
    takes them as they stand between blanks. `cache` is a folder that keeps links for other runs.

    >>> align(["the mat sat on a cat"], ["a cat sat on the mat"]).segment(0)
    [(0, 4), (1, 5), (2, 2), (3, 3), (4, 0), (5, 1)]
    """
    links, _ = align_texts(
        ("first", first),
        ("second", second),
        aligner=aligner,
        tokenize=tokenize,
        language=language,
        lowercase=lowercase,
        cache=cache,
        jobs=jobs,
    )
    return links


@checked
def align_texts(  # noqa: PLR0913 - every option of the command
    first: Named,
    second: Named,
    *,
    aligner: str | Aligner | None = None,
    tokenize: str | None = None,
    language: str | None = None,
    lowercase: bool = False,
    cache: str | None = None,
    certainty: bool = False,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[LinkBatch, tuple[list[list[str]], list[list[str]]]]:
    """Return the links between two named texts and the words that they count.

    With `certainty`, aligners that take longer to say how certain links are say it, too.
    """
    texts = [(name, text_lines(lines, where=name)) for name, lines in (first, second)]
    check_counts(Texts(systems=dict(texts[:1]), references=dict(texts[1:])))
    named = default_aligner(language) if aligner is None else ALIGNERS.specified(aligner)
    chosen = make_aligner(named, language=language)
    name = tokenize or default_tokenizer(language)
    split = tokenizer(name)
    turkic = chosen.monolingual and has_dotless_i(language)
    words = tuple(
        [split(lowered(line, turkic=turkic) if lowercase else line) for line in lines]
        for _, lines in texts
    )
    vocabulary = Vocabulary(turkic=turkic)
    columns = vocabulary.column(words[0]), vocabulary.column(words[1])
    for text, lines in texts:
        check_spaced(lines, where=text, name=name)
    if language is None and chosen.assumed_language == ENGLISH:
        warn_of_language(texts, f"the stems of {chosen.name}")
    if certainty and isinstance(chosen, EmAligner):
        sides = *columns, vocabulary
        return chosen.align_with_certainty(*sides, jobs=jobs, progress=progress), (
            words[0],
            words[1],
        )
    kept = KeptAligner.of_words(chosen, cache, tokenizer=name, lowercase=lowercase)
    links = kept.align(*columns, vocabulary, jobs=jobs, progress=progress)
    return links, (words[0], words[1])
