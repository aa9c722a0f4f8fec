"""Agreement on language pairs: metrics by name, whichever way round, and those that all pairs have."""

from dataclasses import replace

from kilter.results.meta_result import (
    Agreement,
    AgreementMeasure,
    ComparedMetric,
    PairResult,
    PublishedValue,
    judgment_counts,
    pair_table,
    ranked_metrics,
    shared_metrics,
)
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
