"""Parsers x rule sets as people and programs read them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kilter.reports.table import FULL_FORMATS, TableFormat, latex_text, table_writer, write_cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import TextIO

    from kilter.structures.comparison import Interval, MetricComparison

# Side by side, so many marks fit a page.
_COLUMNS = 12


def write_preorder(document: Mapping[str, Any], metrics: Sequence[MetricComparison], out: TextIO,
                   *, form: TableFormat) -> None:  # fmt: skip
    """Write the document `kilter.preorder/1`: scores, then a triangle of marks for each metric."""
    if form is TableFormat.JSON:
        json.dump(document, out, ensure_ascii=False, indent=1, allow_nan=False)
        out.write("\n")
    elif form in FULL_FORMATS:
        _write_rows(document, out, form)
    else:
        _write_pages(document, metrics, out, form)


def _write_rows(document: Mapping[str, Any], out: TextIO, form: TableFormat) -> None:
    rows = []
    for system in document["systems"]:
        row = {key: system[key] for key in ("name", "parser", "rules")}
        for metric, found in system["scores"].items():
            row |= {
                metric: found["score"],
                f"{metric}_low": found["low"],
                f"{metric}_high": found["high"],
            }
        rows.append(row | {key: system[key] for key in ("las", "uas", "tags")})
    names = list(rows[0])
    writer = table_writer(form, out, names, header={})
    writer.start()
    writer.rows({name: [row[name] for row in rows] for name in names})
    writer.end()


def _write_pages(
    document: Mapping[str, Any],
    metrics: Sequence[MetricComparison],
    out: TextIO,
    form: TableFormat,
) -> None:
    systems = document["systems"]
    accuracies = [key for key in ("las", "uas", "tags") if systems[0][key] is not None]
    names = ["system", "parser", "rules", *(metric.name for metric in metrics), *accuracies]
    rows = [
        [
            system["name"],
            system["parser"],
            system["rules"],
            *(score_cell(metric.intervals[place]) for metric in metrics),
            *(f"{system[key]:.4f}" for key in accuracies),
        ]
        for place, system in enumerate(systems)
    ]
    write_cells(form, out, names, rows, left=3)
    for metric in metrics:
        if len(systems) > 1:
            out.write("\n")
            write_heading(out, form, f"{metric.name}: row against column")
            _write_triangle([system["name"] for system in systems], metric, out, form)
    lines = list(_legend(document, metrics))
    out.write("\n")
    write_notes(out, form, lines)


def _write_triangle(
    names: Sequence[str], metric: MetricComparison, out: TextIO, form: TableFormat
) -> None:
    marks = {(pair.first, pair.second): pair.mark for pair in metric.pairs}
    for start in range(0, len(names) - 1, _COLUMNS):
        band = names[start : min(start + _COLUMNS, len(names) - 1)]
        if start:
            out.write("\n")
        rows = []
        for place, row in enumerate(names[start + 1 :], start=start + 1):
            cells = [
                str(marks[column, row] or "-") if start + k < place else ""
                for k, column in enumerate(band)
            ]
            rows.append([row, *cells])
        write_cells(form, out, ["", *band], rows)


def _legend(document: Mapping[str, Any], metrics: Sequence[MetricComparison]) -> Iterator[str]:
    yield (
        f"{document['segments']} sentences; 95% intervals from {document['resamples']} bootstrap samples, "
        f"seed {document['seed']}."
    )
    for metric in metrics:
        yield f"{metric.signature}"
    if len(document["systems"]) > 1:
        yield "Marks: the row is better +** / +* or worse -** / -* than the column in 95% / 90% of samples;"
        yield "0: neither."


def score_cell(interval: Interval) -> str:
    """Return a score with its interval, for people."""
    if interval.score is None:
        return "-"
    if interval.low is None or interval.high is None:
        return f"{interval.score:.4f}"
    return f"{interval.score:.4f} [{interval.low:.4f}, {interval.high:.4f}]"


def write_heading(out: TextIO, form: TableFormat, text: str) -> None:
    """Write what a table is about."""
    if form is TableFormat.MD:
        out.write(f"### {text}\n\n")
    else:
        out.write(f"% {text}\n" if form is TableFormat.LATEX else f"{text}\n")


def write_notes(out: TextIO, form: TableFormat, lines: Sequence[str]) -> None:
    """Write what a reader needs to know, a line each."""
    if form is TableFormat.MD:
        out.writelines(f"- {line.replace('*', chr(92) + '*')}\n" for line in lines)
    elif form is TableFormat.LATEX:
        text = "\n".join(latex_text(line) for line in lines)
        out.write(f"\\par\\noindent{{\\footnotesize\n{text}\\par}}\n")
    else:
        out.writelines(f"{line}\n" for line in lines)
