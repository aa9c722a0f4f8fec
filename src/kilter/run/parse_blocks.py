"""Dependency trees of a text of any size, some lines at a time."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from kilter.core.errors import OptionError
from kilter.io.tokenizer import check_tokenizer
from kilter.run import parse_nbest
from kilter.run.cache.kept_parser import KeptParser
from kilter.run.engine.engine import Batch
from kilter.run.parse import BLOCK, block_text, warn_of_parser_language

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kilter.io.text_file import TextStream
    from kilter.parsers.parser import Parser


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
    """What a worker does with lines of a text: it parses them and writes their trees.

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
        begin = batch.first - 1
        if self.nbest is not None:
            found = parse_nbest.nbest_block(
                self.name,
                batch.data,
                begin,
                self.nbest,
                self.parser,
                tokenize=self.tokenize,
                jobs=self.jobs,
            )
            return ParsedBlock(*found)
        pieces = block_text(
            self.name, batch.data, begin, self._kept, tokenize=self.tokenize, jobs=self.jobs
        )
        made = ParsedBlock(list(pieces), 0)
        self._kept.forget()
        return made

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
        warn_of_parser_language(self.name, text, self.parser)

    def batches(self, text: TextStream) -> Iterator[Batch[Sequence[str]]]:
        """Yield the lines of a text, some at a time; a parser that takes whole texts gets all at once."""
        size = BLOCK if self.nbest is None else parse_nbest.BLOCK
        if not self.parser.blocks:
            size = max(1, text.count)
        first = 1
        for lines in text.blocks(size):
            share = (first - 1 + len(lines)) / text.count
            yield Batch(data=lines, first=first, rows=len(lines), share=share)
            first += len(lines)
