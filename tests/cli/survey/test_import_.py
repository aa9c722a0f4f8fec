"""`kilter survey import`, on both databases."""

from pathlib import Path

import pytest

from tests.cli.survey.typed import HEADER, Captured, Study, rows
from tests.study.conftest import database, postgresql_server  # noqa: F401 - fixtures
from tests.study.running import example


def test_everything_wrong_with_typed_answers_is_listed_and_nothing_kept(
    study: Study, capsys: Captured
) -> None:
    wrong = (
        HEADER
        + "a,1,1,6,4\na,1,1,2,3\na,2,2,2,3\na,1,99,2,3\n,1,1,1,1\nb,77,1,1,1\na,1,4,x\nc,1,1,1,1\n"
    )
    assert study.imported(wrong) == 3
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert [line.partition("typed.csv:")[2][:2] for line in lines] == [
        "2:",
        "3:",
        "4:",
        "5:",
        "6:",
        "7:",
        "8:",
    ]
    for line, part in zip(
        lines,
        ["holistic is not a whole number from 1 to 5", "a has item 1 twice", "questionnaire 1 in an earlier",
         "it lies between 1 and 15", "needs a name", "there are 1 to 4", "has 4 cells; the header has 5"],
        strict=True,
    ):  # fmt: skip
        assert part in line
    assert "7 problems; nothing was imported" in captured.err
    assert study.exported("out")["judgments"] == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "participant,position\n",
            "lacks questionnaire, lacks holistic, lacks order; write participant,",
        ),
        (HEADER.replace("order", "order,mood"), "has mood; write"),
        (HEADER + '"a,1\n', "is no CSV"),
        (HEADER.replace(",", ";"), "typed.csv:1: separate columns with commas, not semicolons"),
        ("", "typed.csv: is empty; write participant,"),
        ("\n \n", "typed.csv: is empty; write participant,"),
    ],
)
def test_other_files_are_refused_with_what_would_be_right(
    text: str, message: str, tmp_path: Path, capsys: Captured
) -> None:
    study = Study(example(tmp_path / "study"), None)
    assert study.imported(text) == 3
    assert message in capsys.readouterr().out


def test_a_header_alone_is_no_import(tmp_path: Path, capsys: Captured) -> None:
    study = Study(example(tmp_path / "study"), None)
    assert study.imported(HEADER) == 3
    assert "holds no judgment below its header" in capsys.readouterr().err


def test_the_same_people_are_not_imported_twice(study: Study, capsys: Captured) -> None:
    assert study.imported(rows("a", "b")) == 0
    assert study.imported(rows("c", "b")) == 3
    assert "b was imported before" in capsys.readouterr().err
    assert len(study.exported("out")["participants"]) == 2


def test_participants_on_paper_can_describe_themselves(study: Study, capsys: Captured) -> None:
    judgments, people = (study.folder.parent / name for name in ("j.csv", "p.csv"))
    judgments.write_text(rows("a", "b"), encoding="utf-8")
    parts = ("name", "fluency", "qualifications")
    languages = [f"languages_{row}_{part}" for row in range(1, 6) for part in parts]
    columns = ["participant", "first_language_english", "years_fluent", *languages, "gender",
               "nationality", "education", "disability", "disability_text", "grammar_attention", "age"]  # fmt: skip

    def write(age: str) -> None:
        cells = dict.fromkeys(columns, "") | {
            "participant": "a",
            "age": age,
            "languages_1_name": "Czech",
        }
        cells |= {"languages_1_fluency": "native"}
        text = ",".join(columns) + "\n" + ",".join(cells[column] for column in columns) + "\n"
        people.write_text(text, encoding="utf-8")

    write("seven")
    assert study.run("import", str(judgments), "--participants", str(people)) == 3
    assert "p.csv:2: age is not a whole number from 16 to 120" in capsys.readouterr().out
    write("47")
    assert study.run("import", str(judgments), "--participants", str(people)) == 0
    someone = study.exported("out")["participants"][0]
    assert (someone["age"], someone["languages"], someone["language_points"]) == (
        "47",
        "Czech (native)",
        "7",
    )
