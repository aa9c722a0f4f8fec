"""Whether metrics are tight, as people and programs read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.render.table.long_table import LongTable, write_result
from kilter.render.table.page import Page
from kilter.render.table.table import TableFormat, write_cells

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    from kilter.results.tightness_result import LooseStep, TightnessResult

_COLUMNS = ("metric", "complexity", "longest", "permutations", "tight", "semi_tight")


def write_tightness(results: Sequence[TightnessResult], out: TextIO, *, form: TableFormat) -> None:
    """Write for how many permutations each metric is tight; as text with a counterexample."""
    write_result(
        out,
        form,
        document=lambda: [result.to_dict() for result in results],
        rows=lambda: LongTable.of(_COLUMNS, [result.to_dict() for result in results]),
        page=lambda: _write_page(results, out, form),
    )


def _write_page(results: Sequence[TightnessResult], out: TextIO, form: TableFormat) -> None:
    if form is TableFormat.TEXT:
        out.write("\n\n".join(map(_text, results)) + "\n")
        return
    Page(out, form).start(result.metric for result in results)
    rows = [[str(result.to_dict()[name]) for name in _COLUMNS] for result in results]
    write_cells(form, out, list(_COLUMNS), rows, left=2)


def _text(result: TightnessResult) -> str:
    several = counted(result.permutations, "permutation")
    lines = [
        f"{result.metric}: a weak factorization costs {result.complexity}",
        f"  tried       {several} of 3 to {result.longest} words that can be cut",
        f"  tight       {_said(result.tight, result.permutations)}",
        *_shown(result.against_tight),
        f"  semi-tight  {_said(result.semi_tight, result.permutations)}",
    ]
    if result.against_semi_tight != result.against_tight:
        lines += _shown(result.against_semi_tight)
    return "\n".join(lines)


def _said(holds: int, tried: int) -> str:
    return "yes" if holds == tried else f"no: for {holds} of {tried}"


def _shown(step: LooseStep | None) -> list[str]:
    if step is None:
        return []
    words = " ".join(map(str, step.permutation))
    return [
        f"    {words}: {step.coarse} costs {step.coarse_complexity:g},",
        f"    and finer {step.fine} {step.fine_complexity:g}",
    ]
