"""Given links with a line for each segment, which are read with the texts that they link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.core.corpus import Vocabulary
from kilter.core.errors import InputError
from kilter.core.links import (
    HYPOTHESIS_REFERENCE,
    SOURCE_HYPOTHESIS,
    SOURCE_REFERENCE,
)
from kilter.io.links import line_links, read_links
from kilter.io.stream import ByteSource, display_name
from kilter.io.table import is_only_table
from kilter.io.text import LineStream
from kilter.io.text_file import TextStream, source_of_lines, text_part
from kilter.io.tokenizer import token_column
from kilter.run.scoring.links import LinkReach, Links

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from kilter.core.links import LinkBatch
    from kilter.io.link_format import LinkFormat
    from kilter.run.scoring.structure_files import StructureFiles

    WordCounts = tuple[NDArray[np.int64], NDArray[np.int64]]
    """How many words each segment of two texts has."""


@dataclass(frozen=True, kw_only=True)
class LinkColumn:
    """A file of links between two texts."""

    path: str
    form: LinkFormat
    sides: tuple[str, str]
    texts: tuple[int, int]
    """The places of the two texts among systems, references and source, in this order."""

    @property
    def _is_table(self) -> bool:
        return is_only_table(text_part(self.path).path)

    def stream(self) -> LineStream:
        """Return the lines of the file, or of a table those of its column."""
        return TextStream(self.path) if self._is_table else LineStream(self.path)

    def batch(self, lines: Sequence[str], counts: WordCounts, *, first: int) -> LinkBatch:
        """Return the links of some lines, the first of which has this number."""
        name = display_name(self.path)
        return line_links(
            lines, counts, name=name, first=first, form=self.form, sides=self.sides
        ).sure

    def check(
        self,
        stream: LineStream,
        counts: WordCounts,
        *,
        size: int,
        blanks: WordCounts,
    ) -> LinkReach:
        """Raise an `InputError` for whatever is wrong with the lines, so many of which are read at a time.

        A file that has to be refused is read as a whole: what is told of one line may depend on all of them.
        Return how far links reach beyond the words that stand between blanks.
        """
        reach = LinkReach(0, 0)
        fault = None
        try:
            for some, batch in self._batches(stream, counts, size):
                words, standing = ([each[some] for each in both] for both in (counts, blanks))
                reach += LinkReach.of(batch, words, standing)
        except InputError as error:
            fault = error
        if fault is not None:
            read_links(
                source_of_lines(ByteSource(self.path)) if self._is_table else stream.source,
                form=self.form,
                lengths=counts,
                sides=self.sides,
            )
            raise fault
        return reach

    def _batches(
        self, stream: LineStream, counts: WordCounts, size: int
    ) -> Iterator[tuple[slice, LinkBatch]]:
        if stream.count != len(counts[0]):
            raise InputError("has other segments than the texts", where=stream.name)
        done = 0
        for lines in stream.blocks(size):
            some = slice(done, done + len(lines))
            yield some, self.batch(lines, (counts[0][some], counts[1][some]), first=done + 1)
            done += len(lines)


def link_columns(files: StructureFiles, systems: int, references: int) -> tuple[LinkColumn, ...]:
    """Return the files of links of so many systems and references."""
    source = systems + references
    outputs, others = range(systems), range(systems, source)
    kinds = (
        (files.links, HYPOTHESIS_REFERENCE, [(one, other) for one in outputs for other in others]),
        (files.source_hypothesis, SOURCE_HYPOTHESIS, [(source, one) for one in outputs]),
        (files.source_reference, SOURCE_REFERENCE, [(source, other) for other in others]),
    )
    return tuple(
        LinkColumn(path=path, form=files.link_format, sides=sides, texts=texts)
        for paths, sides, pairs in kinds
        for path, texts in zip(paths, pairs, strict=False)  # of a kind there may be none
    )


def links_of_files(files: StructureFiles, references: int, batches: Sequence[LinkBatch]) -> Links:
    """Return the links that were read of these files, in the order of `link_columns`."""
    direct, by_source = len(files.links), len(files.links) + len(files.source_hypothesis)
    return Links(
        hypothesis_reference=tuple(
            tuple(batches[start : start + references]) for start in range(0, direct, references)
        ),
        source_hypothesis=tuple(batches[direct:by_source]),
        source_reference=tuple(batches[by_source:]),
        through_source=files.through_source,
    )


def word_counts(
    lines: Sequence[str], tokenizer: str, *, lowercase: bool = False
) -> NDArray[np.int64]:
    """Return how many words each line has."""
    cased = [line.lower() for line in lines] if lowercase else lines
    return token_column(cased, tokenizer, Vocabulary()).lengths
