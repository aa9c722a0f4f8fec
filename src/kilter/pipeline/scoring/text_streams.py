"""Texts of any size: checked as wholes, and cut into blocks of the same segments."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kilter.engine.batch import Batch
from kilter.errors import InputError
from kilter.formats.line_stream import LineStream
from kilter.formats.tokenizer import (
    check_spaced_blocks,
    check_tokenizer,
    default_tokenizer,
)
from kilter.pipeline.scoring.corpus import Texts, check_filled, check_line_counts
from kilter.pipeline.scoring.empty_lines import EmptyLines
from kilter.pipeline.scoring.link_columns import link_columns, word_counts
from kilter.pipeline.scoring.run import Tools, chosen_tokenizer
from kilter.pipeline.scoring.trees import TREE_NEEDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kilter.formats.text_file import TextStream
    from kilter.pipeline.scoring.link_columns import LinkColumn
    from kilter.pipeline.scoring.measured_block import TextBlock
    from kilter.pipeline.scoring.settings import Settings
    from kilter.pipeline.scoring.structure_files import StructureFiles

BLOCK = 4096
"""Segments that are measured together, ..."""
_CHARACTERS = 1 << 22
"""... or fewer, of texts that have so many characters together."""
_GRAIN = 256


@dataclass(frozen=True, kw_only=True)
class TextStreams:
    """Texts by name, read some segments at a time; files of links and trees that come with them."""

    systems: Mapping[str, TextStream]
    references: Mapping[str, TextStream]
    source: tuple[str, TextStream] | None
    files: Mapping[str, str]
    structures: StructureFiles

    def check(self) -> None:
        """Raise an `InputError` for the first fault of any text; texts are counted on the way."""
        for stream in self._every():
            _ = stream.count

    @property
    def segments(self) -> int:
        """How many segments there are."""
        return next(iter(self.references.values())).count

    def whole(self) -> Texts:
        """Return all texts, links and trees in memory."""
        return self.structures.beside(
            Texts(
                systems={name: stream.lines() for name, stream in self.systems.items()},
                references={name: stream.lines() for name, stream in self.references.items()},
                source=None if self.source is None else (self.source[0], self.source[1].lines()),
                files=self.files,
            )
        )

    def unread(self) -> Texts:
        """Return texts of the same names without a line, for whoever asks what there is; links by file."""
        texts = Texts(
            systems=dict.fromkeys(self.systems, ()),
            references=dict.fromkeys(self.references, ()),
            source=None if self.source is None else (self.source[0], ()),
            files=self.files,
        )
        return replace(texts, links=self.structures.named_links(texts))

    @cached_property
    def links(self) -> tuple[LineStream, ...]:
        """Files of links, which are read with the texts."""
        return tuple(LineStream(column.path) for column in self.link_columns)

    @property
    def link_columns(self) -> tuple[LinkColumn, ...]:
        """What these files link."""
        return link_columns(self.structures, len(self.systems), len(self.references))

    def whole_because(self, settings: Settings) -> str | None:
        """Return why texts cannot be measured block by block; None where they can."""
        why = self.structures.whole_because()
        if why is not None:
            return why
        if any(stream.is_set for stream in self._every()):
            return "a text is a set of segments (.sgm)"
        return _whole_because(Tools.of(self.unread(), settings))

    def check_corpus(self, settings: Settings) -> None:
        """Raise for whatever is wrong with texts beside one another, as a corpus of them would."""
        named = self._named()
        tools, unread = Tools.of(self.unread(), settings), self.unread()
        check_line_counts([(name, stream.count) for name, stream in named])
        if settings.empty is EmptyLines.STOP:
            check_filled(named)
        name = chosen_tokenizer(unread, settings) or default_tokenizer(settings.language)
        check_tokenizer(name)
        if tools.uses_words():
            for text, stream in named:
                check_spaced_blocks(lambda text=stream: text.blocks(BLOCK), where=text, name=name)  # type: ignore[misc]
        self._check_links(settings)

    def _check_links(self, settings: Settings) -> None:
        """Raise for whatever is wrong with a file of links, as if all of it had been in memory."""
        texts, counts = [*self._every()], dict[int, NDArray[np.int64]]()
        for column, stream in zip(self.link_columns, self.links, strict=True):
            for place in column.texts:
                if place not in counts:
                    blocks = texts[place].blocks(BLOCK)
                    counts[place] = np.concatenate([word_counts(each, settings) for each in blocks])
            first, second = column.texts
            column.check(stream, (counts[first], counts[second]), size=BLOCK)

    def blocks(self) -> Iterator[Batch[TextBlock]]:
        """Yield the segments of all texts, some at a time; the cut depends on the texts alone."""
        streams: list[LineStream] = [*self._every(), *self.links]
        total, done = self.segments, 0
        begun: list[list[str]] = [[] for _ in streams]
        characters = 0
        for grains in self._grains(streams):
            for lines, grain in zip(begun, grains, strict=True):
                lines.extend(grain)
                characters += sum(map(len, grain))
            if len(begun[0]) >= BLOCK or characters >= _CHARACTERS:
                yield _block(begun, done, total)
                done += len(begun[0])
                begun, characters = [[] for _ in streams], 0
        if begun[0]:
            yield _block(begun, done, total)

    def _grains(self, streams: list[LineStream]) -> Iterator[tuple[tuple[str, ...], ...]]:
        readers = [stream.blocks(_GRAIN) for stream in streams]
        done = 0
        while True:
            grains = tuple(next(reader, ()) for reader in readers)
            for stream, grain in zip(streams, grains, strict=True):
                if len(grain) != len(grains[0]) or done + len(grain) > self.segments:
                    raise InputError("has other lines than before; was it changed meanwhile?",
                                     where=stream.name)  # fmt: skip
            if not grains[0]:
                break
            done += len(grains[0])
            yield grains
        if done != self.segments:
            raise InputError(
                "has fewer lines than before; was it changed meanwhile?", where=streams[0].name
            )

    def target_texts(self) -> list[tuple[str, TextStream]]:
        """Return the texts in the language of the systems as messages call them, references first."""
        systems = [(self.files.get(name, name), text) for name, text in self.systems.items()]
        return [*self.references.items(), *systems]

    def _named(self) -> list[tuple[str, TextStream]]:
        source = [self.source] if self.source else []
        systems = [(self.files.get(name, name), text) for name, text in self.systems.items()]
        return [*self.references.items(), *source, *systems]

    def _every(self) -> Iterator[TextStream]:
        yield from self.systems.values()
        yield from self.references.values()
        if self.source is not None:
            yield self.source[1]

    def digests(self) -> list[str]:
        """Return what tells the files from any others."""
        return [stream.digest() for stream in (*self._every(), *self.links)]


def _whole_because(tools: Tools) -> str | None:
    """Return which metric, aligner or parser looks at more than a block of texts."""
    for metric in tools.chosen.metrics.values():
        if metric.of_corpus:
            return f"{metric.name} weighs words by all references"
    for aligner in tools.aligners if tools.taking({"links"}) else ():
        if not aligner.blocks:
            return f"the aligner {aligner.name} learns from all segments"
    for parser in tools.parsers if tools.taking(TREE_NEEDS) else ():
        if not parser.blocks:
            return f"the parser {parser.name} takes whole texts"
    return None


def _block(lines: list[list[str]], done: int, total: int) -> Batch[TextBlock]:
    rows = len(lines[0])
    return Batch(
        data=tuple(map(tuple, lines)), first=done + 1, rows=rows, share=(done + rows) / total
    )
