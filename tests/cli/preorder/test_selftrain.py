"""`kilter preorder selftrain`."""

import json
from pathlib import Path

import pytest

from kilter.cli.main import run
from kilter.io.reordering import write_reorderings
from kilter.preordering.dependency_tree_order import reorder_trees
from tests.preordering.searched import HIDDEN, hidden_rules, small_trees

Captured = pytest.CaptureFixture[str]


def test_a_parser_learns_and_a_run_is_taken_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    trees = small_trees(tmp_path, 24)
    order = reorder_trees(trees, hidden_rules())
    lines = write_reorderings(trees.sentences(), order, form="jsonl", where=trees.where)
    Path("references.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    Path("hidden.toml").write_text(HIDDEN, encoding="utf-8")
    given = ["preorder", "selftrain", "trees.conllu", "-r", "hidden.toml", "-R", "references.jsonl"]
    given += ["--passes", "1", "--voters", "1", "--rounds", "1", "-q", "-o", "run"]
    assert run([*given, "--held-out", "0.5", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["model"] for each in found["rounds"]] == ["round-0.model", "round-1.model"]
    assert (found["sentences"], found["held_out"]) == (12, 12)
    assert run([*given, "--held-out", "0.5"]) == 0
    assert "round 1 against round 0, held-out frs" in capsys.readouterr().out
    assert run([*given, "--held-out", "0.5", "--nbest", "3"]) == 3
    assert "other settings: nbest" in capsys.readouterr().err
    assert run([*given, "--held-out-source", "x"]) == 2
    assert run([*given, "--held-out", "0.5", "--held-out-reference", "x"]) == 2


@pytest.mark.parametrize(
    ("when", "fault"),
    [
        ('{ lemma = "gati" }', "looks at lemmas, and no parser gives any"),
        ('{ child = { xpos = "N" } }', "looks at fine tags (XPOS), and the treebanks have none"),
    ],
)
def test_rules_that_the_parser_cannot_serve_are_refused_before_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured, when: str, fault: str
) -> None:
    monkeypatch.chdir(tmp_path)
    trees = small_trees(tmp_path, 24)
    lines = write_reorderings(
        trees.sentences(), reorder_trees(trees, hidden_rules()), form="jsonl", where=trees.where
    )
    Path("references.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    rows = [line.split("\t") for line in Path("trees.conllu").read_text("utf-8").splitlines()]
    plain = [[*row[:4], "_", *row[5:]] if len(row) > 1 else row for row in rows]
    Path("trees.conllu").write_text("".join("\t".join(row) + "\n" for row in plain), "utf-8")
    rules = f'[[rule]]\nhead = "VERB"\nwhen = {when}\norder = ["HEAD", "OTHER"]\n'
    Path("rules.toml").write_text(rules, encoding="utf-8")
    given = ["preorder", "selftrain", "trees.conllu", "-r", "rules.toml", "-R", "references.jsonl"]
    assert run([*given, "--held-out", "0.5", "-q", "-o", "run"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert fault in line
    assert not Path("run").exists()
