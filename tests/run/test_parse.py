"""Texts to trees, from Python and line by line."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import kilter
from kilter.core.errors import KilterError, KilterWarning, OptionError
from kilter.io.conllu import read_conllu, write_conllu
from kilter.io.stream import ByteSource
from kilter.parsers.perceptron_training import TrainingSettings
from kilter.parsers.registry import parser
from kilter.run.engine.engine import Batch
from kilter.run.parse import ParsedBlock, ParsedLines, parse_nbest, parse_sentences, warn_of_few
from kilter.run.train_parser import learned_parser
from tests.parsers.small_treebank import sentences

LINES = ["Cats sleep.", "", "The dog barked at night."]


def test_every_line_has_a_tree_and_an_empty_one_no_words() -> None:
    trees = kilter.parse(LINES, parser="perceptron").trees
    assert (len(trees), trees.lengths.tolist()) == (3, [3, 0, 6])
    for begin, end in zip(trees.offsets[:-1].tolist(), trees.offsets[1:].tolist(), strict=True):
        assert sum(head < 0 for head in trees.heads[begin:end].tolist()) == (end > begin)


def test_what_is_written_says_by_whom_and_numbers_its_sentences() -> None:
    task = ParsedLines(name="text", parser=parser("perceptron"), tokenize="13a")
    text = "".join(task(Batch(data=LINES, first=1, rows=len(LINES))).sentences)
    assert text == "".join(write_conllu(kilter.parse(LINES, parser="perceptron")))
    assert text.startswith("# generator = kilter ")
    assert [line for line in text.splitlines() if line.startswith("# sent_id")] == [
        "# sent_id = 1", "# sent_id = 2", "# sent_id = 3",
    ]  # fmt: skip
    assert "# text = The dog barked at night ." in text


def test_words_that_are_split_already_are_parsed_as_they_are() -> None:
    trees = parse_sentences([["Cats", "sleep"], []], parser("perceptron"))
    assert trees.lengths.tolist() == [2, 0]
    assert (
        trees.heads.tolist()
        == kilter.parse(["Cats sleep"], parser="perceptron", tokenize="none").trees.heads.tolist()
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [({"parser": "nobody"}, "there is no parser 'nobody'"), ({"tokenize": "x"}, "x")],
)
def test_an_unknown_parser_or_tokeniser_is_refused_before_anything_is_parsed(
    options: dict[str, str], message: str
) -> None:
    with pytest.raises(KilterError, match=message):
        kilter.parse(LINES, **options)  # type: ignore[arg-type]


# Several parses of every sentence.


TEXT = ["Dogs bark loudly and cats sleep .", "", "A fine day", "Yes"]


def split(lines: list[str]) -> list[list[str]]:
    return [line.split() for line in lines]


def parsed(lines: list[str], most: int) -> ParsedBlock:
    task = ParsedLines(name="text", parser=parser("perceptron"), tokenize="none", nbest=most)
    return task(Batch(data=lines, first=1, rows=len(lines)))


def said(lines: list[str], most: int) -> str:
    return "".join(parsed(lines, most).sentences)


def test_parses_are_sorted_and_no_two_are_alike() -> None:
    found = parse_nbest(split(TEXT), parser("perceptron"), 12)
    trees = found.trees
    assert np.diff(trees.parses).tolist()[1::2] == [1, 1]
    assert trees.parses[1] == 12
    for first, end in pairwise(trees.parses.tolist()):
        scores = found.scores[first:end].tolist()
        assert scores == sorted(scores, reverse=True)
        listed = [trees.tree(place) for place in range(first, end)]
        assert len({(tree.heads, tree.labels) for tree in listed}) == len(listed)
        assert len({tree.words for tree in listed}) == 1
        for tree in listed:
            roots = [head == -1 for head in tree.heads]
            assert [label == "root" for label in tree.labels] == roots


def test_what_is_written_is_read_as_the_same_groups(tmp_path: Path) -> None:
    written = said(TEXT, 5)
    path = tmp_path / "nbest.conllu"
    path.write_text(written, encoding="utf-8")
    bank = read_conllu(ByteSource(str(path)))
    found = parse_nbest(split(TEXT), parser("perceptron"), 5)
    assert bank.trees.parses.tolist() == found.trees.parses.tolist()
    assert bank.trees.heads.tolist() == found.trees.heads.tolist()
    scores = [line for comments in bank.comments for line in comments if "score" in line]
    assert scores == [f"# score = {score}" for score in found.scores.tolist()]
    assert "".join(write_conllu(bank)) == written


def test_that_there_are_fewer_is_said() -> None:
    few = parsed(TEXT, 3).few
    with pytest.warns(KilterWarning, match="text: 2 lines of 4 got fewer than 3 parses"):
        warn_of_few("text", few, len(TEXT), 3)
    warn_of_few("text", 0, len(TEXT), 3)  # no warning, which would be an error


def test_one_parse_is_the_parse_of_the_first_voter(tmp_path: Path) -> None:
    path = tmp_path / "bank.conllu"
    path.write_text(sentences(40), encoding="utf-8")
    bank = read_conllu(ByteSource(str(path)))
    settings = TrainingSettings(passes=2, voters=1, beam=4)
    trained = learned_parser([("bank", bank)], settings=settings)
    assert trained.card.accuracy is not None
    assert trained.card.accuracy.las > 0.9
    model = tmp_path / "bank.model"
    model.write_bytes(trained.tables.to_bytes())
    names = bank.trees.vocabulary.words
    lines = [
        [names[word] for word in bank.trees.words[a:b].tolist()]
        for a, b in pairwise(bank.trees.offsets.tolist())
    ]
    learned = parser(f"perceptron:model={model}")
    best = parse_nbest(lines, learned, 1)
    assert learned.signature() == parser(f"perceptron:model={model},beam=0").signature()
    wide = parse_nbest(lines, parser(f"perceptron:model={model},beam=4"), 1)
    assert best.trees.heads.tolist() == wide.trees.heads.tolist()
    greedy = parse_nbest(lines, parser(f"perceptron:model={model},beam=1"), 1)
    assert (best.scores >= greedy.scores).all()


@pytest.mark.parametrize(
    ("given", "most", "fault"),
    [
        ("model", 3, "model finds one tree"),
        ("perceptron", 0, "not 0"),
        ("perceptron:beam=2000", 3, "beam is 2000"),
    ],
)
def test_what_cannot_be_is_refused(given: str, most: int, fault: str) -> None:
    with pytest.raises(OptionError, match=fault):
        parse_nbest([["Cats", "sleep"]], parser(given), most)
