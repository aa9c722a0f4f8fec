"""Metrics ranked as a campaign of WMT ranks them: a value and a rank for each task, and their mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from kilter.core.settings import Choice
from kilter.core.table import NAME, Column, Table
from kilter.results.document import Result

if TYPE_CHECKING:
    from collections.abc import Sequence


class MetaPreset(Choice):
    """The tasks of a campaign."""

    WMT23 = "wmt23"
    WMT24 = "wmt24"
    WMT25 = "wmt25"


@dataclass(frozen=True, kw_only=True)
class TaskValue:
    """A metric in a task: its agreement, and the rank of its cluster; both may be missing."""

    metric: str
    value: float | None
    rank: int | None = None
    threshold: float | None = None
    """Of tie-calibrated accuracy: up to which difference the metric ties."""


@dataclass(frozen=True, kw_only=True)
class PresetTask:
    """One measure on one language pair, or on all; metrics from best to worst, and p-values of their differences."""

    pair: str
    measure: str
    weight: float
    values: tuple[TaskValue, ...]
    p_values: tuple[tuple[float | None, ...], ...] = ()
    """Row and column as the values; above the diagonal, that the column's metric is as good as the row's."""

    @property
    def name(self) -> str:
        """The title of its column."""
        return f"{self.pair} {self.measure}".strip()

    def of(self, metric: str) -> TaskValue:
        """Return what a metric has in it."""
        return next(each for each in self.values if each.metric == metric)


@dataclass(frozen=True, kw_only=True)
class PresetResult(Result):
    """All tasks, and the weighted mean of each metric, best first; correlations count as (r + 1) / 2."""

    preset: str
    tasks: tuple[PresetTask, ...]
    average: dict[str, float | None]
    permutations: int | None
    seed: int
    notes: tuple[str, ...] = ()
    schema: ClassVar[str] = "kilter.meta-preset/1"

    def tables(self) -> Sequence[Table]:
        ranked = self.permutations is not None
        columns = [Column("metric", NAME), Column("average", ".4f")]
        for task in self.tasks:
            columns.append(Column(task.name, ".4f"))
            if ranked:
                columns.append(Column(f"{task.name} rank", title="rank"))
        rows = []
        for metric, average in self.average.items():
            row: list[object] = [metric, average]
            for task in self.tasks:
                own = task.of(metric)
                row += [own.value, own.rank] if ranked else [own.value]
            rows.append(row)
        told = f"as mt-metrics-eval computes {self.preset}"
        if ranked:
            told += f"; ranks by PERM-BOTH, {self.permutations} permutations, seed {self.seed}, p <= .05"
        return [Table("", columns, rows, [told], left=1)]
