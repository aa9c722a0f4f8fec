"""What metrics notice, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.render.table.long_table import LongTable
from kilter.render.table.page import PAGE, Note, Page
from kilter.results.sensitivity_result import LabelResult, PerturbationResult

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from kilter.render.table.table import TableFormat
    from kilter.results.sensitivity_result import Reaction, Share

_KIND_NAMES = [
    "metric",
    "kind",
    "lexical",
    "items",
    "lower",
    "equal",
    "higher",
    "noticed",
    "noticed_low",
    "noticed_high",
    "drop",
    "drop_low",
    "drop_high",
]
_AUC_NAMES = [
    "metric",
    "auc",
    "auc_low",
    "auc_high",
    "matched_auc",
    "matched_low",
    "matched_high",
    "matched_pairs",
]


Sensitivity = PerturbationResult | LabelResult


def write_sensitivity(
    result: Sensitivity, out: TextIO, *, form: TableFormat, width: int = PAGE
) -> None:
    """Write what metrics notice, by kind of change, or areas under the curve.

    Text is laid out for so many columns.
    """
    page = Page(out, form, width)
    page.start(result.metrics)
    if isinstance(result, PerturbationResult):
        _write_kinds(result, page)
    else:
        _write_areas(result, page)
    page.notes(Note("", result.signatures[name]) for name in result.metrics)


def sensitivity_rows(result: Sensitivity) -> LongTable:
    """Return one row a metric and kind of change, or a metric."""
    if isinstance(result, PerturbationResult):
        return LongTable(_KIND_NAMES, _kind_rows(result))
    return LongTable(_AUC_NAMES, _auc_rows(result))


def _kind_rows(result: PerturbationResult) -> list[list[object]]:
    return [
        [
            name,
            kind,
            kind in result.lexical,
            reaction.items,
            reaction.lower,
            reaction.equal,
            reaction.higher,
            *reaction.share,
            *reaction.drop,
        ]
        for name, row in result.metrics.items()
        for kind, reaction in row.items()
    ]


def _auc_rows(result: LabelResult) -> list[list[object]]:
    return [
        [name, *every.auc, *matched.auc, matched.pairs]
        for name, (every, matched) in result.metrics.items()
    ]


def _write_kinds(result: PerturbationResult, page: Page) -> None:
    tables: dict[str, Callable[[Reaction], str]] = {
        "noticed, %": lambda found: _cell(found.share, percent=True),
        "scored higher, %": lambda found: _percentage(found.higher, found.items),
        "mean drop": lambda found: _cell(found.drop),
    }
    for number, (title, cell) in enumerate(tables.items()):
        page.out.write("\n" if number else "")
        columns = [
            (
                f"{kind} (lexical)" if kind in result.lexical else kind,
                [cell(row[kind]) for row in result.metrics.values()],
            )
            for kind in result.kinds
        ]
        page.table(title, list(result.metrics), columns)
    listed = ", ".join(f"{items} {kind}" for kind, items in result.kinds.items())
    page.notes(
        [
            Note(
                f"{listed}; {counted(result.unchanged, 'unchanged pair')} left out; ± half of the "
                f"95% interval over pairs, {counted(result.resamples, 'resample')}, seed {result.seed}"
            )
        ]
    )


def _write_areas(result: LabelResult, page: Page) -> None:
    areas = result.metrics.values()
    columns = [
        ("auc", [_cell(every.auc) for every, _ in areas]),
        ("auc, matched length", [_cell(matched.auc) for _, matched in areas]),
        ("pairs", [str(matched.pairs) for _, matched in areas]),
    ]
    page.table("metric", list(result.metrics), columns)
    page.notes(
        [
            Note(
                f"{result.wrong} of {counted(result.outputs, 'output')} labelled as wrong; "
                f"lengths matched up to {result.window}; ± half of the 95% interval over outputs, "
                f"{counted(result.resamples, 'resample')}, seed {result.seed}"
            )
        ]
    )


def _cell(share: Share, *, percent: bool = False) -> str:
    value, low, high = share
    if value is None:
        return "undefined"
    scale, decimals = (100.0, 1) if percent else (1.0, 4)
    if low is None or high is None:
        return f"{scale * value:.{decimals}f}"
    return f"{scale * value:.{decimals}f} ±{scale * (high - low) / 2:.{decimals}f}"


def _percentage(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "undefined"
