"""Texts of any size: checked as wholes, and cut into blocks of the same segments."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from kilter.core.errors import InputError
from kilter.io.conllu import segment_trees
from kilter.io.conllu_stream import ConlluStream
from kilter.io.output import is_stream
from kilter.io.stream import display_name
from kilter.io.table import is_only_table
from kilter.io.text import LineStream, count_together, most_bytes
from kilter.io.text_file import TextStream, text_part
from kilter.io.tokenizer import (
    check_spaced_blocks,
    check_tokenizer,
)
from kilter.run.engine.engine import Batch
from kilter.run.scoring.corpus import Texts, check_line_counts
from kilter.run.scoring.links import LinkLines
from kilter.run.scoring.run import Run, Tools, chosen_tokenizer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kilter.run.scoring.settings import Settings
    from kilter.run.scoring.structure_files import StructureFiles

BLOCK = 4096
"""Segments that are measured together, ..."""
_CHARACTERS = 1 << 22
"""... or fewer, of texts that have so many characters together."""
_GRAIN = 256
_MOST_WHOLE = 1_000_000
"""Segments of texts that are read into memory to say all that is wrong with them."""


@dataclass(frozen=True, kw_only=True)
class TextBlock:
    """Some segments of texts, of their links and of their trees."""

    columns: tuple[tuple[str, ...], ...]
    """Lines of every system, of every reference, of the source where there is one, and of files of links, then
    segments of files of trees."""
    tree_lines: tuple[int, ...] = ()
    """The number of the first line of each file of trees, counted from 1."""


@dataclass(frozen=True, kw_only=True)
class TextForm:
    """How texts of these names are made of blocks."""

    systems: tuple[str, ...]
    references: tuple[str, ...]
    source: str | None
    files: Mapping[str, str]
    structures: StructureFiles

    def texts(self, batch: Batch[TextBlock]) -> Texts:
        """Return a block as texts of their own, with their links and trees."""
        files, first, columns = self.structures, batch.first, iter(batch.data.columns)
        systems, references = (
            dict(zip(names, columns, strict=False)) for names in (self.systems, self.references)
        )
        source = None if self.source is None else (self.source, next(columns))
        links = [
            LinkLines(path, files.form, lines=next(columns), first=first)
            for path in files.link_paths
        ]
        trees = [
            segment_trees(next(columns), name=display_name(path), line=line)
            for path, line in zip(files.tree_paths, batch.data.tree_lines, strict=True)
        ]
        return Texts(
            systems=systems,
            references=references,
            source=source,
            files=self.files,
            links=files.links_of(links, len(references)),
            trees=files.trees_of(trees),
            before=first - 1,
        )


@dataclass(frozen=True, kw_only=True)
class TextStreams:
    """Texts by name, read some segments at a time; files of links and trees that come with them."""

    systems: Mapping[str, TextStream]
    references: Mapping[str, TextStream]
    source: tuple[str, TextStream] | None
    files: Mapping[str, str]
    structures: StructureFiles
    notes: tuple[str, ...] = ()

    @property
    def form(self) -> TextForm:
        """How texts are made of blocks of these."""
        return TextForm(
            systems=tuple(self.systems),
            references=tuple(self.references),
            source=None if self.source is None else self.source[0],
            files=dict(self.files),
            structures=self.structures,
        )

    def called(self, system: str) -> str:
        """Return how messages call a system."""
        return self.files.get(system, system)

    def check(self) -> None:
        """Raise an `InputError` for the first fault of any text; texts are counted on the way."""
        streams = [*self._every()]
        count_together(streams)
        if not any(stream.is_set for stream in streams):  # which say more than numbers of lines
            check_line_counts([(name, stream.count) for name, stream in self._named()])

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
                notes=self.notes,
            )
        )

    def unread(self) -> Texts:
        """Return texts of the same names without a line, for whoever asks what there is."""
        return self.structures.unread(
            Texts(
                systems=dict.fromkeys(self.systems, ()),
                references=dict.fromkeys(self.references, ()),
                source=None if self.source is None else (self.source[0], ()),
                files=self.files,
            )
        )

    @cached_property
    def links(self) -> tuple[LineStream, ...]:
        """Files of links, or columns of tables, which are read with the texts."""
        return tuple(
            TextStream(path) if is_only_table(text_part(path).path) else LineStream(path)
            for path in self.structures.link_paths
        )

    @cached_property
    def trees(self) -> tuple[ConlluStream, ...]:
        """Files of trees, which are read with the texts."""
        return tuple(map(ConlluStream, self.structures.tree_paths))

    def whole_because(self, settings: Settings) -> str | None:
        """Return why texts cannot be measured block by block; None where they can."""
        why = self.structures.whole_because()
        if why is not None:
            return why
        if any(stream.is_set for stream in self._every()):
            return "a text is a set of segments (.sgm)"
        tools = Tools.of(self.unread(), settings)
        check_tokenizer(self.tokenizer(settings))
        return _whole_because(tools)

    def check_corpus(self, settings: Settings) -> None:
        """Raise for whatever is wrong with texts beside one another, but for what blocks show.

        Files of links and trees are checked as far as they say something without the texts.
        """
        tools, name = Tools.of(self.unread(), settings), self.tokenizer(settings)
        check_line_counts([(name, stream.count) for name, stream in self._named()])
        check_tokenizer(name)
        if tools.uses_words():
            for text, stream in self._named():
                check_spaced_blocks(lambda text=stream: text.blocks(BLOCK), where=text, name=name)  # type: ignore[misc]
        most = most_bytes(self.segments, max(stream.size for stream in self._every()))
        for beside in (*self.trees, *self.links):
            beside.most = most
            if beside.count != self.segments:
                raise InputError("has other segments than the texts", where=beside.name)

    def check_whole(self, settings: Settings) -> None:
        """Raise what is said of a fault where all texts are in memory; texts of very many segments are not read."""
        files = [*self.links, *self.trees]
        if self.segments <= _MOST_WHOLE and not any(is_stream(each.source.path) for each in files):
            Run.of(self.whole(), settings)

    def tokenizer(self, settings: Settings) -> str:
        """Return the tokeniser of all texts."""
        return chosen_tokenizer(settings, trees=self.structures.any_trees())

    def batches(self) -> Iterator[Batch[TextBlock]]:
        """Yield the segments of all texts, some at a time; the cut depends on the texts alone."""
        streams: list[LineStream] = [*self._every(), *self.links, *self.trees]
        total, done = self.segments, 0
        begun: list[list[str]] = [[] for _ in streams]
        tree_lines = [1 for _ in self.trees]
        characters = 0
        for grains in self._grains(streams):
            for lines, grain in zip(begun, grains, strict=True):
                lines.extend(grain)
                characters += sum(map(len, grain))
            if len(begun[0]) >= BLOCK or characters >= _CHARACTERS:
                yield _block(begun, tree_lines, done, total)
                done += len(begun[0])
                for place, segments in enumerate(begun[len(begun) - len(tree_lines) :]):
                    tree_lines[place] += sum(text.count("\n") for text in segments)
                begun, characters = [[] for _ in streams], 0
        if begun[0]:
            yield _block(begun, tree_lines, done, total)

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
        return [stream.digest() for stream in (*self._every(), *self.links, *self.trees)]


def _whole_because(tools: Tools) -> str | None:
    """Return which metric, aligner or parser looks at more than a block of texts."""
    for metric in tools.metrics.values():
        if metric.of_corpus:
            return f"{metric.name} weighs words by all references"
    for aligner in tools.used_aligners:
        if not aligner.blocks:
            return f"the aligner {aligner.name} learns from all segments"
    trees = any(tools.use(metric).takes_trees for metric in tools.metrics.values())
    for parser in tools.parsers if trees else ():
        if not parser.blocks:
            return f"the parser {parser.name} takes whole texts"
    return None


def _block(
    columns: list[list[str]], tree_lines: list[int], done: int, total: int
) -> Batch[TextBlock]:
    rows = len(columns[0])
    return Batch(
        data=TextBlock(columns=tuple(map(tuple, columns)), tree_lines=tuple(tree_lines)),
        first=done + 1,
        rows=rows,
        share=(done + rows) / total,
    )
