"""The search for options: what it computes along a line it need not compute point by point."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kilter.core.errors import OptionError
from kilter.metrics.registry import metric
from kilter.results.tune_result import TunedMetrics
from kilter.run.meta.evaluation_inputs import EvaluationInputs, JudgmentPolicy
from kilter.run.meta.matched_texts import match_texts
from kilter.run.meta.option_search import (
    OptionSearch,
    SearchMethod,
    TuneSettings,
    check_fitted,
    has_option,
    known,
    option_value,
    tuned_option,
    weight_document,
    with_option,
    write_weights,
)
from kilter.run.meta.tune import tune_metrics
from kilter.run.scoring.run import Run
from kilter.run.scoring.settings import Settings
from tests.cli.judged_sample import RANKINGS
from tests.cli.sample import PATHS, REFERENCE
from tests.run.meta.test_tune import judged


def search(name: str, settings: TuneSettings) -> OptionSearch:
    inputs = EvaluationInputs(
        judgments=RANKINGS,
        references=(REFERENCE,),
        systems=tuple(PATHS),
        settings=Settings(metrics=name),
    )
    matched = match_texts(inputs, JudgmentPolicy())
    start = metric(name)
    options = [tuned_option(start, text) for text in settings.options]
    systems = Run.of(matched.texts, inputs.settings).evaluations_for(start)
    return OptionSearch(start, options, systems, matched.judgments.pairs, settings)


def test_scores_between_the_ends_of_a_line_are_those_of_the_metric() -> None:
    made = search("full", TuneSettings(options=("alpha=0.2..0.7",)))
    for alpha in (0.2, 0.33, 0.7):
        of_metric = made.metric((alpha,))
        expected = np.stack([of_metric.measure(each).scores for (each,) in made.systems])
        assert np.abs(made.scores((alpha,)) - expected).max() < 1e-9


def test_no_point_of_a_grid_is_better_than_the_exact_optimum() -> None:
    exact = search("full", TuneSettings(options=("alpha",)))
    grid = search("full", TuneSettings(options=("alpha",), method=SearchMethod.GRID, steps=7))
    everything = np.ones(exact.segments, dtype=np.bool_)
    best = exact.value(exact.best(everything))
    assert best >= grid.value(grid.best(everything))
    assert best >= max(exact.value((alpha,)) for alpha in np.linspace(0, 1, 8).tolist())


def test_the_exact_search_needs_an_option_in_which_scores_are_linear() -> None:
    with pytest.raises(OptionError, match="such as alpha; for beta use method='hill-climbing'"):
        search("pef", TuneSettings(options=("beta",)))


def test_what_is_undefined_is_none() -> None:
    assert (known(float("nan")), known(0.0)) == (None, 0.0)


def test_a_search_for_no_option_is_refused() -> None:
    with pytest.raises(OptionError, match="there is no option to tune; name at least one"):
        TuneSettings(options=())


def test_restarts_are_those_of_hill_climbing_alone() -> None:
    for method in (SearchMethod.EXACT, SearchMethod.GRID):
        with pytest.raises(OptionError, match=f"restarts has no effect with the method {method}"):
            TuneSettings(options=("alpha",), method=method, restarts=3)
    TuneSettings(options=("alpha",), method=SearchMethod.HILL_CLIMBING, restarts=3)


# Options by name: their ranges, those of the order part, and other values of them.


def test_a_range_is_that_of_the_option_or_a_part_of_it() -> None:
    whole = tuned_option(metric("full"), "alpha")
    assert (whole.name, whole.low, whole.high, whole.whole) == ("alpha", 0.0, 1.0, False)
    part = tuned_option(metric("full"), "alpha=0.2..0.7")
    assert (part.name, part.low, part.high) == ("alpha", 0.2, 0.7)


def test_an_option_of_the_order_part_is_changed_there() -> None:
    full = metric("full:alpha=0.25")
    beta = tuned_option(full, "order.beta")
    changed = with_option(full, beta, 0.75)
    assert option_value(changed, "order.beta") == 0.75
    assert option_value(changed, "alpha") == 0.25
    assert changed.specification() == "full:alpha=0.25,order=pef:beta=0.75"


def test_a_whole_number_stays_one() -> None:
    order = tuned_option(metric("bleu"), "order=1..4")
    assert order.whole
    assert order.valid(2.6) == 3.0
    assert with_option(metric("bleu"), order, 3.0).specification() == "bleu:order=3"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gamma", "full has no numeric option 'gamma'; it has alpha"),
        ("order.alpha", "pef has no numeric option 'alpha'"),
        ("words.beta", "full has no part 'words'"),
        ("alpha=0.7..0.2", "the range must rise; write alpha=LOW..HIGH"),
        ("alpha=0..2", "the range must lie within 0..1"),
        ("alpha=half", "write NAME or NAME=LOW..HIGH"),
    ],
)
def test_what_cannot_be_tuned_is_refused(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=message.replace(".", r"\.")):
        tuned_option(metric("full"), text)


@pytest.mark.parametrize(("start", "name"), [("kilter:encoder=none", "worst")])
def test_an_option_without_effect_is_not_tuned(start: str, name: str) -> None:
    with pytest.raises(OptionError, match=f"{name} has no effect on {start}; leave it out"):
        tuned_option(metric(start), name)
    assert not has_option(metric(start), name)


# What was tuned as a file of weights.


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
