"""Several parses of every sentence, the best first, as n-best CoNLL-U."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from kilter.core.corpus import TokenColumn, Vocabulary
from kilter.core.counted import counted
from kilter.core.errors import KilterWarning
from kilter.core.settings import checked
from kilter.io.conllu import write_conllu
from kilter.io.text import segment_words
from kilter.io.tokenizer import check_spaced, token_column
from kilter.parsers.parser import NbestParses, Parser
from kilter.run.parse import generator_comment, treebank_of, warn_of_parser_language

if TYPE_CHECKING:
    from collections.abc import Sequence

Progress: TypeAlias = Callable[[int, int], None]

BLOCK = 500
"""Lines that are parsed before their trees are written."""


@checked
def parse_nbest(
    sentences: object,
    parser: Parser,
    most: int,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> NbestParses:
    """Return up to `most` different parses of each of some sentences that are split into words already.

    The trees of sentence s are `trees.parses[s]` to `trees.parses[s + 1]`, the best first. A parser that finds one
    tree only is an `OptionError`.

    >>> from kilter.parsers.registry import parser
    >>> found = parse_nbest([["Cats", "sleep"], ["Yes"]], parser("perceptron"), 3)
    >>> found.trees.parses.tolist(), found.trees.tree(0).heads
    ([0, 3, 4], (1, -1))
    """
    listed = segment_words(sentences, where="sentences")
    warn_of_parser_language("sentences", [" ".join(words) for words in listed], parser)
    vocabulary = Vocabulary()
    offsets = np.zeros(len(listed) + 1, dtype=np.int64)
    np.cumsum([len(words) for words in listed], out=offsets[1:])
    words = TokenColumn(vocabulary.numbers(word for line in listed for word in line), offsets)
    return parser.parse_nbest(words, vocabulary, most, jobs=jobs, progress=progress)


def nbest_block(
    name: str,
    lines: Sequence[str],
    begin: int,
    most: int,
    parser: Parser,
    *,
    tokenize: str,
    jobs: int = 1,
) -> tuple[list[str], int]:
    """Return the CoNLL-U of some lines of a named text, and how many of them have fewer parses than asked for."""
    vocabulary = Vocabulary()
    words = token_column(lines, tokenize, vocabulary)
    check_spaced(lines, where=name, name=tokenize)
    found = parser.parse_nbest(words, vocabulary, most, jobs=jobs)
    comments = _comments(found, begin)
    if begin == 0 and comments:
        comments[0].insert(0, generator_comment(parser, tokenize))
    few = int((np.diff(found.trees.parses) < most).sum())
    return list(write_conllu(treebank_of(found, comments))), few


def warn_of_few(name: str, few: int, lines: int, most: int) -> None:
    """Warn of lines of a named text that got fewer parses than asked for, if there are any."""
    if few:
        warnings.warn(
            f"{name}: {counted(few, 'line')} of {lines} got fewer than {most} parses: so many different "
            "trees were not found",
            KilterWarning,
            stacklevel=2,
        )


def _comments(found: NbestParses, begin: int) -> list[list[str]]:
    """Return sent_id, number, score and text of each tree."""
    trees, scores = found.trees, found.scores.tolist()
    column = TokenColumn(trees.words, trees.offsets)
    return [
        [
            f"# sent_id = {begin + segment + 1}",
            f"# parse = {tree - first + 1}",
            f"# score = {scores[tree]}",
            f"# text = {' '.join(trees.vocabulary.text(column, tree))}".rstrip(),
        ]
        for segment, (first, end) in enumerate(
            zip(trees.parses[:-1].tolist(), trees.parses[1:].tolist(), strict=True)
        )
        for tree in range(first, end)
    ]
