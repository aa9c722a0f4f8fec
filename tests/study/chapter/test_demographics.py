"""Columns hold what they name: who took part. Section 13.1"""

import json

import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis.demographics import FieldDescription
from kilter.study.chapter import demographics
from tests.render.cases import case
from tests.render.distinct import Book, check_row
from tests.render.picture import texts
from tests.render.study_table import STUDY, SUMMARY, faked
from tests.study.analysis.studies import crossed


@case("participant_report")
def test_columns_of_participant_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = {name: book.make(FieldDescription, name, field=name) for name in ("age", "degree")}
    faked(demographics, monkeypatch, demographics=lambda _: fields)
    report = demographics.participant_report(STUDY)
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
    report = demographics.participant_report(crossed([[1]] * 8, fields=fields), smallest=5)
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
    (row,) = demographics.participant_report(made, smallest=5).tables[0].rows
    named = dict(zip(demographics.participant_report(made).tables[0].names, row, strict=True))
    assert named["lowest"] == Undefined("fewer than 5 participants gave it")
    assert named["highest"] == 40.0
    assert named["mean"] == pytest.approx(sum(ages) / len(ages))
    (all_shown,) = demographics.participant_report(made).tables[0].rows
    assert dict(zip(named, all_shown, strict=True))["lowest"] == 19.0
