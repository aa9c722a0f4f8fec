"""`kilter.preorder` gives what the commands of this name print."""

import json

import pytest

import kilter
from kilter.core.errors import OptionError
from tests.cli.command import kilter as command
from tests.docs.pages import ROOT

EXAMPLES = ROOT / "examples"
TREES, PARSED = str(EXAMPLES / "trees.conllu"), str(EXAMPLES / "parsed.conllu")
REFERENCE = str(EXAMPLES / "references.txt")
RULES = "en-verb-final"


def printed(*arguments: str) -> str:
    done = command("preorder", *arguments)
    assert done.code == 0, done.err
    return done.out


def test_explain_gives_the_document_that_the_command_writes() -> None:
    found = kilter.preorder.explain(TREES, ["r1", RULES], segment=2, reference=REFERENCE)
    flags = ("-r", "r1", "-r", RULES, "-R", REFERENCE, "--segment", "2", "--format", "json")
    assert found.to_dict() == json.loads(printed("explain", *flags, TREES))
    assert kilter.preorder.explain(TREES, RULES, segment=1).differences == ()


@pytest.mark.parametrize("rules", [RULES, "r3"])
def test_apply_gives_the_lines_that_the_command_writes(rules: str) -> None:
    written = printed("apply", "-r", rules, TREES).splitlines()
    for trees in (TREES, kilter.read_conllu(TREES), kilter.read_trees(TREES)):
        assert kilter.reorder.lines(kilter.preorder.apply(trees, rules)) == written
    assert (
        kilter.reorder.lines(kilter.preorder.apply(TREES, kilter.preorder.rules()[rules]))
        == written
    )


def test_evaluate_gives_the_document_that_the_command_writes() -> None:
    found = kilter.preorder.evaluate(
        {"parsed": PARSED, "trees": TREES}, ["r1", RULES], REFERENCE, gold=TREES
    )
    flags = ("-r", "r1", "-r", RULES, "-R", REFERENCE, "--gold", TREES, "--format", "json", "-q")
    assert found.to_dict() == json.loads(printed("evaluate", *flags, PARSED, TREES))
    one = kilter.preorder.evaluate({"parsed": PARSED}, RULES, REFERENCE)
    assert [system.rules for system in one.systems] == [RULES]


@pytest.mark.parametrize("top", [None, 0, 1, 3])
def test_analyse_gives_the_document_that_the_command_writes(top: int | None) -> None:
    cut = {} if top is None else {"top": top}
    found = kilter.preorder.analyse({"trees": TREES}, RULES, REFERENCE, minimum=1, **cut)  # type: ignore[arg-type]
    flags = ["-r", RULES, "-R", REFERENCE, "--minimum", "1", "--format", "json", "-q"]
    flags += [] if top is None else ["--top", str(top)]
    assert found.to_dict() == json.loads(printed("analyse", *flags, TREES))


def test_analyses_of_nothing_and_less_than_no_rows_are_refused() -> None:
    for options, message in (
        ({"analyses": []}, "there is no analysis; name at least one of words, classes"),
        ({"top": -1}, "top is -1; it must be a whole number from 0"),
    ):
        with pytest.raises(OptionError, match=message):
            kilter.preorder.analyse({"trees": TREES}, RULES, REFERENCE, **options)


@pytest.mark.parametrize("options", [{}, {"changed_only": True}])
def test_select_gives_the_trees_that_the_command_writes(options: dict[str, bool]) -> None:
    found = kilter.preorder.select([PARSED, TREES], RULES, REFERENCE, **options)  # type: ignore[arg-type]
    flags = ["-r", RULES, "-R", REFERENCE, "-q", *(["--changed-only"] if options else [])]
    written = printed("select", *flags, PARSED, TREES)
    assert "".join(kilter.preorder.write([PARSED, TREES], found)) == written


def test_rules_are_those_that_the_command_lists() -> None:
    listed = [line.split()[0] for line in printed("rules").splitlines()]
    assert list(kilter.preorder.rules()) == listed
