"""What metrics find in one system after another, by workers that share nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kilter.core.errors import OptionError
from kilter.run.engine.engine import Batch
from kilter.run.engine.run import run_batches
from kilter.run.scoring.measurement import (
    Bound,
    Found,
    Measurement,
    found_measurement,
    measure_columns,
    result_columns,
)
from kilter.run.scoring.run import Run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from kilter.results.measure import ScoreParts
    from kilter.run.engine.engine import Engine
    from kilter.run.scoring.corpus import Texts
    from kilter.run.scoring.measurement import MeasuredColumn
    from kilter.run.scoring.settings import Settings


@dataclass(frozen=True, kw_only=True, eq=False)
class SystemColumn:
    """What a metric measured of one system: of each kind one, or none where the metric does not tell."""

    signature: str
    statistics: list[NDArray[np.float64]]
    segments: list[NDArray[np.float64]]
    parts: list[tuple[ScoreParts, ...]]
    margins: list[NDArray[np.float64]]

    @classmethod
    def of(cls, column: MeasuredColumn) -> SystemColumn:
        """Return what a column of one system holds."""
        return cls(
            signature=column.signature,
            statistics=column.statistics,
            segments=column.segments,
            parts=column.parts,
            margins=column.margins,
        )

    def append_to(self, column: MeasuredColumn) -> None:
        """Add it to a column of all systems."""
        column.signature = column.signature or self.signature
        column.statistics += self.statistics
        column.segments += self.segments
        column.parts += self.parts
        column.margins += self.margins


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasuredSystem:
    """What was found in one system; a column goes by the name of its metric and its configuration."""

    columns: dict[tuple[str, str], SystemColumn] = field(repr=False)
    left_out: dict[str, str]
    bounds: dict[int, Bound]


@dataclass(frozen=True, kw_only=True, eq=False)
class SystemTask:
    """Measures texts of one system; runs in any worker."""

    settings: Settings

    def __call__(self, batch: Batch[Texts]) -> MeasuredSystem:
        """Return what the metrics of the settings find."""
        found = measure_columns(Run.of(batch.data, self.settings))
        return MeasuredSystem(
            columns={(each.called, each.label): SystemColumn.of(each) for each in found.columns},
            left_out={name: note for name, (_, note) in found.left_out.items()},
            bounds={number: bound for (_, number), bound in found.bounds.items()},
        )


def measure_systems(
    texts: Texts,
    settings: Settings,
    *,
    engine: Engine,
    progress: Callable[[int, int | None], None] | None = None,
) -> Measurement:
    """Return what `measure` returns of the same texts; an engine works on one system at a time.

    Trees of files are an `OptionError`: what is said of their labels looks at all systems.
    """
    if texts.trees:
        raise OptionError(
            "workers look at one system each, and trees of files are compared over systems; leave "
            "out the engine and the workers, or the trees"
        )
    run = Run.of(texts, settings)
    found = Found(result_columns(run))
    measured = run_batches(
        engine, SystemTask(settings=settings), _systems(texts), progress=progress
    )
    for place, system in enumerate(measured):
        for name, note in system.left_out.items():
            found.left_out.setdefault(name, (place, note))
        found.columns = [each for each in found.columns if each.called not in found.left_out]
        for column in found.columns:
            system.columns[column.called, column.label].append_to(column)
        for number, bound in system.bounds.items():
            found.bounds[place, number] = bound
    return found_measurement(run, settings, found)


def _systems(texts: Texts) -> Iterator[Batch[Texts]]:
    for place, name in enumerate(texts.systems, start=1):
        yield Batch(
            data=texts.of_systems([name]), first=place, rows=1, share=place / len(texts.systems)
        )
