"""A printed table computed again: what `kilter published` does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kilter.core.errors import OptionError
from kilter.core.estimate import Estimate
from kilter.core.settings import checked
from kilter.io.published import printed_table, printed_tables
from kilter.results.published_result import (
    CellVerdict,
    PublishedCell,
    PublishedEntry,
    PublishedResult,
)
from kilter.run.published.data_set import check_data
from kilter.run.published.judged_table import agreement_table, curve_table, tuned_table
from kilter.run.published.recipe import RecipeResult, RecipeRun
from kilter.run.published.worked_table import (
    edit_table,
    linked_table,
    meteor_table,
    order_table,
    path_table,
    perturbation_table,
    precision_table,
    rank_table,
    reordering_table,
    rule_table,
    scaled_table,
    verdict_table,
)
from kilter.stats.resampling import Resampling

if TYPE_CHECKING:
    from kilter.io.published import PrintedRow, PrintedTable
    from kilter.run.published.recipe import Figure, Recipe

RECIPES: dict[str, Recipe] = {
    "agreement": agreement_table,
    "average-rank": rank_table,
    "curve": curve_table,
    "edits": edit_table,
    "linked": linked_table,
    "meteor": meteor_table,
    "orders": order_table,
    "paths": path_table,
    "perturbation": perturbation_table,
    "precisions": precision_table,
    "preordering": rule_table,
    "reordering": reordering_table,
    "scaled": scaled_table,
    "tuned": tuned_table,
    "verdicts": verdict_table,
}
"""How tables are computed, by the name that their files call it."""


def published_list() -> tuple[PublishedEntry, ...]:
    """Return every table that there is, publication by publication.

    >>> [each.name for each in published_list() if each.publication == "[LR]"]
    ['lr-1', 'lr-2']
    """
    return tuple(table.entry for table in printed_tables().values())


@checked
def published(
    name: str,
    *,
    data: str | None = None,
    resampling: Resampling | None = None,
    jobs: int = 1,
) -> PublishedResult:
    """Return a printed table beside the same table as Kilter computes it.

    `data` is the folder of the data that the table needs, which does not come with Kilter: files that are
    missing are an `InputError` that says where people get them. A table that nobody can compute has
    its printed figures only, and says why.

    >>> published("th-5.1").cell("is-a", "L").verdict
    <CellVerdict.MISPRINT: 'misprint'>
    """
    table = printed_table(name)
    if data is not None and (table.entry.unavailable or not table.entry.data):
        raise OptionError(
            f"data has no effect, because {name} "
            + ("cannot be computed" if table.entry.unavailable else "needs none")
            + "; leave it out"
        )
    drawn = resampling or Resampling()
    # Tables show intervals and no tests: one number of resamples for all of them.
    drawn = replace(drawn, resamples=drawn.count)
    folder = None if data is None else Path(data)
    found = RecipeResult(figures={})
    if table.recipe is not None and not table.entry.unavailable:
        check_data(name, table.entry.data, folder)
        run = RecipeRun(table=table, folder=folder, resampling=drawn, jobs=jobs)
        found = RECIPES[table.recipe](run)
    return PublishedResult(
        entry=table.entry,
        columns=table.columns,
        rows=tuple(row.name for row in table.rows),
        cells=tuple(
            _cell(table, row, place, found.figures.get((row.name, column)))
            for row in table.rows
            for place, column in enumerate(table.columns)
        ),
        decimals=table.decimals,
        misprints=table.misprints,
        differences=table.differences,
        notes=found.notes,
        signatures=found.signatures,
        resamples=drawn.count,
        seed=drawn.seed,
    )


def _cell(table: PrintedTable, row: PrintedRow, place: int, figure: Figure) -> PublishedCell:
    low, high = (figure.low, figure.high) if isinstance(figure, Estimate) else (None, None)
    cell = PublishedCell(
        row=row.name,
        column=table.columns[place],
        printed=row.printed[place],
        value=figure.value if isinstance(figure, Estimate) else figure,
        low=low,
        high=high,
    )
    verdict = _verdict(table, row, place, cell)
    misprint = row.misprint if verdict is CellVerdict.MISPRINT else None
    return replace(cell, verdict=verdict, misprint=misprint)


def _verdict(table: PrintedTable, row: PrintedRow, place: int, found: PublishedCell) -> CellVerdict:
    printed = found.printed
    if printed is None:
        return CellVerdict.UNRECORDED if row.unrecorded[place] else CellVerdict.UNPRINTED
    if found.value is None:
        return CellVerdict.UNCOMPUTED
    if _is_same(printed, found.value, table.decimals):
        return CellVerdict.SAME
    if row.misprint is not None:
        return CellVerdict.MISPRINT
    if found.low is None or found.high is None or isinstance(printed, str):
        return CellVerdict.DIFFERS
    return CellVerdict.WITHIN if found.low <= printed <= found.high else CellVerdict.DIFFERS


def _is_same(printed: float | str, value: float | str, decimals: int) -> bool:
    """Return whether a figure is the printed one, to the last printed digit."""
    if isinstance(printed, str) or isinstance(value, str):
        return printed == value
    # A half may be rounded either way, and binary fractions are not halves.
    return abs(printed - value) <= float(0.5 * 10**-decimals) + 1e-9
