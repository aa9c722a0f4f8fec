"""What workers find in blocks."""

import pickle
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kilter.core.errors import InputError, SegmentPlace, Setting
from kilter.core.links import LinkBatch
from kilter.run.demo import SAMPLE
from kilter.run.engine.engine import Batch
from kilter.run.scoring.corpus import Texts
from kilter.run.scoring.links import Links
from kilter.run.scoring.measurement import Bound, MeasuredBlock, MeasureTask, gather, measure_block
from kilter.run.scoring.run import Run
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.structure_files import StructureFiles
from kilter.run.scoring.text_streams import TextBlock, TextForm
from kilter.run.scoring.trees import JoinedRoots, LabelCounts


def lines(name: str) -> tuple[str, ...]:
    return tuple(Path(SAMPLE / name).read_text(encoding="utf-8").splitlines()[:4])


FORM = TextForm(
    systems=("verb",),
    references=("reference",),
    source=None,
    files={},
    structures=StructureFiles(),
)
TASK = MeasureTask(settings=Settings(metrics=["kilter", "lr"]), form=FORM)
BLOCK = TextBlock(columns=(lines("verb.en"), lines("reference.en")))
BATCH = Batch(data=BLOCK, first=11, rows=4)


def test_what_is_packed_is_unpacked() -> None:
    made = TASK(BATCH)
    columns, shapes = made.columns()
    assert any(shapes.values())
    assert any(key.kind == "margin" for key in columns)
    kept = replace(
        made,
        left_out={"x": (1, "why ö")},
        bounds={(0, 2): Bound(3, 4)},
        joined={1: JoinedRoots(2, "ö.conllu:7")},
        labels={(0, 1): LabelCounts(labels=Counter(z=2, a=2), tags=Counter({"_": 4}))},
    )
    found = MeasuredBlock.unpacked(kept.packed())
    for name in ("rows", "signatures", "left_out", "bounds", "joined", "labels"):
        assert getattr(found, name) == getattr(kept, name)
    assert [*found.labels[0, 1].labels] == ["z", "a"]  # which came first decides between ties
    again, its_shapes = found.columns()
    assert its_shapes == shapes
    assert [*again] == [*columns]
    for key, values in columns.items():
        assert np.array_equal(again[key], values)


def test_one_block_is_gathered_as_it_is() -> None:
    made = TASK(BATCH)
    assert gather([made]) is made


def test_errors_number_segments_as_the_texts_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_run: object) -> None:
        raise InputError(
            "trees of 30 and 40 words are too large",
            where=SegmentPlace(2, after=" of line 5"),
            advice=Setting("a", "b"),
        )

    monkeypatch.setattr("kilter.run.scoring.measurement.measure_block", fail)
    with pytest.raises(InputError) as caught:
        TASK(BATCH)
    told = "segment 13 of line 5: trees of 30 and 40 words are too large"
    assert str(caught.value) == f"{told} a='b'"
    assert caught.value.for_command() == f"{told} --a b"
    assert caught.value.where == "segment 13 of line 5"
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own bytes
    assert (str(again), again.where.segment) == (str(caught.value), 12)


def test_a_note_on_what_is_left_out_numbers_segments_as_the_texts_do() -> None:
    texts = Texts(systems={"s": ["x y", "a a b"]}, references={"r": ["x y", "a b b"]}, before=10)
    links = LinkBatch.of([[(0, 0)], [(0, 0), (0, 1)]])
    given = replace(texts, links=Links.of(links))
    found = measure_block(Run.of(given, Settings(metrics="all", tokenize="none", rule="mean")))
    assert found.left_out
    assert all("segment 12" in note for _, note in found.left_out.values())
