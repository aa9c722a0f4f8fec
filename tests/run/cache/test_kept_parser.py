"""A parser says of equal segments the same as ever, and is asked about each once."""

import json
import shutil
from importlib import import_module
from pathlib import Path

import pytest

from kilter.core.corpus import TokenColumn, Vocabulary
from kilter.parsers.parser import Parser, Parses
from kilter.parsers.perceptron import Perceptron
from kilter.parsers.registry import parser
from kilter.run.cache.kept_parser import KeptParser

LINES = ["Cats sleep .", "", "The old dog barks at night", "Cats sleep .", "Rain !"]


def parsed(made_by: Parser | KeptParser, lines: list[str] = LINES) -> list[object]:
    """Return words, heads and names of labels and tags, segment by segment."""
    vocabulary = Vocabulary()
    words = vocabulary.column([line.split() for line in lines])
    found = made_by.parse(words, vocabulary)
    trees, names = found.trees, vocabulary.words
    columns = (trees.words, trees.labels, trees.tags, found.language_tags)
    return [
        [
            trees.heads[begin:end].tolist(),
            *([names[number] for number in column[begin:end].tolist()] for column in columns),
        ]
        for begin, end in zip(trees.offsets[:-1], trees.offsets[1:], strict=True)
    ]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return how many segments the parser was asked about, call by call."""
    found: list[int] = []
    real = Perceptron.parse

    def counting(self: Perceptron, words: TokenColumn, *rest: object, **named: object) -> Parses:
        found.append(len(words))
        return real(self, words, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Perceptron, "parse", counting)
    return found


@pytest.mark.parametrize("name", ["perceptron", "model"])
def test_trees_are_those_of_the_parser_cold_and_warm(name: str, tmp_path: Path) -> None:
    alone = parsed(parser(name))
    assert parsed(KeptParser(parser(name))) == alone
    for _ in range(2):
        assert parsed(KeptParser(parser(name), str(tmp_path))) == alone
    assert parsed(KeptParser(parser(name), str(tmp_path)), LINES[::-1]) == alone[::-1]


def test_equal_segments_are_parsed_once_in_a_run_and_never_again_with_a_cache(
    asked: list[int], tmp_path: Path
) -> None:
    kept = KeptParser(parser("perceptron"), str(tmp_path))
    parsed(kept)
    parsed(kept, [*LINES, "New words"])
    parsed(KeptParser(parser("perceptron"), str(tmp_path)))
    assert asked == [4, 1]


def test_another_model_is_another_maker(asked: list[int], tmp_path: Path) -> None:
    copy = tmp_path / "model"
    shutil.copytree(import_module("kilter_model_en").__path__[0], copy)
    cache = str(tmp_path / "kept")
    made_by = f"perceptron:folder={copy}"
    parsed(KeptParser(parser(made_by), cache))
    config = json.loads((copy / "config.json").read_text(encoding="utf-8"))
    config["version"] = "9.9"
    (copy / "config.json").write_text(json.dumps(config), encoding="utf-8")
    parsed(KeptParser(parser(made_by), cache))
    assert asked == [4, 4]
