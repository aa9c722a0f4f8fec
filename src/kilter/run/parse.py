"""From texts to CoNLL-U by any parser; a text in memory is one block of lines."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from kilter import __version__
from kilter.core.corpus import TokenColumn, Vocabulary, row_offsets
from kilter.core.counted import counted
from kilter.core.dependency_tree_column import (
    DependencyTreeColumn,
    DependencyTreeOrigin,
)
from kilter.core.errors import KilterWarning, OptionError
from kilter.core.settings import checked
from kilter.io.conllu import Treebank, write_conllu
from kilter.io.text import segment_words, text_lines
from kilter.io.tokenizer import DEFAULT_TOKENIZER, check_spaced, check_tokenizer, token_column
from kilter.parsers.parser import Parser, Parses
from kilter.parsers.registry import PARSERS
from kilter.parsers.registry import parser as make_parser
from kilter.run.cache.kept_parser import KeptParser
from kilter.run.engine.engine import Batch
from kilter.run.scoring.text_note import ENGLISH, warn_of_language

if TYPE_CHECKING:
    from kilter.io.text_file import TextStream

Progress: TypeAlias = Callable[[int, int], None]

BLOCK = 2000
"""Lines that are parsed before their trees are written, ..."""
NBEST_BLOCK = 500
"""... and lines of which each gets several trees."""
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
    task = ParsedLines(name="lines", parser=chosen, tokenize=tokenize, cache=cache, jobs=jobs)
    split = task.split(listed)
    _warn_of_language("lines", listed, chosen)
    return task.treebank(*split)


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
    words, vocabulary = _columns(sentences, parser)
    found = KeptParser(parser, cache).parse(words, vocabulary, jobs=jobs, progress=progress)
    lines = np.arange(1, len(words) + 1)
    return replace(
        found.trees,
        fine_tags=found.language_tags,
        origin=DependencyTreeOrigin(parser.signature(), lines, (None,) * len(lines)),
    )


@checked
def parse_nbest(
    sentences: object,
    parser: Parser,
    most: int,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Parses:
    """Return up to `most` different parses of each of some sentences that are split into words already.

    The trees of sentence s are `trees.parses[s]` to `trees.parses[s + 1]`, the best first. A parser that finds one
    tree only is an `OptionError`.

    >>> from kilter.parsers.registry import parser
    >>> found = parse_nbest([["Cats", "sleep"], ["Yes"]], parser("perceptron"), 3)
    >>> found.trees.parses.tolist(), found.trees.tree(0).heads
    ([0, 3, 4], (1, -1))
    """
    words, vocabulary = _columns(sentences, parser)
    return parser.parse_nbest(words, vocabulary, most, jobs=jobs, progress=progress)


def _columns(sentences: object, parser: Parser) -> tuple[TokenColumn, Vocabulary]:
    listed = segment_words(sentences, where="sentences")
    _warn_of_language("sentences", [" ".join(words) for words in listed], parser)
    vocabulary = Vocabulary()
    offsets = row_offsets(np.array([len(words) for words in listed], dtype=np.int64))
    return TokenColumn(
        vocabulary.numbers(word for line in listed for word in line), offsets
    ), vocabulary


class ParsedBlock(NamedTuple):
    """Sentences as CoNLL-U, and how many lines have fewer parses than asked for."""

    sentences: list[str]
    few: int

    def packed(self) -> bytes:
        """Return it as bytes."""
        return json.dumps(self._asdict(), ensure_ascii=False).encode()

    @classmethod
    def unpacked(cls, packed: bytes) -> ParsedBlock:
        """Return what was packed."""
        return cls(**json.loads(packed))


@dataclass(frozen=True, kw_only=True)
class ParsedLines:
    """What a worker does with lines of a text: it parses them and writes their trees, or several of each.

    Models and cache are read by whoever works, once.
    """

    name: str
    """What messages call the text."""
    parser: Parser
    tokenize: str
    nbest: int | None = None
    cache: str | None = None
    jobs: int = 1

    def __call__(self, batch: Batch[Sequence[str]]) -> ParsedBlock:
        """Return the sentences of a batch."""
        treebank = self.treebank(*self.split(batch.data), before=batch.first - 1)
        self._kept.forget()
        few = int((np.diff(treebank.trees.parses) < (self.nbest or 1)).sum())
        return ParsedBlock(list(write_conllu(treebank)), few)

    def split(self, lines: Sequence[str]) -> tuple[TokenColumn, Vocabulary]:
        """Return the words of lines."""
        vocabulary = Vocabulary()
        words = token_column(lines, self.tokenize, vocabulary)
        check_spaced(lines, where=self.name, name=self.tokenize)
        return words, vocabulary

    def treebank(self, words: TokenColumn, vocabulary: Vocabulary, *, before: int = 0) -> Treebank:
        """Return the trees of lines, `before` which so many others stand; the first of all says who made them."""
        if self.nbest is None:
            found = self._kept.parse(words, vocabulary, jobs=self.jobs)
        else:
            found = self.parser.parse_nbest(words, vocabulary, self.nbest, jobs=self.jobs)
        comments = _comments(found, before)
        if before == 0 and comments:
            made = f"{self.parser.signature()} tok:{self.tokenize}"
            comments[0].insert(0, f"# generator = kilter {__version__} {made}")
        return treebank_of(found, comments)

    @cached_property
    def _kept(self) -> KeptParser:
        return KeptParser(self.parser, self.cache)

    def check(self, text: TextStream) -> None:
        """Raise for whatever is wrong with a text or the options, and warn of a language that is not the parser's."""
        if self.nbest is not None and self.cache is not None:
            raise OptionError(
                "a cache keeps one tree for a sentence; leave --cache out with --nbest"
            )
        check_tokenizer(self.tokenize)
        _ = text.count
        _warn_of_language(self.name, text, self.parser)

    def batches(self, text: TextStream) -> Iterator[Batch[Sequence[str]]]:
        """Yield the lines of a text, some at a time; a parser that takes whole texts gets all at once."""
        size = BLOCK if self.nbest is None else NBEST_BLOCK
        if not self.parser.blocks:
            size = max(1, text.count)
        first = 1
        for lines in text.blocks(size):
            share = (first - 1 + len(lines)) / text.count
            yield Batch(data=lines, first=first, rows=len(lines), share=share)
            first += len(lines)


