"""Pictures of the course of a study."""

import re

from kilter.study.analysis.study_course import course_pictures
from kilter.study.store.study_course import StudyCourse


def test_pictures_hold_every_number_of_the_course_for_screen_readers_and_eyes() -> None:
    course = StudyCourse(("Monday", "Tuesday"), (2, 7), (1, 3), (11, 45))
    people, items = course_pictures(course, str.upper)
    assert "PARTICIPANTS by COURSE_TIME" in people
    assert "STARTED: Monday: 2, Tuesday: 7; SUBMITTED: Monday: 1, Tuesday: 3" in people
    assert "ITEMS_ANSWERED: Monday: 11, Tuesday: 45" in items
    for picture in (people, items):
        assert "<polyline" in picture
        # The policy of the survey's pages takes no style from inside a page.
        assert "style=" not in picture
        assert "<style" not in picture
        assert "<script" not in picture
        assert re.search(r'role="img" aria-labelledby="[^"]+"', picture)
