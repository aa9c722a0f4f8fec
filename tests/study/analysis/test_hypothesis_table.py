"""Hypotheses about tools."""

from dataclasses import replace

import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis.hypothesis_table import baseline_correlations, hypothesis_table
from kilter.study.analysis.judged_correlation import Correlation
from kilter.study.analysis.judgment_study import (
    SentenceGroup,
)
from kilter.study.analysis.tool_correlation import ToolCorrelation
from tests.study.analysis.correlated import ROWS, row


def test_hypotheses_come_from_the_correlations_of_one_group_of_sentences() -> None:
    found = {result.id: result for result in hypothesis_table(ROWS)}
    assert found["STRUC"].variants == ("b",)
    assert found["STRUC"].supported is True
    assert "no baseline" not in found["EVAL"].result
    assert found["EVAL_DERP"].result.startswith("undefined: no variant of DERP")
    assert set(found["EVAL_CONF"].numbers) == {"b", "fb", "threshold"}
    on_swaps = hypothesis_table(ROWS, sentences=SentenceGroup.SWAP)
    assert all(isinstance(result.supported, Undefined) for result in on_swaps)


def halved(entry: ToolCorrelation) -> ToolCorrelation:
    """Return a row whose correlations are half as large where the question is holistic."""
    if entry.question != "holistic":
        return entry
    values = {
        name: replace(value, rho=value.rho / 2) if isinstance(value, Correlation) else value
        for name, value in entry.configurations.items()
    }
    return replace(entry, configurations=values)


def test_hypotheses_take_each_question_s_correlations_as_its_own() -> None:
    found = {result.id: result for result in hypothesis_table([halved(entry) for entry in ROWS])}
    order, flat, rank = (
        [
            value.rho
            for value in row(name, adjusted=True).configurations.values()
            if isinstance(value, Correlation)
        ]
        for name in ("dted:variant=b", "dted:variant=b,flat=true", "wmt-rank")
    )
    # The study asked both questions alike, so that half of order's correlations are holistic's.
    assert found["ORD"].numbers["b"] == pytest.approx(max(order) - min(order) / 2)
    assert found["EVAL"].numbers["b"] == pytest.approx(min(order) - max(rank))
    assert found["STRUC"].numbers["b"] == pytest.approx(min(order) - max(flat))


def test_baselines_are_the_published_ones_and_what_is_named_beside_them() -> None:
    """An external tool may be one, but not what it says of a few sentences."""
    assert {*baseline_correlations(ROWS)} == {"bleu", "wmt-rank"}
    named = baseline_correlations(ROWS, baselines=["theirs", "rare"])
    assert {*named} == {"bleu", "wmt-rank", "theirs", "rare"}
    (rho,) = named["theirs"]
    assert rho == row("theirs", adjusted=True).highest
    assert named["rare"] == []  # 14 sentences
    plain, further = (
        {result.id: result for result in hypothesis_table(ROWS, baselines=names)}
        for names in ((), ("theirs",))
    )
    best = max(*named["wmt-rank"], rho)
    assert further["EVAL"].numbers["b"] < plain["EVAL"].numbers["b"]
    lowest = row("dted:variant=b", adjusted=True).lowest
    assert isinstance(lowest, float)
    assert further["EVAL"].numbers["b"] == pytest.approx(lowest - best)
    assert further["STRUC"] == plain["STRUC"]
