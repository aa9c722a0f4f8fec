"""The steps of a search for rules, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.render.table.long_table import LongTable
from kilter.render.table.page import Note, Page
from kilter.render.table.table import write_cells

if TYPE_CHECKING:
    from typing import TextIO

    from kilter.render.table.table import TableFormat
    from kilter.results.rule_search import RuleScores, RuleSearchResult

_COLUMNS = ("step", "change", "gain", "frs", "kendall", "held_out_frs", "held_out_kendall")
_LEVEL_COLUMNS = ("level", "least gain", "steps", "frs", "kendall", "gain", "low", "high", "chosen")
_FEW_HELD_OUT = 30


def search_rows(result: RuleSearchResult) -> LongTable:
    """Return a row for every step."""
    return LongTable.of(_COLUMNS, _rows(result))


def write_rule_search(
    result: RuleSearchResult, out: TextIO, form: TableFormat, *, width: int
) -> None:
    """Write what each step changed and gained, and what held-out sentences say of it."""
    page = Page(out, form, width)
    page.start(())
    held = result.held_out > 0
    names = _COLUMNS if held else _COLUMNS[:-2]
    rows = [[_cell(row[name]) for name in names] for row in _rows(result)]
    if result.levels:
        page.heading("how far to go: cross-validation")
        write_cells(form, out, list(_LEVEL_COLUMNS), _level_cells(result))
        out.write("\n")
        page.heading("the search")
    write_cells(form, out, [name.replace("_", " ") for name in names], rows, left=2)
    page.notes([Note(text) for text in _notes(result)])


def _rows(result: RuleSearchResult) -> list[dict[str, object]]:
    rows = []
    before: RuleScores | None = None
    for number, step in enumerate(result.steps):
        rows.append(
            {
                "step": number,
                "change": step.what,
                "gain": None if before is None else step.training.objective - before.objective,
                "frs": step.training.frs,
                "kendall": step.training.kendall,
                "held_out_frs": None if step.held_out is None else step.held_out.frs,
                "held_out_kendall": None if step.held_out is None else step.held_out.kendall,
            }
        )
        before = step.training
    return rows


def _level_cells(result: RuleSearchResult) -> list[list[str]]:
    return [
        [
            str(number),
            "-" if level.minimum_gain is None else f"{level.minimum_gain:.4g}",
            f"{level.steps:.1f}",
            f"{level.held_out.frs:.4f}",
            f"{level.held_out.kendall:.4f}",
            *(f"{each:+.4f}" for each in level.gain),
            "*" if number == result.level else "",
        ]
        for number, level in enumerate(result.levels)
    ]


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _notes(result: RuleSearchResult) -> list[str]:
    found = [
        f"{counted(result.tried, 'rule set')} scored on {counted(result.sentences, 'sentence')}; objective "
        f"{result.objective}" + (" (frs + kendall / 2)" if result.objective == "mix" else "")
    ]
    if result.levels:
        found.append(
            f"how small a gain may be was decided by {result.folds} folds of these sentences, each scored by rules that were "
            "searched on the others; the level with the best objective was taken"
        )
    if not result.finished:
        found.append(
            "the search was stopped before every change had been tried in vain; --passes goes on"
        )
    if result.gain is None:
        found.append("nothing was held out: what the rules gain elsewhere is not known")
        return found
    gain, low, high = result.gain
    verdict = "a gain" if low > 0 else "a loss" if high < 0 else "no difference beyond chance"
    found.append(
        f"on {counted(result.held_out, 'held-out sentence')} the objective changed by {gain:+.4f} "
        f"[{low:+.4f}, {high:+.4f}]: {verdict}"
    )
    if result.held_out < _FEW_HELD_OUT:
        found.append(f"{counted(result.held_out, 'sentence')} are few to say so")
    return found
