"""Texts that are cut into blocks of the same segments."""

from dataclasses import replace
from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.io.stream import ByteSource
from kilter.io.text_file import TextStream
from kilter.run.scoring.corpus import EmptyLines
from kilter.run.scoring.measurement import measure, measure_streams
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.structure_files import StructureFiles
from kilter.run.scoring.text_streams import TextStreams
from tests.run.scoring.streamed import cut_into


def streams_of(folder: Path, hypothesis: str, reference: str) -> TextStreams:
    for name, text in (("mt", hypothesis), ("ref", reference)):
        (folder / name).write_text(text, encoding="utf-8")
    return TextStreams(
        systems={"system": TextStream(folder / "mt")},
        references={"ref": TextStream(folder / "ref")},
        source=None,
        files={"system": "mt"},
        structures=StructureFiles(),
    )


def test_long_lines_make_small_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cut_into(monkeypatch, 4)
    monkeypatch.setattr("kilter.run.scoring.text_streams._GRAIN", 1)
    monkeypatch.setattr("kilter.run.scoring.text_streams._CHARACTERS", 20)
    long = "a" * 19
    streams = streams_of(tmp_path, f"a\nb\n{long}\nc\n" + "d\n" * 5, "x\n" * 9)
    blocks = [*streams.batches()]
    assert [(block.first, block.rows) for block in blocks] == [(1, 3), (4, 4), (8, 2)]
    assert blocks[0].data.columns == (("a", "b", long), ("x", "x", "x"))
    assert blocks[-1].share == 1.0


@pytest.mark.parametrize(("now", "what"), [("a\n", "fewer lines"), ("a\n" * 9, "other lines")])
def test_a_text_that_changes_meanwhile_is_noticed(
    now: str, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_into(monkeypatch, 2)
    streams = streams_of(tmp_path, "a\nb\nc\nd\n", "a\nb\nc\nd\n")
    streams.check()
    for name in ("mt", "ref") if what == "fewer lines" else ("mt",):
        (tmp_path / name).write_text(now)
    with pytest.raises(InputError, match=r"mt: was changed or replaced while it was read"):
        [*streams.batches()]
    # Where a file system does not tell, the lines do.
    monkeypatch.setattr(ByteSource, "_refuse_change", lambda *_: None)
    with pytest.raises(InputError, match=rf"has {what} than before; was it changed meanwhile\?"):
        [*streams.batches()]


@pytest.mark.parametrize(
    ("chosen", "why"),
    [
        ({"metrics": "bleu"}, None),
        ({"metrics": "nist"}, "nist weighs words by all references"),
        ({"metrics": "kendall", "aligner": "hmm"}, "the aligner hmm learns from all segments"),
        ({"metrics": "bleu", "aligner": "hmm"}, None),
        (
            {"metrics": "dted", "parser": "conllu:file=trees.conllu"},
            "the parser conllu takes whole texts",
        ),
        ({"metrics": "dted"}, None),
    ],
)
def test_what_looks_at_the_whole_is_named(
    chosen: dict[str, str], why: str | None, tmp_path: Path
) -> None:
    streams = streams_of(tmp_path, "a\n", "a\n")
    assert streams.whole_because(Settings(**chosen)) == why  # type: ignore[arg-type]


def test_a_model_that_was_learned_before_takes_blocks(tmp_path: Path) -> None:
    streams = streams_of(tmp_path, "a\n", "a\n")
    (tmp_path / "model").write_bytes(b"")
    settings = Settings(metrics="kendall", aligner=f"hmm:model={tmp_path / 'model'}")
    assert streams.whole_because(settings) is None


def test_a_script_without_blanks_is_refused_wherever_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_into(monkeypatch, 1)
    text = "a b\n今日は天気がいいから散歩に行きましょう\n"
    streams = streams_of(tmp_path, text, text)
    with pytest.raises(InputError, match=r"^ref: is written without blanks"):
        streams.check_corpus(Settings())
    streams = streams_of(tmp_path, text + "x\n" * 4, text * 3)
    with pytest.raises(InputError, match=r"^ref: is written without blanks"):
        streams.check_corpus(Settings())


def tree(*words: str) -> str:
    rows = (f"{k + 1}\t{word}\t_\t_\t_\t_\t{k}\t_\t_\t_\n" for k, word in enumerate(words))
    return "".join(rows) + "\n"


LINES = "a b\nc\nd e\n"
TREES = tree("a", "b") + tree("c") + tree("d", "e")


@pytest.mark.parametrize("most", [0, 100])
@pytest.mark.parametrize(
    ("system", "links", "trees", "told"),
    [
        (LINES, "0-0\n0-0\n7-0\n", TREES, "links:3: link 7-0 points past the 2 words of the hyp"),
        (LINES, "0-0\n0-0\n", TREES, "links: has "),
        (LINES, "0-0\n" * 3, TREES + TREES, "trees: has "),
        (
            "a b\nc\nd x\n",
            "0-0\n" * 3,
            TREES,
            "trees:6: word 2 of the tree is 'e', but that of line 3",
        ),
        ("a b\nc\n\n", "0-0\n0-0\n\n", TREES, "mt:3: the line is empty; fill it"),
    ],
)
def test_faults_of_later_blocks_are_told_with_their_place(
    system: str,
    links: str,
    trees: str,
    told: str,
    most: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cut_into(monkeypatch, 1)
    monkeypatch.setattr("kilter.run.scoring.text_streams._MOST_WHOLE", most)
    for name, text in (("links", links), ("trees", trees), ("refs", TREES)):
        (tmp_path / name).write_text(text)
    files = StructureFiles(
        links=(str(tmp_path / "links"),),
        trees=(str(tmp_path / "trees"),),
        trees_reference=(str(tmp_path / "refs"),),
    )
    streams = replace(streams_of(tmp_path, system, LINES), structures=files)
    settings = Settings(metrics=("kendall", "dted"), empty=EmptyLines.STOP)
    with pytest.raises(InputError) as caught:
        measure_streams(streams, settings)
    assert told in str(caught.value)
    if most:  # as if all texts had been in memory
        with pytest.raises(InputError) as whole:
            measure(streams.whole(), settings)
        assert str(caught.value) == str(whole.value)


def test_texts_are_not_read_as_a_whole_where_a_worker_has_no_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise InputError("row 1: the worker was killed 3 times")

    monkeypatch.setattr("kilter.run.scoring.measurement.run_batches", fail)
    monkeypatch.setattr(TextStreams, "whole", lambda _: pytest.fail("reads all"))
    with pytest.raises(InputError, match="was killed"):
        measure_streams(streams_of(tmp_path, "a\n", "a\n"), Settings(metrics="bleu"))
