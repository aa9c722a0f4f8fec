"""How far words move on the way to a translation, by links that an aligner makes on the way."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.core.link_rule import OrderRule
from kilter.io.link_format import LinkFormat
from kilter.metrics.anticipation import Anticipation
from kilter.run.align import align_texts
from kilter.run.align_blocks import AlignedLines, TextPair, chosen_aligner, taught
from kilter.run.engine.choice import EngineChoice, chosen_engine
from kilter.run.engine.run import run_batches
from kilter.run.reordering.order_sums import OrderSums, order_sums, statistics_of
from kilter.run.reordering.statistics import AHEAD, DEFAULT_RULE, link_statistics

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from kilter.io.text_file import TextStream
    from kilter.results.reordering_statistics import ReorderingStatistics
    from kilter.run.align_blocks import Progress, Sides
    from kilter.run.engine.batch import Batch

_WORDS = "none"
"""The tokeniser: words stand between blanks, as they do where links are given."""


class AlignedSums(NamedTuple):
    """Sums of some lines, and the numbers of segments, from 1, in which a search bound was hit."""

    sums: OrderSums
    bounded: list[int]


@dataclass(frozen=True, kw_only=True, eq=False)
class AlignedLineSums:
    """What a worker does with some lines: it aligns them, and adds up the statistics of their links."""

    aligned: AlignedLines
    rule: OrderRule
    ahead: int

    def __call__(self, batch: Batch[Sides]) -> AlignedSums:
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
        return AlignedSums(sums, [batch.first + place for place in links.bounded])


class AlignedStatistics(NamedTuple):
    """Statistics of two texts, and the segments, from 1, whose links may not be the best possible."""

    statistics: ReorderingStatistics
    bounded: list[int]


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
) -> AlignedStatistics:
    """Return what `file_statistics` returns of the links that `kilter align` writes of the same texts.

    Texts are aligned some lines at a time, or as wholes where the aligner or a set of segments asks for it.
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
    if texts.whole_because(task) is not None:
        return _whole(texts, task, rule=rule, ahead=ahead)
    sums, bounded = OrderSums.nothing(), []
    with ExitStack() as stack:
        ready = stack.enter_context(taught(task, texts, alone=choice.in_process, progress=training))
        summed = AlignedLineSums(aligned=ready, rule=chosen, ahead=places)
        workers = stack.enter_context(chosen_engine(choice))
        for found in run_batches(workers, summed, texts.batches(), progress=progress):
            sums += found.sums
            bounded += found.bounded
    return AlignedStatistics(statistics_of(sums, rule=chosen, ahead=places, target=True), bounded)


def _whole(texts: TextPair, task: AlignedLines, *, rule: str, ahead: int) -> AlignedStatistics:
    links, (first, second) = align_texts(
        (texts.first.name, texts.first.lines()),
        (texts.second.name, texts.second.lines()),
        aligner=task.aligner,
        tokenize=task.tokenize,
        jobs=task.jobs,
    )
    found = link_statistics(
        links, _lengths(first), _lengths(second), rule=rule, ahead=ahead, jobs=task.jobs
    )
    return AlignedStatistics(found, [1 + place for place in links.bounded])


def _lengths(words: Sequence[Sequence[str]]) -> NDArray[np.int64]:
    return np.fromiter(map(len, words), dtype=np.int64, count=len(words))
