"""The tables of an export, cell by cell, against what was put in."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kilter.study.design.item import Item, Questionnaire
from kilter.study.design.study import Study
from kilter.study.design.study_file import read_study
from kilter.study.exchange.export import tables
from kilter.study.password import participant_code
from kilter.study.store.collected_data import CollectedData
from tests.study.people import person

SECRET = b"a secret"
ITEMS = {
    item.id: item
    for item in (
        Item(
            id="t", kind="translation", system="harbour", pair="de-en", line=7, year=2031,
            source="eins zwei drei vier fünf sechs", reference="one two  three four.",
            hypothesis="one two", shared=True, tags={"length": "short", "role": "prime"},
        ),
        Item(
            id="p", kind="permutation", type="swap", degree=4, base="t", system="harbour",
            pair="de-en", line=7, reference="a b c", hypothesis="c b a x y",
        ),
        Item(
            id="d", kind="pair", system="harbour", second="b a", second_system="lantern",
            pair="fr-en", line=9, reference="a b", hypothesis="a b c",
        ),
        Item(
            id="c", kind="identical", base="t", system="harbour", pair="de-en", line=8,
            reference="w", hypothesis="w",
        ),
    )
}  # fmt: skip


@pytest.fixture(scope="module")
def study(created: Path) -> Study:
    return read_study(created)


@pytest.fixture(scope="module")
def data(study: Study) -> CollectedData:
    languages = [
        {"name": "German", "fluency": "native", "qualifications": ""},
        {"name": "English", "fluency": "fluent", "qualifications": "C1"},
    ]
    begun = {"informed_at": 1.0, "consented_at": 2.0}
    return CollectedData(
        study=study,
        items=ITEMS,
        questionnaires=[Questionnaire(1, ("c",)), Questionnaire(2, ("p", "t", "d", "c"))],
        participants=[
            person(
                1, **begun, described_at=3.0, link=5, origin="link",
                consent={"takes_part": True, "archiving": False},
                personal={"age": 44, "languages": languages},
            ),
            person(2, **begun, described_at=3.0, sampled_at=4.0, submitted_at=5.0),
            person(3, withdrawn_at=6.0),  # of whom judgments are left
            person(4, **begun, personal={"disability": "poor sight"}, recruitment_group="staff"),  # who has judged nothing
            person(5, informed_at=1.0),  # who has not even consented
        ],
        answers={(1, 2): {"holistic": 3, "order": 1}, (2, 1): {"order": 5}, (3, 4): {"order": 2}},
        seconds={(1, 2): 12.34, (2, 1): 0.04},
    )  # fmt: skip


def listed(data: CollectedData, name: str, **options: bool) -> list[dict[str, Any]]:
    columns, rows = tables(data, secret=SECRET, **options)[name]
    return [{column: row.get(column) for column in columns} for row in rows]


def cells(row: Mapping[str, Any], *names: str) -> tuple[Any, ...]:
    return tuple(row[name] for name in names)


def test_lengths_are_those_of_their_own_text(data: CollectedData) -> None:
    lengths = {
        row["sentence"]: cells(row, "source_length", "reference_length", "hypothesis_length")
        for row in listed(data, "items")
    }
    assert lengths == {"t": (6, 4, 2), "p": (None, 3, 5), "d": (None, 2, 3), "c": (None, 1, 1)}


def test_items_are_told_with_everything_that_is_known_of_them(data: CollectedData) -> None:
    first, second, pair, control = listed(data, "items")
    assert cells(first, "kind", "type", "degree", "base", "shared", "year", "segment") == (
        "translation", None, None, None, True, 2031, 7,
    )  # fmt: skip
    assert cells(first, "length", "quality", "role") == ("short", None, "prime")
    assert first["source"] == "eins zwei drei vier fünf sechs"
    assert cells(second, "type", "degree", "base", "shared", "segment") == (
        "swap",
        4,
        "t",
        False,
        7,
    )
    assert cells(pair, "second", "second_system", "pair") == ("b a", "lantern", "fr-en")
    assert [row["control"] for row in (first, second, pair, control)] == [False, False, False, True]


def test_a_judgment_is_told_with_its_item_its_answers_and_its_time(data: CollectedData) -> None:
    rows = listed(data, "judgments")
    codes = [participant_code(SECRET, str(number)) for number in (1, 2, 3)]
    assert [row["participant"] for row in rows] == [code for code in codes for _ in range(4)]
    assert [row["position"] for row in rows] == [1, 2, 3, 4] * 3
    assert [row["sentence"] for row in rows[:4]] == ["p", "t", "d", "c"]
    assert [row["system"] for row in rows[:4]] == ["swap-4", "harbour", "harbour", "identical"]
    assert [row["segment"] for row in rows[:4]] == [7, 7, 9, 8]
    assert {row["questionnaire"] for row in rows} == {2}
    answered = {
        (row["participant"], row["position"]): cells(row, "holistic", "order", "seconds")
        for row in rows
        if any(row[name] is not None for name in ("holistic", "order", "seconds"))
    }
    assert answered == {
        (codes[0], 2): (3, 1, 12.3),
        (codes[1], 1): (None, 5, 0.0),
        (codes[2], 4): (None, 2, None),
    }


def test_participants_are_those_who_consented_or_left_judgments(data: CollectedData) -> None:
    rows = listed(data, "participants")
    assert [row["participant"] for row in rows] == [
        participant_code(SECRET, str(number)) for number in (1, 2, 3, 4)
    ]
    assert [cells(row, "submitted", "withdrawn", "origin") for row in rows] == [
        (False, False, "link"),
        (True, False, "open"),
        (False, True, "open"),
        (False, False, "open"),
    ]
    first = rows[0]
    assert first["languages"] == "German (native); English (fluent): C1"
    assert cells(first, "language_points", "age") == (7 + 4, 44)
    assert cells(first, "consent_takes_part", "consent_archiving") == (True, False)
    assert "link" not in first
    # What was written before there was a choice of no and yes is told as a yes.
    assert [cells(row, "group", "disability", "disability_text") for row in rows] == [
        *[(None, None, None)] * 3,
        ("staff", "yes", "poor sight"),
    ]
    assert [row["link"] for row in listed(data, "participants", identified=True)] == [
        5, None, None, None,
    ]  # fmt: skip


def test_the_dictionary_says_what_a_scale_runs_from_and_to(data: CollectedData) -> None:
    rows = {(row["table"], row["column"]): row for row in listed(data, "dictionary")}
    for question in data.study.instrument.questions:
        assert cells(rows["judgments", question.name], "low", "high") == (1, 5)
    scaled = {key for key, row in rows.items() if row["low"] is not None}
    assert scaled == {("judgments", question.name) for question in data.study.instrument.questions}


def test_every_row_of_simulated_data_says_so(data: CollectedData) -> None:
    simulated = replace(data, simulated=True)
    for name in tables(simulated, secret=SECRET):
        assert {row["simulated"] for row in listed(simulated, name)} == {True}
        assert "simulated" not in listed(data, name)[0]
