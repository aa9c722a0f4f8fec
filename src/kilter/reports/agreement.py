"""Agreement with people as tables: one language pair, or several laid out as the papers print them."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

from kilter.reports.page import PAGE, Note, Page
from kilter.reports.table import TableFormat, table_writer
from kilter.structures.counted import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

_NOT_MEASURES = frozenset({"signature", "control"})
_LONG = ["pair", "metric", "control", "measure", "value", "low", "high", "published", "signature"]
_COUNTS = ("pairs", "scores", "ties", "missing", "repeated", "identical", "unscored")


def write_agreement(
    document: dict[str, Any], out: TextIO, *, form: TableFormat, width: int = PAGE
) -> None:
    """Write the document `kilter.meta/1` as tables for people, or one row a value.

    Text is laid out for so many columns.
    """
    if form in (TableFormat.TSV, TableFormat.JSONL):
        rows = list(long_rows(document))
        writer = table_writer(form, out, _LONG, header={})
        writer.start()
        writer.rows({name: [row[name] for row in rows] for name in _LONG})
        writer.end()
        return
    page = Page(out, form, width)
    page.start(name for _, part in _parts(document) for name in part["metrics"])
    if "pairs" in document:
        _write_pairs(document, page)
    else:
        _write_one(document, page)


def write_agreement_csv(document: dict[str, Any], out: TextIO) -> None:
    """Write one row a value, fields between commas."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_LONG)
    for row in long_rows(document):
        writer.writerow(["" if row[name] is None else row[name] for name in _LONG])


