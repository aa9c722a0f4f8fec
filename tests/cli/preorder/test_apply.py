"""`kilter preorder apply` and `kilter preorder rules`."""

from pathlib import Path

import pytest

from kilter.cli.main import run
from kilter.preordering.rule_file import shipped_names, shipped_text
from tests.cli.sample import written
from tests.conllu_text import CATS, DOGS, conllu

Captured = pytest.CaptureFixture[str]


def applied(capsys: Captured, *arguments: str) -> str:
    assert run(["preorder", "apply", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


@pytest.fixture
def trees(tmp_path: Path) -> str:
    return written(tmp_path, "trees.conllu", conllu(CATS, DOGS))


def test_sentences_are_written_in_the_order_of_the_rules(trees: str, capsys: Captured) -> None:
    shown = applied(capsys, trees, "-r", "r4")
    assert shown == "Cats . at night small mice chase\nDogs . sleep\n"
    assert applied(capsys, trees, "-r", "r2", "--format", "positions") == "6 5 4 3 2 1 0\n2 1 0\n"
    line = applied(capsys, trees, "-r", "r1", "--format", "jsonl").splitlines()[1]
    assert line == '{"words": ["Dogs", "sleep", "."], "groups": [[0], [1], [2]]}'


def test_trees_are_no_text_to_parse(trees: str, capsys: Captured) -> None:
    assert run(["preorder", "apply", trees, "-r", "r2", "--parser", "model"]) == 3
    assert "trees.conllu: holds trees in CoNLL-U, and --parser" in capsys.readouterr().err


def test_a_text_is_parsed_on_the_spot(tmp_path: Path, capsys: Captured) -> None:
    text = written(tmp_path, "text.en", "Anna reads a long letter.\n\nCats sleep .\n")
    shown = applied(capsys, text, "-r", "en-verb-final", "--parser", "model")
    assert shown == "Anna a long letter reads .\n\nCats sleep .\n"
    split = applied(capsys, text, "-r", "r2", "--parser", "perceptron", "--tokenize", "none")
    assert split == "letter. long a reads Anna\n\n. sleep Cats\n"


def test_lower_cased_trees_are_written_as_their_text_is(
    trees: str, tmp_path: Path, capsys: Captured
) -> None:
    lowered = [[(row[0].lower(), *row[1:]) for row in words] for words in (CATS, DOGS)]
    lower = written(tmp_path, "lower.conllu", conllu(*map(tuple, lowered)))
    text = written(tmp_path, "text.en", applied(capsys, trees, "-r", "r1"))
    shown = applied(capsys, lower, "-r", "r4", "--lowercase-trees", "--source", text)
    assert shown == applied(capsys, trees, "-r", "r4")
    assert applied(capsys, lower, "-r", "r4").startswith("cats .")
    other = written(tmp_path, "other.en", "Cats chase big mice at night .\nDogs sleep .\n")
    assert run(["preorder", "apply", lower, "-r", "r4", "--lowercase-trees", "-s", other]) == 3
    assert "word 3 of the tree is 'small', but that of line 1 of" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--tokenize", "none"], "--tokenize goes with --parser"),
        (["--cache", "x"], "--cache goes with --parser"),
        (["--lowercase-trees"], "--lowercase-trees and --source go together"),
        (["-s", "x"], "--lowercase-trees and --source go together"),
        (["--lowercase-trees", "--parser", "model"], "--parser keeps the words of its text"),
    ],
)
def test_options_that_would_do_nothing_are_refused(
    trees: str, arguments: list[str], reason: str, capsys: Captured
) -> None:
    assert run(["preorder", "apply", trees, "-r", "r4", *arguments]) == 2
    assert reason in capsys.readouterr().err


def test_a_rule_file_of_ones_own(trees: str, tmp_path: Path, capsys: Captured) -> None:
    text = (
        "keep_final_punctuation = true\n"
        '[[rule]]\nhead = "VERB"\norder = ["OTHER", "obj", "HEAD"]\n'
        '[[rule]]\nhead = "NOUN"\norder = ["OTHER", "HEAD", "case"]\n'
    )
    rules = written(tmp_path, "mine.toml", text)
    assert applied(capsys, trees, "-r", rules).splitlines() == [
        "Cats night at small mice chase .",
        "Dogs sleep .",
    ]


