"""People who are simulated."""

from dataclasses import replace
from typing import Any

from kilter.study.simulation.simulated_person import simulated_person
from kilter.study.store.participant import Participant
from tests.study.simulation.created import Created


def languages(person: Participant) -> int:
    """How many languages a person says to know."""
    assert person.personal is not None
    listed = person.personal["languages"]
    assert isinstance(listed, list)
    return len(listed)


def test_simulated_people_answer_within_the_bounds_of_questions(small: Created) -> None:
    study = small[0]
    people = [
        simulated_person(study, seed=1, number=number, questionnaire=1) for number in range(1, 400)
    ]
    said = {question.name: question for question in study.questions}
    assert {person.personal["age"] for person in people if person.personal} == {*range(18, 66)}
    for person in people:
        assert person.personal is not None
        for name, value in person.personal.items():
            question = said[name]
            if isinstance(value, int):
                assert question.low <= value <= question.high
            elif isinstance(value, list):
                assert 1 <= len(value) <= question.rows
                assert value[0]["fluency"] in question.options[-2:]
                assert len({entry["name"] for entry in value}) == len(value)
    assert {languages(person) for person in people} == {1, 2, 3, 4}
    narrow = replace(study, questions=tuple(replace(q, rows=2) for q in study.questions))
    for number in range(1, 40):
        person = simulated_person(narrow, seed=1, number=number, questionnaire=1)
        assert 1 <= languages(person) <= 2


def test_simulated_people_come_from_the_groups_of_the_study_if_it_names_some(
    small: Created,
) -> None:
    study = small[0]
    assert simulated_person(study, seed=1, number=1, questionnaire=1).recruitment_group is None
    grouped = replace(study, recruitment=replace(study.recruitment, groups=("staff", "students")))
    people = [
        simulated_person(grouped, seed=1, number=number, questionnaire=1) for number in range(1, 40)
    ]
    assert {person.recruitment_group for person in people} == {"staff", "students"}
    alone = simulated_person(study, seed=1, number=7, questionnaire=1)
    assert people[6].personal == alone.personal


def test_what_simulated_people_say_of_themselves_agrees(small: Created) -> None:
    """Years of English lie within the age, and only the first language is spoken like one's own."""
    study = small[0]
    years = list[int]()
    for number in range(1, 400):
        personal = simulated_person(study, seed=1, number=number, questionnaire=1).personal
        said: dict[str, Any] = dict(personal or {})
        native = said["first_language_english"] == "yes"
        assert (said["languages"][0]["fluency"] == "native") is native
        assert ("years_fluent" in said) is not native
        if not native:
            assert 0 < said["years_fluent"] <= said["age"] - 5
            years.append(said["years_fluent"])
    assert {*range(1, 14)} < {*years}
