"""Answers: saved, taken back, closed, and the time they took."""

import time

import pytest

from kilter.core.errors import InputError
from kilter.study.store.answer import PaperAnswers, Timing
from kilter.study.store.participant import STEPS, ClosedError, Stage
from kilter.study.store.participant_session import VISIT_SECONDS
from kilter.study.store.running_study import RunningStudy
from tests.study.conftest import on_every_database
from tests.study.stored import Clock, joined


@on_every_database
def test_an_answer_is_there_once_and_can_be_taken_back(running_study: RunningStudy) -> None:
    store = running_study.store
    person = store.participants.find(store.participants.join())
    assert person is not None
    store.answers.save(person.id, 2, {"holistic": 3, "order": 1})
    store.answers.save(person.id, 2, {"holistic": 5})
    assert store.answers.of(person.id) == {2: {"holistic": 5, "order": 1}}
    store.answers.save(person.id, 2, {"holistic": None, "order": None})
    assert store.answers.of(person.id) == {}


def test_looks_at_an_item_add_up(running_study: RunningStudy) -> None:
    store = running_study.store
    person = store.participants.find(store.participants.join())
    assert person is not None
    for visit, ago in (("a", 10.0), ("b", 5.0), ("a", 3.0)):
        store.answers.save(person.id, 1, {"holistic": 1}, timing=Timing(visit, time.time() - ago))
    assert store.answers.seconds()[person.id, 1] == pytest.approx(15.0, abs=4.0)


def test_closed_answers_stay_as_they_are(running_study: RunningStudy) -> None:
    store = running_study.store
    token = store.participants.join()
    person = store.participants.find(token)
    assert person is not None
    store.answers.save(person.id, 1, {"holistic": 3})
    store.participants.submit(person.id)
    with pytest.raises(ClosedError):
        store.answers.save(person.id, 1, {"holistic": 4})
    with pytest.raises(ClosedError):
        store.participants.submit(person.id)
    assert store.answers.of(person.id) == {1: {"holistic": 3}}
    erased = store.erase(person.id, judgments=False)
    assert (erased.judgments_removed, erased.judgments_left) == (0, 1)
    assert store.participants.find(token) is None
    (again,) = [someone for someone in store.participants.all() if someone.id == person.id]
    assert again.stage is Stage.WITHDRAWN