def test_multiword_tokens_and_empty_nodes_are_no_words(tmp_path: Path, capsys: Captured) -> None:
    rows = conllu(DOGS).replace("1\tDogs", "1-2\tDogssleep" + "\t_" * 8 + "\n1\tDogs")
    rows = rows.replace("3\t.", "2.1\tghost" + "\t_" * 8 + "\n3\t.")
    path = written(tmp_path, "special.conllu", rows)
    assert applied(capsys, path, "-r", "r2") == ". sleep Dogs\n"


def test_several_roots_are_joined_with_a_note(tmp_path: Path, capsys: Captured) -> None:
    two = (("a", "NOUN", 0, "root"), ("b", "NOUN", 0, "root"))
    path = written(tmp_path, "two.conllu", conllu(two))
    assert run(["preorder", "apply", path, "-r", "r3"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "b a\n"
    assert "two.conllu:1 (sentence 1): several roots" in captured.err
    assert applied(capsys, path, "-r", "r3", "-q") == "b a\n"


@pytest.mark.parametrize(
    ("sentence", "rules", "code", "reason"),
    [
        ((("a", "X", 2, "dep"), ("b", "X", 1, "dep")), "r1", 3, "hang from one another in a cycle"),
        (DOGS, "r77", 2, "there is no rule set 'r77'"),
        (DOGS, "empty.toml", 3, "empty.toml: the file is empty"),
        (
            DOGS,
            "label.toml",
            3,
            "label.toml:3: rule 1 (VERB): field order: there is no label 'dojb'",
        ),
    ],
)
def test_what_is_wrong_is_one_line_and_writes_nothing(
    sentence: tuple[tuple[str, str, int, str], ...],
    rules: str,
    code: int,
    reason: str,
    tmp_path: Path,
    capsys: Captured,
) -> None:
    written(tmp_path, "empty.toml", "")
    written(tmp_path, "label.toml", '[[rule]]\nhead = "VERB"\norder = ["dojb", "OTHER", "HEAD"]\n')
    path = written(tmp_path, "trees.conllu", conllu(sentence))
    chosen = str(tmp_path / rules) if rules.endswith(".toml") else rules
    assert run(["preorder", "apply", path, "-r", chosen]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert reason in captured.err
    assert captured.err.count("\n") == 1


def test_a_word_with_a_blank_is_not_written_as_text_but_read_back_from_json(
    tmp_path: Path, capsys: Captured
) -> None:
    path = written(tmp_path, "trees.conllu", conllu(DOGS).replace("Dogs", "Big dogs"))
    assert run(["preorder", "apply", path, "-r", "r1"]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        f"kilter: {path}:1 (sentence 1): the word 'Big dogs' holds a blank and would read as several "
        "words; write positions, or keep the words with --format jsonl\n"
    )
    lines = applied(capsys, path, "-r", "r1", "--format", "jsonl")
    reference = written(tmp_path, "r.jsonl", lines)
    assert run(["reorder", "score", reference, reference]) == 0
    links = written(tmp_path, "links", "0-1 1-0 2-2\n")
    target = written(tmp_path, "target", "x y z\n")
    assert (
        run(["reorder", "make", "-s", reference, "-a", links, "-t", target, "--format", "jsonl"])
        == 0
    )
    made = '{"words": ["Big dogs", "sleep", "."], "groups": [[1], [0], [2]]}\n'
    assert capsys.readouterr().out.endswith(made)
    assert run(["reorder", "lint", "-s", reference, "-a", links, "-t", target]) == 0
    positions = written(tmp_path, "s.positions", "0 1 2\n")
    assert run(["reorder", "score", positions, positions, "-s", reference]) == 0
    assert run(["preorder", "evaluate", "-r", "r1", "-R", reference, path]) == 0
    assert "1.0000" in capsys.readouterr().out


def test_rule_sets_are_listed_and_printed(capsys: Captured) -> None:
    assert run(["preorder", "rules"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in listed] == shipped_names()
    assert run(["preorder", "rules", "r5"]) == 0
    assert capsys.readouterr().out == shipped_text("r5")
    assert run(["preorder", "rules", "r55"]) == 2
