"""`kilter preorder explain`."""

import json
from pathlib import Path

import pytest

from kilter.cli.main import run
from tests.cli.sample import written
from tests.conllu_text import CATS, DOGS, conllu
from tests.render.picture import parsed

Captured = pytest.CaptureFixture[str]
OLD = '[[rule]]\nhead = "VERB"\norder = ["OTHER", "obj", "HEAD"]\n'
NEW = '[[rule]]\nhead = "VERB"\norder = ["nsubj", "obj", "OTHER", "HEAD", "punct"]\n'


@pytest.fixture
def trees(tmp_path: Path) -> str:
    return written(tmp_path, "trees.conllu", conllu(CATS, DOGS))


def explained(capsys: Captured, *arguments: str) -> str:
    assert run(["preorder", "explain", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def test_a_sentence_is_chosen_by_its_number(trees: str, capsys: Captured) -> None:
    shown = explained(capsys, trees, "-r", "en-verb-final", "--segment", "2")
    assert shown.startswith("sentence 2\n  source         Dogs sleep .\n")
    assert "  sleep (VERB): rule VERB AUX: " in shown


def test_an_edit_of_the_rules_is_seen(trees: str, tmp_path: Path, capsys: Captured) -> None:
    old, new = written(tmp_path, "old.toml", OLD), written(tmp_path, "new.toml", NEW)
    shown = explained(capsys, trees, "-r", old, "-r", new, "--segment", "1")
    assert "  old     Cats at night . small mice chase\n" in shown
    assert "  new     Cats small mice at night chase .\n" in shown
    assert shown.endswith(
        "where old and new differ\n"
        "  chase (VERB)\n"
        "    old  [Cats] [at night] [.] [small mice] [chase]\n"
        "    new  [Cats] [small mice] [at night] [chase] [.]\n"
    )


def test_references_add_scores(trees: str, tmp_path: Path, capsys: Captured) -> None:
    reference = written(
        tmp_path, "references.txt", "Cats night at small mice chase .\nDogs sleep .\n"
    )
    arguments = [trees, "-r", "en-verb-final", "--segment", "1", "-R", reference]
    shown = explained(capsys, *arguments)
    assert "  en-verb-final  1.0000  Cats night at small mice chase .\n" in shown
    document = json.loads(explained(capsys, *arguments, "--format", "json"))
    assert document["applied"][0]["score"] == 1.0
    assert document["score"] < 1.0
    other = json.loads(explained(capsys, *arguments, "--format", "json", "--joints", "all"))
    assert other["score"] != document["score"]


def test_a_picture_is_written(trees: str, capsys: Captured) -> None:
    shown = explained(capsys, trees, "-r", "r4", "--segment", "1", "--format", "svg")
    assert parsed(shown).find("{*}title") is not None


@pytest.mark.parametrize(
    ("arguments", "code", "fault"),
    [
        (["-r", "r1"], 2, "Missing option '--segment'"),
        (["--segment", "1"], 2, "Missing option '-r'"),
        (["-r", "r1", "--segment", "0"], 2, "0 is not in the range x>=1"),
        (["-r", "r1", "--segment", "3"], 2, "no sentence 3; the trees are those of 2 sentences"),
        (["-r", "r1", "-r", "r2", "-r", "r3", "--segment", "1"], 2, "one rule set, or two"),
        (["-r", "nonsense", "--segment", "1"], 2, "there is no rule set 'nonsense'"),
        (["-r", "none.toml", "--segment", "1"], 3, "none.toml"),
        (["-r", "r1", "--segment", "1", "-R", "none.txt"], 3, "none.txt"),
        (["-r", "r1", "--segment", "1", "--format", "html"], 2, "'html' is not one of"),
    ],
)
def test_what_cannot_be_explained_says_why(
    arguments: list[str], code: int, fault: str, trees: str, capsys: Captured
) -> None:
    assert run(["preorder", "explain", trees, *arguments]) == code
    captured = capsys.readouterr()
    assert fault in captured.err
    assert captured.out == ""


def test_references_of_other_sentences_are_refused(
    trees: str, tmp_path: Path, capsys: Captured
) -> None:
    reference = written(tmp_path, "references.txt", "Cats sleep .\nDogs sleep .\n")
    assert run(["preorder", "explain", trees, "-r", "r1", "--segment", "2", "-R", reference]) == 3
    assert "must hold the same words" in capsys.readouterr().err


def test_only_one_input_comes_from_standard_input(capsys: Captured) -> None:
    assert run(["preorder", "explain", "-", "-r", "r1", "--segment", "1", "-R", "-"]) == 2
    assert "only one input" in capsys.readouterr().err


CONDITIONED = """
[[rule]]
head = "VERB"
when = { lemma = "chase", child = { label = "obj" } }
order = ["nsubj", { labels = "obl", when = { xpos = "NN*", child = { word = "AT" } } }, "OTHER", "HEAD"]
"""


def test_a_trace_names_the_conditions_that_held(tmp_path: Path, capsys: Captured) -> None:
    rows = [line.split("\t") for line in conllu(CATS, DOGS).split("\n")]
    for row in rows:
        if len(row) == 10:
            row[2], row[4] = row[1].lower(), "NN" if row[3] == "NOUN" else "X"
    trees = written(tmp_path, "trees.conllu", "\n".join("\t".join(row) for row in rows))
    rules = written(tmp_path, "mine.toml", CONDITIONED)
    shown = explained(capsys, trees, "-r", rules, "--segment", "1")
    when = "lemma chase, child (label obj)"
    group = "obl when xpos NN*, child (word AT)"
    assert (
        f"  chase (VERB): rule VERB when {when}: nsubj, {group}, OTHER, HEAD\n"
        "    before  [Cats] [chase] [small mice] [at night] [.]\n"
        "    after   [Cats] [at night] [small mice] [.] [chase]\n"
        "    moved   small mice (obj, OTHER), chase (root, HEAD)\n"
    ) in shown
    found = json.loads(explained(capsys, trees, "-r", rules, "--segment", "1", "--format", "json"))
    (fired,) = found["applied"][0]["fired"]
    assert (fired["rule"], fired["when"]) == ("VERB", when)
    assert [part["group"] for part in fired["after"]][:2] == ["nsubj", group]
    # The second sentence has no object: the condition does not hold, and nothing fires.
    assert "no rule fired" in explained(capsys, trees, "-r", rules, "--segment", "2")
