"""Columns hold what they name: who took part. Section 13.1"""

import pytest

from kilter.reports.study import (
    demographics,
)
from kilter.survey.analysis.demographics import FieldDescription
from tests.reports.cases import case
from tests.reports.distinct import Book, check_row
from tests.reports.study_table import STUDY, SUMMARY, faked


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
        assert dict(zip(report.data.columns, row, strict=True)) == {
            "field": made.field, "answer": row[1], "participants": count,
            "share": count / made.answered, "answered": made.answered, "missing": made.missing,
        }  # fmt: skip
    summaries, again = report.tables
    assert again is report.data
    for row in summaries.rows:
        check_row(book, summaries.columns[1:], row[1:], titles=SUMMARY)
        assert book.places[row[1]][0] == row[0]
