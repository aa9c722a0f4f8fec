"""Columns hold what they name: agreement with people as tables: one language pair, or several laid out as the papers print them."""

from typing import Any

from kilter.render.table.page import write_result
from kilter.results.meta_result import (
    Agreement,
    AgreementMeasure,
    ComparedMetric,
    MetaResult,
    MetricPair,
    PairResult,
    PublishedValue,
)
from kilter.run.meta.meta import MetaSettings, over_pairs
from kilter.stats.resampling import Resampling
from tests.render.cases import case
from tests.render.distinct import Book, check_document
from tests.render.written import halved, long_rows, number, pages


def meta_result(book: Book, *names: str) -> MetaResult:
    """Return the agreement of a metric and its control on language pairs."""
    listed = ("full", "part")
    measures = (AgreementMeasure.SEGMENT_TAU, AgreementMeasure.SYSTEM_PEARSON)

    def pair(name: str) -> PairResult:
        # The second metric is the control of the first, which was compared with it.
        agreements = {
            measure: [
                book.make(
                    Agreement, name, metric, str(measure),
                    counts={"unscored": book.make(int, name, metric, str(measure), "unscored")},
                )
                for metric in listed
            ]
            for measure in measures
        }  # fmt: skip
        return PairResult(
            name=name,
            metrics=tuple(
                ComparedMetric(
                    name=metric,
                    signature=book.make(str, name, metric, "signature"),
                    control="part" if metric == "full" else None,
                )
                for metric in listed
            ),
            systems=("a", "b"),
            segments=3,
            counts={"pairs": 5},
            agreements=agreements,
            comparisons={
                measure: [
                    book.make(
                        MetricPair, name, str(measure), "pair", first="part", second="full",
                        significant=True,
                    )
                ]
                for measure in measures
            },
            published={
                "segment_tau": {"full": book.make(PublishedValue, name, "full", "segment_tau")}
            },
        )  # fmt: skip

    settings = MetaSettings(measures=measures)
    return over_pairs([pair(name) for name in names], settings, resampling=Resampling())


OF_META = {"difference": "value", "undefined_resamples": "undefined", "published": "value"}


def meta_document(book: Book, result: MetaResult) -> dict[str, Any]:
    document = result.to_dict()
    parts = document["pairs"] if len(result.pairs) > 1 else {result.pairs[0].name: document}
    for pair in result.pairs:
        part = parts[pair.name]
        assert check_document(
            book, {k: part[k] for k in ("metrics", "comparisons")}, aliases=OF_META
        )
        for place, metric in enumerate(pair.metrics):
            for measure, rows in pair.agreements.items():
                found, made = part["metrics"][metric.name][measure], rows[place]
                assert [found[key] for key in ("value", "low", "high", "unscored")] == [
                    made.value, made.low, made.high, made.counts["unscored"],
                ]  # fmt: skip
                assert found["undefined_resamples"] == made.undefined
        for entry, made_pair in zip(
            part["comparisons"],
            [p for rows in pair.comparisons.values() for p in rows],
            strict=True,
        ):
            for key in set(entry) - {"measure", "resample"}:
                assert entry[key] == getattr(made_pair, key), key
    return document


def test_columns_of_agreement_rows_hold_what_they_name(book: Book) -> None:
    result = meta_result(book, "de-en", "cs-en")
    document = meta_document(book, result)
    assert document["schema"] == "kilter.meta/1"
    rows = long_rows(result.data())
    assert len(rows) == 8
    for row in rows:
        of_pair = row.pop("pair")
        (pair,) = [pair for pair in result.pairs if pair.name == of_pair]
        name, measure = row.pop("metric"), row.pop("measure")
        (place,) = [k for k, metric in enumerate(pair.metrics) if metric.name == name]
        found, metric = pair.agreements[AgreementMeasure(measure)][place], pair.metrics[place]
        printed = pair.published.get(measure, {}).get(name)
        assert row == {
            "control": metric.control, "value": found.value, "low": found.low, "high": found.high,
            "unscored": found.counts["unscored"], "signature": metric.signature,
            "published": None if printed is None else printed.value,
        }  # fmt: skip


def check_averages(result: MetaResult, table: list[dict[str, str]]) -> None:
    (line,) = [line for line in table if line["segment_tau"] == "full"]
    values = [number(pair.value(AgreementMeasure.SEGMENT_TAU, "full")) for pair in result.pairs]
    assert line["average"] == f"{sum(values) / len(values):.4f}"
    assert line["average rank"] == "1.00"


@case("MetaResult")
def test_columns_of_write_agreement_hold_what_they_name(book: Book) -> None:
    for names in (["de-en"], ["cs-en", "fr-en"]):
        result = meta_result(book, *names)
        meta_document(book, result)
        found = pages(write_result, result)
        for pair in result.pairs:
            several = len(names) > 1
            for rank, measure in enumerate(pair.agreements):
                corner = str(measure) if several else "metric"
                table = found[rank if several else 0]
                title = pair.name if several else str(measure)
                for line in table:
                    name = line[corner].removeprefix("control ")
                    place = [metric.name for metric in pair.metrics].index(name)
                    made = pair.agreements[measure][place]
                    assert line[title] == halved(*map(number, made.triple))
            table = found[-len(names) + names.index(pair.name)]
            (line,) = table
            made_pair = pair.comparisons[AgreementMeasure.SEGMENT_TAU][0]
            assert line == {
                (pair.name if several else "metric"): "full", "control": "part",
                "segment_tau": f"{made_pair.difference:+.4f}", "low": f"{made_pair.low:+.4f}",
                "high": f"{made_pair.high:+.4f}", "p": f"{made_pair.p:.4f}", "significant": "yes",
            }  # fmt: skip
        if len(names) > 1:
            check_averages(result, found[0])
