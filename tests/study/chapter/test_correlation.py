"""Stars behind correlations: who gets one, and who does not."""

from dataclasses import replace

import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis.judged_correlation import Correlation
from kilter.study.analysis.judgment_study import SentenceGroup
from kilter.study.analysis.tool_correlation import ToolCorrelation
from kilter.study.chapter.tool_correlation import Correction, best_sentence, range_text, stars

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


def row(judged: int = 30, **configurations: Correlation | Undefined) -> ToolCorrelation:
    rhos = [value.rho for value in configurations.values() if isinstance(value, Correlation)]
    nothing = Undefined("no configuration has a correlation")
    return ToolCorrelation(
        question="order", sentences=SentenceGroup.TRANSLATION, adjusted=False, group="all",
        tool="dted", variant="", configurations=configurations,
        highest=max(rhos, default=nothing), lowest=min(rhos, default=nothing),
        is_starred=False, missing=0, judged=judged, external=False,
    )  # fmt: skip


def test_a_range_shows_the_largest_first_and_no_star_beside_an_undefined_configuration() -> None:
    low = replace(SURE, rho=0.25)
    assert range_text(row(one=low, two=SURE), Correction.HOLM) == "0.500 (0.250)**"
    assert range_text(row(one=SURE), Correction.HOLM) == "0.500**"
    assert range_text(row(one=SURE, two=NOTHING), Correction.HOLM) == "0.500 (0.500)"
    assert range_text(row(one=NOTHING), Correction.HOLM) is NOTHING
    assert range_text(row(), Correction.HOLM) == Undefined("there is no score")


WIDE = replace(SURE, low=Undefined("not asked for"), high=Undefined("not asked for"))


def test_a_sentence_names_the_best_tool_and_counts_those_that_are_significant() -> None:
    first, second = row(one=WIDE, two=replace(WIDE, rho=0.3)), row(one=replace(WIDE, rho=0.6))
    found = best_sentence([replace(first, tool="derp"), replace(second, is_starred=True), row()])
    assert found == (
        "With answers to order, dted c correlates most: rho = 0.600. Of 2 tools, 1 is significant by judgments, uncorrected, "
        "and 2 by the means of sentences, corrected."
    )
    turned = best_sentence([replace(first, tool="derp", is_starred=True)])
    assert "rho = 0.500 (0.300 in the worst configuration). Of 1 tool, 1 is" in turned
    assert best_sentence([row(one=NOTHING)]).endswith(f"({NOTHING.reason}).")


def test_a_tool_with_four_sentences_never_heads_a_sentence_about_all() -> None:
    """However high its correlation: it is named as one that cannot be compared."""
    few = replace(row(one=replace(WIDE, rho=0.99, sentences=4)), tool="few", is_starred=True)
    most = row(one=replace(WIDE, sentences=27))
    found = best_sentence([few, most])
    assert found.startswith(
        "With answers to order, dted c correlates most: rho = 0.500. Of 1 tool, 0 are"
    )
    assert found.endswith("less than nine in ten sentences: few (4 of 30).")
    alone = best_sentence([few])
    assert alone == "No tool scored nine in ten of the sentences; few (4 of 30) cannot be compared."
    nearly = row(one=replace(WIDE, sentences=26))
    assert not nearly.covers_all
    assert most.covers_all
    named = best_sentence([replace(few, tool=f"few{k}") for k in range(5)] + [most])
    assert named.endswith("few0 (4 of 30), few1 (4 of 30), few2 (4 of 30), 2 more.")


def test_the_unadjusted_value_and_the_interval_stand_beside_the_largest_correlation() -> None:
    best = replace(row(one=SURE), adjusted=True)
    others = [replace(row(one=replace(SURE, rho=rho)), tool=f"t{rho}") for rho in (0.05, 0.1, 0.4)]
    plain = [replace(row(one=replace(SURE, rho=0.45)), adjusted=False)]
    found = best_sentence([best, *others], plain)
    assert "rho = 0.500 (0.450 unadjusted; 95% interval 0.100 to 0.700, in which 2" in found
    assert "in which 2 other tools lie)" in found
    assert "no other tools" in best_sentence([best], plain)
