"""`kilter survey status`, `export`, `import` and `erase`, on both databases."""

import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from kilter.cli.main import run
from kilter.survey.design.item import read_design
from tests.survey.conftest import database, postgresql_server  # noqa: F401 - fixtures
from tests.survey.running import Person, example, running

Captured = pytest.CaptureFixture[str]
HEADER = "participant,questionnaire,position,holistic,order\n"


class Study:
    """A created study, and the commands over it."""

    def __init__(self, folder: Path, address: str | None) -> None:
        self.folder = folder
        self.options = [] if address is None else ["--database", address]
        self.address = address

    def run(self, name: str, *arguments: str) -> int:
        return run(["survey", name, str(self.folder), *arguments, *self.options])

    def imported(self, text: str) -> int:
        file = self.folder.parent / "typed.csv"
        file.write_text(text, encoding="utf-8")
        return self.run("import", str(file))

    def exported(self, name: str, *arguments: str) -> dict[str, list[dict[str, Any]]]:
        output = self.folder.parent / name
        assert self.run("export", "-o", str(output), "-q", *arguments) == 0
        return {
            path.stem: list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
            for path in output.glob("*.csv")
        }


@pytest.fixture
def study(tmp_path: Path, database: Callable[[], str | None]) -> Study:  # noqa: F811
    return Study(example(tmp_path / "study"), database())


def rows(*people: str) -> str:
    return HEADER + "".join(
        f"{name},{1 + place % 4},{position},{1 + position % 5},{'' if position == 3 else 4}\n"
        for place, name in enumerate(people)
        for position in range(1, 16)
    )


def test_typed_answers_come_back_in_the_export(study: Study, capsys: Captured) -> None:
    assert study.imported(rows("a", "b")) == 0
    assert "imported 30 items of 2 participants" in capsys.readouterr().err
    files = study.exported("out", "-m", "kendall:penalty=false", "-m", "bleu")
    assert {*files} == {"judgments", "participants", "items", "scores", "dictionary"}
    judgments = files["judgments"]
    assert len(judgments) == 30
    for row in judgments:
        position = int(row["position"])
        assert row["holistic"] == str(1 + position % 5)
        assert row["order"] == ("" if position == 3 else "4")
        assert row["seconds"] == ""
    items, questionnaires = read_design(study.folder)
    shown = [row["sentence"] for row in judgments if row["questionnaire"] == "2"]
    assert tuple(shown) == questionnaires[1].items
    assert [row["origin"] for row in files["participants"]] == ["paper", "paper"]
    assert len(files["scores"]) == 2 * len(items)
    identical = {name for name, item in items.items() if item.kind == "identical"}
    assert identical
    for row in files["scores"]:
        assert row["configuration"].startswith(row["tool"])
        if row["sentence"] in identical:
            assert float(row["value"]) == pytest.approx(1.0)
    described = {(row["table"], row["column"]) for row in files["dictionary"]}
    for name in ("judgments", "participants", "items", "scores"):
        assert {(name, column) for column in files[name][0]} <= described


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
               "nationality", "education", "disability", "grammar_attention", "age"]  # fmt: skip

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


