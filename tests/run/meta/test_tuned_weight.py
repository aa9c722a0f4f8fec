"""What was tuned as a file of weights."""

from dataclasses import replace
from pathlib import Path

import pytest

from kilter.core.errors import OptionError
from kilter.metrics.registry import metric
from kilter.results.tune_result import TunedMetrics
from kilter.run.meta.evaluation_inputs import EvaluationInputs
from kilter.run.meta.option_search import (
    SearchMethod,
    TuneSettings,
    check_fitted,
    weight_document,
    write_weights,
)
from kilter.run.meta.tune import tune_metrics
from kilter.run.scoring.settings import Settings
from tests.cli.sample import PATHS, REFERENCE
from tests.run.meta.test_tune import judged


@pytest.fixture(scope="module")
def tuned(tmp_path_factory: pytest.TempPathFactory) -> TunedMetrics:
    rows = [f"{s + 1}\t{better}\t{worse}" for s, better, worse in judged(5)]
    path = tmp_path_factory.mktemp("judged") / "pairs.tsv"
    path.write_text("\n".join(["seg\tbetter\tworse", *rows]) + "\n", encoding="utf-8")
    inputs = EvaluationInputs(
        judgments=str(path),
        references=(REFERENCE,),
        systems=tuple(PATHS),
        settings=Settings(metrics=["kilter"]),
    )
    chosen = TuneSettings(
        options=("order=2..10", "words=0..0.4"), method=SearchMethod.GRID, steps=2, folds=0
    )
    return tune_metrics(inputs, chosen)


def test_what_is_written_makes_the_metric_that_was_found(
    tuned: TunedMetrics, tmp_path: Path
) -> None:
    path = str(tmp_path / "weights.json")
    write_weights(tuned, path)
    (overall,) = (metric(each.specification) for each in tuned.metrics)
    again = metric(f"kilter:weights={path}")
    assert again.fitted_document() == overall.fitted_document()
    assert overall.specification() != "kilter"
    fitted = str(weight_document(tuned)["fitted_on"])
    assert fitted.startswith("kilter: judgments of ")
    assert "held out" not in fitted


def test_one_file_holds_a_metric_once(tuned: TunedMetrics) -> None:
    for each in tuned.metrics:
        with pytest.raises(OptionError, match="tuned twice"):
            weight_document(replace(tuned, metrics=(each, each)))


def test_metrics_without_fitted_weights_are_refused() -> None:
    check_fitted(["kilter"])
    with pytest.raises(OptionError, match="pef takes no file of weights"):
        check_fitted(["kilter", "pef"])


def test_a_file_of_weights_may_be_tuned_further_whatever_model_it_is_of() -> None:
    check_fitted(["kilter:weights=of-another-model.json"])
