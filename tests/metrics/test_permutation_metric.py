"""Controls of metrics of permutations: the same formula without order."""

import pytest

from kilter.metrics.registry import metric, metric_names
from kilter.run.scoring.score import score
from tests.metrics.controls import IN_ORDER, MIXED, REFERENCE

CONTROLS = {
    "pef:beta=0.5": "coverage",
    "kendall:empty=0.5": "coverage:empty=0.5",
    "full:alpha=0.25": "full:alpha=0.25,order=coverage",
    "sen:order=ulam": "sen:order=coverage",
    "lr:order=hamming,bleu=1": "lr:order=none,bleu=1",
    "meteor": "meteor:weight=0.0",
    "ribes": "ribes:order=false",
}


@pytest.mark.parametrize(("name", "control"), CONTROLS.items())
def test_the_control_of_a_metric_knows_no_order(name: str, control: str) -> None:
    found = metric(name).control()
    assert found is not None
    assert found.specification() == control
    assert found.control() is None
    result = score({"a": IN_ORDER, "b": MIXED}, REFERENCE, metrics=[name, control], language="en")
    ordered, mixed = (result.segment_arrays[control, system].tolist() for system in "ab")
    assert ordered[1:] == mixed[1:]
    assert result.segment_arrays[name, "a"][1] > result.segment_arrays[name, "b"][1]


@pytest.mark.parametrize("name", ["bleu", "f1", "kendall:penalty=false", "coverage", "aligned"])
def test_what_has_no_order_part_or_nothing_else_has_no_control(name: str) -> None:
    assert metric(name).control() is None


@pytest.mark.parametrize("name", metric_names())
def test_in_perfect_order_a_metric_scores_as_its_control(name: str) -> None:
    control = metric(name).control()
    if control is None or name == "meteor":  # its chunks are never quite 0
        return
    result = score(
        ["the old man saw"], ["the old man saw"], metrics=[name, control.specification()]
    )
    scores = [found.score for found in result.system.values()]
    assert scores[0] == pytest.approx(scores[-1])
