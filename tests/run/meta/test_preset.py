"""The tasks of WMT's metrics campaigns."""

import json
from pathlib import Path

import numpy as np
import pytest

from kilter.core.errors import OptionError
from kilter.run.meta.evaluation_inputs import EvaluationInputs
from kilter.run.meta.preset import meta_preset
from kilter.run.scoring.settings import Settings
from kilter.stats.wmt_correlation import Grouping, grouped_correlation, pearson, tie_calibrated
from tests.cli.command import kilter

CASE = json.loads((Path(__file__).parents[2] / "golden" / "mtme_correlations.json").read_text())[
    "cases"
][0]
GOLD, METRIC = (np.array(CASE["input"][side], dtype=np.float64) for side in ("gold", "metric"))


def folder(path: Path, *, sign: float = 1.0) -> Path:
    """Write scores of people and of two metrics as mt-metrics-eval lays them out."""
    for name, scores in (("human-scores/de-en.made.seg.score", GOLD),
                         ("metric-scores/de-en/good-refA.seg.score", sign * METRIC),
                         ("metric-scores/de-en/worse-refA.seg.score", METRIC[:, ::-1])):  # fmt: skip
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        rows = [f"sys{s}\t{float(x)!r}" for s, own in enumerate(scores) for x in own]
        file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def inputs(path: Path) -> EvaluationInputs:
    files = sorted((path / "metric-scores/de-en").glob("*.seg.score"))
    return EvaluationInputs(
        judgments=str(path / "human-scores/de-en.made.seg.score"),
        settings=Settings(metrics=()),
        scores={file.name.removesuffix(".seg.score"): str(file) for file in files},
    )


def test_tasks_hold_the_numbers_of_the_tool(tmp_path: Path) -> None:
    files = inputs(folder(tmp_path))
    output = CASE["output"]
    wanted = {
        "wmt23": {"pearson": output["pearson.none"][0], "system_pearson": output["sys_pearson"][0],
                  "pairwise_accuracy": output["sys_pairwise_accuracy"]},
        "wmt24": {"soft_accuracy": output["spa.default"][0], "accuracy_item": output["ties_opt_acc23.item"][0]},
        "wmt25": {"pairwise_difference_pearson": output["pdp.item"][0]},
    }  # fmt: skip
    for preset, values in wanted.items():
        found = meta_preset(files, preset)
        tasks = {task.measure: task for task in found.tasks}
        for measure, value in values.items():
            assert tasks[measure].of("good-refA").value == pytest.approx(value, abs=1e-9)
        assert [*found.average] == ["good-refA", "worse-refA"]


def test_metrics_that_differ_have_other_ranks(tmp_path: Path) -> None:
    result = meta_preset(inputs(folder(tmp_path)), "wmt24", ranks=True)
    ranks = {
        (task.measure, each.metric): each.rank for task in result.tasks for each in task.values
    }
    assert ranks["accuracy_item", "good-refA"] == 1
    assert ranks["accuracy_item", "worse-refA"] == 2
    assert result.tasks[1].p_values[0][1] is not None
    assert "rank" in str(result)


def test_a_folder_of_scores_is_every_metric_in_it(tmp_path: Path) -> None:
    path = folder(tmp_path)
    asked = [
        "meta",
        "--judgments",
        str(path / "human-scores/de-en.made.seg.score"),
        "--preset",
        "wmt24",
        "-q",
    ]
    done = kilter(*asked, "--scores", str(path / "metric-scores/de-en"), "--format", "tsv")
    assert done.code == 0
    assert [line.split("\t")[0] for line in done.out.splitlines()] == [
        "metric",
        "good-refA",
        "worse-refA",
    ]
    empty = tmp_path / "empty"
    empty.mkdir()
    assert kilter(*asked, "--scores", str(empty)).code == 2


def test_where_less_is_better_is_stated(tmp_path: Path) -> None:
    path = folder(tmp_path, sign=-1.0)
    asked = [
        "meta",
        "--judgments",
        str(path / "human-scores/de-en.made.seg.score"),
        "--preset",
        "wmt24",
        "-q",
    ]
    scores = [
        "--scores",
        f"good={path / 'metric-scores/de-en/good-refA.seg.score'}",
        "--format",
        "json",
    ]
    plain, turned = (
        json.loads(kilter(*asked, *scores, *more).out)["average"]["good"]
        for more in ([], ["--lower-is-better", "good"])
    )
    assert plain < 0.5 < turned


def test_missing_scores_of_a_metric_are_left_out_and_told(tmp_path: Path) -> None:
    path = folder(tmp_path)
    file = path / "metric-scores/de-en/good-refA.seg.score"
    lines = file.read_text(encoding="utf-8").splitlines()
    lines[3] = "sys0\tNone"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = meta_preset(inputs(path), "wmt24")
    assert any("good-refA lacks 1 judged score" in note for note in found.notes)
    gold, metric = GOLD.copy(), METRIC.copy()
    gold[0, 3] = np.nan
    tasks = {task.measure: task for task in found.tasks}
    assert tasks["accuracy_item"].of("good-refA").value == tie_calibrated(gold, metric).value
    assert grouped_correlation(gold, metric, pearson, Grouping.ITEM).groups == GOLD.shape[1]


def test_a_preset_that_does_not_exist_is_told(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="wmt23, wmt24, wmt25"):
        meta_preset(inputs(folder(tmp_path)), "wmt99")
