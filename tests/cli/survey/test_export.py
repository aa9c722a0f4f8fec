"""`kilter survey export`, on both databases."""

import json
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from kilter.core.errors import KilterError, MissingToolError, OptionError
from kilter.study.design.item import read_design
from kilter.study.instrument.data_file import DATA
from kilter.study.judgments.export_folder import item_scores, write_export
from kilter.study.store.running_study import open_study
from tests.cli.survey.typed import HEADER, Captured, Study, rows
from tests.study.conftest import database, postgresql_server  # noqa: F401 - fixtures
from tests.study.running import example


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


def test_exported_files_are_for_their_owner_only(study: Study) -> None:
    for form in ("csv", "jsonl", "parquet"):
        out = study.folder.parent / form
        assert study.run("export", "-o", str(out), "--format", form) == 0
        modes = {path.name: path.stat().st_mode & 0o777 for path in out.iterdir()}
        assert len(modes) == 4
        assert {*modes.values()} == {0o600}


def test_an_archive_has_nobody_who_has_not_agreed_to_it(study: Study, capsys: Captured) -> None:
    assert study.imported(rows("a")) == 0  # on paper: nobody knows what was agreed to
    assert len(study.exported("all")["participants"]) == 1
    assert study.exported("archive", "--archive")["participants"] == []
    capsys.readouterr()
    out = str(study.folder.parent / "both")
    assert study.run("export", "-o", out, "--archive", "--identified") == 2
    assert "leave out --identified" in capsys.readouterr().err
    (study.folder / "documents").mkdir()
    for language in ("en", "de"):
        text = (DATA / "documents" / f"{language}.toml").read_text(encoding="utf-8")
        own = study.folder / "documents" / f"{language}.toml"
        own.write_text(text.replace('"archiving"', '"keeping"'), encoding="utf-8")
    assert study.run("export", "-o", out, "--archive") == 3
    assert "has no line called archiving" in capsys.readouterr().err


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


def test_one_participant_and_one_row_are_told_in_the_singular(
    tmp_path: Path, capsys: Captured
) -> None:
    study = Study(example(tmp_path / "study"), None)
    assert study.imported(HEADER + "a,1,1,4,4\n") == 0
    assert "imported 1 item of 1 participant\n" in capsys.readouterr().err
    assert study.run("export", "-o", str(tmp_path / "out")) == 0
    assert f"{tmp_path}/out/participants.csv: 1 row\n" in capsys.readouterr().err


def test_links_are_exported_only_on_request(tmp_path: Path) -> None:
    study = Study(example(tmp_path / "study"), None)
    assert study.imported(rows("a")) == 0
    assert "link" not in study.exported("plain")["participants"][0]
    assert "link" in study.exported("named", "--identified")["participants"][0]


@pytest.mark.parametrize(
    ("form", "error", "message"),
    [
        ("parquet", MissingToolError, r"pip install 'kilter\[arrow\]'"),
        ("tsv", OptionError, "the format is 'tsv'; it can be csv, jsonl, parquet"),
    ],
)
def test_a_format_that_cannot_be_written_is_refused_before_anything_is_scored(
    form: str,
    error: type[KilterError],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def scored(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("kilter.study.judgments.export_folder.item_scores", scored)
    monkeypatch.setattr("kilter.render.table.parquet.find_spec", lambda _: None)
    running = open_study(example(tmp_path / "study"), database=None)
    with pytest.raises(error, match=message):
        write_export(running, tmp_path / "out", form=form, metrics=["kendall"])
    running.store.close()
    assert not (tmp_path / "out").exists()


def test_items_of_another_language_are_not_parsed_by_the_english_model(tmp_path: Path) -> None:
    items = list(read_design(example(tmp_path / "study"))[0].values())[:4]
    german = [replace(item, id=f"{item.id} de", pair="en-de") for item in items]
    with pytest.raises(OptionError, match="the embedded parser knows English only, not de"):
        list(item_scores(german, ["derp"]))
    scores = list(item_scores([*german, *items], ["meteor"]))
    assert [row["sentence"] for row in scores] == [item.id for item in (*german, *items)]
    assert ["language:de" in str(row["configuration"]) for row in scores] == [True] * 4 + [
        False
    ] * 4
