"""What the computation of a printed table takes and gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from kilter.core.errors import InputError
from kilter.run.published.data_set import data_set

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from kilter.io.published import PrintedTable
    from kilter.results.published_result import PrintedFigure
    from kilter.run.published.data_set import DataSet
    from kilter.stats.resampling import Resampling


class Recomputed(NamedTuple):
    """A figure as Kilter computes it, with its interval where there is one."""

    value: PrintedFigure | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, kw_only=True)
class RecipeRun:
    """A table to compute, the folder of its data, and how chance is drawn."""

    table: PrintedTable
    folder: Path | None
    resampling: Resampling
    jobs: int = 1

    def data_set(self, column: str) -> tuple[DataSet, Path]:
        """Return the data of a column, and the folder that holds it."""
        if self.folder is None:
            raise InputError(f"{self.table.name} needs data; name its folder")
        return data_set(self.table.data[column]), self.folder


@dataclass(frozen=True, kw_only=True)
class RecipeResult:
    """Figures by row and column; what is not there could not be computed."""

    figures: Mapping[tuple[str, str], Recomputed]
    notes: tuple[str, ...] = ()
    signatures: tuple[str, ...] = field(default=())


Recipe: TypeAlias = Callable[[RecipeRun], RecipeResult]
