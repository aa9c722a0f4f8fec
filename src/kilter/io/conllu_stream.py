"""A file of CoNLL-U of any size: checked as a whole, then read some segments at a time."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from kilter.core.errors import InputError
from kilter.io.conllu import (
    OTHER_WORDS,
    ConlluFault,
    ConlluParser,
    fault_error,
    no_trees,
    parsed_trees,
    refuse_table,
    said_in,
)
from kilter.io.text import LineStream, TextCheck, bounded, line_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kilter.core.dependency_tree_column import DependencyTreeColumn

_END = "\n\n"
"""Ends a sentence."""


class ConlluStream(LineStream):
    """Segments of a file as text: each all its sentences, several where it has several parses.

    What `read_trees` refuses is refused when segments are counted, with the same error.
    """

    @cached_property
    def count(self) -> int:
        """How many segments there are; the first thing that is wrong with any is an `InputError`."""
        return sum(map(len, self.columns()))

    def columns(self) -> Iterator[DependencyTreeColumn]:
        """Yield the trees of all segments, some at a time.

        The first thing that is wrong with the file is an `InputError`, once all of it was looked at.
        """
        check, faults, lines = TextCheck(), _Faults(), 0
        for piece in _cut(self._checked(check)):
            if faults.is_settled:
                continue
            text = "".join(piece)
            parser = faults.parsed(text, lines)
            lines += text.count("\n")
            if not faults:
                yield parsed_trees(parser, self.name)
        problem = check.problem()
        if problem is not None:
            if not check.lines:
                raise no_trees(self.name)
            raise InputError(problem.reason, where=f"{self.name}:{problem.line}")
        fault = faults.first()
        if fault is not None:
            raise fault_error(self.name, fault)

    def _checked(self, check: TextCheck) -> Iterator[str]:
        refuse_table(self.source)
        pieces = bounded(self.source.chunks(again=True), self.most, what="trees", name=self.name)
        for block in line_blocks(pieces):
            check.add(block)
            if not check.has_problem:  # which is told before anything about trees
                yield block.decode()

    def _pieces(self) -> Iterator[tuple[str, ...]]:
        blocks = line_blocks(self.source.chunks(again=True))
        for piece in _cut(block.decode() for block in blocks):
            yield tuple(map(_ended, piece))


class _Faults:
    """The first fault of a file among those of its pieces, as if they were looked at together."""

    def __init__(self) -> None:
        self._of_sentences: list[ConlluFault] = []
        self._of_numbers: list[ConlluFault] = []
        self._of_words: list[ConlluFault] = []

    def __bool__(self) -> bool:
        return self.first() is not None

    @property
    def is_settled(self) -> bool:
        """Whether no later sentence can have the first fault."""
        return bool(self._of_sentences)

    def parsed(self, text: str, before: int) -> ConlluParser:
        """Return a parser of some segments below so many lines; those at the end of a file may be cut off."""
        parser = ConlluParser(kept=False, before=before)
        parser.feed(_ended(text))
        if not text.endswith(_END):
            parser.refuse_cut_comments()
        sentences = set(parser.faults)
        parser.finish()
        others = [fault for fault in parser.faults if fault not in sentences]
        for kept, more in (
            (self._of_sentences, sentences),
            (self._of_numbers, [fault for fault in others if fault.reason != OTHER_WORDS]),
            (self._of_words, [fault for fault in others if fault.reason == OTHER_WORDS]),
        ):
            kept[:] = sorted([*kept, *more])[:1]
        return parser

    def first(self) -> ConlluFault | None:
        """Return the first fault; the words of parses are compared where every sentence can be read."""
        words = [] if self._of_sentences else self._of_words
        return min([*self._of_sentences, *self._of_numbers, *words], default=None)


def _ended(text: str) -> str:
    """Return the text of sentences with an empty line at its end, which a file may lack."""
    return text if text.endswith(_END) else text.removesuffix("\n") + _END


def _cut(texts: Iterable[str]) -> Iterator[list[str]]:
    """Yield segments of pieces of whole lines, as many at a time as come together.

    The last of a file may lack the empty line at its end.
    """
    begun: list[str] = []
    segment: list[str] = []
    for text in texts:
        if _END not in text and not (begun and text.startswith("\n")):
            begun.append(text)
            continue
        *sentences, rest = "".join([*begun, text]).split(_END)
        begun = [rest] if rest else []
        done = []
        for sentence in sentences:
            if segment and not _goes_on(sentence):
                done.append("".join(segment))
                segment = []
            segment.append(sentence + _END)
        if done:
            yield done
    last = "".join(begun)
    if segment and last and not _goes_on(last):
        yield ["".join(segment)]
        segment = []
    if segment or last:
        yield ["".join([*segment, last])]


def _goes_on(sentence: str) -> bool:
    """Return whether a sentence is a further parse of the segment before it."""
    if "parse" not in sentence:
        return False
    comments = (line for line in sentence.split("\n") if line.startswith("#"))
    return said_in(comments).get("parse", "1") != "1"
