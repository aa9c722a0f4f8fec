"""`kilter survey links`: personal links and recruitment groups, on both databases."""

import csv
import io
import json
from pathlib import Path

from kilter.cli.main import run
from kilter.cli.survey.serving import LOCAL
from kilter.study.store.running_study import open_study
from tests.cli.survey.typed import Captured, Study, rows
from tests.study.conftest import database, postgresql_server  # noqa: F401 - fixtures

URL = "https://survey.example.org"


def listed(study: Study, capsys: Captured, *options: str) -> list[dict[str, str]]:
    capsys.readouterr()
    assert study.run("links", "--public-url", URL, "--format", "csv", *options) == 0
    return [*csv.DictReader(io.StringIO(capsys.readouterr().out))]


def test_new_links_of_a_group_are_written_alone_and_lead_to_their_people(
    study: Study, capsys: Captured
) -> None:
    added = listed(study, capsys, "--add", "2", "--group", "students")
    assert [(row["number"], row["group"], row["questionnaire"]) for row in added] == [
        ("5", "students", "1"), ("6", "students", "2"),
    ]  # fmt: skip
    everybody = listed(study, capsys)
    assert [row["group"] for row in everybody] == [""] * 4 + ["students"] * 2
    assert listed(study, capsys, "--group", "students") == added == everybody[4:]
    opened = open_study(study.folder, database=study.address)
    people = opened.store.participants
    for row in everybody:
        assert row["link"].startswith(f"{URL}/p/")
        person = people.named(row["link"])
        assert person is not None
        assert (str(person.link), person.recruitment_group or "") == (row["number"], row["group"])
    details = [action.detail for action in opened.store.actions.all()]
    assert details[0] == "2 added students"
    opened.store.close()


def test_old_links_get_a_group_by_their_numbers(study: Study, capsys: Captured) -> None:
    assert [row["number"] for row in listed(study, capsys, "--label", "2-3", "--group", "staff")] == [
        "2", "3",
    ]  # fmt: skip
    assert [row["group"] for row in listed(study, capsys)] == ["", "staff", "staff", ""]


def test_groups_are_counted_by_status_and_written_by_export(
    study: Study, capsys: Captured, tmp_path: Path
) -> None:
    typed = tmp_path / "typed.csv"
    typed.write_text(rows("a", "b"), encoding="utf-8")
    assert study.run("import", str(typed), "--group", "evening class") == 0
    assert study.run("links", "--label", "1", "--group", "staff") == 0
    capsys.readouterr()
    assert study.run("status", "--format", "json") == 0
    none = {"started": 0, "submitted": 0, "withdrawn": 0}
    assert json.loads(capsys.readouterr().out)["groups"] == [
        {"group": "evening class", "participants": 2, "started": 2, "submitted": 2, "withdrawn": 0},
        {"group": "staff", "participants": 1} | none,
        {"group": None, "participants": 3} | none,
    ]
    assert study.run("status") == 0
    assert "evening class             2        2          2          0\n" in capsys.readouterr().out
    assert study.run("export", "-o", str(tmp_path / "data"), "-q") == 0
    with (tmp_path / "data" / "participants.csv").open(encoding="utf-8") as file:
        assert [row["group"] for row in csv.DictReader(file)] == ["evening class"] * 2


def test_groups_that_a_study_names_are_the_only_ones(study: Study, capsys: Captured) -> None:
    file = study.folder / "study.toml"
    text = file.read_text(encoding="utf-8")
    named = text.replace("limit = 40", 'limit = 40\ngroups = ["staff", "students"]')
    file.write_text(named, encoding="utf-8")
    assert study.run("links", "--add", "1", "--group", "student") == 2
    assert "study.toml has the groups staff, students" in capsys.readouterr().err
    assert len(listed(study, capsys)) == 4
    assert listed(study, capsys, "--add", "1", "--group", "students")[0]["group"] == "students"


def test_a_group_has_a_plain_name_and_options_that_contradict_are_refused(
    study: Study, capsys: Captured
) -> None:
    assert study.run("links", "--add", "1", "--group", "=SUM(A1)") == 2
    assert "write up to 60 letters, digits, blanks" in capsys.readouterr().err
    assert study.run("links", "--label", "1") == 2
    assert "--label goes with --group" in capsys.readouterr().err
    assert study.run("links", "--label", "1", "--add", "1", "--group", "a") == 2
    assert "choose one of them" in capsys.readouterr().err
    assert run(["survey", "links", str(study.folder), "--public-url", "ftp://x"]) == 2


def test_links_to_this_machine_are_told_with_what_makes_them_lead_elsewhere(
    study: Study, capsys: Captured
) -> None:
    capsys.readouterr()
    assert study.run("links", "--format", "csv") == 0
    told = capsys.readouterr()
    assert f"{LOCAL}/p/" in told.out
    assert told.err.startswith(f"kilter: links begin with {LOCAL}, ")
    assert "give --public-url URL" in told.err
    for address in (LOCAL, "http://127.0.0.1:8791"):
        assert study.run("links", "--format", "csv", "--public-url", address) == 0
        told = capsys.readouterr()
        assert f"{address}/p/" in told.out
        assert told.err == ""
