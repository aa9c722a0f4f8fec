"""Columns hold what they name: the hypotheses about variants and configurations. Section 13.4"""

from dataclasses import replace
from typing import Any

import pytest

from kilter.run.meta.hypothesis import HypothesisResult
from kilter.stats.undefined import Undefined
from kilter.study.chapter import hypothesis_table
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.study_table import faked


@case("hypothesis_report")
def test_columns_of_hypothesis_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked(hypothesis_table, monkeypatch)
    results = [book.make(HypothesisResult, str(k)) for k in range(2)]
    # What is said with unadjusted answers is the opposite of what is said with adjusted ones.
    plain = [replace(made, supported=not made.supported) for made in results]
    report = hypothesis_table.hypothesis_report(
        results, baselines={}, unadjusted=plain, adjusted=True, simulated=False
    )
    rows = iter(report.data.rows)
    for made in results:
        for name, value in made.numbers.items():
            assert dict(zip(report.data.names, next(rows), strict=True)) == {
                "id": made.id, "alternative": made.alternative, "result": "null rejected",
                "unadjusted result": "not rejected",
                "supporting": " ".join(made.variants), "variant": name, "number": value,
            }  # fmt: skip
    assert not [*rows]
    for row, made in zip(report.tables[0].rows, results, strict=True):
        numbers = ", ".join(f"{name} {value:+.3f}" for name, value in made.numbers.items())
        assert dict(zip(report.tables[0].names, row, strict=True)) == {
            "id": made.id, "supported when": made.alternative, "result": "null rejected",
            "unadjusted": "not rejected", "supporting": ", ".join(made.variants), "numbers": numbers,
        }  # fmt: skip


def made(*, supported: bool | Undefined) -> HypothesisResult:
    return HypothesisResult(
        id="EVAL", alternative="a", supported=supported, variants=(), numbers={}
    )


def said(**options: Any) -> tuple[str, ...]:
    given: dict[str, Any] = {"baselines": {}, "adjusted": True, "simulated": False} | options
    return hypothesis_table.hypothesis_report([made(supported=True)], **given).text


def test_baselines_are_named_with_their_correlations_and_the_best_of_them() -> None:
    values = {"bleu": [0.25], "tau": [0.1, 0.5], "comet": []}
    assert said(baselines=values)[-1] == (
        "The baselines are, with their correlations with order: bleu 0.250, tau 0.100 to 0.500. The highest is "
        "that of tau: a variant outperforms every baseline if all its configurations are above 0.500. Without a "
        "correlation: comet."
    )
    assert said()[-1].startswith("There is no baseline with a correlation")


def test_a_hypothesis_that_the_adjustment_decides_is_named() -> None:
    assert "With unadjusted answers the outcome of EVAL is another." in said(
        unadjusted=[made(supported=False)]
    )
    assert "With unadjusted answers every outcome is the same." in said(
        unadjusted=[made(supported=True)]
    )
    assert not [text for text in said() if "unadjusted" in text]
