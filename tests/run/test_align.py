"""Links between two texts."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kilter.aligners.registry import aligner as make_aligner
from kilter.core.errors import InputError, OptionError
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
from kilter.run.demo import SAMPLE
from kilter.run.engine.choice import EngineChoice, chosen_engine
from kilter.run.engine.run import run_batches
from kilter.run.scoring.score import score
from tests.cli.command import kilter


def sample(name: str) -> tuple[str, list[str]]:
    return name, (SAMPLE / name).read_text(encoding="utf-8").splitlines()


def test_links_count_the_words_that_come_back() -> None:
    links, (first, second) = align_texts(
        ("s", ["The mat."]), ("r", ["a mat ."]), tokenize="13a", lowercase=True
    )
    assert (first, second) == ([["the", "mat", "."]], [["a", "mat", "."]])
    assert links.segment(0) == [(1, 1), (2, 2)]


def test_the_language_goes_to_the_stemmer_unless_the_aligner_names_one() -> None:
    texts = ("s", ["Häuser"]), ("r", ["Hauses"])
    assert align_texts(*texts, language="de")[0].segment(0) == [(0, 0)]
    assert align_texts(*texts, language="en", aligner="match")[0].segment(0) == []
    chosen = align_texts(*texts, language="en", aligner="match:language=de")[0]
    assert chosen.segment(0) == [(0, 0)]
    folded = align_texts(*texts, language="de", aligner="match:case=fold")[0]
    assert folded.segment(0) == [(0, 0)]


@pytest.mark.parametrize("language", ["zh", "ja", "ko"])
def test_languages_without_a_stemmer_are_matched_as_they_stand(language: str) -> None:
    links, _ = align_texts(("s", ["b a"]), ("r", ["a b"]), language=language, tokenize="none")
    assert links.segment(0) == [(0, 1), (1, 0)]
    assert make_aligner("match", language=language).options()["language"] == "none"
    with pytest.raises(OptionError, match=r"there is no stemmer for language 'xx'"):
        make_aligner("match", language="xx")


@pytest.mark.parametrize("aligner", ["match", "hmm", "match:language=jp"])
def test_a_wrong_code_is_answered_with_the_right_one(aligner: str) -> None:
    with pytest.raises(OptionError, match=r"there is no language 'jp'; did you mean ja[?]"):
        make_aligner(aligner, language="jp" if aligner != "match:language=jp" else None)


@pytest.mark.parametrize("aligner", ["ibm1", "hmm", "ribes"])
def test_other_aligners_cover_every_segment_for_any_number_of_threads(aligner: str) -> None:
    texts = sample("source.tok.de"), sample("reference.tok.en")
    found = [align_texts(*texts, aligner=aligner, jobs=jobs)[0] for jobs in (1, 2)]
    assert len(found[0]) == 48
    assert found[0].links.tolist() == found[1].links.tolist()
    lengths = ([len(line.split()) for line in text[1]] for text in texts)
    for segment, (first, second) in enumerate(zip(*lengths, strict=True)):
        for one, other in found[0].segment(segment):
            assert 0 <= one < first
            assert 0 <= other < second


def test_training_tells_its_progress() -> None:
    told: list[tuple[int, int]] = []
    align_texts(
        sample("source.tok.de"),
        sample("reference.tok.en"),
        aligner="hmm",
        progress=lambda done, total: told.append((done, total)),
    )
    assert told
    assert told[-1][0] == told[-1][1]
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_texts_of_different_lengths_are_refused() -> None:
    with pytest.raises(InputError, match=r"s: has 1 line, but r has 2; .*line 2 of s is missing"):
        align_texts(("s", ["a"]), ("r", ["a", "b"]))


def test_unknown_names_are_refused() -> None:
    for settings in ({"aligner": "none"}, {"tokenize": "x"}, {"aligner": "match:x=1"}):
        with pytest.raises(OptionError):
            align_texts(("s", ["a"]), ("r", ["a"]), **settings)  # type: ignore[arg-type]


def test_pairs_of_earlier_runs_teach_with_a_cache_also_those_of_scores(tmp_path: Path) -> None:
    aligner = "match:stages=exact+learned"
    taught = [f"{word} purchased it" for word in ("she", "they", "we")]
    right = [line.replace("purchased", "bought") for line in taught]
    later = ("s", ["he purchased bread"]), ("r", ["he bought bread"])
    assert (1, 1) not in align_texts(*later, aligner=aligner)[0].segment(0)
    cache = str(tmp_path)
    score(taught, right, metrics=["f1", "kendall"], aligner=aligner, cache=cache)
    assert (1, 1) in align_texts(*later, aligner=aligner, cache=cache)[0].segment(0)
    folded = align_texts(*later, aligner=aligner, cache=cache, lowercase=True)[0]
    assert (1, 1) not in folded.segment(0)


@pytest.mark.parametrize(("aligner", "most"), [("hmm", "5000"), ("ribes", "50000 equal")])
def test_a_segment_that_would_take_minutes_is_refused(aligner: str, most: str) -> None:
    words = int(most.split(maxsplit=1)[0]) + 1
    long = " ".join(["a"] * words)
    fault = rf"segment 2: has {words} and {words} words; this aligner takes at most {most} words on"
    with pytest.raises(InputError, match=fault):
        align_texts(("s", ["a", long]), ("r", ["a", long]), aligner=aligner)


def test_a_segment_that_is_too_long_is_told_by_its_number_in_the_text(tmp_path: Path) -> None:
    long = " ".join(["a"] * 50_001)
    path = tmp_path / "a"
    path.write_text("a\n" * 2100 + long + "\n", encoding="utf-8")
    other = tmp_path / "b"
    other.write_bytes(path.read_bytes())
    done = kilter("align", "-r", str(path), str(other), "--aligner", "ribes")
    assert (done.code, done.err.count("\n")) == (3, 1)
    assert "segment 2101: has 50001 and 50001 words" in done.err


def test_a_word_that_is_repeated_80000_times_is_matched() -> None:
    text = [" ".join(["a"] * 80_000)]
    links, _ = align_texts(("s", text), ("r", text))
    assert links.counts.tolist() == [80_000]


# Links of texts of any size: the same as of whole texts, whoever works and however they are cut.


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
