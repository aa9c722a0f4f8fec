"""Participants: who may come in, and where they are put."""

import threading

import pytest

from kilter.core.errors import InputError
from kilter.study.password import participant_code
from kilter.study.store.answer import PaperAnswers
from kilter.study.store.participant import FullError, Stage
from kilter.study.store.running_study import RunningStudy
from tests.study.conftest import on_every_database
from tests.study.stored import joined


@on_every_database
def test_places_are_never_given_twice_to_people_who_come_at_once(
    running_study: RunningStudy,
) -> None:
    store = running_study.store
    limit = store.state().open_limit
    tokens: list[str] = []
    refused: list[bool] = []

    def come() -> None:
        for _ in range(10):
            try:
                tokens.append(store.participants.join())
            except FullError:
                refused.append(True)

    threads = [threading.Thread(target=come) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({*tokens}) == limit == 40
    assert len(refused) == 20
    spread = [row.participants for row in running_study.collected().progress()]
    assert spread == [11, 11, 11, 11]


def test_whoever_has_withdrawn_does_not_count_when_people_are_spread(
    running_study: RunningStudy,
) -> None:
    store = running_study.store
    people = [joined(running_study) for _ in range(6)]
    assert [person.questionnaire for person in people] == [1, 2, 3, 4, 1, 2]
    for place in (2, 1, 5):  # the only one of 3, both of 2
        store.erase(people[place].id, judgments=place != 1)
    assert [joined(running_study).questionnaire for _ in range(4)] == [2, 3, 2, 3]


def test_a_link_counts_when_it_is_used_and_not_before(running_study: RunningStudy) -> None:
    store = running_study.store
    used = [store.participants.find(store.participants.link_token(link)) for link in (1, 2)]
    for person in used:
        assert person is not None
        store.participants.advance(person.id, informed_at=1.0)
    assert [joined(running_study).questionnaire for _ in range(3)] == [3, 4, 1]


def test_people_on_paper_take_no_place_of_open_recruitment(running_study: RunningStudy) -> None:
    store = running_study.store
    store.answers.enter([PaperAnswers(f"person {number}", 1) for number in range(60)])
    assert store.participants.has_place()
    assert joined(running_study).questionnaire == 2
    (person,) = [p for p in store.participants.all() if p.id == 5]
    assert (person.origin, person.questionnaire, person.stage) == ("paper", 1, Stage.SUBMITTED)


def test_a_paused_study_lets_nobody_in(running_study: RunningStudy) -> None:
    running_study.store.pause(paused=True)
    with pytest.raises(FullError):
        running_study.store.participants.join()
    running_study.store.pause(paused=False)
    assert running_study.store.participants.join()


def test_somebody_is_named_by_link_token_or_code_of_the_export(running_study: RunningStudy) -> None:
    participants = running_study.store.participants
    token = participants.join()
    person = participants.find(token)
    assert person is not None
    code = participant_code(running_study.keys.secret, person.code_name)
    for name in (token, f"https://example.org/p/{token} ", code):
        assert participants.named(name) == person
    assert participants.named("nobody") is None
    assert participants.named("") is None


@on_every_database
def test_links_carry_the_group_that_people_were_recruited_by(running_study: RunningStudy) -> None:
    store = running_study.store
    store.extend(links=2, group="students")
    store.participants.label_links([1, 2], "staff")
    groups = {person.link: person.recruitment_group for person in store.participants.all()}
    assert groups == {1: "staff", 2: "staff", 3: None, 4: None, 5: "students", 6: "students"}
    assert joined(running_study).recruitment_group is None


@on_every_database
def test_a_link_that_is_not_there_changes_the_group_of_none(running_study: RunningStudy) -> None:
    participants = running_study.store.participants
    with pytest.raises(InputError, match="there is no link 5"):
        participants.label_links([4, 5], "staff")
    assert {person.recruitment_group for person in participants.all()} == {None}


@on_every_database
def test_whoever_withdraws_leaves_no_group_behind(running_study: RunningStudy) -> None:
    store = running_study.store
    store.participants.label_links([1], "patients of one doctor")
    (person,) = [each for each in store.participants.all() if each.link == 1]
    store.erase(person.id, judgments=False)
    assert {each.recruitment_group for each in store.participants.all()} == {None}
