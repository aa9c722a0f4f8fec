"""Rounds of self-training as people and programs read them."""

from dataclasses import replace

from kilter.core.estimate import Estimate
from kilter.render.table.table import TableFormat
from kilter.results.preordering import (
    HeldOutGain,
    LearnedParser,
    ParsePick,
    ParserAccuracy,
    SelfTrainingResult,
)
from tests.render.cases import case
from tests.render.written import shown

FIRST = LearnedParser(
    name="round 0",
    what="the treebank alone",
    model="round-0.model",
    training=0.41,
    frs=Estimate(0.42, 0.40, 0.44),
    kendall=Estimate(0.71, 0.70, 0.72),
    accuracy=ParserAccuracy(0.81, 0.82, 0.83),
)
PICK = ParsePick(picked=30, changed=12, first=0.43, selected=0.53, worst=0.33)
SECOND = replace(FIRST, name="round 1", model="round-1.model", training=0.49, pick=PICK)
GAIN = HeldOutGain(
    first="round 0", second="round 1", metric="frs", value=0.01, low=0.002, high=0.02, p=0.0312
)
RESULT = SelfTrainingResult(
    folder="run",
    rules="mine",
    sentences=30,
    held_out=40,
    treebank=24,
    settings={},
    rounds=(FIRST, SECOND),
    converged=True,
    gains=(GAIN,),
)


def page(result: SelfTrainingResult) -> list[list[str]]:
    return [line.split() for line in shown(result, TableFormat.TEXT, width=120).splitlines()]


@case("SelfTrainingResult")
def test_scores_stand_below_their_names() -> None:
    assert RESULT.data().records()[1] == {
        "table": "round", "parser": "round 1", "what": "the treebank alone", "picked": 30, "changed": 12,
        "first": 0.43, "selected": 0.53, "worst": 0.33, "training": 0.49, "frs": 0.42, "frs_low": 0.40,
        "frs_high": 0.44, "kendall": 0.71, "kendall_low": 0.70, "kendall_high": 0.72, "las": 0.81, "uas": 0.82,
        "tags": 0.83, "model": "round-1.model",
    }  # fmt: skip
    lines = page(RESULT)
    assert lines[1] == [
        "round", "picked", "changed", "first", "selected", "training", "held-out", "frs", "held-out", "kendall", "las",
    ]  # fmt: skip
    assert lines[3] == [
        "1", "30", "12", "0.4300", "0.5300", "0.4900", "0.4200", "[0.4000,", "0.4400]", "0.7100", "[0.7000,", "0.7200]",
        "0.8100",
    ]  # fmt: skip


def test_a_difference_that_the_test_does_not_confirm_is_no_gain() -> None:
    # Of few sentences that differ all the same way hardly any resample is 0, though exchanging them gives p .25.
    assert replace(GAIN, p=0.25).verdict == "no difference beyond chance"
    assert replace(GAIN, low=-0.02, high=-0.002, p=0.05).verdict == "no difference beyond chance"


def test_the_verdict_follows_the_interval() -> None:
    verdicts = [
        replace(GAIN, low=low, high=high).verdict
        for low, high in ((0.1, 0.2), (-0.1, 0.2), (-0.2, -0.1), (None, None))
    ]
    assert verdicts == ["a gain", "no difference beyond chance", "a loss", "too little to say"]
    text = " ".join(word for line in page(RESULT) for word in line)
    assert (
        "round 1 against round 0, held-out frs: +0.0100 [+0.0020, +0.0200], p 0.0312: a gain"
        in text
    )
    assert "gained too little on the training sentences to go on" in text
