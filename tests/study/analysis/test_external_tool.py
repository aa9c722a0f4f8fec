"""Correlations with tools of others."""

from dataclasses import replace

import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis import external_tool
from kilter.study.analysis.external_tool import ExternalCorrelation, external_correlations
from kilter.study.analysis.judged_correlation import Correlation
from kilter.study.analysis.tool_correlation import Correction
from tests.oracles import meta as oracle
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.study_table import CORRELATION, QUESTIONS, check_report, faked
from tests.study.analysis.correlated import ADJUSTED, STUDY, on_translations


def test_the_table_of_external_tools() -> None:
    found = {
        (entry.question, entry.tool): entry
        for entry in external_correlations(STUDY, adjustments=ADJUSTED)
    }
    theirs, rare = found["order", "theirs"], found["order", "rare"]
    assert (theirs.count, theirs.coverage) == (15, 75.0)
    assert isinstance(theirs.correlation, Correlation)
    assert (rare.count, rare.coverage) == (14, 70.0)
    assert rare.correlation == Undefined(
        "14 sentences with answer and score; a correlation needs 15"
    )
    assert len(found) == 4


@pytest.mark.parametrize("question", ["holistic", "order"])
def test_external_tools_are_correlated_with_adjusted_scores_and_tested_on_plain_ones(
    question: str,
) -> None:
    found, plain = (
        next(
            entry.correlation
            for entry in external_correlations(STUDY, adjustments=given)
            if (entry.question, entry.tool) == (question, "theirs")
        )
        for given in (ADJUSTED, None)
    )
    assert isinstance(found, Correlation)
    assert isinstance(plain, Correlation)
    tool = STUDY.tools[6].values.tolist()
    for value, answers in ((found, ADJUSTED[question].scores), (plain, STUDY.scores(question))):
        listed = on_translations(answers, 6, 15)
        expected = oracle.spearman(
            [score for judged in listed for score in judged],
            [tool[s] for s, judged in enumerate(listed) for _ in judged],
        )
        assert value.rho == pytest.approx(expected)
    assert (found.p, found.sentence_p) == (plain.p, plain.sentence_p)
    assert found.rho != plain.rho


@pytest.mark.parametrize(
    ("rho", "text"),
    [
        (True, "Scores of 1 external tool were read from files; all have a correlation."),
        (
            False,
            (
                "Scores of 1 external tool were read from files; without a correlation: 1, for instance with fewer than "
                "15 sentences in common with the study."
            ),
        ),
    ],
)
def test_how_many_tools_have_no_correlation_is_said(book: Book, text: str, *, rho: bool) -> None:
    made = book.make(ExternalCorrelation, "one", question="order")
    few = Undefined("3 sentences with answer and score; a correlation needs 15")
    row = made if rho else replace(made, correlation=few, unadjusted=few)
    report = external_tool.external_report([row], correction=Correction.NONE, simulated=False)
    assert report.text == (text,)


@case("external_report")
def test_columns_of_external_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked(external_tool, monkeypatch)
    rows = [
        book.make(ExternalCorrelation, name, question=name, coverage=place + 12.5)
        for place, name in enumerate(QUESTIONS)
    ]
    report = external_tool.external_report(rows, correction=Correction.NONE, simulated=False)
    titles = {
        **CORRELATION, "n": "correlation_judgments", "sentences": "correlation_sentences",
        "tool": "tool", "corr.": "rho", "p-value": "p", "%": "coverage",
    }  # fmt: skip
    computed = ("tool", "variant", "unadjusted_rho", "unadjusted")
    check_report(book, report, titles=titles, computed=computed)
    for row, made in zip(report.data.rows, rows, strict=True):
        assert row[1:3] == (made.tool, made.variant)
        assert row[-1] == made.unadjusted.rho
    for row, made in zip(report.tables[0].rows, rows, strict=True):
        assert row[1] == f"{made.tool}:{made.variant}"
        assert row[6] == made.unadjusted.rho
