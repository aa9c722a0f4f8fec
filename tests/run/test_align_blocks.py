"""Links of texts of any size: the same as of whole texts, whoever works and however they are cut."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kilter.core.errors import InputError
from kilter.io.link_format import LinkFormat
from kilter.io.link_writer import write_links
from kilter.io.text_file import TextStream
from kilter.run import align as align_blocks
from kilter.run.align import (
    AlignedBlock,
    AlignedLines,
    TextPair,
    align_texts,
    chosen_aligner,
    taught,
)
from kilter.run.engine.choice import EngineChoice, chosen_engine
from kilter.run.engine.run import run_batches


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TextPair:
    """Return two texts of 40 lines of some words, in blocks of seven."""
    random = np.random.default_rng(3)
    for name in ("one", "two"):
        lines = [
            " ".join(f"{name[0]}{word}" if word % 3 else f"w{word}" for word in words)
            for words in (random.integers(12, size=random.integers(1, 9)) for _ in range(40))
        ]
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.setattr(align_blocks, "PAIRS", 7)
    return TextPair(first=TextStream(tmp_path / "one"), second=TextStream(tmp_path / "two"))


def task_of(
    aligner: str, form: LinkFormat = LinkFormat.PHARAOH, *, certainty: bool = False
) -> AlignedLines:
    return AlignedLines(
        aligner=chosen_aligner(aligner, None),
        tokenize="none",
        lowercase=False,
        form=form,
        certainty=certainty,
    )


def by_blocks(texts: TextPair, task: AlignedLines, workers: int = 1) -> list[str]:
    choice = EngineChoice(workers=workers)
    with taught(task, texts, alone=choice.in_process) as ready, chosen_engine(choice) as engine:
        blocks = run_batches(engine, ready, texts.batches(task))
        return [line for block in blocks for line in block.lines]


def whole(texts: TextPair, task: AlignedLines) -> list[str]:
    sides = [(text.name, list(text)) for text in (texts.first, texts.second)]
    links, words = align_texts(
        *sides, aligner=task.aligner, language="en", certainty=task.certainty
    )
    return list(write_links(links, form=task.form, texts=words, certainty=task.certainty))


@pytest.mark.parametrize("aligner", ["match", "hmm", "ibm1", "ribes"])
def test_blocks_have_the_links_of_the_whole_texts(texts: TextPair, aligner: str) -> None:
    task = task_of(aligner)
    assert by_blocks(texts, task) == whole(texts, task)


@pytest.mark.parametrize("form", [LinkFormat.GIZA, LinkFormat.METEOR, LinkFormat.NAACL])
def test_formats_that_number_segments_go_on_counting(texts: TextPair, form: LinkFormat) -> None:
    task = task_of("match", form, certainty=form is not LinkFormat.GIZA)
    assert by_blocks(texts, task) == whole(texts, task)


def test_a_learned_model_reaches_other_processes(texts: TextPair) -> None:
    task = task_of("hmm")
    assert by_blocks(texts, task, workers=2) == whole(texts, task)


def test_a_model_that_is_named_is_written_and_used_again(texts: TextPair, tmp_path: Path) -> None:
    task = task_of(f"ibm1:model={tmp_path / 'model'}")
    found = by_blocks(texts, task)
    assert (tmp_path / "model").exists()
    assert by_blocks(texts, task) == found == whole(texts, task_of("ibm1"))


def test_what_learns_from_all_is_aligned_as_a_whole(texts: TextPair) -> None:
    task = task_of("match:stages=exact+learned")
    assert texts.whole_because(task) == "the aligner match learns from all segments"
    assert by_blocks(texts, task) == whole(texts, task)
    assert texts.whole_because(task_of("hmm")) is None


def test_what_is_wrong_with_texts_is_told_before_anything_is_aligned(
    texts: TextPair, tmp_path: Path
) -> None:
    (tmp_path / "short").write_text("a\n", encoding="utf-8")
    short = replace(texts, second=TextStream(tmp_path / "short"))
    with pytest.raises(InputError, match=r"has 40 lines, but .*short has 1; every text must have"):
        short.check(task_of("match"), language="en")


def test_a_block_is_packed_and_unpacked() -> None:
    block = AlignedBlock(["0-0 1-1", "é ||| 猫"], [3])
    assert AlignedBlock.unpacked(block.packed()) == block
