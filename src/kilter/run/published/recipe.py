"""What the computation of a printed table takes and gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from kilter.core.errors import InputError
from kilter.run.published.data_set import data_set

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from kilter.core.estimate import Estimate
    from kilter.io.published import PrintedTable
    from kilter.run.published.data_set import DataSet
    from kilter.stats.resampling import Resampling


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

    figures: Mapping[tuple[str, str], Figure]
    notes: tuple[str, ...] = ()
    signatures: tuple[str, ...] = field(default=())


Figure: TypeAlias = "float | str | Estimate | None"
"""A figure as Kilter computes it, with its interval where there is one."""
Recipe: TypeAlias = Callable[[RecipeRun], RecipeResult]