def _warn_of_language(name: str, lines: Iterable[str], chosen: Parser) -> None:
    """Warn where an English parser gets a text that is clearly not English."""
    if chosen.known_language == ENGLISH:
        remedy = "choose a parser that knows the language"
        warn_of_language([(name, lines)], f"the trees of {chosen.name}", remedy=remedy)


def warn_of_few(name: str, few: int, lines: int, most: int) -> None:
    """Warn of lines of a named text that got fewer parses than asked for, if there are any."""
    if few:
        warnings.warn(
            f"{name}: {counted(few, 'line')} of {lines} got fewer than {most} parses: so many different "
            "trees were not found",
            KilterWarning,
            stacklevel=2,
        )


def _comments(found: Parses, before: int) -> list[list[str]]:
    """Return sent_id and text of each tree, and of several of a line number and score."""
    trees = found.trees
    column = TokenColumn(trees.words, trees.offsets)
    scores = found.scores.tolist()
    comments = []
    for segment, first in enumerate(trees.parses[:-1].tolist()):
        for tree in range(first, int(trees.parses[segment + 1])):
            several = []
            if scores:
                several = [f"# parse = {tree - first + 1}", f"# score = {scores[tree]}"]
            text = f"# text = {' '.join(trees.vocabulary.text(column, tree))}".rstrip()
            comments.append([f"# sent_id = {before + segment + 1}", *several, text])
    return comments


def treebank_of(parses: Parses, comments: Sequence[Sequence[str]] | None = None) -> Treebank:
    """Return parses as a treebank, with the language's own tags."""
    treebank = Treebank.of(parses.trees, comments)
    treebank.kept[_LANGUAGE_TAGS] = parses.language_tags
    return treebank
