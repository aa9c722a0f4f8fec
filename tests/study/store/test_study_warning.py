"""What stands out in a study, made up by hand."""

from pathlib import Path

import pytest

from kilter.study.design.study import Study
from kilter.study.design.study_file import read_study
from kilter.study.store.study_warning import StudyWarning, WarningKind, study_warnings
from tests.study.people import person
from tests.study.store.test_collected_data import BEGUN, both, collected

LAST = 13  # items of the second questionnaire; 12 is identical, 13 shuffled


@pytest.fixture(scope="module")
def study(created: Path) -> Study:
    return read_study(created)


def found(warnings: list[StudyWarning]) -> list[tuple[str, object, dict[str, float]]]:
    return [
        (str(each.kind), getattr(each.subject, "id", each.subject), dict(each.numbers))
        for each in warnings
        if each.kind is not WarningKind.AGREEMENT
    ]


def test_careless_people_are_named_with_every_reason(study: Study) -> None:
    people = [person(number, **BEGUN) for number in (1, 2, 3)]
    answers = {}
    seconds = {}
    for place in range(1, LAST + 1):
        careful = {12: 5, 13: 1}.get(place, 1 + place % 4)
        answers[1, place] = both(careful)
        answers[2, place] = both(5)  # always the same, and so the shuffled one is missed
        answers[3, place] = both(careful)
        seconds[3, place] = 2.0 if place <= 7 else 9.0
    warned = study_warnings(collected(study, people, answers, seconds))
    assert found(warned) == [
        ("controls", 2, {"failed": 1, "controls": 2}),
        ("run", 2, {"items": 13}),
        ("fast", 3, {"percent": 54}),
    ]


@pytest.mark.parametrize(
    ("people", "spent", "warned"), [(3, 31.0, True), (3, 30.0, False), (2, 31.0, False)]
)
def test_an_item_is_slow_that_takes_three_people_three_times_as_long(
    study: Study, *, people: int, spent: float, warned: bool
) -> None:
    listed = [person(number, **BEGUN) for number in range(1, people + 1)]
    answers = {
        (p.id, place): both(1 + (place + p.id) % 4) for p in listed for place in (1, 2, 3, 4)
    }
    seconds = {key: spent if key[1] == 3 else 10.0 for key in answers}
    slow = [("slow", "s2", {"seconds": 31.0, "usual": 10.0})]
    assert found(study_warnings(collected(study, listed, answers, seconds))) == (
        slow if warned else []
    )


@pytest.mark.parametrize("agree", [True, False])
def test_a_question_about_which_people_do_not_agree_is_named(study: Study, *, agree: bool) -> None:
    listed = [person(number, **BEGUN) for number in (1, 2)]
    answers = {
        (1, 1): both(1),
        (1, 2): both(5),
        (2, 1): both(1 if agree else 5),
        (2, 2): both(5 if agree else 1),
    }
    warned = study_warnings(collected(study, listed, answers))
    assert [str(each.subject) for each in warned] == ([] if agree else ["holistic", "order"])
    assert {each.kind for each in warned} <= {WarningKind.AGREEMENT}
