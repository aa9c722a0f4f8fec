"""Agreement with people as tables: one language pair, or several laid out as the papers print them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kilter.agreement.agreement import Measure, Resample, drawn_of
from kilter.counted import counted
from kilter.reports.table.long_table import LongTable
from kilter.reports.table.page import PAGE, Note, Page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

    from kilter.reports.table.table import TableFormat

_NOT_MEASURES = frozenset({"signature", "control"})
_LONG = [
    "pair",
    "metric",
    "control",
    "measure",
    "value",
    "low",
    "high",
    "unscored",
    "published",
    "signature",
]
_CONTROL = "  control "
_NOUNS = ("pairs", "scores", "ties")
_COUNTS = (*_NOUNS, "missing", "repeated", "identical", "unscored")


def write_agreement(
    document: dict[str, Any], out: TextIO, *, form: TableFormat, width: int = PAGE
) -> None:
    """Write the document `kilter.meta/1` as tables for people; text is laid out for so many columns."""
    page = Page(out, form, width)
    page.start(name for _, part in _parts(document) for name in part["metrics"])
    if "pairs" in document:
        _write_pairs(document, page)
    else:
        _write_one(document, page)


def agreement_rows(document: dict[str, Any]) -> LongTable:
    """Return one row a value."""
    return LongTable(_LONG, [[row[name] for name in _LONG] for row in _rows(document)])


def _rows(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
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
                    "unscored": found.get("unscored"),
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
    columns: list[tuple[str, list[str]]] = []
    for measure in listed:
        columns += _columns(measure, measure, [metric for _, metric in rows])
    page.table("metric", [label for label, _ in rows], columns)
    _write_beyond_controls(document, listed[0], page)
    page.notes(
        [
            Note(_summary(document, document)),
            *_unscored(metrics),
            *(Note("", metric["signature"]) for metric in metrics.values()),
        ]
    )


def _columns(
    title: str, measure: str, metrics: Sequence[dict[str, Any]]
) -> Iterator[tuple[str, list[str]]]:
    """Yield the values of a measure, and beside them what is printed, if anything is."""
    yield title, [_cell(metric[measure], measure) for metric in metrics]
    if any("published" in metric[measure] for metric in metrics):
        yield "printed", [_number(metric[measure].get("published"), measure) for metric in metrics]


def _unscored(metrics: dict[str, Any], before: str = "") -> Iterator[Note]:
    """Yield how many pairs of a metric have no score."""
    for name, metric in metrics.items():
        left = max((metric[measure].get("unscored", 0) for measure in measures(metric)), default=0)
        if left:
            yield Note(f"{before}{name}: {counted(left, 'pair')} without a score left out")


def _with_controls(metrics: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows of a table: metrics, and after those that share a control, the control."""
    controls = {metric["control"] for metric in metrics.values()}
    asked = [name for name in metrics if name not in controls]
    for place, name in enumerate(asked):
        yield name, metrics[name]
        control = metrics[name]["control"]
        later = asked[place + 1 :]
        if control is not None and (not later or metrics[later[0]]["control"] != control):
            yield f"{_CONTROL}{control}", metrics[control]


