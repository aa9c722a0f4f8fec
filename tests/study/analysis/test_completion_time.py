"""Times of judgments and of participants, added up by hand."""

from dataclasses import replace

import numpy as np

from kilter.stats.undefined import Undefined
from kilter.study.analysis.completion_time import completion_times
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