def test_times_are_never_negative_and_never_shrink_when_the_clock_is_set_back(
    running_study: RunningStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, store = Clock(monkeypatch, 0.0), running_study.store
    person = joined(running_study)
    saves = [  # time of the save, name of the visit, time at which the page was made
        (1000.0, "a", 990.0),
        (400.0, "a", 990.0),
        (500.0, "b", 800.0),
        (700.0, "c", 650.0),
        (690.0, "c", 650.0),
        (760.0, "c", 655.0),
    ]
    for now, visit, made in saves:
        clock.now = now
        store.answers.save(person.id, 3, {"order": 2}, timing=Timing(visit, made))
        assert store.answers.seconds()[person.id, 3] >= 0.0
    # 10 s; the page of b seems to be made after it was saved: 0 s; from 650 to the latest save of c.
    assert store.answers.seconds() == {(person.id, 3): 10.0 + 0.0 + 110.0}


def test_times_are_those_of_one_participant_and_item(
    running_study: RunningStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, store = Clock(monkeypatch, 100.0), running_study.store
    people = [joined(running_study) for _ in range(2)]
    expected = {}
    for place, person in enumerate(people):
        for position in (1, 2):
            spent = 10.0 * place + position
            made = clock.now - spent
            store.answers.save(person.id, position, {"order": 1}, timing=Timing("a", made))
            expected[person.id, position] = spent
    assert store.answers.seconds() == expected


def test_an_answer_taken_back_leaves_the_others_alone(running_study: RunningStudy) -> None:
    store = running_study.store
    first, second = joined(running_study), joined(running_study)
    for person in (first, second):
        for position in (1, 2):
            store.answers.save(person.id, position, {"holistic": 3, "order": 4})
    store.answers.save(first.id, 1, {"order": None})
    assert store.answers.of(first.id) == {1: {"holistic": 3}, 2: {"holistic": 3, "order": 4}}
    assert store.answers.of(second.id) == {
        position: {"holistic": 3, "order": 4} for position in (1, 2)
    }


def test_whoever_has_withdrawn_can_change_nothing(running_study: RunningStudy) -> None:
    store = running_study.store
    person = joined(running_study)
    store.answers.save(person.id, 1, {"order": 1})
    store.erase(person.id, judgments=False)
    with pytest.raises(ClosedError):
        store.answers.save(person.id, 1, {"order": 5})
    with pytest.raises(ClosedError):
        store.participants.advance(person.id, personal={"age": 30})
    with pytest.raises(ClosedError):
        store.participants.submit(person.id)
    assert store.answers.of(person.id) == {1: {"order": 1}}


def test_answers_on_paper_are_entered_all_or_none(running_study: RunningStudy) -> None:
    answers = running_study.store.answers
    first = PaperAnswers("first", 1, {1: {"holistic": 4, "order": None}}, {"age": 30})
    answers.enter([first])
    assert answers.has_entered("first")
    with pytest.raises(InputError, match="first was imported before; erase that participant first"):
        answers.enter([PaperAnswers("second", 2, {1: {"order": 2}}), first])
    assert not answers.has_entered("second")
    (kept,) = answers.all()
    assert (kept.position, kept.question, kept.value) == (1, "holistic", 4)


@on_every_database
def test_a_visit_takes_answers_from_whoever_may_give_them_now_and_from_nobody_else(
    running_study: RunningStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, store = Clock(monkeypatch, 1e9), running_study.store
    person = joined(running_study)
    visit = store.visits.begin(person.id)

    def saves(token: str = visit, *, questionnaire: int = person.questionnaire) -> bool:
        before = store.answers.of(person.id)
        given = {"holistic": 1 + before.get(7, {}).get("holistic", 0), "order": None}
        saved = store.answers.save_in_visit(token, 7, given, questionnaire=questionnaire)
        after = store.answers.of(person.id)
        assert after == ({7: {"holistic": given["holistic"]}} if saved else before)
        return saved

    store.participants.advance(person.id, **dict.fromkeys(STEPS[:-1], clock.now))
    for step in STEPS[:-1]:
        store.participants.advance(person.id, **{step: None})
        assert not saves(), f"without {step}"
        store.participants.advance(person.id, **{step: clock.now})
    assert saves()
    assert saves()
    assert not saves(store.participants.join()), "a link is no visit"
    assert not saves(questionnaire=person.questionnaire + 1)
    store.pause(paused=True)
    assert not saves()
    store.pause(paused=False)
    clock.now += VISIT_SECONDS / 2 + 1
    assert not saves(), "a visit that is half over is to be made longer first"
    assert store.visits.find(visit) is not None
    assert saves()
    store.participants.submit(person.id)
    assert not saves()

    other = joined(running_study)
    store.participants.advance(other.id, **dict.fromkeys(STEPS[:-1], clock.now))
    opened = store.visits.begin(other.id)
    for now, began in (
        (20.0, 5.0),
        (10.0, 5.0),
        (30.0, 29.0),
    ):  # the clock is set back and on again
        clock.now = 1e9 + now
        timing = Timing("look", 1e9 + began)
        number = other.questionnaire
        assert store.answers.save_in_visit(opened, 1, {}, questionnaire=number, timing=timing)
        assert store.answers.seconds()[other.id, 1] == max(15.0, now - 5.0)
    store.close_study(unlink=False)
    assert not store.answers.save_in_visit(opened, 1, {"order": 1}, questionnaire=number)
    assert store.answers.of(other.id) == {}
