"""Systems that are measured apart from one another give what they give together."""

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import OptionError
from kilter.io.text import read_text
from kilter.run.engine.engine import Batch
from kilter.run.engine.local import ThreadEngine
from kilter.run.scoring.corpus import Texts
from kilter.run.scoring.measurement import Measurement, MeasureTask, measure
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.trees import Trees
from tests.cli.sample import PATHS, REFERENCE

TEXTS = Texts(
    systems={Path(path).name: read_text(path) for path in PATHS},
    references={"reference": read_text(REFERENCE)},
)
SETTINGS = Settings(metrics=("all",), aligner=("match", "hmm:symmetrize=intersection"))


def held(measurement: Measurement) -> list[Any]:
    """Return all numbers and notes of a measurement, in their order."""
    return [
        measurement.systems,
        measurement.segments,
        measurement.notes,
        [(key, values.tolist()) for key, values in measurement.scores.items()],
        [np.stack(each.margins).tolist() for each in measurement.measured if each.margins],
        [(each.name, each.signature) for each in measurement.measured],
        [np.stack(each.statistics).tolist() for each in measurement.measured],
        [repr(each.parts) for each in measurement.measured],
    ]


def test_systems_apart_are_measured_as_together() -> None:
    told: list[tuple[int, int | None]] = []
    with ThreadEngine(2) as engine:
        apart = measure(TEXTS, SETTINGS, engine=engine, progress=lambda *now: told.append(now))
    together = measure(TEXTS, SETTINGS)
    np.testing.assert_equal(held(apart), held(together))
    assert len(TEXTS.systems) > 1
    assert told[-1] == (len(TEXTS.systems), len(TEXTS.systems))


def test_task_and_result_travel_between_processes() -> None:
    batch = Batch(data=TEXTS.of_systems([next(iter(TEXTS.systems))]), first=1, rows=1)
    task, sent = pickle.loads(pickle.dumps((MeasureTask(settings=SETTINGS), batch)))  # noqa: S301 - our own bytes
    found, shapes = pickle.loads(pickle.dumps(task(sent))).columns()  # noqa: S301 - our own bytes
    expected, its_shapes = MeasureTask(settings=SETTINGS)(batch).columns()
    assert shapes == its_shapes
    assert found.keys() == expected.keys()
    for key, column in found.items():
        np.testing.assert_equal(column, expected[key])


def test_trees_of_files_are_not_taken_apart() -> None:
    tree = DependencyTree(["a"], heads=[-1])
    texts = replace(TEXTS, trees=Trees(references=(DependencyTreeColumn.of([tree]),)))
    with pytest.raises(OptionError, match="leave out the engine and the workers, or the trees"):
        measure(texts, SETTINGS, engine=ThreadEngine(2))
