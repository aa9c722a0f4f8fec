"""`kilter preorder analyse` and `kilter preorder select`."""

import json
import re
from pathlib import Path

import pytest

from kilter.cli.main import run
from tests.cli.preorder.test_evaluate import REFERENCE
from tests.cli.sample import written
from tests.conllu_text import CATS, DOGS, conllu

Captured = pytest.CaptureFixture[str]
WORSE = tuple((*word[:3], "conj") if word[0] == "mice" else word for word in CATS)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Return the arguments of two parses, the second of them better, and their reference."""
    return [
        *("-R", written(tmp_path, "references.txt", REFERENCE), "-r", "en-verb-final"),
        written(tmp_path, "first.conllu", conllu(WORSE, DOGS)),
        written(tmp_path, "second.conllu", conllu(CATS, DOGS)),
    ]


def shown(capsys: Captured, *arguments: str) -> str:
    assert run(["preorder", *arguments]) == 0
    return capsys.readouterr().out


def test_all_analyses_are_written(files: list[str], capsys: Captured) -> None:
    text = shown(capsys, "analyse", *files[:-1], "--minimum", "1")
    for title in (
        "words in the most wrong pairs",
        "classes of words",
        "worst sentences",
        "rules and their groups",
    ):
        assert f"{title}" in text
    assert "  reference     Cats {{ night at }} small mice chase .\n" in text
    assert "2 sentences, frs " in text


def test_two_rule_sets_stand_side_by_side(files: list[str], capsys: Captured) -> None:
    one = ["analyse", *files[:2], files[-1], "--minimum", "1", "--format", "json"]
    before, after = (json.loads(shown(capsys, *one, "-r", name)) for name in ("r1", "r4"))
    both = json.loads(shown(capsys, *one, "-r", "r1", "-r", "r4"))
    assert (both["rules"], both["after_rules"]) == ("r1", "r4")
    assert (both["frs"], both["after_frs"]) == (before["frs"], after["frs"])
    known, then = (
        {row["word"]: row for row in found["analyses"]["words"]} for found in (before, after)
    )
    rows = both["analyses"]["words"]
    for row in rows:
        assert row["wrong_pairs"] == known[row["word"]]["wrong_pairs"]
        for name in ("misordered", "rate", "wrong_pairs"):
            assert row[f"after_{name}"] == then[row["word"]][name]
        assert row["change"] == row["after_wrong_pairs"] - row["wrong_pairs"]
    changes = [abs(row["change"]) for row in rows]
    assert changes[0] > 0
    assert changes == sorted(changes, reverse=True)
    first = both["analyses"]["sentences"][0]
    assert first["difference"] == first["other_score"] - first["score"]
    assert first["system"] == first["source"] != first["other_system"]
    text = shown(capsys, *one[:-2], "-r", "r1", "-r", "en-verb-final", "--analysis", "rules")
    assert "second x r1, en-verb-final" in text
    assert re.search(r"^rules +rule +group", text, re.MULTILINE)
    assert run(["preorder", *one, *files[-2:-1], "-r", "r1", "-r", "r4"]) == 2
    assert "two parsers or two rule sets, not both" in capsys.readouterr().err
    assert run(["preorder", *one, "-r", "r1", "-r", "r2", "-r", "r4"]) == 2
    assert "one rule set, or two to compare" in capsys.readouterr().err


def test_trees_are_drawn_below_their_sentences(files: list[str], capsys: Captured) -> None:
    asked = ["analyse", *files, "--analysis", "sentences", "--trees"]
    text = shown(capsys, *asked)
    for label in ("conj", "obj "):  # the label of mice in the first tree, and in the second
        assert re.search(rf"^    .*[─] {label} +mice$", text, re.MULTILINE)
    assert "chase/VERB" not in text
    alone = shown(capsys, *asked[:-3], "--analysis", "sentences", "--format", "jsonl", "--trees")
    assert "mice/NOUN/" in json.loads(alone.splitlines()[0])["tree"]


def test_two_parsers_and_gold_trees(files: list[str], capsys: Captured) -> None:
    options = ["--gold", files[-1], "--minimum", "1", "--format", "json"]
    found = json.loads(shown(capsys, "analyse", *files, *options))
    assert found["schema"] == "kilter.preordering.analysis/1"
    assert found["analyses"]["sentences"][0]["segment"] == 1
    assert found["analyses"]["sentences"][0]["difference"] > 0
    kinds = {row["kind"]: row["class"] for row in found["analyses"]["classes"]}
    assert kinds["gold label > label"] == "obj > conj"


def test_a_parser_run_on_the_spot_is_compared_with_a_file(
    files: list[str], capsys: Captured
) -> None:
    options = ["--parser", "perceptron", "--analysis", "sentences", "--format", "json"]
    found = json.loads(shown(capsys, "analyse", *files[:-1], *options))
    assert found["parser"] == "first"
    assert "chase/VERB/0:root" in found["analyses"]["sentences"][0]["other_tree"]
    assert run(["preorder", "analyse", *files, "--parser", "perceptron"]) == 2
    assert "one file of trees or one parser, or two to compare" in capsys.readouterr().err


@pytest.mark.parametrize("analysis", ["words", "classes", "sentences", "rules"])
@pytest.mark.parametrize("form", ["jsonl", "tsv", "md", "latex", "text"])
def test_every_analysis_in_every_format(
    analysis: str, form: str, files: list[str], capsys: Captured
) -> None:
    options = ["--analysis", analysis, "--format", form, "--minimum", "1", "--top", "1"]
    text = shown(capsys, "analyse", *files[:-1], *options)
    first = {"words": "word", "classes": "kind", "sentences": "segment", "rules": "rule"}[analysis]
    assert first in text
    if form == "tsv" and analysis != "classes":
        assert len(text.splitlines()) == 2


@pytest.mark.parametrize("form", ["md", "latex"])
def test_whole_sentences_do_not_stand_side_by_side(
    form: str, files: list[str], capsys: Captured
) -> None:
    options = ["--analysis", "sentences", "--format", form]
    lines = shown(capsys, "analyse", *files, *options).splitlines()
    holding = [line for line in lines if "Cats" in line]
    # Source, two systems, reference and two trees, a row each.
    assert len(holding) == 6
    assert all(line.count("Cats") == 1 for line in holding)


def test_rows_are_limited_or_all(files: list[str], capsys: Captured) -> None:
    options = ["--analysis", "words", "--format", "jsonl", "--minimum", "1"]
    some = shown(capsys, "analyse", *files[:-1], *options, "--top", "2").splitlines()
    everything = shown(capsys, "analyse", *files[:-1], *options, "--top", "0").splitlines()
    assert len(some) == 2
    assert len(everything) == 9
    assert everything[:2] == some


def test_rows_of_several_analyses_do_not_fit_one_table(files: list[str], capsys: Captured) -> None:
    assert run(["preorder", "analyse", *files, "--format", "tsv"]) == 2
    assert "tsv holds one analysis" in capsys.readouterr().err
    assert run(["preorder", "analyse", *files, files[-1]]) == 2
    assert "one parser, or two to compare" in capsys.readouterr().err


def test_the_better_parse_of_each_sentence_is_written(
    files: list[str], tmp_path: Path, capsys: Captured
) -> None:
    statistics = tmp_path / "statistics.tsv"
    assert run(["preorder", "select", *files, "--statistics", str(statistics)]) == 0
    captured = capsys.readouterr()
    assert captured.out.count("# rank = 2") == 1
    assert captured.out.count("# rank = 1") == 1
    assert "4\tmice\t_\tNOUN\t_\t_\t2\tobj" in captured.out
    assert "1 of 2 sentences have a better parse than the first; 2 written" in captured.err
    rows = statistics.read_text(encoding="utf-8").splitlines()
    assert rows[0].split("\t") == [
        "segment",
        "parses",
        "rank",
        "first",
        "selected",
        "worst",
        "written",
    ]
    assert len(rows) == 3


def test_n_best_parses_of_one_file(files: list[str], tmp_path: Path, capsys: Captured) -> None:
    ranked = conllu(WORSE, CATS).replace("# sent_id = 1\n", "# sent_id = 1\n# parse = 1\n")
    ranked = ranked.replace("# sent_id = 2\n", "# sent_id = 1\n# parse = 2\n")
    path = written(tmp_path, "nbest.conllu", ranked + conllu(DOGS).replace("= 1", "= 2"))
    text = shown(capsys, "select", *files[:4], path, "--changed-only", "-q")
    assert text.startswith("# sent_id = 1\n# rank = 2\n# frs = ")
    assert "# parse" not in text
    assert "Dogs" not in text
    assert shown(capsys, "select", *files[:4], path, "--minimum", "1", "-q").count("# rank") == 2


def test_a_file_with_other_words_writes_nothing(
    files: list[str], tmp_path: Path, capsys: Captured
) -> None:
    written(tmp_path, "second.conllu", conllu(DOGS, CATS))
    assert run(["preorder", "select", *files]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "second.conllu:1 (sentence 1): the words are not those of" in captured.err


def test_a_file_that_is_given_twice_is_no_second_rank(files: list[str], capsys: Captured) -> None:
    assert run(["preorder", "select", *files, files[-1]]) == 3
    assert "second.conllu: is given twice" in capsys.readouterr().err


def test_what_an_earlier_selection_said_is_not_said_again(
    files: list[str], tmp_path: Path, capsys: Captured
) -> None:
    selected = written(tmp_path, "selected.conllu", shown(capsys, "select", *files, "-q"))
    again = shown(capsys, "select", *files[:4], selected, "-q")
    assert again.count("# rank = 1\n") == again.count("# rank") == 2
    assert again.count("# frs") == 2


def test_rules_that_look_at_fine_tags_select(
    files: list[str], tmp_path: Path, capsys: Captured
) -> None:
    trees = written(
        tmp_path, "tagged.conllu", Path(files[-1]).read_text().replace("VERB\t_", "VERB\tVBP")
    )
    text = '[[rule]]\nhead = "VERB"\nwhen = { xpos = "VB*" }\norder = ["OTHER", "HEAD"]\n'
    rules = written(tmp_path, "fine.toml", text)
    assert "VBP" in shown(capsys, "select", *files[:2], "-r", rules, trees, "-q")


def test_a_minimum_that_is_no_number_is_wrong_use(files: list[str], capsys: Captured) -> None:
    assert run(["preorder", "select", *files, "--minimum", "nan"]) == 2
    assert "'--minimum': nan is not a finite number" in capsys.readouterr().err


@pytest.mark.parametrize("analysis", ["words", "classes", "rules"])
def test_columns_of_text_are_flush_left_and_columns_of_numbers_flush_right(
    analysis: str, files: list[str], capsys: Captured
) -> None:
    options = ["--analysis", analysis, "--minimum", "1", "--format", "md"]
    table = [
        [cell.strip() for cell in line.strip("|\n").split("|")]
        for line in shown(capsys, "analyse", *files[:-1], *options).splitlines()
        if line.startswith("|")
    ]
    names, rule, *rows = table
    assert rows
    for name, sign, *cells in zip(names, rule, *rows, strict=True):
        numbers = all(re.fullmatch(r"[-+\d.e]+", cell) for cell in cells)
        assert sign == ("---:" if numbers else ":---"), name
