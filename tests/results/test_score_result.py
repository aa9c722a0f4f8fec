"""Scores of systems: what is asked of a result."""

import json
from math import inf

import numpy as np

from kilter.results.score_result import ByMetric, MetricFacts, MetricScore, ScoreResult


def facts(name: str, top: float) -> MetricFacts:
    return MetricFacts(
        name=name, tool=name, variant="", configuration="", configurations=1,
        signature=f"{name}|v", higher_is_better=top == 1.0, range=(0.0, top), citations=(),
    )  # fmt: skip


def scores(value: float | None) -> ByMetric[MetricScore]:
    made = MetricScore(value=value, low=None, high=None, segments=2, signature="v")
    return ByMetric({"pef": made, "ter": made})


RESULT = ScoreResult(
    systems={"one": scores(0.5), "two": scores(None)},
    metrics=ByMetric({"pef": facts("pef", 1.0), "ter": facts("ter", inf)}),
    count=2,
    seed=7,
    segment_arrays={
        (metric, system): np.array([place, place + 0.5])
        for place, (metric, system) in enumerate(
            (metric, system) for metric in ("pef", "ter") for system in ("one", "two")
        )
    },
)


def test_the_only_system_or_the_first_is_at_hand() -> None:
    assert RESULT.system is RESULT.systems["one"]
    assert dict(RESULT.signatures) == {"pef": "pef|v", "ter": "ter|v"}


def test_segments_are_numbered_from_1_in_every_metric_and_system() -> None:
    table = RESULT.segments
    columns = (table[name].tolist() for name in ("metric", "system", "segment", "score"))
    rows = [*zip(*columns, strict=True)]
    assert rows[:3] == [("pef", "one", 1, 0.0), ("pef", "one", 2, 0.5), ("pef", "two", 1, 1.0)]
    assert rows[-1] == ("ter", "two", 2, 3.5)


def test_the_document_has_no_infinity_and_null_for_what_is_undefined() -> None:
    document = json.loads(json.dumps(RESULT.to_dict(), allow_nan=False))
    assert document["metrics"]["ter"]["range"] == [0.0, None]
    assert (document["segments"], document["seed"]) == (2, 7)
    assert [system["name"] for system in document["systems"]] == ["one", "two"]
    assert document["systems"][1]["scores"]["pef"]["score"] is None
