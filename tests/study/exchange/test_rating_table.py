"""Ratings and preferences as other commands read them."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from kilter.cli.main import run
from kilter.io.judgments.reader import read_judgments
from kilter.io.score_file import read_ratings
from kilter.io.spreadsheet import csv_text
from kilter.io.stream import ByteSource
from kilter.study.design.creation import draw_study
from kilter.study.design.study_file import read_study
from kilter.study.exchange.export import tables
from kilter.study.exchange.rating_table import rating_tables
from kilter.study.password import participant_code
from kilter.study.store.collected_data import CollectedData
from tests.study.generated import edited
from tests.study.instruments import created, instrument_study
from tests.study.people import person
from tests.study.running import example

SECRET = b"a secret"
ONE, TWO = (participant_code(SECRET, str(number)) for number in (1, 2))


def collected(folder: Path, answers: dict[tuple[int, int], dict[str, int]]) -> CollectedData:
    design = draw_study(folder).design
    people = [person(number, consented_at=1.0) for number in (1, 2)]
    items = {item.id: item for item in design.items}
    return CollectedData(read_study(folder), items, design.questionnaires, people, answers, {})


def written(data: CollectedData, folder: Path) -> dict[str, Path]:
    files = {}
    for name, table in rating_tables(data, secret=SECRET).items():
        files[name] = folder / f"{name}.csv"
        files[name].write_text(csv_text(*table), encoding="utf-8")
    return files


def rows(path: Path) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")))]


def test_every_translation_of_an_item_has_the_ratings_it_was_given(tmp_path: Path) -> None:
    folder = instrument_study(tmp_path / "study", "together", items=2, rest="shared = true\n"
                              '[[composition]]\nitems = 1\nkind = "identical"\n')  # fmt: skip
    given = {f"rating.{slot}": slot for slot in range(1, 6)}
    both = {(number, position): given for number in (1, 2) for position in (1, 2, 3)}
    data = collected(folder, both | {(2, 2): {"rating.1": 0, "rating": 3}})
    files = written(data, tmp_path)
    assert [*files] == ["ratings_rating"]
    wanted = set()
    for who, number in ((ONE, 1), (TWO, 2)):
        for position, name in enumerate(data.questionnaires[1].items, start=1):
            for slot, part in enumerate(data.items[name].parts, start=1):
                value = data.answers[number, position].get(f"rating.{slot}")
                if value is not None:
                    wanted.add((part.system, str(part.line), who, str(value)))
    found = rows(files["ratings_rating"])
    assert {(*row.values(),) for row in found} == wanted
    assert len(found) == len(wanted) > 10
    systems = [row["system"] for row in found]
    assert systems == sorted(systems)  # as the study lists them: sys0, sys1, ...
    (read,) = read_ratings(ByteSource(str(files["ratings_rating"])), name="x").values()
    assert read.raters == 2
    assert {row.system for row in read.rows} == {*systems}


def test_permutations_and_controls_are_no_ratings_and_every_question_has_its_table(
    tmp_path: Path,
) -> None:
    answers = {(k, at): {"holistic": 1 + at % 5, "order": 2} for k in (1, 2) for at in range(1, 16)}
    data = collected(example(tmp_path / "study"), answers)
    files = written(data, tmp_path)
    assert [*files] == ["ratings_holistic", "ratings_order"]
    translations = [
        each for person in data.active() for each in data.judgments(person)
        if each.item.kind == "translation"
    ]  # fmt: skip
    assert len(rows(files["ratings_order"])) == len(translations) > 0
    assert {row["system"] for row in rows(files["ratings_order"])} <= {"harbour", "lantern"}


@pytest.mark.parametrize(("value", "order", "tie"), [(1, 1, "0"), (2, 1, "1"), (3, -1, "0")])
def test_the_preferred_system_is_the_better_one(
    value: int, order: int, tie: str, tmp_path: Path
) -> None:
    folder = instrument_study(tmp_path / "study", "pairwise", items=1, systems=2)
    data = collected(folder, {(1, 1): {"preference": value}})
    (path,) = written(data, tmp_path).values()
    (row,) = rows(path)
    (name,) = data.questionnaires[1].items
    item = data.items[name]
    assert (row["better"], row["worse"]) == tuple([item.system, item.second_system][::order])
    assert (row["tie"], row["segment"], row["rater"]) == (tie, str(item.line), ONE)
    judgments = read_judgments(str(path))
    assert judgments.pairs.outcome.tolist() == [0 if tie == "1" else 1]
    assert judgments.systems == (row["better"], row["worse"])


def test_language_pairs_have_tables_of_their_own(tmp_path: Path) -> None:
    folder = instrument_study(tmp_path / "study", "direct-assessment", items=30, systems=2)
    edited(
        folder, ('system = "sys1"\npair = "de-en"', 'system = "sys1"\npair = "cs-en"\nyear = 2013')
    )
    data = collected(folder, {(1, at): {"assessment": at} for at in range(1, 31)})
    files = written(data, tmp_path)
    assert [*files] == ["ratings_assessment_de-en_unknown", "ratings_assessment_cs-en_2013"]
    for path, system in zip(files.values(), ("sys0", "sys1"), strict=True):
        assert {row["system"] for row in rows(path)} == {system}


@pytest.mark.parametrize("instrument", ["together", "direct-assessment", "pairwise"])
def test_what_is_collected_can_be_compared_by_the_commands_that_there_are(
    instrument: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = created_study(tmp_path, instrument)
    data = tmp_path / "data"
    command = [
        "survey",
        "simulate",
        str(folder),
        "-o",
        str(data),
        "--participants",
        "8",
        "--ratings",
    ]
    assert run([*command, "-q"]) == 0
    capsys.readouterr()
    texts = ["-r", str(folder / "reference.en"), "-m", "kendall"]
    systems = tmp_path / "systems"
    systems.mkdir()
    for number in range(3):
        (systems / f"sys{number}").write_bytes((folder / f"sys{number}.en").read_bytes())
    if instrument == "pairwise":
        pairs = ["meta", "--judgments", str(data / "pairs.csv"), "--systems", str(systems), *texts]
        assert run(pairs) == 0
        assert "segment_tau" in capsys.readouterr().out
        return
    question = {"together": "rating", "direct-assessment": "assessment"}[instrument]
    ratings = str(data / f"ratings_{question}.csv")
    assert run(["compare", "--scores", ratings, "--format", "json"]) == 0
    assert f'"ratings_{question}"' in capsys.readouterr().out
    assert run(["meta", "--ratings", ratings, "--systems", str(systems), *texts]) == 0
    assert "means with 95% intervals" in capsys.readouterr().out


def created_study(folder: Path, instrument: str) -> Path:
    return created(folder / "study", instrument, items=8, systems=3)


def test_the_dictionary_of_an_export_explains_the_tables(tmp_path: Path) -> None:
    folder = created_study(tmp_path, "together")
    data = tmp_path / "data"
    command = [
        "survey",
        "simulate",
        str(folder),
        "-o",
        str(data),
        "--participants",
        "2",
        "--ratings",
    ]
    assert run([*command, "-q"]) == 0
    described = {(row["table"], row["column"]) for row in rows(data / "dictionary.csv")}
    for path in data.glob("*.csv"):
        if path.stem != "dictionary":
            header: Any = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))).fieldnames
            assert {(path.stem, column) for column in header} <= described


def test_judgments_of_one_item_are_told_apart_by_their_slots(tmp_path: Path) -> None:
    folder = instrument_study(tmp_path, "together", items=1, systems=2)
    data = collected(folder, {(1, 1): {"rating.2": 4}})
    columns, found = tables(data, secret=SECRET)["judgments"]
    assert columns[-1] == "slot"
    assert [(row["position"], row["slot"], row["rating"]) for row in found] == [
        (1, 1, None), (1, 2, 4),
    ]  # fmt: skip
    names, items = tables(data, secret=SECRET)["items"]
    assert names[0] == "sentence"
    assert {row["kind"] for row in items} == {"translation"}
