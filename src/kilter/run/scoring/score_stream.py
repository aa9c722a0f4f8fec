"""Scores of texts of any size: measured block by block, with what intervals need set aside on disk."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from kilter.io.spool import Spool
from kilter.results.measure import ScoreParts, block_means
from kilter.results.score_result import ByMetric, MetricScore, ScoreResult
from kilter.run.engine.run import run_batches
from kilter.run.scoring.label_note import LabelCounts
from kilter.run.scoring.measured_block import BlockTask, start_of
from kilter.run.scoring.measurement import (
    Bound,
    Found,
    MeasuredColumn,
    first_notes,
    result_columns,
)
from kilter.run.scoring.resampled import SpoolResampler
from kilter.run.scoring.run import Run
from kilter.run.scoring.score import (
    metric_facts,
    metric_scores,
    missing_notes,
    resampling_notes,
)
from kilter.run.scoring.trees import JoinedRoots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.run.engine.engine import Engine
    from kilter.run.engine.run import KeptParts
    from kilter.run.scoring.measured_block import ColumnShape, MeasuredBlock, PartShape
    from kilter.run.scoring.settings import Settings
    from kilter.run.scoring.text_streams import TextStreams

    Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class StreamedScores:
    """Corpus scores of texts that were never in memory as a whole, and the scores of their segments on disk."""

    result: ScoreResult
    segments: SpooledSegments


@dataclass(frozen=True, kw_only=True, eq=False)
class StreamMeasurement:
    """What was measured of texts block by block, on disk."""

    systems: tuple[str, ...]
    segments: int
    settings: Settings
    columns: tuple[MeasuredColumn, ...]
    """The columns of results, without their numbers."""
    notes: tuple[str, ...]
    gathered: Gathered


def measure_streams(
    streams: TextStreams,
    settings: Settings,
    *,
    engine: Engine,
    parts: KeptParts[MeasuredBlock] | None = None,
    progress: Callable[[int, int | None], None] | None = None,
) -> StreamMeasurement:
    """Return what metrics measure in texts of any size; `progress` gets (segments done, segments)."""
    streams.check_corpus(settings)
    task = block_task(streams, settings)
    first = next(streams.blocks())
    run = Run.of(task.texts(first.data), settings, part=True)
    blocks = run_batches(engine, task, streams.blocks(), parts=parts, progress=progress)
    gathered = Gathered.of(blocks)
    notes = first_notes(
        run,
        settings,
        texts=streams.target_texts(),
        source=streams.source,
        segments=streams.segments,
        joined=gathered.joined,
    )
    columns = gathered.columns(run)
    found = Found(
        columns,
        gathered.first_left_out(run),
        dict(sorted(gathered.bounds.items())),
        gathered.labels,
    )
    return StreamMeasurement(
        systems=task.systems,
        segments=streams.segments,
        settings=settings,
        columns=tuple(columns),
        notes=(*notes, *found.notes(task.systems), *found.label_notes(run.texts)),
        gathered=gathered,
    )


def score_streams(
    measurement: StreamMeasurement, *, progress: Callable[[int, int], None] | None = None
) -> StreamedScores:
    """Return what `score_texts` returns of the same texts, to the last bit.

    `progress` is called with (done, total) of the segments that intervals are drawn from.
    """
    names, gathered = measurement.systems, measurement.gathered
    drawn = measurement.settings.resampling
    resampler = SpoolResampler(
        gathered.spool, gathered.shapes, systems=len(names), resampling=drawn
    )
    resampled = resampler.scores(measurement.columns, progress)
    systems = {name: ByMetric[MetricScore]() for name in names}
    facts = []
    for column, own in zip(measurement.columns, resampled, strict=True):
        entry = column.measured()
        facts.append((entry.name, metric_facts(entry)))
        parts = gathered.parts(column, len(names))
        scored = metric_scores(entry, own.intervals(), parts, segments=measurement.segments)
        for name, each in zip(names, scored, strict=True):
            systems[name][entry.name] = each
    result = ScoreResult(
        systems=systems,
        metrics=ByMetric(facts),
        count=measurement.segments,
        seed=drawn.seed,
        segment_arrays={},
        notes=(
            *measurement.notes,
            *missing_notes(systems),
            *resampling_notes(measurement.settings),
        ),
    )
    return StreamedScores(result=result, segments=SpooledSegments(gathered, names))


def block_task(streams: TextStreams, settings: Settings) -> BlockTask:
    """Return what measures blocks of these texts."""
    return BlockTask(
        settings=settings,
        systems=tuple(streams.systems),
        references=tuple(streams.references),
        source=None if streams.source is None else streams.source[0],
        files=dict(streams.files),
        structures=streams.structures,
    )


@dataclass(slots=True, eq=False)
class Gathered:
    """What was found in all blocks."""

    spool: Spool[str] = field(default_factory=Spool)
    signatures: dict[str, str] = field(default_factory=dict)
    shapes: dict[str, ColumnShape] = field(default_factory=dict)
    left_out: dict[str, tuple[int, str]] = field(default_factory=dict)
    bounds: dict[tuple[int, int], Bound] = field(default_factory=dict)
    joined: dict[int, JoinedRoots] = field(default_factory=dict)
    labels: dict[tuple[int, int], LabelCounts] = field(default_factory=dict)

    @classmethod
    def of(cls, blocks: Iterable[MeasuredBlock]) -> Gathered:
        """Return what blocks hold, one of which is in memory at a time."""
        found = cls()
        for block in blocks:
            found.spool.add(block.arrays)
            for name, signature in block.signatures.items():
                found.signatures.setdefault(name, signature)
            for start, shape in block.shapes.items():
                found.shapes.setdefault(start, shape)
            for name, (place, note) in block.left_out.items():
                # Systems are measured one after another: the first that cannot be is told.
                if name not in found.left_out or place < found.left_out[name][0]:
                    found.left_out[name] = (place, note)
            for key, bound in block.bounds.items():
                before = found.bounds.get(key, Bound(0, bound.first))
                found.bounds[key] = Bound(before.segments + bound.segments, before.first)
            for place, roots in block.joined.items():
                earlier = found.joined.get(place, JoinedRoots(0, roots.first))
                found.joined[place] = JoinedRoots(earlier.trees + roots.trees, earlier.first)
            for key, counts in block.labels.items():
                found.labels.setdefault(key, LabelCounts.none()).add(counts)
        return found

    def columns(self, run: Run) -> list[MeasuredColumn]:
        """Return the columns of results that every block has, without their numbers."""
        columns = [each for each in result_columns(run) if each.called not in self.left_out]
        for column in columns:
            column.signature = self.signatures[column.name]
        return columns

    def first_left_out(self, run: Run) -> dict[str, tuple[int, str]]:
        """Return what is left out, in the order of systems and then of metrics."""
        order = [*run.metrics]
        listed = sorted(self.left_out.items(), key=lambda item: (item[1][0], order.index(item[0])))
        return dict(listed)

    def parts(self, column: MeasuredColumn, systems: int) -> list[tuple[_SpooledParts, ...]]:
        """Return the parts of each system's scores, where the metric tells."""
        found = []
        for place in range(systems):
            start = start_of(column.name, place)
            shapes = self.shapes[start].parts
            if shapes:
                found.append(
                    tuple(
                        _SpooledParts(self.spool, shape, f"{start} parts {number}")
                        for number, shape in enumerate(shapes)
                    )
                )
        return found


