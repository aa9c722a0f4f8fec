"""What metrics notice, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kilter.counted import counted
from kilter.reports.table.long_table import LongTable
from kilter.reports.table.page import PAGE, Note, Page

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from kilter.reports.table.table import TableFormat

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


def write_sensitivity(
    document: dict[str, Any], out: TextIO, *, form: TableFormat, width: int = PAGE
) -> None:
    """Write the document `kilter.sensitivity/1`: by kind of change, or areas under the curve.

    Text is laid out for so many columns.
    """
    page = Page(out, form, width)
    page.start(document["metrics"])
    if "kinds" in document:
        _write_kinds(document, page)
    else:
        _write_areas(document, page)
    page.notes(Note("", metric["signature"]) for metric in document["metrics"].values())


def sensitivity_rows(document: dict[str, Any]) -> LongTable:
    """Return one row a metric and kind of change, or a metric."""
    if "kinds" in document:
        return LongTable(_KIND_NAMES, _kind_rows(document))
    return LongTable(_AUC_NAMES, _auc_rows(document))


def _kind_rows(document: dict[str, Any]) -> list[list[Any]]:
    return [
        [
            name,
            kind,
            document["kinds"][kind]["lexical"],
            *(found[key] for key in ("items", "lower", "equal", "higher")),
            *(found["noticed"][key] for key in ("value", "low", "high")),
            *(found["drop"][key] for key in ("value", "low", "high")),
        ]
        for name, metric in document["metrics"].items()
        for kind, found in metric["kinds"].items()
    ]


def _auc_rows(document: dict[str, Any]) -> list[list[Any]]:
    return [
        [
            name,
            *(metric["auc"][key] for key in ("value", "low", "high")),
            *(metric["matched_auc"][key] for key in ("value", "low", "high", "pairs")),
        ]
        for name, metric in document["metrics"].items()
    ]


def _write_kinds(document: dict[str, Any], page: Page) -> None:
    kinds, metrics = document["kinds"], document["metrics"]
    tables: dict[str, Callable[[dict[str, Any]], str]] = {
        "noticed, %": lambda found: _cell(found["noticed"], percent=True),
        "scored higher, %": lambda found: _percentage(found["higher"], found["items"]),
        "mean drop": lambda found: _cell(found["drop"]),
    }
    for number, (title, cell) in enumerate(tables.items()):
        page.out.write("\n" if number else "")
        columns = [
            (
                f"{kind} (lexical)" if about["lexical"] else kind,
                [cell(metric["kinds"][kind]) for metric in metrics.values()],
            )
            for kind, about in kinds.items()
        ]
        page.table(title, list(metrics), columns)
    listed = ", ".join(f"{about['items']} {kind}" for kind, about in kinds.items())
    page.notes(
        [
            Note(
                f"{listed}; {counted(document['unchanged'], 'unchanged pair')} left out; ± half of the "
                f"95% interval over pairs, {counted(document['resamples'], 'resample')}, seed {document['seed']}"
            )
        ]
    )


def _write_areas(document: dict[str, Any], page: Page) -> None:
    metrics = document["metrics"]
    matched = [metric["matched_auc"] for metric in metrics.values()]
    columns = [
        ("auc", [_cell(metric["auc"]) for metric in metrics.values()]),
        ("auc, matched length", [_cell(found) for found in matched]),
        ("pairs", [str(found["pairs"]) for found in matched]),
    ]
    page.table("metric", list(metrics), columns)
    page.notes(
        [
            Note(
                f"{document['wrong']} of {counted(document['outputs'], 'output')} labelled as wrong; "
                f"lengths matched up to {document['window']}; ± half of the 95% interval over outputs, "
                f"{counted(document['resamples'], 'resample')}, seed {document['seed']}"
            )
        ]
    )


def _cell(found: dict[str, Any], *, percent: bool = False) -> str:
    value, low, high = found["value"], found["low"], found["high"]
    if value is None:
        return "undefined"
    scale, decimals = (100.0, 1) if percent else (1.0, 4)
    if low is None or high is None:
        return f"{scale * value:.{decimals}f}"
    return f"{scale * value:.{decimals}f} ±{scale * (high - low) / 2:.{decimals}f}"


def _percentage(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "undefined"
