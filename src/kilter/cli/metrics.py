"""`kilter metrics`: what each metric needs, its options, range, formula and citation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import isinf
from typing import TYPE_CHECKING, Any

import click

from kilter.cli.command import settings_command
from kilter.cli.console import print_result
from kilter.cli.fields import (
    format_setting,
)
from kilter.core.settings import argument, flag, setting
from kilter.core.table import Table
from kilter.metrics.citation import PUBLICATIONS
from kilter.metrics.registry import metric_class, metric_names
from kilter.render.table.table import TableFormat
from kilter.results.document import Result

if TYPE_CHECKING:
    from kilter.metrics.metric import Metric

_COLUMNS = (
    "name",
    "summary",
    "formula",
    "low",
    "high",
    "higher_is_better",
    "needs",
    "signature",
    "citations",
)


@settings_command("metrics")
def command(
    *,
    names: tuple[str, ...] = argument(default=(), completes="metrics"),
    format: TableFormat = format_setting(),
    cite: bool = flag(description="Print BibTeX entries."),
    check: str | None = setting(
        default=None,
        choices=("tight",),
        description="Test whether metrics are tight on all short permutations.",
    ),
    longest: int = setting(
        "--max-length",
        old=("--longest",),
        needs="check",
        default=5,
        description="With --check: longest permutation, 3 to 7.",
    ),
) -> None:
    """List the metrics, or describe those named."""
    if check is not None:
        _check_tight(names, format, cite=cite, longest=longest)
        return
    classes = [metric_class(name) for name in names or metric_names()]
    layout = format
    if cite and layout is not TableFormat.TEXT:
        raise click.UsageError(
            f"--cite writes BibTeX; leave out --format={format}, or --cite: json has citations too"
        )
    if cite:
        keys = dict.fromkeys(key for described in classes for key in described.citations)
        click.echo("\n\n".join(PUBLICATIONS.get(key, key) for key in keys))
        return
    print_result(_MetricList(classes, described=bool(names)), layout)


def _check_tight(
    specifications: tuple[str, ...], form: TableFormat, *, cite: bool, longest: int
) -> None:
    from kilter.results.tightness_result import TightnessResults
    from kilter.run.tightness import metric_tightness

    if cite:
        raise click.UsageError("--cite and --check cannot be combined; choose one")
    if not specifications:
        raise click.UsageError("--check tries what you name; name a metric, such as max-op")
    results = [metric_tightness(each, longest=longest) for each in specifications]
    print_result(TightnessResults(results), form)


@dataclass(frozen=True)
class _MetricList(Result):
    """Metrics; as text names and summaries, or all there is to say of those that were named."""

    classes: list[type[Metric]]
    described: bool

    def to_dict(self) -> list[dict[str, object]]:
        """Return everything about each metric."""
        return [_described(each) for each in self.classes]

    def data(self) -> Table:
        """Return everything about each metric but its options."""
        return Table.of(_COLUMNS, map(_row, self.classes))

    def tables(self) -> list[Table]:
        """Return names and summaries."""
        rows = [[each.name, each.summary] for each in self.classes]
        width = max(len(name) for name, _ in rows)
        lines = [f"{name:<{width}}  {summary}" for name, summary in rows]
        text = "\n\n".join(map(_page, self.classes)) if self.described else "\n".join(lines)
        return [Table("", ["metric", "meaning"], rows, left=2, text=text)]


def _row(described: type[Metric]) -> dict[str, object]:
    """Return what a table for programs says of a metric; the options have rows in JSON only."""
    low, high = (None if isinf(bound) else bound for bound in described.range)
    return _described(described) | {"low": low, "high": high}


def _options(described: type[Metric]) -> list[dict[str, Any]]:
    rows = []
    for entry in described.declared():
        kind = described.option_type(entry.name)
        default = described().options()[entry.name]
        row: dict[str, Any] = {
            "name": entry.name,
            "default": default,
            "help": entry.metadata["help"],
        }
        if issubclass(kind, StrEnum):
            row["values"] = list(kind)
        elif kind is bool:
            row["values"] = ["true", "false"]
        elif entry.metadata["low"] is not None:
            row["range"] = [entry.metadata["low"], entry.metadata["high"]]
        rows.append(row)
    return rows


def _described(described: type[Metric]) -> dict[str, object]:
    fitted = described.fitted_on()
    return {
        "name": described.name,
        "summary": described.summary,
        "formula": described.formula,
        "range": [None if isinf(bound) else bound for bound in described.range],
        "higher_is_better": described.higher_is_better,
        "needs": list(described.needs),
        "options": _options(described),
        "signature": described().signature(),
        "citations": list(described.citations),
        **({"fitted_on": fitted} if fitted else {}),
    }


def _page(described: type[Metric]) -> str:
    low, high = described.range
    lines = [
        f"{described.name}: {described.summary}",
        f"  formula    {described.formula}",
        f"  range      {low:g} to {high:g}, {'higher' if described.higher_is_better else 'lower'} is better",
        f"  needs      {', '.join(described.needs)}",
        f"  signature  {described().signature()}",
    ]
    if described.fitted_on():
        lines.append(f"  fitted on  {described.fitted_on()}")
    lines.append("  options")
    for row in _options(described):
        allowed = (
            "|".join(row["values"])
            if "values" in row
            else "..".join(f"{b:g}" for b in row.get("range", []))
        )
        values = f"({allowed}) " if allowed else ""
        lines.append(f"    {row['name']}={row['default']}  {values}{row['help']}")
    lines.append("  cite")
    for key in described.citations:
        entry = PUBLICATIONS.get(key, key)
        lines.extend("    " + line for line in entry.splitlines())
    return "\n".join(lines)
