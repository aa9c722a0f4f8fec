"""What workers find in blocks."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from kilter.core.errors import InputError, Setting
from kilter.run.demo import SAMPLE
from kilter.run.engine.engine import Batch
from kilter.run.scoring.label_note import LabelCounts
from kilter.run.scoring.measured_block import BlockTask, MeasuredBlock, TextBlock
from kilter.run.scoring.measurement import Bound
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.trees import JoinedRoots


def lines(name: str) -> tuple[str, ...]:
    return tuple(Path(SAMPLE / name).read_text(encoding="utf-8").splitlines()[:4])


TASK = BlockTask(
    settings=Settings(metrics=["kilter", "lr"]),
    systems=("verb",),
    references=("reference",),
    source=None,
    files={},
)
BLOCK = TextBlock(columns=(lines("verb.en"), lines("reference.en")))
BATCH = Batch(data=BLOCK, first=11, rows=4)


def test_what_is_packed_is_unpacked() -> None:
    made = TASK(BATCH)
    assert made.arrays
    assert any(shape.parts for shape in made.shapes.values())
    assert any(shape.margins for shape in made.shapes.values())
    kept = MeasuredBlock(
        rows=made.rows,
        signatures=made.signatures,
        shapes=made.shapes,
        left_out={"x": (1, "why ö")},
        bounds={(0, 2): Bound(3, 4)},
        joined={1: JoinedRoots(2, "ö.conllu:7")},
        labels={(0, 1): LabelCounts(labels=Counter(z=2, a=2), tags=Counter({"_": 4}))},
        arrays=made.arrays,
    )
    found = MeasuredBlock.unpacked(kept.packed())
    for name in ("rows", "signatures", "shapes", "left_out", "bounds", "joined", "labels"):
        assert getattr(found, name) == getattr(kept, name)
    assert [*found.labels[0, 1].labels] == ["z", "a"]  # which came first decides between ties
    assert [*found.arrays] == [*made.arrays]
    for name, values in made.arrays.items():
        assert np.array_equal(found.arrays[name], values)


def test_errors_number_segments_as_the_texts_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_run: object) -> None:
        raise InputError(
            "trees of 30 and 40 words are too large", where="segment 3", advice=Setting("a", "b")
        )

    monkeypatch.setattr("kilter.run.scoring.measured_block.measure_columns", fail)
    with pytest.raises(InputError) as caught:
        TASK(BATCH)
    assert str(caught.value) == "segment 13: trees of 30 and 40 words are too large a='b'"
    assert caught.value.for_command() == "segment 13: trees of 30 and 40 words are too large --a b"
    assert caught.value.where == "segment 13"
