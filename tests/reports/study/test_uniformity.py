"""Columns hold what they name: whether questionnaires and places in them are alike. Section 13.1"""

import re

import pytest

from kilter.reports.study import (
    uniformity,
)
from kilter.survey.analysis.summary import Summary
from kilter.survey.analysis.uniformity import PlaceQuality
from tests.reports.cases import case
from tests.reports.distinct import Book, normal
from tests.reports.study_table import (
    QUESTIONS,
    STUDY,
    faked,
)


@case("position_report", "questionnaire_report")
def test_columns_of_position_report_and_questionnaire_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    for by in ("position", "questionnaire"):
        places = tuple(
            book.make(
                PlaceQuality, by, str(k),
                answers={name: book.make(Summary, by, str(k), "answers", name) for name in QUESTIONS},
                kinds={kind: book.make(int, by, str(k), "kinds", kind) for kind in ("swap", "plain")},
            )
            for k in range(2)
        )  # fmt: skip
        analyses = {f"quality_by_{by}": lambda _, found=places: found}
        faked(uniformity, monkeypatch, **analyses)
        report = getattr(uniformity, f"{by}_report")(STUDY)
        for table in (report.data, *report.tables):
            for place, row in zip(places, table.rows, strict=True):
                for column, cell in zip(table.columns, row, strict=True):
                    path = book.places[cell]
                    assert book.objects[path[:2]] is place
                    title = {by: "place"}.get(column, column)
                    title = re.sub(r"_n$", "_count", title)
                    mean = table is not report.data and normal(column) in (
                        *QUESTIONS, "rank_score", "degree_score",
                    )  # fmt: skip
                    assert book.named(f"{title}_mean" if mean else title, path), (column, path)
