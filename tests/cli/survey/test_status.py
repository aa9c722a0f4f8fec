"""`kilter survey status`, on both databases."""

import json
from pathlib import Path

import pytest

from kilter.cli.main import run
from tests.cli.survey.typed import Captured, Study, rows
from tests.study.conftest import database, postgresql_server  # noqa: F401 - fixtures
from tests.study.running import example


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


@pytest.mark.parametrize(
    "name", ["study.toml", "keys.json", "items.jsonl", "questionnaires.jsonl", "answers.db"]
)
def test_a_file_that_is_a_link_out_of_the_folder_is_not_followed(
    tmp_path: Path, capsys: Captured, name: str
) -> None:
    folder, outside = example(tmp_path / "study"), tmp_path / "outside"
    if name != "answers.db":
        (folder / name).rename(outside)
    (folder / name).symlink_to(outside)
    assert run(["survey", "status", str(folder)]) in (2, 3)
    assert f"{name!r} is a link out of the folder" in capsys.readouterr().err
    if name == "answers.db":
        assert not outside.exists()
        own = f"sqlite:///{outside}"  # what is named stays possible
        assert run(["survey", "status", str(folder), "--database", own]) == 0
    else:
        (folder / name).unlink()
        outside.rename(folder / "inside")
        (folder / name).symlink_to(folder / "inside")
        assert run(["survey", "status", str(folder)]) == 0
