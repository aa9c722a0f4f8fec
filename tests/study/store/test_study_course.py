"""The course of a study, counted by hand."""

from datetime import UTC, datetime, timedelta

from kilter.study.store.study_course import study_course
from tests.study.people import person

START = datetime(2026, 3, 30, 22, 30, tzinfo=UTC)


def at(**passed: float) -> float:
    return (START + timedelta(**passed)).timestamp()


def test_nobody_came_and_there_is_no_course() -> None:
    assert study_course([person(1), person(2)], []) is None


def test_a_day_is_shown_by_hours_and_everything_is_counted_from_the_beginning() -> None:
    people = [
        person(1, informed_at=at()),
        person(2, informed_at=at(minutes=29), submitted_at=at(minutes=31)),
        person(3, informed_at=at(hours=2), submitted_at=at(hours=2, minutes=20)),
        person(4),
    ]
    course = study_course(people, [at(minutes=5), at(minutes=6), at(hours=2, minutes=1)])
    assert course is not None
    assert course.labels == ("30. 22:00", "30. 23:00", "31. 00:00")
    assert course.started == (2, 2, 3)
    assert course.submitted == (0, 1, 2)
    assert course.answered == (2, 2, 3)


def test_steps_grow_with_the_time_and_nobody_is_lost() -> None:
    for days, step in ((2, 1 / 24), (3, 1), (59, 1), (61, 7), (410, 7), (500, 28), (3000, 28)):
        people = [person(1, informed_at=at()), person(2, informed_at=at(days=days))]
        course = study_course(people, [])
        assert course is not None
        assert course.started[0] == 1
        assert course.started[-1] == 2
        assert abs(len(course.labels) - days / step) <= 2
        assert len({len(course.labels), len(course.submitted), len(course.answered)}) == 1
