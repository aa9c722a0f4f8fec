"""Trees of texts of any size: the same as of whole texts."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from kilter.core.errors import OptionError
from kilter.io.text_file import TextStream
from kilter.parsers.registry import parser
from kilter.run.engine.choice import EngineChoice, chosen_engine
from kilter.run.engine.engine import Batch, InProcess
from kilter.run.engine.run import run_batches
from kilter.run.parse import ParsedBlock, ParsedLines

LINES = ["Cats sleep.", "", "Dogs bark at cats.", "Cats sleep.", "The dog sees a cat."]
WHOLE: Batch[Sequence[str]] = Batch(data=LINES, first=1, rows=len(LINES))


@pytest.mark.parametrize("nbest", [None, 2])
def test_blocks_have_the_trees_of_the_whole_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nbest: int | None
) -> None:
    path = tmp_path / "text"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    task = ParsedLines(name="text", parser=parser("perceptron"), tokenize="13a", nbest=nbest)
    whole = task(WHOLE).sentences
    monkeypatch.setattr("kilter.run.parse.BLOCK", 2)
    monkeypatch.setattr("kilter.run.parse.NBEST_BLOCK", 2)
    text = TextStream(path)
    task.check(text)
    with InProcess() as engine:
        blocks = list(run_batches(engine, task, task.batches(text)))
    assert len(blocks) == 3
    assert [sentence for block in blocks for sentence in block.sentences] == whole
    assert sum(block.few for block in blocks) == (0 if nbest is None else 1)


def test_any_number_of_workers_writes_the_same_trees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "text"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    monkeypatch.setattr("kilter.run.parse.BLOCK", 2)
    text = TextStream(path)
    task = ParsedLines(name="text", parser=parser("perceptron"), tokenize="13a")
    with chosen_engine(EngineChoice(workers=2)) as engine:
        blocks = list(run_batches(engine, task, task.batches(text)))
    found = [sentence for block in blocks for sentence in block.sentences]
    assert found == task(WHOLE).sentences


def test_a_cache_and_several_parses_do_not_go_together(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("a\n", encoding="utf-8")
    task = ParsedLines(
        name="text", parser=parser("perceptron"), tokenize="13a", nbest=2, cache="kept"
    )
    with pytest.raises(OptionError, match="leave --cache out"):
        task.check(TextStream(path))


def test_a_block_is_packed_and_unpacked() -> None:
    block = ParsedBlock(["# text = é\n1\té\n\n"], 2)
    assert ParsedBlock.unpacked(block.packed()) == block