def test_status_counts_people_answers_and_agreement(study: Study, capsys: Captured) -> None:
    assert study.imported(rows("a", "b", "c", "d")) == 0
    capsys.readouterr()
    assert study.run("status") == 0
    text = capsys.readouterr().out
    assert "            1             2        1          1          0     15/15         -" in text
    assert "Krippendorff's alpha of holistic on shared items: " in text
    assert study.run("status", "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "kilter.survey-status/1"
    assert [row["submitted"] for row in found["questionnaires"]] == [1, 1, 1, 1]
    assert found["participants_answering"] == 4
    assert -1 <= found["agreement"]["holistic"] <= 1


def test_erasing_says_what_is_left(study: Study, capsys: Captured) -> None:
    with running(study.folder, database=study.address) as server, Person(server.address) as person:
        link = person.join()
        person.reach_items(nationality="Atlantean")
        person.post("/item/1", holistic="2", order="2", action="next")
        assert study.run("erase", server.address + link) == 0
        assert "left: 2 answers about items, without any link" in capsys.readouterr().out
        assert person.get(link).status_code == 404
    assert study.run("status", "--format", "json") == 0
    status = json.loads(capsys.readouterr().out)["questionnaires"]
    (row,) = [row for row in status if row["withdrawn"]]
    assert (row["answered"], row["expected"]) == (1, 15)
    files = study.exported("out")
    (someone,) = files["participants"]
    assert (someone["nationality"], someone["withdrawn"]) == ("", "yes")
    assert study.run("erase", someone["participant"], "--judgments") == 0
    said = capsys.readouterr().out
    assert "erased: 2 answers" in said
    assert "left: 0 answers" in said
    assert study.exported("again")["judgments"] == []
    assert study.run("erase", "nobody") == 3
    assert "nobody has this link, token or code" in capsys.readouterr().err


def test_every_format_holds_the_same(tmp_path: Path) -> None:
    study = Study(example(tmp_path / "study"), None)
    assert study.imported(rows("a")) == 0
    table = study.exported("csv")["judgments"]
    study.exported("jsonl", "--format", "jsonl")
    lines = (tmp_path / "jsonl" / "judgments.jsonl").read_text(encoding="utf-8").splitlines()
    listed = [json.loads(line) for line in lines]
    study.exported("parquet", "--format", "parquet")
    parquet = pq.read_table(tmp_path / "parquet" / "judgments.parquet").to_pylist()
    assert listed == parquet
    assert [row["sentence"] for row in table] == [row["sentence"] for row in listed]
    assert [row["order"] for row in listed][:4] == [4, 4, None, 4]


def test_links_are_exported_only_on_request(tmp_path: Path) -> None:
    study = Study(example(tmp_path / "study"), None)
    assert study.imported(rows("a")) == 0
    assert "link" not in study.exported("plain")["participants"][0]
    assert "link" in study.exported("named", "--identified")["participants"][0]


def test_a_database_of_another_study_is_refused(tmp_path: Path, capsys: Captured) -> None:
    first, second = (Study(example(tmp_path / name), None) for name in ("one", "two"))
    assert first.run("status") == 0
    second.options = ["--database", f"sqlite:///{first.folder / 'answers.db'}"]
    assert second.run("status") == 3
    assert "holds the answers of another study" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("address", "code", "message"),
    [
        ("mysql://x/y", 2, "--database takes sqlite:///FILE or postgresql://"),
        ("nonsense", 2, "--database is no address"),
        ("sqlite:////nowhere/at/all.db", 3, "the database cannot be used"),
        ("postgresql://someone:secret@127.0.0.1:1/none", 3, "the database cannot be used"),
    ],
)
def test_databases_that_cannot_be_used_are_one_line(
    address: str, code: int, message: str, tmp_path: Path, capsys: Captured
) -> None:
    study = Study(example(tmp_path / "study"), address)
    assert study.run("status") == code
    said = capsys.readouterr().err
    assert message in said
    assert "secret" not in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("module", "command", "extra"),
    [
        ("sqlalchemy", "status", "survey"),
        ("starlette", "serve", "survey"),
        ("reportlab", "print", "paper"),
    ],
)
def test_a_missing_package_is_exit_code_4_with_the_command_that_installs_it(
    module: str, command: str, extra: str, tmp_path: Path
) -> None:
    folder = example(tmp_path / "study")
    options = ["-o", str(tmp_path / "out")] if command == "print" else []
    code = (
        f"import sys; sys.modules[{module!r}] = None\n"
        f"from kilter.cli.main import run\nsys.exit(run({['survey', command, str(folder), *options]!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 4
    assert f"pip install 'kilter[{extra}]'" in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1
