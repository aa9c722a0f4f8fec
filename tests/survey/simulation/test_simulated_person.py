"""People who are simulated."""

from dataclasses import replace

from kilter.survey.simulation.simulated_person import simulated_person
from tests.survey.simulation.created import Created


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
    first = {len(person.personal["languages"]) for person in people if person.personal}
    assert first == {1, 2, 3, 4}
    narrow = replace(study, questions=tuple(replace(q, rows=2) for q in study.questions))
    for number in range(1, 40):
        person = simulated_person(narrow, seed=1, number=number, questionnaire=1)
        assert person.personal is not None
        assert 1 <= len(person.personal["languages"]) <= 2
