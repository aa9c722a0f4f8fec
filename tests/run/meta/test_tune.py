"""Cross-validation of tuning: what a fold is searched on, and what it is measured on."""

from functools import cache
from math import nan
from pathlib import Path

import numpy as np
import pytest

from kilter.results.tune_result import TuneResult
from kilter.run.meta.evaluation_inputs import EvaluationInputs
from kilter.run.meta.option_search import SearchMethod, TuneSettings
from kilter.run.meta.tune import tune
from kilter.run.meta.tuning import Objective, folds
from kilter.run.scoring.corpus import Texts
from kilter.run.scoring.score import score_texts
from kilter.run.scoring.settings import Settings
from kilter.stats.resampling import Resampling
from tests.cli.sample import PATHS, REFERENCE, written
from tests.oracles import meta as oracle
from tests.tolerance import close

SEGMENTS, FOLDS, SEED = 48, 3, 6
NAMES = [Path(path).name for path in PATHS]
MEASURES = {Objective.CONSISTENCY: oracle.consistency, Objective.TAU: oracle.tau}
# Segment, better and worse system.
Judged = tuple[int, str, str]


def judged(seed: int) -> list[Judged]:
    """Return four judgments about each segment, by chance."""
    chance = np.random.default_rng(seed)
    return [
        (segment, *(NAMES[k] for k in chance.choice(len(NAMES), size=2, replace=False).tolist()))
        for segment in range(SEGMENTS)
        for _ in range(4)
    ]


def tuned(folder: Path, rows: list[Judged], settings: TuneSettings) -> TuneResult:
    lines = ["seg\tbetter\tworse", *(f"{s + 1}\t{better}\t{worse}" for s, better, worse in rows)]
    path = written(folder, "pairs.tsv", "\n".join(lines) + "\n")
    inputs = EvaluationInputs(
        judgments=path,
        references=(REFERENCE,),
        systems=tuple(PATHS),
        settings=Settings(metrics="full"),
    )
    return tune(inputs, settings)


@cache
def segment_scores(specification: str) -> dict[str, list[float]]:
    """Return the scores of every system's segments, more for better."""
    texts = Texts(
        systems={Path(path).name: lines(path) for path in PATHS},
        references={"reference": lines(REFERENCE)},
    )
    found = score_texts(
        texts, Settings(metrics=[specification], resampling=Resampling(resamples=1))
    )
    (name,) = found.metrics
    sign = 1.0 if found.metrics[name].higher_is_better else -1.0
    return {system: (sign * found.segment_arrays[name, system]).tolist() for system in NAMES}


def lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()


def agreement(rows: list[Judged], specification: str, objective: Objective) -> float:
    scores = segment_scores(specification)
    pairs = [
        (1, 2, round(scores[better][segment], 10), round(scores[worse][segment], 10))
        for segment, better, worse in rows
    ]
    return MEASURES[objective](pairs) if pairs else nan


METHODS = [
    TuneSettings(options=("alpha",), folds=FOLDS, seed=SEED),
    TuneSettings(
        options=("alpha=0.2..0.7",), folds=FOLDS, seed=SEED, objective=Objective.TAU
    ),
    TuneSettings(
        options=("alpha",), method=SearchMethod.GRID, steps=5, folds=FOLDS, seed=SEED
    ),
    TuneSettings(
        options=("alpha",), method=SearchMethod.HILL_CLIMBING, restarts=2, folds=FOLDS,
        seed=SEED,
    ),
]  # fmt: skip
IDS = ["exact", "exact in a range", "grid", "hill-climbing"]


@pytest.mark.parametrize("settings", METHODS, ids=IDS)
def test_a_fold_is_searched_without_its_segments_and_measured_on_them(
    settings: TuneSettings, tmp_path: Path
) -> None:
    rows = judged(1)
    found = tuned(tmp_path, rows, settings)
    which = folds(SEGMENTS, FOLDS, seed=SEED).tolist()
    held_out: list[Judged] = []
    for number, fold in enumerate(found.folds):
        inside = [row for row in rows if which[row[0]] == number]
        outside = [row for row in rows if which[row[0]] != number]
        specification = f"full:alpha={fold.values[0]!r}"
        assert fold.training == close(agreement(outside, specification, settings.objective))
        assert fold.held_out == close(agreement(inside, specification, settings.objective))
        # Whatever people said of the fold, the search finds the same.
        turned = [(s, worse, better) if which[s] == number else (s, better, worse)
                  for s, better, worse in rows]  # fmt: skip
        again = tuned(tmp_path, turned, settings).folds[number]
        assert (again.values, again.training) == (fold.values, fold.training)
        held_out += inside
    assert len(held_out) == len(rows)


@pytest.mark.parametrize("settings", METHODS, ids=IDS)
def test_the_held_out_figure_is_that_of_all_segments_each_with_what_was_found_without_it(
    settings: TuneSettings, tmp_path: Path
) -> None:
    rows = judged(2)
    found = tuned(tmp_path, rows, settings)
    which = folds(SEGMENTS, FOLDS, seed=SEED).tolist()
    pairs = []
    for segment, better, worse in rows:
        (alpha,) = found.folds[which[segment]].values
        scores = segment_scores(f"full:alpha={alpha!r}")
        pairs.append((1, 2, round(scores[better][segment], 10), round(scores[worse][segment], 10)))
    assert found.held_out == close(MEASURES[settings.objective](pairs))
    assert found.training == close(agreement(rows, found.specification, settings.objective))
    assert found.start_value == close(agreement(rows, "full", settings.objective))


