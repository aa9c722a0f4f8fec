"""`kilter survey analyse` on data that cannot give a number: a statement in its place."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from kilter.cli.main import run
from tests.cli.analysed import (
    analysed,
    check_report,
    document,
    quick_power,  # noqa: F401 - a fixture
    rows,
    texts,
)
from tests.study.analysis.studies import ITEMS, JUDGMENTS, PARTICIPANTS, write
from tests.study.running import example
from tests.thorough import some

pytest.importorskip("kilter_model_en", reason="the parsers need kilter[parse]")
Rows = list[dict[str, str]]
Change = Callable[[dict[str, Rows]], None]


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("degenerate")
    output = folder / "export"
    study = example(folder / "study")
    arguments = ["-o", str(output), "-q", "--participants", "6"]
    assert run(["survey", "simulate", str(study), *arguments]) == 0
    return output


def changed(export: Path, folder: Path, change: Change) -> Path:
    """Write an export again after a change of its tables."""
    tables = {
        path.stem: list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
        for path in export.glob("*.csv")
    }
    columns = {name: list(listed[0]) for name, listed in tables.items()}
    change(tables)
    folder.mkdir()
    for name, listed in tables.items():
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, columns[name])
            writer.writeheader()
            writer.writerows(listed)
    return folder


def _one_participant(tables: dict[str, Rows]) -> None:
    first = tables["judgments"][0]["participant"]
    tables["judgments"] = [row for row in tables["judgments"] if row["participant"] == first]


def _nothing_shared(tables: dict[str, Rows]) -> None:
    seen = set[str]()
    kept = []
    for row in tables["judgments"]:
        if row["sentence"] not in seen:
            seen.add(row["sentence"])
            kept.append(row)
    tables["judgments"] = kept
    for row in tables["items"]:
        row["shared"] = "no"


def _constant(tables: dict[str, Rows]) -> None:
    for row in tables["judgments"]:
        row["holistic"] = row["order"] = "3"


def _no_order_answers(tables: dict[str, Rows]) -> None:
    for row in tables["judgments"]:
        row["order"] = ""


def _no_demographics(tables: dict[str, Rows]) -> None:
    del tables["participants"]


def _empty_demographics(tables: dict[str, Rows]) -> None:
    for row in tables["participants"]:
        for name in row:
            if name not in ("participant", "questionnaire", "simulated"):
                row[name] = ""


def _without(kind: str) -> Change:
    def change(tables: dict[str, Rows]) -> None:
        gone = {row["sentence"] for row in tables["items"] if kind in (row["kind"], row["type"])}
        tables["judgments"] = [row for row in tables["judgments"] if row["sentence"] not in gone]
        tables["items"] = [row for row in tables["items"] if row["sentence"] not in gone]

    return change


CASES: list[tuple[Change, str, str]] = [
    (_one_participant, "agreement", "no sentence was judged by two participants"),
    (_nothing_shared, "agreement", "no sentence was judged by two participants"),
    (_constant, "correlation-translation", "all answers are the same"),
    (_no_order_answers, "levels", "there is no answer"),
    (_no_demographics, "participants", "no participant said anything about age"),
    (_empty_demographics, "subgroup-age", "no participant can be placed by age"),
    (_without("permutation"), "words", "no scored permutation of type swap"),
    (_without("translation"), "correlation-translation", "no judgment about such a sentence"),
    (_without("choice"), "correlation-choice", "no judgment about such a sentence"),
]


@pytest.mark.parametrize(
    ("change", "analysis", "statement"), some(CASES, quick=CASES[:1], rows=True)
)
def test_a_statement_stands_where_there_is_no_number(
    export: Path, tmp_path: Path, change: Change, analysis: str, statement: str
) -> None:
    folder = changed(export, tmp_path / "changed", change)
    report = analysed(folder, tmp_path / "report", "--no-png")
    check_report(report)
    assert statement in (report / analysis / "table.md").read_text(encoding="utf-8")
    pages = [
        (report / name).read_text(encoding="utf-8") for name in ("index.html", "appendix.html")
    ]
    assert any(statement in page for page in pages)


@pytest.mark.parametrize("options", some([[], ["--no-png"]], quick=[["--no-png"]]))
def test_one_judgment_is_enough_for_a_report(tmp_path: Path, options: list[str]) -> None:
    judgments = "\n".join(JUDGMENTS.splitlines()[:2]) + "\n"
    export = write(tmp_path / "export", judgments=judgments)
    report = analysed(export, tmp_path / "report", *options)
    check_report(report)
    assert rows(report, "levels")[0]["answered"] == "1"
    assert document(report, "levels")["simulated"] is False


def test_names_that_mean_something_to_a_format_are_shown_as_they_are(tmp_path: Path) -> None:
    odd = '<b>&"|_$'
    people = PARTICIPANTS.replace("female", '"<b>&""|_$"')
    items = ITEMS.replace("s1,", "=s1,")
    judgments = JUDGMENTS.replace(",s1,", ",=s1,").replace("p1,", "@p1,")
    people = people.replace("p1,", "@p1,")
    export = write(tmp_path / "export", items=items, judgments=judgments, participants=people)
    wanted = ("--split", "gender", "--min-group-size", "1", "--no-png")
    report = analysed(export, tmp_path / "report", *wanted)
    check_report(report)
    found = texts(report)
    assert odd in {row["answer"] for row in rows(report, "participants")}
    assert "&lt;b&gt;&amp;&quot;|_$" in found["index.html"]
    assert "<b>" not in found["index.html"]
    assert "\\textless{}b\\textgreater{}" in found["participants/table.tex"]
    assert "\\<b>" in found["participants/table.md"]
    assert rows(report, "effects")[0]["participant"] == "'@p1"
