"""Texts to trees, from Python and line by line."""

import pytest

import kilter
from kilter.core.errors import KilterError
from kilter.io.conllu import write_conllu
from kilter.parsers.registry import parser
from kilter.run.engine.engine import Batch
from kilter.run.parse import ParsedLines, parse_sentences

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
