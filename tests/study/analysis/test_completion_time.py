"""Times of judgments and of participants, added up by hand."""

from dataclasses import replace

import numpy as np
import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis import completion_time
from kilter.study.analysis.completion_time import (
    CompletionTimes,
    completion_report,
    completion_times,
)
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.picture import texts
from tests.render.study_table import STUDY, check_report, faked
from tests.study.analysis.studies import crossed


def test_seconds_of_judgments_make_minutes_of_participants() -> None:
    seconds = np.array([30.0, 30.0, 60.0, np.nan, np.nan, np.nan, 10.0, 20.0, 30.0])
    found = completion_times(replace(crossed([[1, 2, 3]] * 3), seconds=seconds))
    assert (found.seconds.count, found.seconds.missing, found.seconds.median) == (6, 3, 30.0)
    first, second, third = found.participants
    assert (first.minutes, first.median_seconds, first.timed) == (2.0, 30.0, 3)
    assert (second.minutes, second.missing) == (Undefined("no time is known"), 3)
    assert third.minutes == 1.0
    assert (found.minutes.count, found.minutes.missing, found.minutes.mean) == (2, 1, 1.5)
    # Of three positions the first is in the first half.
    assert (found.first_half.count, found.first_half.median) == (2, 20.0)
    assert (found.second_half.count, found.second_half.median) == (4, 30.0)


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