def _write_beyond_controls(
    document: dict[str, Any], measure: str, page: Page, *, corner: str = "metric"
) -> None:
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
        (measure, [_signed(pair["difference"], measure) for *_, pair in rows]),
        ("low", [_signed(pair["low"], measure) for *_, pair in rows]),
        ("high", [_signed(pair["high"], measure) for *_, pair in rows]),
        ("p", [_number(pair["p"]) for *_, pair in rows]),
        ("significant", ["yes" if pair["significant"] else "no" for *_, pair in rows]),
    ]
    page.table(corner, [name for name, *_ in rows], columns)


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
    shared = {
        name: metric
        for name, metric in first.items()
        if all(name in part["metrics"] for _, part in parts)
    }
    rows = [(label, _name(label)) for label, _ in _with_controls(shared)]
    listed = measures(next(iter(first.values())))
    for number, measure in enumerate(listed):
        page.out.write("\n" if number else "")
        means = [document["averages"].get(measure, {}).get(name) for _, name in rows]
        columns: list[tuple[str, Sequence[str]]] = []
        for pair, part in parts:
            columns += _columns(pair, measure, [part["metrics"][name] for _, name in rows])
        columns.append(("average rank", [f"{m['rank']:.2f}" if m else "-" for m in means]))
        columns.append(("average", [_number(m["score"], measure) if m else "-" for m in means]))
        page.table(measure, [label for label, _ in rows], columns)
        _write_verdicts(document["new_baseline_draw"].get(measure), measure, page)
    for pair, part in parts:
        _write_beyond_controls(part, listed[0], page, corner=pair)
    signatures = dict.fromkeys(
        metric["signature"] for _, part in parts for metric in part["metrics"].values()
    )
    page.notes(
        [
            *(Note(f"{pair}: {_summary(part, document)}") for pair, part in parts),
            *(note for pair, part in parts for note in _unscored(part["metrics"], f"{pair}: ")),
            *(Note("", signature) for signature in signatures),
        ]
    )


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


def _name(label: str) -> str:
    return label.removeprefix(_CONTROL)


def _summary(part: dict[str, Any], document: dict[str, Any]) -> str:
    counts: dict[str, int] = part["judgments"]
    listed = ", ".join(judgment_counts(counts))
    idle = counts.get("systems_without_judgment", 0)
    others = f" ({idle} more without judgment)" if idle else ""
    drawn = document["resample"]
    apart = _drawn_apart(part, drawn)
    pairs_too = f" ({' and '.join(apart)}: over segments)" if apart else ""
    return (
        f"{counted(part['systems'], 'system')}{others} x {counted(part['segments'], 'segment')}; "
        f"judgments: {listed}; ± half of the 95% interval over {drawn}{pairs_too}, "
        f"{counted(document['resamples'], 'resample')}, seed {document['seed']}; ties "
        f"{document['tie_rule']}"
    )


def _drawn_apart(part: dict[str, Any], drawn: str) -> list[str]:
    """Return which intervals draw segments although something else is drawn for the others."""
    if drawn == Resample.SEGMENTS:
        return []
    shown = {measure for metric in part["metrics"].values() for measure in measures(metric)}
    by_segment = any(
        drawn_of(Measure(measure), Resample(drawn)) is Resample.SEGMENTS for measure in shown
    )
    correlations = ["correlations of segment scores"] if by_segment else []
    return ["differences between metrics on pairs", *correlations]


def judgment_counts(counts: dict[str, int]) -> Iterator[str]:
    """Yield how many judgments of each kind there are, without kinds that do not occur."""
    for key in _COUNTS:
        if counts.get(key):
            noun = key.removesuffix("s") if key in _NOUNS else ""
            yield counted(counts[key], noun) if noun else f"{counts[key]} {key}"


def _cell(found: dict[str, Any], measure: str) -> str:
    if found["value"] is None:
        return "undefined"
    if found["low"] is None or found["high"] is None:
        return _number(found["value"], measure)
    half = (found["high"] - found["low"]) / 2
    return f"{_number(found['value'], measure)} ±{_number(half, measure)}"


def _number(value: float | None, measure: str = "") -> str:
    return "-" if value is None else f"{value:.{decimals(measure)}f}"


def _signed(value: float | None, measure: str) -> str:
    return "-" if value is None else f"{value:+.{decimals(measure)}f}"


def decimals(measure: str) -> int:
    """Return with how many decimals a measure is written: percentages have fewer than shares."""
    return 2 if measure == "consistency" else 4


def interval_rows(
    document: dict[str, Any], measure: str
) -> Sequence[tuple[str, float, float, float]]:
    """Return label, value, low and high of every metric that has all of them, for a chart."""
    return [
        (name, metric[measure]["value"], metric[measure]["low"], metric[measure]["high"])
        for name, metric in document["metrics"].items()
        if None not in (metric[measure]["value"], metric[measure]["low"], metric[measure]["high"])
    ]
