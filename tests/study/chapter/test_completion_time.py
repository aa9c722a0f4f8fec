"""Completion times as tables, sentences and figures."""

from dataclasses import replace

import numpy as np
import pytest

from kilter.study.analysis.completion_time import CompletionTimes
from kilter.study.chapter import completion_time
from kilter.study.chapter.completion_time import completion_report
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.picture import texts
from tests.render.study_table import STUDY, check_report, faked
from tests.study.analysis.studies import crossed


@case("completion_report")
def test_columns_of_completion_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = book.make(CompletionTimes, "all")
    faked(completion_time, monkeypatch, completion_times=lambda _: made)
    report = completion_time.completion_report(STUDY)
    check_report(book, report, shown=False)
    measures = [made.seconds, made.first_half, made.second_half, made.minutes]
    for row, summary in zip(report.tables[0].rows, measures, strict=True):
        assert row[1:4] == (summary.count, summary.missing, summary.mean)


def test_the_fastest_participant_stands_first() -> None:
    made = replace(crossed([[1, 2], [2, 3]]), seconds=np.array([60.0, 120.0, 30.0, 30.0]))
    report = completion_report(made)
    assert report.text == (
        (
            "The median judgment took 45.0 seconds (45.0 in the first half of the questionnaire, 75.0 in the second), "
            "and the median participant 2.0 minutes for all judgments, from 1.0 to 3.0."
        ),
    )
    shown = texts(report.figures[0].svg)
    assert shown.index("p1") < shown.index("p0")
    assert completion_report(crossed([[1]])).text == ("How long judgments took is not known.",)
