"""The steps of a search as people read them."""

from dataclasses import replace

import pytest

from kilter.render.table.table import TableFormat
from kilter.results.preordering import (
    RuleScores,
    RuleSearchResult,
    SearchLevel,
    SearchStep,
)
from tests.render.cases import case
from tests.render.written import shown

RESULT = RuleSearchResult(
    start="none",
    objective="mix",
    sentences=80,
    held_out=20,
    tried=321,
    finished=True,
    steps=(
        SearchStep("where the search begins", RuleScores(0.9, 0.5, 0.8), RuleScores(0.8, 0.4, 0.8)),
        SearchStep("VERB: obj last", RuleScores(1.0, 0.55, 0.9), RuleScores(0.85, 0.45, 0.8)),
    ),
    gain=(0.05, 0.01, 0.09),
    folds=0,
    levels=(),
    level=5,
    digest="0123abcd",
)


def page(result: RuleSearchResult) -> str:
    return shown(result, TableFormat.TEXT)


@case("RuleSearchResult")
def test_scores_stand_below_their_names() -> None:
    assert RESULT.data().records()[1] == {
        "step": 1,
        "change": "VERB: obj last",
        "gain": pytest.approx(0.1),
        "frs": 0.55,
        "kendall": 0.9,
        "held_out_frs": 0.45,
        "held_out_kendall": 0.8,
    }
    assert page(RESULT).splitlines()[2].split() == [
        "1", "VERB:", "obj", "last", "0.1000", "0.5500", "0.9000", "0.4500", "0.8000",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("gain", "verdict"),
    [
        ((0.05, 0.01, 0.09), "a gain"),
        ((0.01, -0.02, 0.04), "no difference beyond chance"),
        ((-0.05, -0.08, -0.01), "a loss"),
    ],
)
def test_the_verdict_follows_the_interval(gain: tuple[float, float, float], verdict: str) -> None:
    found = page(replace(RESULT, gain=gain))
    assert f"{gain[0]:+.4f} [{gain[1]:+.4f}, {gain[2]:+.4f}]" in " ".join(found.split())
    assert verdict in " ".join(found.split())
    assert "20 sentences are few" in found


def test_without_held_out_sentences_nothing_is_claimed() -> None:
    steps = tuple(replace(step, held_out=None) for step in RESULT.steps)
    found = page(replace(RESULT, held_out=0, gain=None, steps=steps, finished=False))
    assert "held out frs" not in found
    assert "is not known" in found
    assert "was stopped" in found


def test_levels_stand_above_the_steps_and_the_chosen_one_is_marked() -> None:
    levels = (
        SearchLevel(
            minimum_gain=None, steps=0.0, held_out=RuleScores(0.9, 0.5, 0.8), gain=(0.0, 0.0, 0.0)
        ),
        SearchLevel(
            minimum_gain=0.0016,
            steps=7.5,
            held_out=RuleScores(0.95, 0.52, 0.86),
            gain=(0.05, -0.01, 0.11),
        ),
    )
    lines = page(replace(RESULT, levels=levels, level=1, folds=4)).splitlines()
    assert lines[0] == "how far to go: cross-validation"
    assert lines[1].split("  ")[0] == "level"
    assert lines[2].split() == [
        "0", "-", "0.0", "0.5000", "0.8000", "+0.0000", "+0.0000", "+0.0000",
    ]  # fmt: skip
    assert lines[3].split() == [
        "1", "0.0016", "7.5", "0.5200", "0.8600", "+0.0500", "-0.0100", "+0.1100", "*",
    ]  # fmt: skip
    assert lines[5] == "the search"
    assert "decided by 4 folds of these sentences" in " ".join(lines)
