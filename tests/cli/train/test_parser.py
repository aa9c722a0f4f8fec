"""`kilter train parser`, and parsing with what it wrote."""

import json
from pathlib import Path

import pytest

from kilter.cli.main import run
from kilter.parsers.model_file import read_model
from tests.cli.sample import written
from tests.parsers.small_treebank import sentences

Captured = pytest.CaptureFixture[str]
FAST = ["--passes", "1", "--voters", "1"]


@pytest.fixture
def treebank(tmp_path: Path) -> str:
    return written(tmp_path, "bank.conllu", sentences(50))


def test_a_model_is_learned_tried_and_used(treebank: str, tmp_path: Path, capsys: Captured) -> None:
    model = str(tmp_path / "own.model")
    assert run(["train", "parser", treebank, "-o", model, "--passes", "2", "-l", "xx"]) == 0
    out, err = capsys.readouterr()
    assert "learned from         45" in out
    assert "tried on              5" in out
    assert not err
    text = written(tmp_path, "text", "an lama rok beko gati .\n")
    assert run(["parse", text, "--parser", f"perceptron:model={model}", "--tokenize", "none"]) == 0
    out, err = capsys.readouterr()
    rows = [line.split("\t") for line in out.splitlines() if line[:1].isdigit()]
    assert [(row[3], row[6], row[7]) for row in rows] == [
        ("DET", "2", "det"),
        ("NOUN", "5", "nsubj"),
        ("ADJ", "4", "amod"),
        ("NOUN", "5", "obj"),
        ("VERB", "0", "root"),
        ("PUNCT", "5", "punct"),
    ]
    assert "perceptron(model:" in out
    assert not err  # it is no English parser, and says nothing of English


def test_the_card_is_printed_as_json(treebank: str, tmp_path: Path, capsys: Captured) -> None:
    model = str(tmp_path / "own.model")
    assert run(["train", "parser", treebank, "-o", model, *FAST, "--format", "json"]) == 0
    card = json.loads(capsys.readouterr().out)
    assert card["settings"] == {"passes": 1, "voters": 1, "beam": 1, "lowercase": False, "seed": 1}
    assert card["accuracy"]["sentences"] == 5


def test_a_network_is_learned_and_used_by_the_same_parser(
    treebank: str, tmp_path: Path, capsys: Captured
) -> None:
    model = str(tmp_path / "own.model")
    learning = ["train", "parser", treebank, "-o", model, "--kind", "network", "--passes", "1"]
    assert run([*learning, "--format", "json"]) == 0
    card = json.loads(capsys.readouterr().out)
    assert card["settings"] == {"passes": 1, "lowercase": False, "seed": 1}
    text = written(tmp_path, "text", "an lama rok beko gati .\n")
    assert run(["parse", text, "--parser", f"perceptron:model={model}", "--tokenize", "none"]) == 0
    out, _ = capsys.readouterr()
    assert f"perceptron(model:{card_checksum(model)[:8]})" in out
    rows = [line.split("\t") for line in out.splitlines() if line[:1].isdigit()]
    assert len(rows) == 6
    assert [row[6] for row in rows].count("0") == 1


def card_checksum(path: str) -> str:
    return str(read_model(path).card["checksum"])


@pytest.mark.parametrize(
    ("arguments", "code", "fault"),
    [
        (["--output", "BANK"], 2, "would replace an input"),
        (["-o", "m", "--development", "BANK"], 3, "twice"),
        (["-o", "m", "--held-out", "0.7"], 2, "0.7 is not in the range"),
        (["-o", "m", "--kind", "network"], 2, "a network has no voters"),
        (["-o", "nowhere/m"], 3, "its folder does not exist"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_learned(
    treebank: str, arguments: list[str], code: int, fault: str, capsys: Captured
) -> None:
    given = [treebank if each == "BANK" else each for each in arguments]
    assert run(["train", "parser", treebank, *given, *FAST]) == code
    assert fault in capsys.readouterr().err


def test_a_file_that_is_no_model_is_named(tmp_path: Path, capsys: Captured) -> None:
    text = written(tmp_path, "text", "cats sleep\n")
    wrong = written(tmp_path, "wrong", "no model")
    assert run(["parse", text, "--parser", f"perceptron:model={wrong}"]) == 3
    assert "kilter train parser" in capsys.readouterr().err
