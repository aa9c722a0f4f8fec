"""`kilter survey check`: all problems of a study, and its pool."""

from pathlib import Path

import pytest

from kilter.cli.main import run
from tests.study.generated import edited, write_study

Captured = pytest.CaptureFixture[str]
REST = '[[composition]]\nitems = 4\nkind = "translation"\n'


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize("command", ["check", "create"])
def test_every_problem_is_a_line_with_its_place_and_nothing_is_written(
    command: str, tmp_path: Path, capsys: Captured
) -> None:
    folder = edited(
        write_study(tmp_path / "study", rest=REST),
        ('title = "', 'titel = "'),
        ("questionnaires = 2", "questionnaires = 0"),
    )
    (folder / "sys1.en").write_text("One line.\n", encoding="utf-8")
    before = files(folder)
    assert run(["survey", command, str(folder)]) == 2
    told = capsys.readouterr()
    where = f"{folder}/study.toml: "
    lines = told.err.splitlines()
    assert lines[:3] == [
        f"{where}title is missing; add it",
        f"{where}questionnaires is 0; it must lie between 1 and 10000",
        f"{where}titel is unknown; did you mean title?",
    ]
    assert lines[3].startswith(f"{folder}/sys1.en: has 1 line, but ")
    assert lines[4:] == ["kilter: 4 problems in the study; correct them and try again"]
    assert told.out == ""
    assert files(folder) == before


def test_a_fault_of_one_file_of_questions_hides_none_of_another(
    tmp_path: Path, capsys: Captured
) -> None:
    added = (
        'questionnaires = 2\nitems_per_rater = 0\ninstrument = "asks.toml"\n'
        'participant_questions = "about.toml"\n'
    )
    folder = edited(write_study(tmp_path / "study", rest=REST), ("questionnaires = 2\n", added))
    assert run(["survey", "check", str(folder)]) == 2
    assert capsys.readouterr().err.splitlines()[:3] == [
        f"{folder}/study.toml: items_per_rater is 0; it must lie between 1 and 10000",
        f"{folder}/asks.toml: cannot be opened: No such file or directory",
        f"{folder}/about.toml: cannot be opened: No such file or directory",
    ]


def test_one_problem_is_the_message(tmp_path: Path, capsys: Captured) -> None:
    folder = edited(
        write_study(tmp_path / "study", rest=REST), ('title = "', 'titel = "x"\ntitle = "')
    )
    assert run(["survey", "check", str(folder)]) == 2
    assert capsys.readouterr().err == (
        f"kilter: {folder}/study.toml: titel is unknown; did you mean title?\n"
    )


def test_what_would_be_drawn_is_told_and_not_written(tmp_path: Path, capsys: Captured) -> None:
    folder = write_study(tmp_path / "study", lines=12, rest=REST)
    before = files(folder)
    assert run(["survey", "check", str(folder)]) == 0
    checked = capsys.readouterr().out
    assert files(folder) == before
    assert run(["survey", "create", str(folder)]) == 0
    assert capsys.readouterr().out.startswith(checked)
    assert run(["survey", "check", str(folder)]) == 0  # also of a study that was created
    assert capsys.readouterr().out == checked


def test_questionnaires_that_were_drawn_from_another_description_are_told(
    tmp_path: Path, capsys: Captured
) -> None:
    folder = write_study(tmp_path / "study", lines=12, rest=REST)
    assert run(["survey", "create", str(folder)]) == 0
    created = {path: path.read_bytes() for path in folder.iterdir()}
    edited(folder, ("items = 4", "items = 3"))
    capsys.readouterr()
    assert run(["survey", "check", str(folder)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("2 questionnaires of 3 items")
    assert told[-1].startswith(f"the questionnaires in {folder} differ from what study.toml ")
    changed = {path.name for path, data in created.items() if path.read_bytes() != data}
    assert changed == {"study.toml"}


def test_a_created_study_that_lost_a_file_is_to_be_restored(
    tmp_path: Path, capsys: Captured
) -> None:
    folder = write_study(tmp_path / "study", lines=12, rest=REST)
    assert run(["survey", "create", str(folder)]) == 0
    (folder / "questionnaires.jsonl").unlink()
    capsys.readouterr()
    assert run(["survey", "check", str(folder)]) == 3
    told = capsys.readouterr().err
    assert told.startswith(f"kilter: {folder}/questionnaires.jsonl: cannot be read (")
    assert told.endswith("; restore it from a backup\n")


def test_a_composition_that_cannot_be_met_ends_with_another_code(
    tmp_path: Path, capsys: Captured
) -> None:
    folder = write_study(tmp_path / "study", lines=2, systems=1, rest=REST)
    assert run(["survey", "check", str(folder)]) == 3
    told = capsys.readouterr()
    lacks = [line for line in told.out.splitlines() if line.startswith("  questionnaire ")]
    assert f"{len(lacks)} wishes could not be satisfied:" in told.out
    assert len(lacks) == 2
    assert "the texts cannot fill the composition" in told.err


def test_permutations_are_counted_on_demand(tmp_path: Path, capsys: Captured) -> None:
    folder = write_study(tmp_path / "study", lines=5, systems=1, rest=REST)
    edited(
        folder,
        ("sentences = 450", "sentences = 450\nlast_degree = 2"),
        ("questionnaires = 2", "questionnaires = 1"),
    )
    assert run(["survey", "check", str(folder)]) == 0
    assert "phrase" not in capsys.readouterr().out
    assert run(["survey", "check", str(folder), "--permutations"]) == 0
    header, row = [line.split() for line in capsys.readouterr().out.splitlines()[2:4]]
    assert header[-5:] == ["order", "swap", "phrase", "choice", "permutations"]
    assert int(row[-1]) == sum(map(int, row[-5:-1])) > 0


def test_a_limit_on_items_per_rater_is_told_as_a_share(tmp_path: Path, capsys: Captured) -> None:
    folder = write_study(
        tmp_path / "study", lines=30, questionnaires=1, options="items_per_rater = 3",
        rest='[[composition]]\nitems = 25\nkind = "translation"\n',
    )  # fmt: skip
    assert run(["survey", "check", str(folder)]) == 0
    said = capsys.readouterr().out
    assert said.startswith(
        "9 questionnaires of 2-3 items, 0 of them shared; 25 items in all, seed 1\n"
    )
    assert "no rater judges more than 3 of 25 items (12.0%)\n" in said
