"""From a text to CoNLL-U by any parser, block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from kilter import __version__
from kilter.core.corpus import TokenColumn, Vocabulary
from kilter.core.dependency_tree_column import (
    DependencyTreeColumn,
    DependencyTreeOrigin,
)
from kilter.core.settings import checked
from kilter.io.conllu import Treebank, write_conllu
from kilter.io.text import segment_words, text_lines
from kilter.io.tokenizer import DEFAULT_TOKENIZER, check_spaced, token_column
from kilter.parsers.parser import Parser
from kilter.parsers.registry import PARSERS
from kilter.parsers.registry import parser as make_parser
from kilter.run.cache.kept_parser import KeptParser
from kilter.run.scoring.text_note import ENGLISH, warn_of_language

if TYPE_CHECKING:
    from kilter.parsers.parser import NbestParses, Parses

Progress: TypeAlias = Callable[[int, int], None]

BLOCK = 2000
"""Lines that are parsed before their trees are written."""
_LANGUAGE_TAGS = 1
"""The row of a treebank's kept columns that holds the language's own tags."""


@checked
def parse(
    lines: object,
    *,
    parser: str | Parser = "model",
    tokenize: str = DEFAULT_TOKENIZER,
    cache: str | None = None,
    jobs: int = 1,
) -> Treebank:
    """Return the trees of a list of strings, one for each; an empty one has a tree without words.

    `trees` of the result is what `Trees` takes; written as CoNLL-U it is what the command writes.
    `cache` is a folder that keeps parses for other runs.

    >>> parse(["Cats sleep."], parser="perceptron").trees.heads.tolist()
    [1, -1, 1]
    """
    listed = text_lines(lines, where="lines")
    chosen = make_parser(PARSERS.specified(parser))
    vocabulary = Vocabulary()
    words = token_column(listed, tokenize, vocabulary)
    check_spaced(listed, where="lines", name=tokenize)
    warn_of_parser_language("lines", listed, chosen)
    parses = KeptParser(chosen, cache).parse(words, vocabulary, jobs=jobs)
    return _treebank(parses, 0, generator_comment(chosen, tokenize))


def warn_of_parser_language(name: str, lines: Iterable[str], chosen: Parser) -> None:
    """Warn where an English parser gets a text that is clearly not English."""
    if chosen.known_language == ENGLISH:
        remedy = "choose a parser that knows the language"
        warn_of_language([(name, lines)], f"the trees of {chosen.name}", remedy=remedy)


def block_text(
    name: str,
    lines: Sequence[str],
    begin: int,
    kept: KeptParser,
    *,
    tokenize: str,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Iterator[str]:
    """Yield the CoNLL-U of some lines of a named text, before which `begin` others stand."""
    vocabulary = Vocabulary()
    words = token_column(lines, tokenize, vocabulary)
    check_spaced(lines, where=name, name=tokenize)
    parses = kept.parse(words, vocabulary, jobs=jobs, progress=progress)
    yield from write_conllu(_treebank(parses, begin, generator_comment(kept.parser, tokenize)))


@checked
def parse_sentences(
    sentences: object,
    parser: Parser,
    *,
    cache: str | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> DependencyTreeColumn:
    """Return the trees of sentences that are split into words already; messages call them as the parser.

    `cache` is a folder that keeps parses for other runs.

    >>> from kilter.parsers.registry import parser
    >>> parse_sentences([["Cats", "sleep"], []], parser("perceptron")).heads.tolist()
    [1, -1]
    """
    listed = segment_words(sentences, where="sentences")
    warn_of_parser_language("sentences", [" ".join(words) for words in listed], parser)
    vocabulary = Vocabulary()
    offsets = np.zeros(len(listed) + 1, dtype=np.int64)
    np.cumsum([len(words) for words in listed], out=offsets[1:])
    words = TokenColumn(vocabulary.numbers(word for line in listed for word in line), offsets)
    found = KeptParser(parser, cache).parse(words, vocabulary, jobs=jobs, progress=progress)
    lines = np.arange(1, len(listed) + 1)
    return replace(
        found.trees,
        fine_tags=found.language_tags,
        origin=DependencyTreeOrigin(parser.signature(), lines, (None,) * len(lines)),
    )


def generator_comment(chosen: Parser, tokenize: str) -> str:
    """Return the comment that says which program, parser and tokeniser made a file."""
    return f"# generator = kilter {__version__} {chosen.signature()} tok:{tokenize}"


def _treebank(parses: Parses, begin: int, made: str) -> Treebank:
    trees = parses.trees
    comments = [
        [
            f"# sent_id = {begin + segment + 1}",
            f"# text = {' '.join(trees.vocabulary.text(TokenColumn(trees.words, trees.offsets), segment))}".rstrip(),
        ]
        for segment in range(len(trees))
    ]
    if begin == 0 and comments:
        comments[0].insert(0, made)
    return treebank_of(parses, comments)


def treebank_of(
    parses: Parses | NbestParses, comments: Sequence[Sequence[str]] | None = None
) -> Treebank:
    """Return parses as a treebank, with the language's own tags."""
    treebank = Treebank.of(parses.trees, comments)
    treebank.kept[_LANGUAGE_TAGS] = parses.language_tags
    return treebank
