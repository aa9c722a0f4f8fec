"""The search for options: what it computes along a line it need not compute point by point."""

import numpy as np
import pytest

from kilter.core.errors import OptionError
from kilter.metrics.registry import metric
from kilter.run.meta.evaluation_inputs import EvaluationInputs, JudgmentPolicy
from kilter.run.meta.matched_texts import match_texts
from kilter.run.meta.option_search import (
    OptionSearch,
    SearchMethod,
    TuneSettings,
    known,
    tuned_option,
)
from kilter.run.scoring.run import Run
from kilter.run.scoring.settings import Settings
from tests.cli.judged_sample import RANKINGS
from tests.cli.sample import PATHS, REFERENCE


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
