"""How far the words of a text move on the way to its translation: any number of sentence pairs, some at a time."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.core.corpus import word_counts
from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.core.link_rule import OrderRule
from kilter.core.links import LinkBatch
from kilter.io.link_format import LinkFormat
from kilter.io.links import check_line_format, line_links
from kilter.metrics.anticipation import Anticipation
from kilter.run.align import AlignedLines, TextPair, chosen_aligner, taught
from kilter.run.engine.choice import EngineChoice, chosen_engine
from kilter.run.engine.engine import Batch
from kilter.run.engine.run import run_batches
from kilter.run.reordering.order_sums import OrderSums, order_sums, statistics_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.io.text_file import TextStream
    from kilter.results.reordering_statistics import ReorderingStatistics
    from kilter.run.align import Progress, Sides

DEFAULT_RULE = "birch"
AHEAD = 3
PAIRS = 20_000
"""Sentence pairs of a batch."""


class LinkedLines(NamedTuple):
    """Lines of a source and its links, and of its target where that is known."""

    source: Sequence[str]
    target: Sequence[str] | None
    links: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedLineSums:
    """What a worker does with some lines: it adds up their statistics."""

    name: str
    """What messages call the file of links."""
    form: LinkFormat
    possible: bool
    rule: OrderRule
    ahead: int
    jobs: int = 1

    def __call__(self, batch: Batch[LinkedLines]) -> OrderSums:
        """Return the sums of a batch."""
        lines = batch.data
        source = word_counts(lines.source)
        target = None if lines.target is None else word_counts(lines.target)
        file = line_links(
            lines.links,
            (source, target),
            name=self.name,
            first=batch.first,
            form=self.form,
            sides=("source", "target"),
        )
        links = file.all() if self.possible else file.sure
        return order_sums(links, source, target, rule=self.rule, ahead=self.ahead, jobs=self.jobs)


def file_statistics(  # noqa: PLR0913 - every option of the command
    source: TextStream,
    links: TextStream,
    *,
    target: TextStream | None = None,
    link_format: LinkFormat = LinkFormat.PHARAOH,
    possible: bool = False,
    rule: str = DEFAULT_RULE,
    ahead: int = AHEAD,
    jobs: int = 1,
    engine: EngineChoice | None = None,
    progress: Callable[[int, int | None], None] | None = None,
) -> ReorderingStatistics:
    """Return the statistics of files of any size; the result is the same for every engine and batch."""
    check_line_format(link_format)
    task = LinkedLineSums(
        name=links.name,
        form=link_format,
        possible=possible,
        rule=OrderRule.parse(rule),
        ahead=Anticipation(k=ahead).k,
        jobs=jobs,
    )
    for other in (links, *(() if target is None else (target,))):
        if other.count != source.count:
            raise InputError(
                f"has {counted(other.count, 'line')}, but {source.name} has {source.count}; both need one "
                "line per segment",
                where=other.name,
            )
    sums = OrderSums.nothing()
    with chosen_engine(engine or EngineChoice()) as chosen:
        for found in run_batches(chosen, task, _batches(source, target, links), progress=progress):
            sums += found
    return statistics_of(sums, rule=task.rule, ahead=task.ahead, target=target is not None)


def _batches(
    source: TextStream, target: TextStream | None, links: TextStream
) -> Iterator[Batch[LinkedLines]]:
    first = 1
    targets = repeat(None) if target is None else target.blocks(PAIRS)
    for lines in map(LinkedLines, source.blocks(PAIRS), targets, links.blocks(PAIRS)):
        rows = len(lines.source)
        share = (first - 1 + rows) / source.count
        yield Batch(data=lines, first=first, rows=rows, share=share)
        first += rows


def link_statistics(
    links: LinkBatch,
    source_lengths: NDArray[np.int64],
    target_lengths: NDArray[np.int64] | None,
    *,
    rule: str = DEFAULT_RULE,
    ahead: int = AHEAD,
    jobs: int = 1,
) -> ReorderingStatistics:
    """Return the statistics of links in memory, which lie within sentences of these lengths."""
    chosen, places = OrderRule.parse(rule), Anticipation(k=ahead).k
    sums = OrderSums.nothing()
    for begin in range(0, len(links), PAIRS):
        some = slice(begin, begin + PAIRS)
        offsets = links.offsets[begin : begin + PAIRS + 1]
        sums += order_sums(
            LinkBatch(
                links.links[offsets[0] : offsets[-1]], offsets - offsets[0], origin=links.origin
            ),
            source_lengths[some],
            None if target_lengths is None else target_lengths[some],
            rule=chosen,
            ahead=places,
            jobs=jobs,
        )
    return statistics_of(sums, rule=chosen, ahead=places, target=target_lengths is not None)


_WORDS = "none"
"""The tokeniser: words stand between blanks, as they do where links are given."""


@dataclass(frozen=True, kw_only=True, eq=False)
class AlignedLineSums:
    """What a worker does with some lines: it aligns them, and adds up the statistics of their links."""

    aligned: AlignedLines
    rule: OrderRule
    ahead: int

    def __call__(self, batch: Batch[Sides]) -> OrderSums:
        """Return the sums of a batch."""
        first, second, links = self.aligned.linked(batch.data)
        sums = order_sums(
            links,
            _lengths(first),
            _lengths(second),
            rule=self.rule,
            ahead=self.ahead,
            jobs=self.aligned.jobs,
        )
        return replace(sums, bounded=tuple(batch.first + place for place in links.bounded))


def aligned_statistics(  # noqa: PLR0913 - every option of the command
    source: TextStream,
    target: TextStream,
    *,
    aligner: str,
    rule: str = DEFAULT_RULE,
    ahead: int = AHEAD,
    jobs: int = 1,
    engine: EngineChoice | None = None,
    training: Progress | None = None,
    progress: Callable[[int, int | None], None] | None = None,
) -> tuple[ReorderingStatistics, tuple[int, ...]]:
    """Return what `file_statistics` returns of the links that `kilter align` writes of the same texts.

    Also return the segments, from 1, whose links may not be the best possible. Texts are aligned some lines at a time, or as wholes where the aligner or a set of segments asks for it.
    """
    texts = TextPair(first=source, second=target)
    task = AlignedLines(
        aligner=chosen_aligner(aligner, None),
        tokenize=_WORDS,
        lowercase=False,
        form=LinkFormat.PHARAOH,
        jobs=jobs,
    )
    chosen, places = OrderRule.parse(rule), Anticipation(k=ahead).k
    choice = engine or EngineChoice()
    texts.check(task, language=None)
    sums = OrderSums.nothing()
    with ExitStack() as stack:
        ready = stack.enter_context(taught(task, texts, alone=choice.in_process, progress=training))
        summed = AlignedLineSums(aligned=ready, rule=chosen, ahead=places)
        workers = stack.enter_context(chosen_engine(choice))
        for found in run_batches(workers, summed, texts.batches(task), progress=progress):
            sums += found
    return statistics_of(sums, rule=chosen, ahead=places, target=True), sums.bounded


def _lengths(words: Sequence[Sequence[str]]) -> NDArray[np.int64]:
    return np.fromiter(map(len, words), dtype=np.int64, count=len(words))
