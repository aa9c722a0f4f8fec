"""`kilter validate`."""

from pathlib import Path

import pytest

from kilter.cli.main import run
from kilter.run.demo import SAMPLE
from tests.cli.command import kilter
from tests.cli.sample import PATHS, REFERENCE, written
from tests.conllu_text import conllu

Captured = pytest.CaptureFixture[str]


def test_inputs_that_fit_are_said_to_fit(capsys: Captured) -> None:
    assert run(["validate", "-r", REFERENCE, "-s", str(SAMPLE / "source.de"), *PATHS]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "kilter: no problem in 6 files with 48 segments\n"


def test_quiet_says_nothing_when_all_is_well(capsys: Captured) -> None:
    assert run(["validate", "-q", "-r", REFERENCE, *PATHS]) == 0
    captured = capsys.readouterr()
    assert captured.out == captured.err == ""


def test_empty_lines_are_counted(tmp_path: Path, capsys: Captured) -> None:
    assert run(["validate", written(tmp_path, "a", "x\n\n \n")]) == 0
    assert capsys.readouterr().err.endswith("; 2 lines are empty\n")


def test_one_of_each_takes_the_singular(tmp_path: Path, capsys: Captured) -> None:
    assert run(["validate", written(tmp_path, "a", "x\n")]) == 0
    assert capsys.readouterr().err == "kilter: no problem in 1 file with 1 segment\n"
    assert run(["validate", written(tmp_path, "b", "\n")]) == 0
    assert capsys.readouterr().err.endswith("; 1 line is empty\n")
    assert run(["validate", written(tmp_path, "c", "x\r\n")]) == 3
    assert capsys.readouterr().err == "kilter: 1 problem in 1 file\n"


def test_every_problem_is_listed_at_once(tmp_path: Path) -> None:
    reference = written(tmp_path, "ref", "a b\nc\n")
    short = written(tmp_path, "short", "a\n")
    broken = written(tmp_path, "broken", b"\xff\nx\x00\n\xfe\n")
    links = written(tmp_path, "links", "0-0 5-5\nx\n")
    good = written(tmp_path, "good", "a b\nc\n")
    found = kilter(
        "validate", "-r", reference, good, short, broken, "nowhere",
        "-a", links, "-a", links, "-a", links, "-a", links,
    )  # fmt: skip
    assert found.code == 3
    for part in (
        f"{short}: has 1 line, but {reference} has 2",
        f"{broken}:1: byte 0xff in column 1",
        f"{broken}:2: holds a NUL byte",
        f"{broken}:3: byte 0xfe in column 1",
        "nowhere: cannot be opened",
        f"{links}:1: link 5-5 points past the 2 words of the hypothesis, counted from 0; ",
        f"{links}:2: ",
    ):
        assert part in found.out
    lines = found.out.splitlines()
    assert found.err == f"kilter: {len(lines)} problems in 9 files\n"


@pytest.mark.parametrize("form", ["naacl", "talp"])
def test_links_are_read_in_their_format(form: str, tmp_path: Path, capsys: Captured) -> None:
    reference = written(tmp_path, "ref", "a b\nc\n")
    system = written(tmp_path, "sys", "a b\nc\n")
    texts = {"naacl": "1 1 1\n2 1 3\n", "talp": "1-1\n1-3\n"}
    asked = ["validate", "-r", reference, system, "--link-format", form]
    assert run([*asked, "-a", written(tmp_path, "bad", texts[form])]) == 3
    assert ":2: link 1-3 points past the 1 word of the reference" in capsys.readouterr().out
    assert run([*asked, "-a", written(tmp_path, "fine", texts[form].replace("3", "1"))]) == 0


def test_links_that_may_count_from_one_are_noted(tmp_path: Path, capsys: Captured) -> None:
    text = written(tmp_path, "text", "a b c d e\n" * 5)
    links = written(tmp_path, "links", "1-1 2-2 3-3 4-4\n" * 5)
    for asked in (["validate"], ["score", "-m", "order"], ["compare", "-m", "order", text]):
        arguments = [*asked, "-r", text, text, "--name", "x"]
        arguments += ["--name", "y", "-a", links] * (asked[0] == "compare")
        if asked[0] == "validate":
            arguments = ["validate", "-r", text, text]
        assert run([*arguments, "-a", links]) == 0
        assert "no link of 5 segments has a 0; name --link-format" in capsys.readouterr().err
        assert run([*arguments, "-a", links, "--link-format", "pharaoh"]) == 0
        assert "has a 0" not in capsys.readouterr().err


def test_links_of_a_broken_text_are_checked_by_themselves(tmp_path: Path, capsys: Captured) -> None:
    reference = written(tmp_path, "ref", "a b\nc\n")
    broken = written(tmp_path, "broken", b"\xff\n\n")
    for form, text in (("pharaoh", "0-0\nx\n"), ("naacl", "1 1 1\nx\n")):
        links = written(tmp_path, "links", text)
        asked = ["validate", "-r", reference, broken, "-a", links, "--link-format", form]
        assert run(asked) == 3
        lines = capsys.readouterr().out.splitlines()
        assert lines[0].startswith(f"{broken}:1: byte 0xff")
        assert lines[1].startswith(f"{links}:2: ")


def test_links_without_any_readable_text_leave_the_problems_of_the_texts(
    tmp_path: Path, capsys: Captured
) -> None:
    links = written(tmp_path, "links", "1 1 1\n")
    asked = ["validate", "-r", "nowhere", "nothing", "-a", links, "--link-format", "naacl"]
    assert run(asked) == 3
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == [
        "nowhere",
        "nothing",
    ]


def test_the_number_of_link_files_is_checked(tmp_path: Path, capsys: Captured) -> None:
    links = written(tmp_path, "links", "\n" * 48)
    assert run(["validate", "-r", REFERENCE, *PATHS[:2], "-a", links]) == 3
    out = capsys.readouterr().out
    assert out == "1 file of hypothesis-reference links for 2 systems and 1 reference; give 2\n"


def test_unspaced_scripts_are_found(tmp_path: Path, capsys: Captured) -> None:
    path = written(tmp_path, "zh", "我今天去学校上课\n")
    assert run(["validate", path]) == 3
    assert "written without blanks" in capsys.readouterr().out
    assert run(["validate", path, "-l", "zh"]) == 0


@pytest.mark.parametrize("arguments", [[], ["--tokenize", "x", REFERENCE], ["--link-format", "x"]])
def test_wrong_usage_is_exit_code_two(arguments: list[str], capsys: Captured) -> None:
    assert run(["validate", *arguments]) == 2
    assert capsys.readouterr().out == ""


def test_standard_input_is_checked_too() -> None:
    found = kilter("validate", "-", stdin=b"a\r\n")
    assert found.code == 3
    assert "standard input:1: ends in a carriage return" in found.out


def test_advice_names_an_option(tmp_path: Path, capsys: Captured) -> None:
    assert run(["validate", written(tmp_path, "thai", "ฉันไปโรงเรียนทุกวัน\n")]) == 3
    assert capsys.readouterr().out.endswith(": --tokenize char\n")


AGREEING = [
    ["{s}", "./{s}"],
    ["{s}", "-a", "{one}"],
    ["{s}", "-a", "{many}"],
    ["{s}", "-a", "{many}", "--order-rule", "drop"],
    ["{s}", "-a", "{outside}"],
    ["{s}", "-a", "{short}"],
    ["{s}", "-a", "{windows}"],
    ["{s}", "-a", "{one}", "-a", "{one}"],
    ["{s}", "-a", "{one}", "--via-source"],
    ["{s}", "-s", "{r}", "--links-source-hypothesis", "{many}"],
    ["{s}", "-s", "{r}", "--links-source-hypothesis", "{outside}"],
    ["{s}", "-s", "{r}", "--links-source-reference", "{outside}"],
    ["{s}", "-s", "{r}", "--links-source-reference", "{one}", "--links-source-reference", "{one}"],
    ["{s}", "--links-source-reference", "{one}"],
    ["{s}", "--via-source"],
    ["{s}", "-s", "{r}", "--links-source-reference", "{many}", "--links-source-hypothesis", "{one}"],
    ["{s}", "-s", "{r}", "--links-source-reference", "{many}", "--links-source-hypothesis", "{one}",
     "--via-source"],
    ["-", "-a", "-"],
    ["{s}", "-l", "xx"],
    ["{s}", "-l", "DE_at"],
    ["{s}", "-l", "zh", "-a", "{one}"],
    ["{s}", "-l", "xx", "-a", "{one}"],
    ["{s}", "--tokenize", "moses:xx"],
    ["{s}", "--tokenize", "nothing"],
    ["{s}", "--tokenize", "moses:xx", "-a", "{one}"],
    ["{s}", "--order-rule", "nothing"],
    ["{s}", "--trees-source", "{s.conllu}"],
    ["{s}", "-s", "{r}", "--trees-source", "{s.conllu}"],
    ["{s}", "--trees", "{s.conllu}"],
    ["{s}", "--trees", "{s.conllu}", "--trees", "{s.conllu}"],
    ["{s}", "--trees", "{one}"],
    ["{wide}"],
    ["{wide}", "--tokenize", "char"],
    ["{empty}"],
]  # fmt: skip


@pytest.mark.parametrize("arguments", AGREEING)
def test_validate_finds_what_stops_score_and_nothing_else(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {
        "r": "a b\nc d\n",
        "s": "a b\nc d\n",
        "one": "0-0 1-1\n\n",
        "many": "0-0 0-1\n0-0\n",
        "outside": "0-0\n2-0\n",
        "short": "0-0\n",
        "windows": "0-0\r\n\r\n",
        "wide": "ฉันไปโรงเรียนทุกวัน\n" * 2,
        "empty": "",
        "s.conllu": conllu(*([(f, "X", 0, "root"), (g, "X", 1, "dep")] for f, g in ("ab", "cd"))),
    }
    names = {name: Path(written(tmp_path, name, text)).name for name, text in texts.items()}
    asked = [
        "-r",
        names["r"],
        *(names.get(argument.strip("{}"), argument) for argument in arguments),
    ]
    code = run(["score", *asked, "-m", "kendall", "--resamples", "5"])
    message = capsys.readouterr().err
    assert bool(run(["validate", "-q", *asked])) == bool(code)
    if code == 3:
        place = message.removeprefix("kilter: ").partition("; ")[0]
        assert place.removesuffix(" and the rule") in capsys.readouterr().out
