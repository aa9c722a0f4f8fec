"""Ratings of systems as people and programs read them. [FRS] tables 1, 3, 6 and 7"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.estimate import p_text
from kilter.core.table import Note, people_text
from kilter.render.table.comparison import mark_note
from kilter.render.table.long_table import LongTable, write_result
from kilter.render.table.page import PAGE, Page
from kilter.render.table.table import write_cells
from kilter.results.meta_result import RATING_MEASURES, SYSTEM_LEVEL
from kilter.results.rated_systems import Estimate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

    from kilter.render.table.table import TableFormat
    from kilter.results.comparison import Interval, Pair
    from kilter.results.meta_result import Agreement
    from kilter.results.rated_systems import RatedMetric, RatedSystems

_COLUMNS = (
    "table", "name", "against", "measure", "value", "low", "high", "p", "adjusted", "count", "reason",
)  # fmt: skip
_MEASURES = dict(
    zip(
        RATING_MEASURES,
        ("sentence pearson", "sentence spearman", "system pearson", "system spearman"),
        strict=True,
    )
)
_AGREEMENT = {
    "alpha": "Krippendorff's alpha",
    "ordinal": "alpha, ordinal",
    "exact": "same rating",
    "near": "at most one apart",
    "distance": "mean distance",
}


def write_rated_systems(
    result: RatedSystems, out: TextIO, *, form: TableFormat, width: int = PAGE
) -> None:
    """Write mean ratings, pairs of systems, agreement of raters, and scores against ratings."""
    write_result(
        out,
        form,
        document=result.to_dict,
        rows=lambda: rating_rows(result),
        page=lambda: _write_page(result, Page(out, form, width)),
    )


def rating_rows(result: RatedSystems) -> LongTable:
    """Return a row for every number: of systems, pairs, agreement, raters, correlations, differences."""
    return LongTable.of(_COLUMNS, [{**dict.fromkeys(_COLUMNS), **row} for row in _rows(result)])


def _rows(result: RatedSystems) -> Iterator[dict[str, object]]:
    (rated,) = result.comparison.metrics
    for system, interval in zip(result.systems, rated.intervals, strict=True):
        mean = {"value": interval.score, "low": interval.low, "high": interval.high}
        named = {"table": "system", "name": system.name}
        yield {**named, "measure": "rating", **mean, "count": system.translations}
        for measured, score in system.scores.items():
            yield {**named, "measure": measured, "value": score}
    for pair in rated.pairs:
        p, adjusted = _tested(result, pair)
        yield {
            "table": "pair",
            "name": pair.second,
            "against": pair.first,
            "measure": "rating",
            "value": pair.difference,
            "low": pair.low,
            "high": pair.high,
            "p": p,
            "adjusted": adjusted,
        }
    for name in _AGREEMENT:
        estimate: Estimate = getattr(result.agreement, name)
        row = {**estimate._asdict(), "reason": estimate.reason or None}
        yield {"table": "agreement", "measure": name, **row, "count": result.agreement.pairs}
    for rater in result.raters:
        person = {"table": "rater", "name": rater.name, "count": rater.ratings}
        yield {**person, "measure": "mean", "value": rater.mean}
        found = rater.correlation
        reason = found.reason or None
        yield {**person, "measure": "correlation", "value": found.value, "reason": reason}
    for metric in result.metrics:
        for measure in RATING_MEASURES:
            yield {
                "table": "correlation",
                "name": metric.name,
                "measure": str(measure),
                **_agreement_row(metric.correlations.get(measure)),
                "reason": metric.reasons.get(measure),
            }
    for each in result.differences:
        yield {
            "table": "difference",
            "name": each.pair.second,
            "against": each.pair.first,
            "measure": str(each.measure),
            "value": each.pair.difference,
            "low": each.pair.low,
            "high": each.pair.high,
            "p": each.pair.p,
            "adjusted": each.holm,
        }


def _agreement_row(found: Agreement | None) -> dict[str, object]:
    if found is None:
        return {}
    return {
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "p": found.counts.get("p"),
        "count": found.counts.get("scores", found.counts.get("systems")),
    }


def _write_page(result: RatedSystems, page: Page) -> None:
    (rated,) = result.comparison.metrics
    names = [system.name for system in result.systems]
    page.start(names)
    page.heading("mean ratings")
    metrics = [metric.name for metric in result.metrics]
    columns = [
        ("rating", [_cell(interval) for interval in rated.intervals]),
        ("translations", [str(system.translations) for system in result.systems]),
        ("ratings", [str(system.ratings) for system in result.systems]),
        *((name, [people_text(each.scores[name]) for each in result.systems]) for name in metrics),
    ]
    page.table("system", page.labels(names), columns)
    _heading(page, "pairs of systems: the second against the first")
    _write_pairs(result, rated.pairs, page)
    _heading(page, "agreement between raters")
    _write_agreement(result, page)
    if result.metrics:
        _heading(page, "correlation of scores with ratings")
        _write_correlations(result.metrics, page)
    if result.differences:
        _heading(page, "differences between correlations: the second metric less the first")
        _write_differences(result, page)
    if result.raters:
        _heading(page, "raters")
        _write_raters(result, page)
    page.notes([*_notes(result), *page.full_names(names)])


def _heading(page: Page, text: str) -> None:
    page.out.write("\n")
    page.heading(text)


def _write_pairs(result: RatedSystems, pairs: Sequence[Pair], page: Page) -> None:
    firsts = page.labels([pair.first for pair in pairs])
    seconds = page.labels([pair.second for pair in pairs])
    rows = []
    for pair, first, second in zip(pairs, firsts, seconds, strict=True):
        p, adjusted = _tested(result, pair)
        rows.append(
            [
                first,
                second,
                _signed(pair.difference, pair.low, pair.high),
                p_text(p),
                p_text(adjusted),
                str(pair.mark or "-"),
            ]
        )
    names = ["first", "second", "difference", "p", "adjusted", "mark"]
    write_cells(page.form, page.out, names, rows, left=2)


def _tested(result: RatedSystems, pair: Pair) -> tuple[float | None, float | None]:
    test = result.comparison.tests[0]
    return pair.p[test], pair.holm[test]


def _write_agreement(result: RatedSystems, page: Page) -> None:
    rows = [[text, _cell(getattr(result.agreement, name))] for name, text in _AGREEMENT.items()]
    write_cells(page.form, page.out, ["measure", "value"], rows, left=1)


def _write_correlations(metrics: Sequence[RatedMetric], page: Page) -> None:
    columns = [
        (title, [_correlation(metric.correlations.get(measure)) for metric in metrics])
        for measure, title in _MEASURES.items()
    ]
    page.table("metric", page.labels([metric.name for metric in metrics]), columns)


def _write_differences(result: RatedSystems, page: Page) -> None:
    rows = [
        [
            each.pair.first,
            each.pair.second,
            _MEASURES[each.measure],
            _signed(each.pair.difference, each.pair.low, each.pair.high),
            p_text(each.pair.p),
            p_text(each.holm),
        ]
        for each in result.differences
        if each.measure not in SYSTEM_LEVEL  # few systems tell few metrics apart; programs get them
    ]
    names = ["first", "second", "correlation", "difference", "p", "adjusted"]
    write_cells(page.form, page.out, names, rows, left=3)


def _write_raters(result: RatedSystems, page: Page) -> None:
    labels = page.labels([rater.name for rater in result.raters])
    rows = [
        [
            label,
            str(rater.ratings),
            str(rater.segments),
            f"{rater.share:.1%}",
            people_text(rater.mean),
            people_text(rater.correlation.value),
        ]
        for rater, label in zip(result.raters, labels, strict=True)
    ]
    names = ["rater", "ratings", "segments", "share", "mean", "r with others"]
    write_cells(page.form, page.out, names, rows, left=1)


def _cell(found: Interval | Estimate) -> str:
    value = found.value if isinstance(found, Estimate) else found.score
    if value is None or found.low is None or found.high is None:
        return people_text(value)
    return f"{value:.4f} [{found.low:.4f}, {found.high:.4f}]"


def _correlation(found: Agreement | None) -> str:
    return "-" if found is None else _cell(Estimate(found.value, found.low, found.high))


def _signed(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:+.4f}" + ("" if low is None or high is None else f" [{low:+.4f}, {high:+.4f}]")


def _notes(result: RatedSystems) -> Iterator[Note]:
    compared, agreement = result.comparison, result.agreement
    drawn = compared.resampling
    people = counted(len(result.raters), "rater") if result.raters else "no rater is named"
    yield Note(
        f"{counted(compared.segments, 'rated segment')}, {people}; "
        f"{drawn.level:.0%} intervals from {counted(drawn.count, 'resample')} of segments, seed {drawn.seed}"
    )
    yield Note(
        f"pairs: {compared.tests[0]} test on resampled segments; adjusted: corrected for all pairs (Holm)"
    )
    yield mark_note(compared, better="second system")
    if agreement.pairs:
        yield Note(
            f"agreement: {counted(agreement.pairs, 'pair')} of ratings of "
            f"{counted(agreement.translations, 'translation')}"
        )
    reasons = {
        text: getattr(agreement, name).reason
        for name, text in _AGREEMENT.items()
        if getattr(agreement, name).reason
    }
    for reason in dict.fromkeys(reasons.values()):
        yield Note(
            f"{', '.join(n for n, r in reasons.items() if r == reason)}: undefined, {reason}"
        )
    undefined = {
        (measure, metric.name): reason
        for metric in result.metrics
        for measure, reason in metric.reasons.items()
    }
    for reason in dict.fromkeys(undefined.values()):
        listed = list(
            dict.fromkeys(_MEASURES[m] for (m, _), text in undefined.items() if text == reason)
        )
        yield Note(f"{', '.join(listed)}: undefined, {reason}")
    for note in result.notes:
        yield Note(note)
    for metric in result.metrics:
        yield Note("", metric.signature)
