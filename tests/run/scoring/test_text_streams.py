"""Texts that are cut into blocks of the same segments."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.io.stream import ByteSource
from kilter.io.text_file import TextStream
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
