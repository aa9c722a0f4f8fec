"""Participants, counted by hand."""

import json
from dataclasses import replace

import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis import demographics as module
from kilter.study.analysis.demographics import FieldDescription, demographics, recruitment_report
from kilter.study.judgments.judgment_study import RecruitedGroup
from tests.render.cases import case
from tests.render.distinct import Book, check_row
from tests.render.picture import texts
from tests.render.study_table import STUDY, SUMMARY, faked
from tests.study.analysis.counted import MADE
from tests.study.analysis.studies import crossed, study


def test_demographics_count_answers_and_what_is_missing() -> None:
    found = demographics(MADE)
    age, gender = found["age"], found["gender"]
    assert isinstance(age, FieldDescription)
    assert (age.answered, age.missing) == (1, 1)
    assert age.summary is not None
    assert age.summary.mean == 29.0
    assert isinstance(gender, FieldDescription)
    assert (gender.counts, gender.summary) == ({"female": 2}, None)
    languages = found["number_of_languages"]
    assert isinstance(languages, FieldDescription)
    assert languages.counts == {"1": 1, "2": 1}
    assert found["nationality"] == Undefined("no participant said anything about nationality")


def test_answers_are_listed_by_how_often_they_were_given_then_by_name() -> None:
    said = ["b", "c", "a", "c", "b", "c"]
    fields = {k: {"gender": value, "age": "9"} for k, value in enumerate(said)}
    gender = demographics(study([(k, 0, 1, 1) for k in range(6)], fields=fields))["gender"]
    assert isinstance(gender, FieldDescription)
    assert [*gender.counts.items()] == [("c", 3), ("b", 2), ("a", 1)]
    even = {k: {"gender": value} for k, value in enumerate("ba")}
    gender = demographics(study([(k, 0, 1, 1) for k in range(2)], fields=even))["gender"]
    assert isinstance(gender, FieldDescription)
    assert [*gender.counts] == ["a", "b"]


def test_first_language_disability_and_group_are_there_if_anybody_has_one() -> None:
    """Of a disability only yes or no is counted, whatever was written about it."""
    said: list[dict[str, str | None]] = [
        {
            "disability": "no",
            "group": "students",
            "first_language_english": "yes",
            "years_fluent": None,
        },
        {
            "disability": "No",
            "group": "students",
            "first_language_english": "no",
            "years_fluent": "7",
        },
        {"disability": "yes: dyslexia", "group": "staff", "first_language_english": "no"},
        {"disability": "I read slowly", "group": None},
        {"disability": None},
    ]
    found = demographics(study([(k, 0, 1, 1) for k in range(5)], fields=dict(enumerate(said))))
    disability, group, years = found["disability"], found["group"], found["years_fluent"]
    assert isinstance(disability, FieldDescription)
    assert (disability.counts, disability.missing) == ({"no": 2, "yes": 2}, 1)
    assert isinstance(group, FieldDescription)
    assert (group.counts, group.missing) == ({"students": 2, "staff": 1}, 2)
    assert isinstance(years, FieldDescription)
    assert years.summary is not None
    assert years.summary.mean == 7.0
    assert not {"disability", "group", "first_language_english", "years_fluent"} & {
        *demographics(MADE)
    }


@case("participant_report")
def test_columns_of_participant_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = {name: book.make(FieldDescription, name, field=name) for name in ("age", "degree")}
    faked(module, monkeypatch, demographics=lambda _: fields)
    report = module.participant_report(STUDY)
    for row in report.data.rows:
        made = fields[str(row[0])]
        count = made.counts[str(row[1])]
        assert dict(zip(report.data.names, row, strict=True)) == {
            "field": made.field, "answer": row[1], "participants": count,
            "share": count / made.answered, "answered": made.answered, "missing": made.missing,
        }  # fmt: skip
    summaries, again = report.tables
    assert again is report.data
    for row in summaries.rows:
        check_row(book, summaries.names[1:], row[1:], titles=SUMMARY)
        assert book.places[row[1]][0] == row[0]


def test_no_number_about_fewer_participants_than_allowed_is_shown() -> None:
    """Neither the mean nor the ends of what two people said, in any table, sentence or figure."""
    fields = {0: {"age": "47"}, 1: {"age": "53"}} | {k: {"gender": "female"} for k in range(2, 8)}
    report = module.participant_report(crossed([[1]] * 8, fields=fields), smallest=5)
    everything = json.dumps(
        [
            report.text,
            [
                [list(map(str, row)) for row in table.rows]
                for table in (report.data, *report.tables)
            ],
            [texts(figure.svg) for figure in report.figures],
            [figure.svg for figure in report.figures],
        ]
    )
    for number in ("47", "53", "50.0", "4.24", "4.2 "):
        assert number not in everything, number
    assert "age is not shown: 2 participants said it, and fewer than 5 are not shown" in everything
    ages = [row for row in report.data.rows if row[0] == "age"]
    assert [row[1:3] for row in ages] == [("all answers", 2)]


def test_ends_are_shown_if_enough_participants_gave_them() -> None:
    ages = [19, *[23] * 5, *[40] * 5]
    fields = {k: {"age": str(age)} for k, age in enumerate(ages)}
    made = crossed([[1]] * len(ages), fields=fields)
    (row,) = module.participant_report(made, smallest=5).tables[0].rows
    named = dict(zip(module.participant_report(made).tables[0].names, row, strict=True))
    assert named["lowest"] == Undefined("fewer than 5 participants gave it")
    assert named["highest"] == 40.0
    assert named["mean"] == pytest.approx(sum(ages) / len(ages))
    (all_shown,) = module.participant_report(made).tables[0].rows
    assert dict(zip(named, all_shown, strict=True))["lowest"] == 19.0


GROUPS = (
    RecruitedGroup(name="students", advertised=120, responded=30, judged=28),
    RecruitedGroup(name="staff", advertised=40, responded=6, judged=6),
    RecruitedGroup(name="friends", advertised=None, responded=2, judged=1),
)


@case("recruitment_report")
def test_columns_of_recruitment_report_hold_what_they_name() -> None:
    report = recruitment_report(replace(STUDY, recruitment=GROUPS), smallest=1)
    assert report.data.names == ("group", "advertised to", "responded", "share", "judged")
    assert report.data.rows == (
        ("students", 120, 30, 0.25, 28),
        ("staff", 40, 6, 0.15, 6),
        ("friends", None, 2, None, 1),
        ("all", 160, 38, None, 35),
    )
    assert report.text == ("Of 160 people that the study was advertised to, 36 responded (22.5%).",)


def test_groups_of_few_are_put_together() -> None:
    report = recruitment_report(replace(STUDY, recruitment=GROUPS), smallest=7)
    assert report.data.rows == (
        ("students", 120, 30, 0.25, 28),
        ("other groups", None, 8, None, 7),
        ("all", 160, 38, None, 35),
    )
    assert "fewer than 7" in report.notes[-1]


def test_a_group_that_nobody_came_from_has_a_share_of_nothing() -> None:
    empty = RecruitedGroup(name="list", advertised=10, responded=0, judged=0)
    report = recruitment_report(replace(STUDY, recruitment=(empty,)), smallest=1)
    assert report.data.rows == (("list", 10, 0, 0.0, 0), ("all", 10, 0, 0.0, 0))
