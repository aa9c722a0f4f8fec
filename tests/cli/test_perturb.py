"""`kilter perturb`."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from kilter.cli.main import run
from tests.docs.pages import ROOT

Captured = pytest.CaptureFixture[str]
REFERENCE = str(ROOT / "examples" / "moved.reference.conllu")
HYPOTHESIS = ["--hypothesis", str(ROOT / "examples" / "moved.hypothesis.conllu")]


def rows(capsys: Captured, *arguments: str) -> list[dict[str, Any]]:
    assert run(["perturb", *arguments, "-q"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return [json.loads(line) for line in captured.out.splitlines()]


def test_every_type_and_degree_has_a_row_per_sentence(capsys: Captured) -> None:
    found = rows(capsys, REFERENCE, "-t", "all", *HYPOTHESIS)
    assert [(row["segment"], row["type"], row["degree"]) for row in found] == [
        (segment, kind, degree)
        for segment in (1, 2, 3)
        for kind in ("order", "swap", "phrase", "choice")
        for degree in range(1, 19)
    ]
    assert all((row["text"] is None) == (row["reason"] is not None) for row in found)
    assert all(row["text"] is None for row in found if row["type"] == "swap" and row["degree"] % 2)


def test_steps_and_permutation_tell_how_the_text_came_about(capsys: Captured) -> None:
    reference = "Our neighbours grow tall sunflowers behind the small shed".lower().split()
    (row,) = rows(capsys, REFERENCE, "-d", "4", "--seed", "7")[1:2]
    assert len(row["steps"]) == 4
    words = [reference[place - 1] for place in row["permutation"]]
    assert row["text"].lower().rstrip(".").split() == words


def test_variants_differ_until_there_are_no_more(capsys: Captured, tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("a b c\n", encoding="utf-8")
    found = [row["text"] for row in rows(capsys, str(text), "-d", "1", "--variants", "5")]
    assert sorted(filter(None, found)) == ["A c b", "B a c"]
    assert found.count(None) == 3


def test_a_result_does_not_depend_on_what_else_is_asked(capsys: Captured) -> None:
    many = rows(capsys, REFERENCE, "-t", "swap", "-t", "phrase", "--variants", "2")
    (one,) = rows(capsys, REFERENCE, "-t", "phrase", "-d", "3")[:1]
    assert one in many


def test_impossible_results_are_counted_and_can_be_left_out(capsys: Captured) -> None:
    assert run(["perturb", REFERENCE, "-d", "12-13", "--possible-only"]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "kilter: impossible for order: 3 of degree 12, 3 of degree 13\n"


def test_tables_and_plain_text_hold_the_same(capsys: Captured) -> None:
    texts = [row["text"] for row in rows(capsys, REFERENCE, "-d", "2")]
    assert run(["perturb", REFERENCE, "-d", "2", "--format", "text"]) == 0
    assert capsys.readouterr().out.splitlines() == texts
    assert run(["perturb", REFERENCE, "-d", "2", "--format", "tsv"]) == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert lines[0][4] == "text"
    assert [line[4] for line in lines[1:]] == texts


def test_capitals_follow_another_corpus(capsys: Captured, tmp_path: Path) -> None:
    text, corpus = tmp_path / "text", tmp_path / "corpus"
    text.write_text("Bread smells good\n", encoding="utf-8")
    corpus.write_text("We buy bread .\n", encoding="utf-8")
    found = rows(capsys, str(text), "-d", "1", "--variants", "2", "--case-from", str(corpus))
    assert sorted(row["text"] for row in found) == ["Bread good smells", "Smells bread good"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["-t", "swap"],
            "; give its trees in CoNLL-U, or let a parser make them: --parser model\n",
        ),
        (["-d", "0"], "--degree is '0'; write a number from 1 to 1000000, or a range such as 1-18"),
        (["-d", "5-2"], "--degree is '5-2'"),
        (["--hypothesis", "x"], "--hypothesis and --trees-hypothesis belong together"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(
    arguments: list[str], message: str, tmp_path: Path, capsys: Captured
) -> None:
    text = tmp_path / "text"
    text.write_text("a b\n", encoding="utf-8")
    assert run(["perturb", str(text), *arguments]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


def test_choice_says_that_it_needs_hypotheses(capsys: Captured) -> None:
    assert run(["perturb", REFERENCE, "-t", "choice"]) == 2
    said = capsys.readouterr().err
    assert "choice takes words from hypotheses; give these, too" in said
    assert said.endswith(", or with --parser model\n")
    assert run(["perturb", REFERENCE, "--trees", REFERENCE]) == 2
    assert "holds trees itself" in capsys.readouterr().err


def test_trees_of_another_text_are_refused_with_file_and_line(
    capsys: Captured, tmp_path: Path
) -> None:
    text = tmp_path / "text"
    text.write_text("a\nb\nc\n", encoding="utf-8")
    assert run(["perturb", str(text), "--trees", REFERENCE]) == 3
    assert "moved.reference.conllu:1 (sentence 1): the tokens" in capsys.readouterr().err


def test_punctuation_by_itself_at_the_end_is_noted(capsys: Captured, tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text(
        "Anna paid.\nThe cat saw Anna .\nThe dog ran ?!\n( No )\n.\n\n", encoding="utf-8"
    )
    assert run(["perturb", str(text), "-d", "1"]) == 0
    assert capsys.readouterr().err == (
        "kilter: impossible for order: 2 of degree 1\n"
        f"kilter: {text}: 3 sentences end in punctuation by itself, the first is sentence 2; it counts as a "
        "word and moves as others do; to keep it at the end, write it without a blank: Anna.\n"
    )
    assert run(["perturb", str(text), "-d", "1", "-q"]) == 0
    assert capsys.readouterr().err == ""
    text.write_text("The cat saw Anna .\n", encoding="utf-8")
    assert run(["perturb", str(text), "-d", "1"]) == 0
    assert "1 sentence ends in punctuation by itself" in capsys.readouterr().err


TEXT = "The old baker sold warm bread to hungry children, and Anna paid.\n"


def test_trees_far_larger_than_the_text_are_not_read_to_their_end(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kilter.io.stream.CHUNK", 1 << 10)
    for name in ("_LARGE", "_LONG_LINE", "_TIMES_LARGER"):
        monkeypatch.setattr(f"kilter.io.text.{name}", 1 << 7)
    text, trees = tmp_path / "text", tmp_path / "trees.conllu.gz"
    text.write_text("a\n", encoding="utf-8")
    sentence = b"1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    trees.write_bytes(gzip.compress(sentence * 10_000)[:-1])  # at its end it is damaged
    assert run(["perturb", str(text), "--trees", str(trees)]) == 3
    assert "far more than trees of these texts" in capsys.readouterr().err


@pytest.mark.parametrize("parser", ["model", "perceptron"])
def test_a_parser_makes_the_trees_that_are_not_given(
    parser: str, capsys: Captured, tmp_path: Path
) -> None:
    text, hypothesis = tmp_path / "text", tmp_path / "hypothesis"
    text.write_text(TEXT, encoding="utf-8")
    hypothesis.write_text("(The old baker) sold hot loaves to hungry kids...\n", encoding="utf-8")
    arguments = ["-t", "all", "-d", "2", "--parser", parser, "--hypothesis", str(hypothesis)]
    found = rows(capsys, str(text), *arguments)
    assert [row["reason"] for row in found] == [None] * 4
    swap, phrase, choice = found[1:]
    for row in (swap, phrase):
        words = sorted(word.strip(",.").lower() for word in row["text"].split())
        assert words == sorted(word.strip(",.").lower() for word in TEXT.split())
    assert {word for _, word in choice["steps"]} <= {"hot", "loaves", "kids"}
    assert rows(capsys, str(text), *arguments, "-j", "2") == found
    if parser == "model":
        first, second = (swap["steps"][0][place] for place in (0, 1))
        assert {first, second} <= {2, 5, 8} or {first, second} <= {1, 4, 7}


def test_a_parser_is_asked_where_trees_are_missing_only(capsys: Captured, tmp_path: Path) -> None:
    hypothesis = tmp_path / "hypothesis"
    hypothesis.write_text("a hot bread\n" * 3, encoding="utf-8")
    found = rows(
        capsys, REFERENCE, "-t", "choice", "-d", "1", "--hypothesis", str(hypothesis), "--parser", "model"
    )  # fmt: skip
    assert {word for row in found for _, word in row["steps"] or []} <= {"a", "hot", "bread"}
    for arguments, message in (
        ([REFERENCE, "--parser", "model"], "would have nothing to do"),
        ([str(hypothesis), "-t", "swap"], "or let a parser make them: --parser model"),
        (
            [REFERENCE, "-t", "choice", "--hypothesis", str(hypothesis)],
            "or the first with --parser",
        ),
        ([str(hypothesis), "-t", "swap", "--parser", "nobody"], "there is no parser 'nobody'"),
    ):
        assert run(["perturb", *arguments]) == 2
        assert message in capsys.readouterr().err


def test_tags_of_the_language_need_a_parser_that_has_them(capsys: Captured, tmp_path: Path) -> None:
    text, trees = tmp_path / "text", tmp_path / "trees.conllu"
    text.write_text("A dog\n", encoding="utf-8")
    lines = ["1\tA\t_\tDET\t_\t_\t2\tdet\t_\t_", "2\tdog\t_\tNOUN\t_\t_\t0\troot\t_\t_"]
    trees.write_text("\n".join([*lines, "", ""]), encoding="utf-8")
    arguments = ["perturb", str(text), "-t", "swap", "-d", "2", "--parser", f"conllu:file={trees}"]
    assert run([*arguments, "-q"]) == 0
    assert run([*arguments, "--tags", "xpos"]) == 2
    assert (
        "the parser conllu gives universal tags only; take --tags upos" in capsys.readouterr().err
    )
