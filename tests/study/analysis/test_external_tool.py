"""Correlations with tools of others."""

import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis.external_tool import external_correlations
from kilter.study.analysis.judged_correlation import Correlation
from tests.oracles import meta as oracle
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
