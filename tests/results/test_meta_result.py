"""Agreement on language pairs: metrics by name, whichever way round, and those that all pairs have."""

from dataclasses import replace
from typing import Any

from kilter.render.table.page import write_result
from kilter.results.meta_result import (
    PAIRWISE,
    SEGMENT_LEVEL,
    SYSTEM_LEVEL,
    Agreement,
    AgreementMeasure,
    ComparedMetric,
    MetaResult,
    MetricPair,
    PairResult,
    PublishedValue,
    Resample,
    drawn_of,
    drawn_of_difference,
    judgment_counts,
    pair_table,
    ranked_metrics,
    shared_metrics,
)
from kilter.run.meta.meta import MetaSettings, over_pairs
from kilter.stats.resampling import Resampling
from tests.render.cases import NAMESPACE, case
from tests.render.distinct import Book, check_document
from tests.render.written import halved, long_rows, number, pages
from tests.results.test_metric_pair import PAIR

TAU = AgreementMeasure.SEGMENT_TAU


def pair(*values: float | None, names: str = "abc") -> PairResult:
    return PairResult(
        name="de-en",
        metrics=tuple(
            ComparedMetric(name=name, signature=f"{name}|", control="c" if name == "a" else None)
            for name in names
        ),
        systems=("x", "y"),
        segments=3,
        counts={"pairs": 4},
        agreements={TAU: [Agreement(value) for value in values]},
        comparisons={TAU: [PAIR]},
        published={"segment_tau": {"b": PublishedValue(value=0.75, publication="[X]")}},
    )


def test_two_metrics_are_found_in_either_order() -> None:
    made = pair(0.1, 0.2, 0.3)
    assert made.comparison(TAU, "a", "b") == PAIR
    assert made.comparison(TAU, "b", "a") == PAIR.reversed()
    assert made.comparison(TAU, "a", "c") is None
    assert made.comparison(AgreementMeasure.PEARSON, "a", "b") is None


def test_tables_hold_metrics_that_compete_and_are_defined_on_every_pair() -> None:
    pairs = [pair(0.1, 0.2, 0.3), pair(0.4, None, 0.5), pair(0.6, 0.7, names="ab")]
    assert shared_metrics(pairs[:2]) == ["a", "b", "c"]
    assert shared_metrics(pairs) == ["a", "b"]
    assert ranked_metrics(pairs[:2]) == ["a", "b"]
    assert pair_table(pairs, TAU) == {"a": [0.1, 0.4, 0.6]}


def test_the_headline_names_a_control_with_a_higher_value() -> None:
    result = meta_result(Book(NAMESPACE), "cs-en", "fr-en")
    one = replace(result.pairs[0], metrics=pair(0, 0, 0, names="abc").metrics)
    for value, told in ((0.9, "; a control has a higher value: c 0.9000"), (0.1, "")):
        measured = [Agreement(0.2), Agreement(0.3), Agreement(value)]
        agreements = dict.fromkeys(result.measures, measured)
        made = replace(result, pairs=(replace(one, agreements=agreements, comparisons={}),))
        headline = " ".join(str(made).split()).partition("; not significantly")[0]
        assert headline.endswith(f"b agrees best with people: segment_tau 0.3000{told}")


def test_tests_against_controls_say_which_pairs_they_are_of() -> None:
    for names in (["de-en"], ["cs-en", "fr-en"]):
        told = " ".join(str(meta_result(Book(NAMESPACE), *names)).split())
        assert "Against a control: " in told
        assert "on pairs of translations that neither metric ties, and not those of the" in told


def test_what_is_printed_stands_beside_the_metric_that_it_is_about() -> None:
    metrics = pair(0.1, 0.2, 0.3).to_dict()["metrics"]
    assert metrics["b"]["segment_tau"]["published"] == 0.75
    assert "published" not in metrics["a"]["segment_tau"]
    without = replace(pair(0.1, 0.2, 0.3), published={}).to_dict()["metrics"]
    assert "publication" not in without["b"]["segment_tau"]


def test_judgments_that_count_nowhere_stand_beside_those_that_were_read() -> None:
    counts = {
        "pairs": 9,
        "ties": 1,
        "judged_once_left_out": 4,
        "disagreed_left_out": 2,
        "missing": 0,
    }
    assert ", ".join(judgment_counts(counts)) == (
        "9 pairs, 1 tie, 4 left out as judged once, 2 left out for disagreement"
    )


# Measures fall into kinds, which say what their intervals draw.


def test_a_measure_is_of_one_kind() -> None:
    kinds = [PAIRWISE, SYSTEM_LEVEL, SEGMENT_LEVEL, {AgreementMeasure.SOFT_ACCURACY}]
    assert sorted(measure for kind in kinds for measure in kind) == sorted(AgreementMeasure)
    assert {str(measure) for measure in SEGMENT_LEVEL} == {
        f"{name}{level}" for name in ("pearson", "spearman") for level in ("", "_item", "_system")
    }


def test_segments_are_drawn_where_nothing_else_can_be() -> None:
    for measure in AgreementMeasure:
        by_segment = measure in SEGMENT_LEVEL
        expected = Resample.SEGMENTS if by_segment else Resample.SYSTEMS
        assert drawn_of(measure, Resample.SYSTEMS) is expected
        apart = by_segment or measure in PAIRWISE
        expected = Resample.SEGMENTS if apart else Resample.SYSTEMS
        assert drawn_of_difference(measure, Resample.SYSTEMS) is expected


# Columns hold what they name: agreement with people as tables: one language pair, or several laid out as the papers print them.


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