class _SpooledParts:
    """Parts of a score in one configuration, read block by block."""

    def __init__(self, spool: Spool[str], shape: PartShape, start: str) -> None:
        self._spool = spool
        self._shape = shape
        self._start = start

    @property
    def shown(self) -> bool:
        """Whether scores are shown with their parts."""
        return self._shape.shown

    @property
    def added(self) -> bool:
        """Whether parts are what each adds to the score."""
        return self._shape.added

    def means(self) -> dict[str, float | None]:
        """Return the mean of each part."""
        return block_means(self._blocks)

    def _blocks(self) -> Iterator[ScoreParts]:
        names = self._shape.names(self._start)
        for arrays in zip(*(self._spool.blocks(name) for name in names), strict=True):
            yield self._shape.parts(dict(zip(names, arrays, strict=True)), self._start)


class SpooledSegments:
    """Scores of segments that are read from disk some at a time."""

    def __init__(self, gathered: Gathered, systems: Sequence[str]) -> None:
        self._gathered = gathered
        self._systems = [*systems]

    def scores(self, metric: str, system: str, start: int, end: int) -> Floats:
        """Return the scores of segments from one to another, counted from 0."""
        return self._gathered.spool.column(f"{self._start(metric, system)} score", start, end)

    def margins(self, metric: str, system: str, start: int, end: int) -> Floats | None:
        """Return their margins, if the metric tells any."""
        own = self._start(metric, system)
        if not self._gathered.shapes[own].margins:
            return None
        return self._gathered.spool.column(f"{own} margin", start, end)

    def statistics(self, metric: str, system: str, start: int, end: int) -> Floats:
        """Return their additive statistics, a row each."""
        own, spool = self._start(metric, system), self._gathered.spool
        many = self._gathered.shapes[own].statistics
        columns = [spool.column(f"{own} statistic {k}", start, end) for k in range(many)]
        return np.column_stack(columns)

    def _start(self, metric: str, system: str) -> str:
        return start_of(metric, self._systems.index(system))
