"""Stars behind correlations: who gets one, and who does not."""

from dataclasses import replace

import pytest

from kilter.reports.study.tool_correlation import Correction, best_sentence, range_text, stars
from kilter.statistics.undefined import Undefined
from kilter.survey.analysis.judged_correlation import Correlation
from kilter.survey.analysis.judgment_study import SentenceGroup
from kilter.survey.analysis.tool_correlation import ToolCorrelation

NOTHING = Undefined("all these sentences have the same score")
SURE = Correlation(
    rho=0.5, judgments=90, sentences=30, p=0.01, holm=0.02, sentence_p=0.03, sentence_holm=0.04,
    low=0.1, high=0.7,
)  # fmt: skip
OPEN = replace(SURE, rho=0.1, p=0.3, holm=1.0, sentence_p=0.4, sentence_holm=1.0)


@pytest.mark.parametrize("correction", Correction)
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([SURE], "**"),
        ([SURE, SURE], "**"),
        ([SURE, NOTHING], ""),
        ([NOTHING], ""),
        ([], ""),
        ([SURE, OPEN], ""),
        ([replace(SURE, p=0.05)], ""),
        ([replace(SURE, p=NOTHING)], ""),
        ([SURE, replace(SURE, p=NOTHING)], ""),
        ([replace(SURE, sentence_p=NOTHING, sentence_holm=NOTHING)], "*"),
        ([SURE, replace(SURE, sentence_p=NOTHING, sentence_holm=NOTHING)], "*"),
        ([replace(SURE, sentence_p=0.05, sentence_holm=0.05)], "*"),
        ([SURE, replace(SURE, sentence_p=0.2, sentence_holm=0.3)], "*"),
    ],
)
def test_all_configurations_must_be_defined_and_significant(
    values: list[Correlation | Undefined], expected: str, correction: Correction
) -> None:
    assert stars(values, correction) == expected


def test_the_second_star_asks_for_the_corrected_test_where_one_corrects() -> None:
    between = replace(SURE, sentence_p=0.04, sentence_holm=0.06)
    assert stars([between], Correction.HOLM) == "*"
    assert stars([between], Correction.NONE) == "**"


def row(**configurations: Correlation | Undefined) -> ToolCorrelation:
    rhos = [value.rho for value in configurations.values() if isinstance(value, Correlation)]
    nothing = Undefined("no configuration has a correlation")
    return ToolCorrelation(
        question="order", sentences=SentenceGroup.TRANSLATION, adjusted=False, group="all",
        tool="dted", variant="", configurations=configurations,
        highest=max(rhos, default=nothing), lowest=min(rhos, default=nothing),
        is_starred=False, missing=0,
    )  # fmt: skip


def test_a_range_shows_the_largest_first_and_no_star_beside_an_undefined_configuration() -> None:
    low = replace(SURE, rho=0.25)
    assert range_text(row(one=low, two=SURE), Correction.HOLM) == "0.500 (0.250)**"
    assert range_text(row(one=SURE), Correction.HOLM) == "0.500**"
    assert range_text(row(one=SURE, two=NOTHING), Correction.HOLM) == "0.500 (0.500)"
    assert range_text(row(one=NOTHING), Correction.HOLM) is NOTHING
    assert range_text(row(), Correction.HOLM) == Undefined("there is no score")


def test_a_sentence_names_the_best_tool_and_counts_those_that_are_significant() -> None:
    first, second = row(one=SURE, two=replace(SURE, rho=0.3)), row(one=replace(SURE, rho=0.6))
    found = best_sentence([replace(first, tool="derp"), replace(second, is_starred=True), row()])
    assert found == (
        "order: dted c correlates most, with rho = 0.600; 1 of 3 tools are significant in all "
        "configurations."
    )
    turned = best_sentence([replace(first, tool="derp", is_starred=True)])
    assert "rho = 0.500 (smallest over configurations 0.300); 1 of 1 tool" in turned
    assert best_sentence([row(one=NOTHING)]).endswith(f"({NOTHING.reason}).")
