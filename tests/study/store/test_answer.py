"""Answers: saved, taken back, closed, and the time they took."""

import threading
import time
from collections.abc import Callable

import pytest

from kilter.core.errors import InputError
from kilter.study.store.admission import ANY_STEP, NotAdmittedError, Refusal, Step, admit
from kilter.study.store.answer import PaperAnswers, Timing
from kilter.study.store.participant import STEPS, Stage
from kilter.study.store.participant_session import VISIT_SECONDS
from kilter.study.store.running_study import RunningStudy
from tests.study.conftest import on_every_database
from tests.study.stored import Clock, joined

Writes = list[Callable[[], None]]


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
    with pytest.raises(NotAdmittedError):
        store.answers.save(person.id, 1, {"holistic": 4})
    with pytest.raises(NotAdmittedError):
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
    with pytest.raises(NotAdmittedError):
        store.answers.save(person.id, 1, {"order": 5})
    with pytest.raises(NotAdmittedError):
        store.participants.advance(person.id, personal={"age": 30})
    with pytest.raises(NotAdmittedError):
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

    def refused(token: str = visit, *, number: int = person.id) -> Refusal | None:
        """Try everything that writes for a participant, and return why it is refused; then nothing has changed."""
        before = store.answers.of(person.id), store.participants.all()
        given = {"holistic": 1 + before[0].get(7, {}).get("holistic", 0), "order": None}
        step = Step((Stage.ITEMS,), token)
        try:
            store.answers.save(number, 7, given, step=step)
        except NotAdmittedError as error:
            writes: Writes = [
                lambda: store.participants.advance(number, step, personal={"age": 3}),
                lambda: store.participants.submit(number, step),
            ]
            for write in writes:
                with pytest.raises(NotAdmittedError, match=f"not admitted: {error.reason}"):
                    write()
            assert (store.answers.of(person.id), store.participants.all()) == before
            return error.reason
        assert store.answers.of(person.id) == {7: {"holistic": given["holistic"]}}
        return None

    store.participants.advance(person.id, **dict.fromkeys(STEPS[:-1], clock.now))
    for step in STEPS[:-1]:
        store.participants.advance(person.id, **{step: None})
        assert refused() is Refusal.OTHER_STAGE, f"without {step}"
        store.participants.advance(person.id, **{step: clock.now})
    assert refused() is None
    assert refused() is None
    other = joined(running_study)
    assert refused(store.participants.join()) is Refusal.NO_VISIT, "a link is no visit"
    assert refused(store.visits.begin(other.id)) is Refusal.NO_VISIT, "nor is another's"
    assert refused(number=10_000) is Refusal.NO_VISIT
    store.pause(paused=True)
    assert refused() is Refusal.PAUSED
    store.pause(paused=False)
    assert refused() is None
    clock.now += VISIT_SECONDS + 1
    assert refused() is Refusal.NO_VISIT, "a visit that is over"
    visit = store.visits.begin(person.id)
    assert refused(visit) is None
    store.visits.end(visit)
    assert refused(visit) is Refusal.NO_VISIT, "a visit that was ended"
    visit = store.visits.begin(person.id)
    store.participants.submit(person.id)
    assert refused(visit) is Refusal.SUBMITTED
    store.close_study(unlink=False)
    assert refused(visit) is Refusal.SUBMITTED
    store.erase(person.id, judgments=False)
    visit = store.visits.begin(person.id)
    assert refused(visit) is Refusal.WITHDRAWN

    writes: Writes = [
        lambda: store.answers.save(other.id, 1, {"order": 1}),
        lambda: store.participants.advance(other.id, informed_at=clock.now),
        lambda: store.participants.submit(other.id),
    ]
    for write in writes:
        with pytest.raises(NotAdmittedError, match="not admitted: study closed"):
            write()
    assert store.answers.of(other.id) == {}


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_study_is_closed_when_answers_that_are_being_saved_are_kept(
    running_study: RunningStudy,
) -> None:
    store = running_study.store
    person = joined(running_study)
    with store._database.writing() as connection:
        admit(connection, person.id, ANY_STEP)
        closing = threading.Thread(target=lambda: store.close_study(unlink=False))
        closing.start()
        closing.join(0.3)
        assert closing.is_alive(), "it waits for whoever was admitted before"
    closing.join(30)
    assert store.state().closed_at is not None
    with pytest.raises(NotAdmittedError):
        store.answers.save(person.id, 1, {"order": 1})
