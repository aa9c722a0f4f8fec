"""`kilter metrics`: what each metric needs, its options, range, formula and citation."""

from __future__ import annotations

import json
from enum import StrEnum
from math import isinf
from typing import TYPE_CHECKING, Any

import click

from kilter.metrics.citation import PUBLICATIONS
from kilter.metrics.registry import metric_class, metric_names

if TYPE_CHECKING:
    from kilter.metrics.metric import Metric


@click.command("metrics")
@click.argument("names", nargs=-1)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True,
              help="How to write the result.")  # fmt: skip
@click.option("--cite", is_flag=True, help="Write BibTeX only.")
def command(*, names: tuple[str, ...], form: str, cite: bool) -> None:
    """List the metrics, or describe those named."""
    classes = [metric_class(name) for name in names or metric_names()]
    if cite and form == "json":
        raise click.UsageError(
            "--cite writes BibTeX; leave out --format=json, which has citations too"
        )
    if cite:
        keys = dict.fromkeys(key for found in classes for key in found.citations)
        click.echo("\n\n".join(PUBLICATIONS.get(key, key) for key in keys))
    elif form == "json":
        click.echo(
            json.dumps([_described(found) for found in classes], indent=2, ensure_ascii=False)
        )
    elif names:
        click.echo("\n\n".join(_page(found) for found in classes))
    else:
        width = max(len(found.name) for found in classes)
        click.echo("\n".join(f"{found.name:<{width}}  {found.summary}" for found in classes))


def _options(found: type[Metric]) -> list[dict[str, Any]]:
    listed = []
    for entry in found.declared():
        kind = found.option_type(entry.name)
        default = found().options()[entry.name]
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
        listed.append(row)
    return listed


def _described(found: type[Metric]) -> dict[str, Any]:
    return {
        "name": found.name,
        "summary": found.summary,
        "formula": found.formula,
        "range": [None if isinf(bound) else bound for bound in found.range],
        "higher_is_better": found.higher_is_better,
        "needs": list(found.needs),
        "options": _options(found),
        "signature": found().signature(),
        "citations": list(found.citations),
    }


def _page(found: type[Metric]) -> str:
    low, high = found.range
    lines = [
        f"{found.name}: {found.summary}",
        f"  formula    {found.formula}",
        f"  range      {low:g} to {high:g}, {'higher' if found.higher_is_better else 'lower'} is better",
        f"  needs      {', '.join(found.needs)}",
        f"  signature  {found().signature()}",
        "  options",
    ]
    for row in _options(found):
        allowed = (
            "|".join(row["values"])
            if "values" in row
            else "..".join(f"{b:g}" for b in row.get("range", []))
        )
        shown = f"({allowed}) " if allowed else ""
        lines.append(f"    {row['name']}={row['default']}  {shown}{row['help']}")
    lines.append("  cite")
    for key in found.citations:
        entry = PUBLICATIONS.get(key, key)
        lines.extend("    " + line for line in entry.splitlines())
    return "\n".join(lines)
