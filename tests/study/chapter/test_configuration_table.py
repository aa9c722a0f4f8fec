"""Columns hold what they name: variants by configuration. [TH] table 7.3, section 13.4"""

from dataclasses import replace

import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis.judged_correlation import Correlation
from kilter.study.analysis.judgment_study import SentenceGroup
from kilter.study.analysis.tool_correlation import ToolCorrelation
from kilter.study.chapter.configuration_table import configuration_report
from tests.render.cases import case
from tests.render.distinct import Book


def row(book: Book, question: str, tool: str, variant: str, **rho: float) -> ToolCorrelation:
    made: ToolCorrelation = book.make(
        ToolCorrelation, question, tool, variant, question=question, tool=tool, variant=variant,
        sentences=SentenceGroup.TRANSLATION, adjusted=True, group="all", external=False,
    )  # fmt: skip
    values = {
        name.replace("_", "+"): replace(book.make(Correlation, question, variant, name), rho=value)
        for name, value in rho.items()
    }
    return replace(made, configurations=values)


@case("configuration_report")
def test_columns_of_configuration_report_hold_what_they_name(book: Book) -> None:
    rows = [
        row(book, "order", "derp", "flat=true", match=0.125),
        row(book, "order", "dted", "variant=b", match_model=0.5, match_perceptron=0.25),
        row(book, "order", "bleu", "", match=0.75),
        row(book, "holistic", "dted", "variant=b", match_model=0.1, match_perceptron=0.3),
    ]
    others = [
        replace(rows[1], adjusted=False),
        replace(rows[1], sentences=SentenceGroup.SWAP),
        replace(rows[1], external=True),
    ]
    report = configuration_report([*others, *rows], adjusted=True)
    assert report.data.names == (
        "question", "configuration", "variant", "rho", "n", "sentences",
    )  # fmt: skip
    listed = [
        (each.question, name, short, value.rho, value.judgments, value.sentences)
        for each, short in zip(rows, ("fderp", "b", None, "b"), strict=True)
        for name, value in each.configurations.items()
        if short and isinstance(value, Correlation)
    ]
    assert [*report.data.rows] == [*listed[1:3], listed[0], *listed[3:]]
    order, holistic = report.tables
    assert order.names == ("configuration", "b", "fderp")
    assert [*order.rows] == [
        ("match+model", 0.5, None),
        ("match+perceptron", 0.25, None),
        ("match", None, 0.125),
        ("largest - smallest", 0.25, 0.0),
    ]
    assert holistic.names == ("configuration", "b")
    assert holistic.rows[-1][1] == pytest.approx(0.2)
    assert [table.title for table in report.tables] == [
        "Correlation with order on translations, by configuration and variant",
        "Correlation with holistic on translations, by configuration and variant",
    ]


def test_a_correlation_that_is_undefined_says_why_and_makes_no_spread(book: Book) -> None:
    nothing = Undefined("all scores are equal")
    made = row(book, "order", "derp", "", match_model=0.5)
    report = configuration_report(
        [replace(made, configurations={**made.configurations, "": nothing})], adjusted=True
    )
    assert report.tables[0].rows == (
        ("match+model", 0.5), ("words only", nothing), ("largest - smallest", 0.0),
    )  # fmt: skip


def test_without_a_variant_there_is_a_sentence_that_says_so() -> None:
    report = configuration_report([], adjusted=False)
    assert report.text == ("No variant of DTED or DERP has correlations.",)
    assert report.data.rows == ()
