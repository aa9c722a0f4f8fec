"""`kilter.reorder` gives what the commands of this name print."""

import json
from pathlib import Path

import pytest

import kilter
from kilter.core.errors import InputError
from tests.cli.command import kilter as command
from tests.docs.pages import ROOT

EXAMPLES = ROOT / "examples"
SOURCE, TARGET = ["She reads a book", "he {{ sleeps"], ["kanojo hon yomu", "kare neru"]
LINKS = "0-0 1-2 3-1\n0-0 2-1\n"


@pytest.fixture
def texts(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "source").write_text("\n".join(SOURCE) + "\n", encoding="utf-8")
    (tmp_path / "target").write_text("\n".join(TARGET) + "\n", encoding="utf-8")
    (tmp_path / "links").write_text(LINKS, encoding="utf-8")
    return {name: str(tmp_path / name) for name in ("source", "target", "links")}


def batch() -> kilter.LinkBatch:
    return kilter.LinkBatch.of([[(0, 0), (1, 2), (3, 1)], [(0, 0), (2, 1)]])


@pytest.mark.parametrize("rule", ["talbot", "birch", "mean"])
@pytest.mark.parametrize("form", ["positions", "jsonl"])
def test_make_gives_the_lines_that_the_command_writes(
    rule: str, form: str, texts: dict[str, str]
) -> None:
    flags = ("-s", texts["source"], "-a", texts["links"], "--order-rule", rule, "--format", form)
    written = command("reorder", "make", *flags).out.splitlines()
    for links in (batch(), kilter.LinkPath(texts["links"]), texts["links"]):
        made = kilter.reorder.make(SOURCE, links, rule=rule)
        assert kilter.reorder.lines(made, form=form) == written


def test_a_word_that_would_read_as_a_group_is_named_with_its_line() -> None:
    with pytest.raises(
        InputError, match=r"reorderings:2: the word \{\{ would read as a tied group"
    ):
        kilter.reorder.lines(kilter.reorder.make(SOURCE, batch()))


def test_links_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match="cover 2 segments, but the source has 1"):
        kilter.reorder.make(SOURCE[:1], batch())
    with pytest.raises(InputError, match="target: has 1 line, but the source has 2"):
        kilter.reorder.make(SOURCE, batch(), target=TARGET[:1])
    with pytest.raises(InputError, match="1-2 points past the 1 word"):
        kilter.reorder.make(SOURCE, batch(), target=["neko", "kare neru"])
    with pytest.raises(InputError, match="3-1 points past the 2 words"):
        kilter.reorder.make(["a b", "c d e"], batch())


def test_lint_finds_what_the_command_finds(texts: dict[str, str]) -> None:
    flags = ("-s", texts["source"], "-t", texts["target"], "-a", texts["links"])
    document = json.loads(command("reorder", "lint", *flags, "--format", "json", "--summary").out)
    report = kilter.reorder.lint(SOURCE, TARGET, batch())
    assert report.to_dict().items() <= document.items()
    assert report.errors == 0


def test_lint_names_words_without_link() -> None:
    report = kilter.reorder.lint(["She reads"], ["yomu"], kilter.LinkBatch.of([[(1, 0)]]))
    found = [(str(finding.check), finding.word) for finding in report.findings]
    assert found == [("source-unaligned", "She"), ("pronoun-unaligned", "She")]


def test_score_gives_the_document_that_the_command_writes(tmp_path: Path) -> None:
    references = EXAMPLES / "references.txt"
    system = tmp_path / "system"
    order = kilter.preorder.apply(str(EXAMPLES / "trees.conllu"), "r1")
    listed = kilter.reorder.lines(order)
    system.write_text("\n".join(listed) + "\n", encoding="utf-8")
    shown = command("reorder", "score", str(references), str(system), "--format", "json").out
    for given in (order, str(system), system, listed):
        result = kilter.reorder.score(references, given)
        assert result.to_dict() == json.loads(shown)


def test_lines_need_words_and_positions() -> None:
    read = kilter.reorder.read(str(EXAMPLES / "references.txt"))
    with pytest.raises(InputError, match=r"references\.txt: gives words or positions only"):
        kilter.reorder.lines(read)


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        (["a b c"], "^reference: has 2 lines, but the source has 1$"),
        (["a b c", "d d e", "f"], "^reference: has 2 lines, but the source has 3$"),
        (["a b x", "d d e"], "^reference:1: holds 'c' 1 time, but line 1 of the source text 0; "),
        (["a b c", "d e e"], "^reference:2: holds 'd' 2 times, but line 2 of the source text 1; "),
    ],
)
@pytest.mark.parametrize("system", [["a c b", "d d e"], ["c b a", "e d d"]])
def test_a_source_whose_words_are_not_those_of_the_lines_is_refused(
    source: list[str], fault: str, system: list[str]
) -> None:
    with pytest.raises(InputError, match=fault):
        kilter.reorder.score(["c a b", "d e d"], system, source=source)


def test_words_without_link_may_be_left_out_of_what_their_source_holds() -> None:
    lines = ["c a", "e d"]
    plain = kilter.reorder.score(lines, lines)
    assert kilter.reorder.score(lines, lines, source=["a b c", "d d e"]).systems == plain.systems


def test_a_system_made_from_another_source_is_refused() -> None:
    made = kilter.reorder.make(SOURCE, batch())
    with pytest.raises(
        InputError, match=r"^reorderings:1: the source words are not those of line 1"
    ):
        kilter.reorder.score(made, made, source=["a book reads She", *SOURCE[1:]])


@pytest.mark.parametrize(
    ("name", "fault"),
    [("", "an empty text; name it"), (1, r"a system is named 1, which is no string")],
)
def test_systems_have_names(name: object, fault: str) -> None:
    with pytest.raises(InputError, match=f"^systems: .*{fault}"):
        kilter.reorder.score(["a b"], {name: ["a b"]})