def test_curves_and_bounds_are_those_of_the_range_that_was_asked_for(tmp_path: Path) -> None:
    rows = judged(3)
    settings = TuneSettings(options=("alpha=0.2..0.7",), folds=0, steps=4)
    found = tuned(tmp_path, rows, settings)
    assert 0.2 <= found.values[0] <= 0.7
    curve = found.curves["alpha"]
    points = {0.2, 0.325, 0.45, 0.5, 0.575, 0.7, found.values[0]}
    assert [at for at, _ in curve] == pytest.approx(sorted(points))
    for at, value in curve:
        expected = agreement(rows, f"full:alpha={at!r}", Objective.CONSISTENCY)
        assert value == close(expected)
        assert found.training is not None
        assert value is not None
        assert value <= found.training + 1e-9


def test_the_options_as_given_are_kept_unless_others_are_better(tmp_path: Path) -> None:
    # People who prefer what full prefers: no other alpha agrees with them better.
    scores = segment_scores("full")
    rows = []
    for segment in range(SEGMENTS):
        for first, second in ((0, 1), (2, 3), (0, 3)):
            one, other = NAMES[first], NAMES[second]
            gap = scores[one][segment] - scores[other][segment]
            if abs(gap) > 1e-6:
                rows.append((segment, *((one, other) if gap > 0 else (other, one))))
    for method in (SearchMethod.GRID, SearchMethod.HILL_CLIMBING):
        settings = TuneSettings(options=("alpha",), method=method, steps=3, folds=FOLDS, seed=SEED)
        found = tuned(tmp_path, rows, settings)
        assert found.training == found.start_value == found.start_held_out == 100.0
        assert all(fold.training == 100.0 for fold in found.folds)
        assert not any("in training" in note for note in found.notes)
    outside = TuneSettings(options=("alpha=0.9..1",), folds=FOLDS, seed=SEED)
    found = tuned(tmp_path, rows, outside)
    assert 0.9 <= found.values[0] <= 1.0
    assert found.training is not None
    assert found.training < 100.0
    lacking = (
        "what was found agrees less than full, whose options lie outside the range that was searched: "
        "consistency"
    )
    assert f"in training {lacking} {found.training:.2f} against 100.00" in found.notes


@pytest.mark.parametrize("settings", METHODS, ids=IDS)
def test_less_than_the_options_as_given_is_told_of_held_out_segments(
    settings: TuneSettings, tmp_path: Path
) -> None:
    told = set()
    for seed in range(4, 10):
        rows = judged(seed)
        found = tuned(tmp_path, rows, settings)
        given = agreement(rows, "full", settings.objective)
        assert found.start_held_out == close(given)
        assert found.training is not None
        assert found.held_out is not None
        assert found.training >= given - 1e-9
        less = any("on held-out segments what was found agrees less" in n for n in found.notes)
        assert less == (found.held_out < given - 1e-9)
        told.add(less)
    assert True in told


def test_the_document_holds_every_figure_under_its_name(tmp_path: Path) -> None:
    found = tuned(tmp_path, judged(5), METHODS[0])
    document = found.to_dict()
    assert [document[key] for key in ("training", "held_out", "start_value")] == [
        found.training,
        found.held_out,
        found.start_value,
    ]
    for fold, made in zip(document["folds"], found.folds, strict=True):
        assert fold == {
            "options": {"alpha": made.values[0]},
            "training": made.training,
            "held_out": made.held_out,
        }
        assert made.training != made.held_out


def test_a_fold_with_nothing_left_to_search_on_is_out_of_the_held_out_figure(
    tmp_path: Path,
) -> None:
    # Two judged segments of one fold: without it there is no judgment at all.
    which = folds(SEGMENTS, FOLDS, seed=SEED).tolist()
    first, second = [segment for segment in range(SEGMENTS) if which[segment] == 1][:2]
    rows = [(first, NAMES[0], NAMES[1]), (second, NAMES[2], NAMES[3])]
    found = tuned(tmp_path, rows, METHODS[0])
    assert [fold.training is None for fold in found.folds] == [False, True, False]
    assert found.held_out is None
    assert any("1 of 3 folds left out of the held-out figure" in note for note in found.notes)


def test_what_is_to_be_known_of_the_run_is_told_here_too(tmp_path: Path) -> None:
    german = ["er hat das nicht gesehen und sie auch", "das ist nicht so und war nie so"] * 2
    texts = {
        name: written(tmp_path, name, "\n".join(lines) + "\n")
        for name, lines in (("r", german), ("a", german), ("b", german[::-1]))
    }
    rows = "".join(f"{segment}\ta\tb\n" for segment in range(1, 5))
    inputs = EvaluationInputs(
        judgments=written(tmp_path, "pairs.tsv", f"seg\tbetter\tworse\n{rows}"),
        references=(texts["r"],),
        systems=(texts["a"], texts["b"]),
        settings=Settings(metrics="full", parser="perceptron"),
    )
    notes = tune(inputs, TuneSettings(options=("alpha",), folds=2, seed=SEED)).notes
    assert [note for note in notes if "the stems of match are English" in note]
    assert [note for note in notes if "the parser perceptron has no effect" in note]
