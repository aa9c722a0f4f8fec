"""Columns of scores of spans, and of metrics ranked as a campaign ranks them, hold what they name."""

import csv

import kilter
from kilter.render.table.table import TableFormat
from kilter.results.preset_result import PresetResult, PresetTask, TaskValue
from kilter.stats.resampling import Resampling
from tests.public_calls import EXAMPLES
from tests.render.cases import case
from tests.render.written import shown


@case("SpanScores")
def test_columns_of_scores_of_spans_hold_what_they_name() -> None:
    gold = kilter.read_spans(str(EXAMPLES / "marked.jsonl"))
    result = kilter.score_spans(gold, {"same": gold}, resampling=Resampling(resamples=20))
    rows = list(csv.DictReader(shown(result, TableFormat.TSV).splitlines(), delimiter="\t"))
    assert list(rows[0]) == ["spans", "measure", "precision", "recall", "f1", "f1_low", "f1_high"]
    for row, score in zip(rows, result.scores, strict=True):
        assert (row["spans"], row["measure"]) == (score.label, score.measure)
        numbers = [score.precision.value, score.recall.value, *score.f1.triple]
        names = ("precision", "recall", "f1", "f1_low", "f1_high")
        for name, value in zip(names, numbers, strict=True):
            assert row[name] == ("" if value is None else str(value)), name
    told = " ".join(shown(result, TableFormat.TEXT).split())
    assert (
        "higher is better; mpp: spans, those that match in part by their share; severity: " in told
    )
    assert "control: spans that look at no error, to be beaten" in told
    assert told.endswith("(1: the same spans, 0: chance)")
    words = kilter.score_spans(gold, {"same": gold}, measures=["words"], controls=False)
    assert "; higher" not in shown(words, TableFormat.TEXT)
    assert "\nhigher is better\n" in shown(words, TableFormat.TEXT)


@case("PresetResult")
def test_columns_of_a_preset_hold_what_they_name() -> None:
    tasks = tuple(
        PresetTask(
            pair=pair,
            measure="spa",
            weight=1.0,
            values=(
                TaskValue(metric="a", value=0.1 * k, rank=k),
                TaskValue(metric="b", value=None),
            ),
        )
        for k, pair in enumerate(("de-en", "en-ja"), start=1)
    )
    result = PresetResult(
        preset="wmt24", tasks=tasks, average={"a": 0.7, "b": None}, permutations=100, seed=3
    )
    rows = list(csv.DictReader(shown(result, TableFormat.TSV).splitlines(), delimiter="\t"))
    assert [(row["metric"], row["average"]) for row in rows] == [("a", "0.7"), ("b", "")]
    for task in tasks:
        for row in rows:
            own = task.of(row["metric"])
            assert row[task.name] == ("" if own.value is None else str(own.value))
            assert row[f"{task.name} rank"] == ("" if own.rank is None else str(own.rank))
