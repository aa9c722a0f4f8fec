"""`kilter reorder make`."""

from pathlib import Path

import pytest

from kilter.cli.main import run
from tests.cli.command import kilter
from tests.cli.sample import written
from tests.core.test_link_rule import SENTENCES
from tests.golden import Case, cases

Captured = pytest.CaptureFixture[str]
PUBLISHED = [case for case in cases("alignments") if "FRS" in case["note"]]


def inputs(folder: Path, source: str, links: str) -> list[str]:
    return ["-s", written(folder, "text", source), "-a", written(folder, "links", links)]


def made(capsys: Captured, *arguments: str) -> str:
    assert run(["reorder", "make", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def test_the_four_published_reorderings_come_out_as_printed(
    tmp_path: Path, capsys: Captured
) -> None:
    printed = [case["note"].partition(": ")[2] for case in PUBLISHED]
    assert len(printed) == 4
    source = "".join(SENTENCES[each] + "\n" for each in printed)
    links = "".join(pharaoh(case) for case in PUBLISHED)
    assert made(capsys, *inputs(tmp_path, source, links)).splitlines() == printed


def pharaoh(case: Case) -> str:
    return " ".join(f"{s}-{t}" for s, t in case["links"]) + "\n"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], "c {{ a b }}\n"),
        (["--order-rule", "birch"], "c a b\n"),
        (["--ties", "source"], "c a b\n"),
        (["--format", "positions"], "2 {{ 0 1 }}\n"),
        (["--format", "jsonl"], '{"words": ["a", "b", "c"], "groups": [[2], [0, 1]]}\n'),
        (["--order-rule", "drop", "--jobs", "2"], "c a b\n"),
    ],
)
def test_rules_and_forms_are_chosen_by_name(
    options: list[str], expected: str, tmp_path: Path, capsys: Captured
) -> None:
    assert made(capsys, *inputs(tmp_path, "a b c\n", "0-1 1-1 2-0\n"), *options) == expected


def test_possible_links_count_on_request(tmp_path: Path, capsys: Captured) -> None:
    files = [*inputs(tmp_path, "a b\n", "0-1 1p0\n"), "--link-format", "sure-possible"]
    assert made(capsys, *files) == "a b\n"
    assert made(capsys, *files, "--possible") == "b a\n"


@pytest.mark.parametrize(
    ("source", "links", "target", "reason"),
    [
        ("a b\n", "0-0\n0-0\n", None, "links: has 2 lines for 1 segment;"),
        ("a b\n", "0-0 7-1\n", None, "links:1: link 7-1 points past the 2 words"),
        ("a b\n", "0-0 1-9\n", "x y\n", "links:1: link 1-9 points past"),
        ("a b\n", "0-0\n", "x\ny\n", "target: has 2 lines, but"),
        ("a {{\n", "0-1 1-0\n", None, "text:1: the word {{ would read as a tied group;"),
    ],
)
def test_what_does_not_fit_is_one_line_and_writes_nothing(
    source: str, links: str, target: str | None, reason: str, tmp_path: Path, capsys: Captured
) -> None:
    arguments = inputs(tmp_path, source, links)
    if target is not None:
        arguments += ["-t", written(tmp_path, "target", target)]
    assert run(["reorder", "make", *arguments]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert reason in captured.err
    assert captured.err.count("\n") == 1


def test_a_link_of_a_later_line_is_checked_before_anything_is_written(
    tmp_path: Path, capsys: Captured
) -> None:
    assert run(["reorder", "make", *inputs(tmp_path, "a b\nc\n", "0-0\n3-3\n")]) == 3
    assert capsys.readouterr().out == ""


def test_two_inputs_cannot_be_standard_input(capsys: Captured) -> None:
    assert run(["reorder", "make", "-s", "-", "-a", "-"]) == 2
    assert "standard input" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["make", "lint"])
def test_everything_that_is_wrong_with_a_file_of_links_is_told_in_lines(
    command: str, tmp_path: Path
) -> None:
    for name, lines in (
        ("s", ["a b"] * 30),
        ("t", ["c"] * 30),
        ("links", ["0-0 x"] * 2 + ["7-0"] * 28),
    ):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    found = kilter(
        "reorder", command, "-s", f"{tmp_path}/s", "-t", f"{tmp_path}/t", "-a", f"{tmp_path}/links"
    )
    told = found.err.splitlines()
    assert (found.code, len(told)) == (3, 21)
    places = [f"kilter: {tmp_path}/links:{line}: " for line in range(1, 21)]
    assert [line.startswith(place) for line, place in zip(told[:20], places, strict=True)] == [
        True
    ] * 20
    assert told[-1] == f"kilter: {tmp_path}/links:1: and 10 more problems in its lines"
