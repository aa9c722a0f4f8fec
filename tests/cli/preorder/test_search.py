"""`kilter preorder search`."""

import json
from pathlib import Path

import pytest

from kilter.cli.main import run
from kilter.io.reordering import write_reorderings
from kilter.preordering.dependency_tree_order import reorder_trees
from kilter.preordering.rule_file import load_rule_set, parse_rule_set
from tests.preordering.searched import hidden_rules, small_trees

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    trees = small_trees(tmp_path)
    lines = write_reorderings(
        trees.sentences(), reorder_trees(trees, hidden_rules()), form="jsonl", where=trees.where
    )
    Path("references.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return ["preorder", "search", "--folds", "0", "-R", "references.jsonl", "trees.conllu"]


def test_rules_are_found_written_and_used(given: list[str], capsys: Captured) -> None:
    assert run([*given, "-o", "found.toml"]) == 0
    out = capsys.readouterr().out
    assert "where the search begins" in out
    assert "on 8 held-out sentences the objective changed by +" in out
    assert ": a gain" in out
    assert load_rule_set("found.toml").name == "found"
    text = Path("found.toml").read_text(encoding="utf-8")
    assert "on 32 sentences of trees.conllu: frs 1.0000, kendall 1.0000." in text
    evaluate = [
        "preorder",
        "evaluate",
        "-R",
        "references.jsonl",
        "trees.conllu",
        "-r",
        "found.toml",
    ]
    assert run([*evaluate, "--format", "json"]) == 0
    assert '"frs"' in capsys.readouterr().out


def test_folds_say_how_far_to_go(given: list[str], capsys: Captured) -> None:
    asked = ["2" if word == "0" else word for word in given]
    assert run([*asked, "-o", "found.toml"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("how far to go: cross-validation\nlevel  least gain  steps ")
    (chosen,) = (line for line in out.splitlines() if line.endswith("*"))
    assert chosen.split()[3:5] == ["1.0000", "1.0000"]
    assert "how small a gain may be was decided by 2 folds of these sentences" in out


ROK_LAST = """
keep_final_punctuation = true
[[rule]]
head = "NOUN"
order = ["OTHER", "HEAD", { labels = "amod", when = { word = "rok" } }]
"""


def test_rules_look_at_lemmas_only_where_they_are_asked_for(
    tmp_path: Path, given: list[str]
) -> None:
    # No parser of Kilter has lemmas, so that rules which look at them are for trees from files alone.
    trees = small_trees(tmp_path)
    order = reorder_trees(trees, parse_rule_set(ROK_LAST, where="rok", name="rok"))
    lines = write_reorderings(trees.sentences(), order, form="jsonl", where=trees.where)
    Path("references.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    rows = [line.split("\t") for line in Path("trees.conllu").read_text("utf-8").splitlines()]
    lemmas = [[*row[:2], row[1].lower(), *row[3:]] if len(row) > 1 else row for row in rows]
    Path("trees.conllu").write_text("".join("\t".join(row) + "\n" for row in lemmas), "utf-8")
    given += ["--passes", "1"]
    assert run([*given, "-o", "words.toml"]) == 0
    (words,) = load_rule_set("words.toml").conditions()
    assert words.word
    assert not words.lemma
    assert run([*given, "--lemmas", "-o", "lemmas.toml"]) == 0
    (named,) = load_rule_set("lemmas.toml").conditions()
    assert named.lemma
    assert not named.word


def test_a_search_goes_on_from_its_own_rules(given: list[str], capsys: Captured) -> None:
    assert run([*given, "-o", "one.toml", "--passes", "1"]) == 0
    capsys.readouterr()
    assert run([*given, "-o", "two.toml", "-r", "one.toml", "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["start"] == "one"
    assert result["steps"][-1]["training"]["frs"] == 1.0


@pytest.mark.parametrize(
    ("arguments", "code", "fault"),
    [
        (["-o", "found"], 2, "must end in .toml"),
        (["-o", "x.toml", "-r", "r2"], 2, "r2 has the method reverse"),
        (["-o", "x.toml", "--lemmas"], 3, "trees.conllu: has no lemmas (column LEMMA)"),
        (["-o", "x.toml", "--held-out", "0.8"], 3, "8 sentences to learn from"),
    ],
)
def test_what_cannot_be_searched_is_refused(
    given: list[str], arguments: list[str], code: int, fault: str, capsys: Captured
) -> None:
    assert run([*given, *arguments]) == code
    assert fault in capsys.readouterr().err
    assert not Path("x.toml").exists()