def long_rows(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield one row per language pair, metric and measure."""
    for pair, part in _parts(document):
        for name, metric in part["metrics"].items():
            for measure in measures(metric):
                found = metric[measure]
                yield {
                    "pair": pair,
                    "metric": name,
                    "control": metric["control"],
                    "measure": measure,
                    "value": found["value"],
                    "low": found["low"],
                    "high": found["high"],
                    "published": found.get("published"),
                    "signature": metric["signature"],
                }


def measures(metric: dict[str, Any]) -> list[str]:
    """Return the measures that a metric of the document has."""
    return [key for key in metric if key not in _NOT_MEASURES]


def _parts(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return list(document["pairs"].items()) if "pairs" in document else [("", document)]


def _write_one(document: dict[str, Any], page: Page) -> None:
    metrics = document["metrics"]
    listed = measures(next(iter(metrics.values())))
    rows = list(_with_controls(metrics))
    columns = []
    for measure in listed:
        columns.append((measure, [_cell(metric[measure]) for _, metric in rows]))
        if any("published" in metric[measure] for metric in metrics.values()):
            printed = [_number(metric[measure].get("published")) for _, metric in rows]
            columns.append(("printed", printed))
    page.table("metric", [label for label, _ in rows], columns)
    _write_beyond_controls(document, listed[0], page)
    page.notes(
        [
            Note(_summary(document, document)),
            *(Note("", metric["signature"]) for metric in metrics.values()),
        ]
    )


def _with_controls(metrics: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows of a table: metrics, and after those that share a control, the control."""
    controls = {metric["control"] for metric in metrics.values()}
    asked = [name for name in metrics if name not in controls]
    for place, name in enumerate(asked):
        yield name, metrics[name]
        control = metrics[name]["control"]
        later = asked[place + 1 :]
        if control is not None and (not later or metrics[later[0]]["control"] != control):
            yield f"  control {control}", metrics[control]


def _write_beyond_controls(document: dict[str, Any], measure: str, page: Page) -> None:
    """Write how far each metric agrees better than its control, on the pairs that neither ties."""
    rows = []
    for name, metric in document["metrics"].items():
        pair = _compared(document, measure, metric["control"], name)
        if pair is not None and pair["difference"] is not None:
            rows.append((name, metric["control"], pair))
    if not rows:
        return
    page.out.write("\n")
    columns = [
        ("control", [control for _, control, _ in rows]),
        (measure, [_signed(pair["difference"]) for *_, pair in rows]),
        ("low", [_signed(pair["low"]) for *_, pair in rows]),
        ("high", [_signed(pair["high"]) for *_, pair in rows]),
        ("p", [_number(pair["p"]) for *_, pair in rows]),
        ("significant", ["yes" if pair["significant"] else "no" for *_, pair in rows]),
    ]
    page.table("metric", [name for name, *_ in rows], columns)


def _compared(
    document: dict[str, Any], measure: str, first: str | None, second: str
) -> dict[str, Any] | None:
    for pair in document["comparisons"]:
        if pair["measure"] != measure:
            continue
        if (pair["first"], pair["second"]) == (first, second):
            found: dict[str, Any] = pair
            return found
        if (pair["second"], pair["first"]) == (first, second) and pair["difference"] is not None:
            low, high = pair["low"], pair["high"]
            return {
                **pair,
                "difference": -pair["difference"],
                "low": None if high is None else -high,
                "high": None if low is None else -low,
            }
    return None


def _write_pairs(document: dict[str, Any], page: Page) -> None:
    """Write one table a measure: metrics x language pairs, with average rank and score. [PEF] table 3"""
    parts = _parts(document)
    first = parts[0][1]["metrics"]
    names = [name for name in first if all(name in part["metrics"] for _, part in parts)]
    for number, measure in enumerate(measures(next(iter(first.values())))):
        page.out.write("\n" if number else "")
        means = [document["averages"].get(measure, {}).get(name) for name in names]
        columns = [
            (pair, [_cell(part["metrics"][name][measure]) for name in names])
            for pair, part in parts
        ]
        columns.append(("average rank", [f"{m['rank']:.2f}" if m else "-" for m in means]))
        columns.append(("average", [_number(m["score"]) if m else "-" for m in means]))
        page.table(measure, names, columns)
        _write_verdicts(document["new_baseline_draw"].get(measure), measure, page)
    page.notes(Note(f"{pair}: {_summary(part, document)}") for pair, part in parts)


def _write_verdicts(table: dict[str, dict[str, str]] | None, measure: str, page: Page) -> None:
    """Write new / baseline / draw, a star where the new metric is better more often. [PC] table 3"""
    if not table:
        return
    page.out.write("\n")
    baselines = list(next(iter(table.values())))
    columns = [
        (baseline, [_starred(row[baseline]) for row in table.values()]) for baseline in baselines
    ]
    page.table(f"{measure} N/B/D", list(table), columns)


def _starred(cell: str) -> str:
    new, baseline, _ = map(int, cell.split("/"))
    return cell + ("*" if new > baseline else "")


def _summary(part: dict[str, Any], document: dict[str, Any]) -> str:
    counts: dict[str, int] = part["judgments"]
    listed = ", ".join(f"{counts[key]} {key}" for key in _COUNTS if counts.get(key))
    return (
        f"{counted(part['systems'], 'system')} x {counted(part['segments'], 'segment')}; judgments: "
        f"{listed}; ± half of the 95% interval over {document['resample']}, "
        f"{counted(document['resamples'], 'resample')}, seed {document['seed']}; ties "
        f"{document['tie_rule']}"
    )


def _cell(found: dict[str, Any]) -> str:
    if found["value"] is None:
        return "undefined"
    if found["low"] is None or found["high"] is None:
        return _number(found["value"])
    return f"{_number(found['value'])} ±{_number((found['high'] - found['low']) / 2)}"


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    # Percentages have fewer decimals than shares.
    return f"{value:.2f}" if abs(value) > 2 else f"{value:.4f}"


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value:+.4f}"


def interval_rows(
    document: dict[str, Any], measure: str
) -> Sequence[tuple[str, float, float, float]]:
    """Return label, value, low and high of every metric that has all of them, for a chart."""
    return [
        (name, metric[measure]["value"], metric[measure]["low"], metric[measure]["high"])
        for name, metric in document["metrics"].items()
        if None not in (metric[measure]["value"], metric[measure]["low"], metric[measure]["high"])
    ]
