"""Trees of texts of any size: the same as of whole texts."""

from pathlib import Path

import pytest

from kilter.core.errors import OptionError
from kilter.io.text_file import TextStream
from kilter.parsers.registry import parser
from kilter.run import parse_blocks, parse_nbest
from kilter.run.cache.kept_parser import KeptParser
from kilter.run.engine.choice import EngineChoice, chosen_engine
from kilter.run.engine.engine import InProcess
from kilter.run.engine.run import run_batches
from kilter.run.parse import block_text
from kilter.run.parse_blocks import ParsedBlock, ParsedLines

LINES = ["Cats sleep.", "", "Dogs bark at cats.", "Cats sleep.", "The dog sees a cat."]


@pytest.mark.parametrize("nbest", [None, 2])
def test_blocks_have_the_trees_of_the_whole_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nbest: int | None
) -> None:
    path = tmp_path / "text"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    whole = (
        list(block_text("text", LINES, 0, KeptParser(parser("perceptron")), tokenize="13a"))
        if nbest is None
        else parse_nbest.nbest_block("text", LINES, 0, nbest, parser("perceptron"), tokenize="13a")[
            0
        ]
    )
    monkeypatch.setattr(parse_blocks, "BLOCK", 2)
    monkeypatch.setattr(parse_nbest, "BLOCK", 2)
    text = TextStream(path)
    task = ParsedLines(name="text", parser=parser("perceptron"), tokenize="13a", nbest=nbest)
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
    monkeypatch.setattr(parse_blocks, "BLOCK", 2)
    text = TextStream(path)
    task = ParsedLines(name="text", parser=parser("perceptron"), tokenize="13a")
    with chosen_engine(EngineChoice(workers=2)) as engine:
        blocks = list(run_batches(engine, task, task.batches(text)))
    found = [sentence for block in blocks for sentence in block.sentences]
    kept = KeptParser(parser("perceptron"))
    assert found == list(block_text("text", LINES, 0, kept, tokenize="13a"))


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
