"""Progress, agreement and signs of attention, counted by hand on answers that were made up."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kilter.study.design.creation import draw_study
from kilter.study.design.item import Item, Questionnaire
from kilter.study.design.study import Study
from kilter.study.design.study_file import read_study
from kilter.study.instrument.question import QuestionKind
from kilter.study.store.collected_data import CollectedData, Quality
from tests.study.instruments import instrument_study
from tests.study.people import person

KINDS = ["translation"] * 11 + ["identical", "shuffled"]


def item(place: int, kind: str) -> Item:
    return Item(
        id=f"s{place}", kind=kind, system="a", pair="de-en", line=place + 1, hypothesis="x",
        reference="y", shared=place < 3,
    )  # fmt: skip


ITEMS = {f"s{place}": item(place, kind) for place, kind in enumerate(KINDS)}
LISTS = [Questionnaire(1, ("s0", "s1")), Questionnaire(2, tuple(ITEMS))]
BEGUN: dict[str, Any] = dict.fromkeys(
    ("informed_at", "consented_at", "described_at", "sampled_at"), 1.0
)


@pytest.fixture(scope="module")
def study(created: Path) -> Study:
    return read_study(created)


def collected(study: Study, people: list[Any], answers: Any, seconds: Any = None) -> CollectedData:
    return CollectedData(study, ITEMS, LISTS, people, answers, seconds or {})


def both(value: int) -> dict[str, int]:
    return {"holistic": value, "order": value}


def quality(
    study: Study, answers: dict[int, int], seconds: dict[int, float] | None = None
) -> Quality:
    """Return the signs of one participant who gives the same answer to both questions."""
    (found,) = collected(
        study,
        [person(1, **BEGUN)],
        {(1, position): both(value) for position, value in answers.items()},
        {(1, position): spent for position, spent in (seconds or {}).items()},
    ).quality()
    return found


def test_progress_counts_people_by_stage_and_items_with_an_answer(study: Study) -> None:
    people = [
        person(1),  # has not looked at anything
        person(2, informed_at=1.0),
        person(3, **BEGUN),
        person(4, **BEGUN, submitted_at=2.0),
        person(5, **BEGUN, withdrawn_at=2.0),  # and left two judgments
        person(6, informed_at=1.0, withdrawn_at=2.0),  # and left none
        person(7, **BEGUN, questionnaire=1),
    ]
    answers = {
        (3, 1): both(1),
        (4, 1): both(1), (4, 2): {"order": 2}, (4, 13): both(1),
        (5, 2): both(3), (5, 3): both(3),
    }  # fmt: skip
    seconds = {(3, 1): 5.0, (4, 1): 7.0, (4, 2): 100.0, (6, 1): 1000.0, (7, 1): 2000.0}
    first, second = collected(study, people, answers, seconds).progress()
    assert (second.participants, second.started, second.submitted, second.withdrawn) == (6, 5, 1, 2)
    # Those at the items, those who submitted, and whoever left judgments: three people, 13 items each.
    assert (second.answered, second.expected) == (1 + 3 + 2, 3 * 13)
    assert second.median_seconds == 7.0  # of 5, 7 and 100
    assert (first.participants, first.answered, first.expected) == (1, 0, 2)
    assert first.median_seconds is None


@pytest.mark.parametrize(
    ("answers", "failed"),
    [
        ({12: 4, 13: 2}, 0),
        ({12: 5, 13: 3}, 0),
        ({12: 3, 13: 1}, 1),
        ({12: 4, 13: 4}, 1),
        ({12: 1, 13: 5}, 2),
        ({1: 1}, 0),
    ],
)
def test_a_control_fails_on_the_wrong_half_of_the_scale(
    study: Study, answers: dict[int, int], failed: int
) -> None:
    # The middle is no answer to a sentence that is perfect; a shuffled one may well deserve it.
    found = quality(study, answers)
    assert (found.controls, found.controls_failed) == (sum(p > 11 for p in answers), failed)
    assert found.is_doubtful is (failed > 0)


@pytest.mark.parametrize("run", [1, 2, 9, 10, 11])
def test_ten_same_answers_in_a_row_are_doubtful(study: Study, run: int) -> None:
    answers = {position: 3 if position <= run else 1 + position % 2 for position in range(1, 12)}
    found = quality(study, answers)
    assert found.longest_run == run
    assert found.is_doubtful is (run >= 10)
    assert found.answered == 11


def test_an_item_without_answer_is_no_part_of_a_run(study: Study) -> None:
    assert quality(study, {1: 3, 2: 3, 5: 3, 6: 2}).longest_run == 3


@pytest.mark.parametrize(
    ("seconds", "fast", "middle"),
    [
        ([1.0, 2.9, 3.0, 8.0], 0.5, 2.95),
        ([1.0, 2.0, 2.9, 8.0], 0.75, 2.45),
        ([3.0, 3.1], 0.0, 3.05),
    ],
)
def test_answers_in_less_than_three_seconds_are_fast(
    study: Study, seconds: list[float], fast: float, middle: float
) -> None:
    answers = {position: 1 + position % 5 for position in range(1, len(seconds) + 1)}
    found = quality(study, answers, dict(enumerate(seconds, start=1)))
    assert found.fast == fast
    assert found.median_seconds == pytest.approx(middle)
    assert found.is_doubtful is (fast > 0.5)
    assert quality(study, answers).fast is None


def test_agreement_is_that_on_shared_items(study: Study) -> None:
    people = [person(number, **BEGUN) for number in (1, 2)]
    answers = {(1, 1): both(1), (2, 1): both(1), (1, 2): both(5), (2, 2): both(5)}
    apart = {(1, 4): both(1), (2, 4): both(5)}  # the fourth item is not shared
    assert collected(study, people, answers | apart).agreement() == {"holistic": 1.0, "order": 1.0}
    assert collected(study, people, apart).agreement() == {"holistic": None, "order": None}


def test_answers_on_a_slider_differ_by_their_distance(study: Study) -> None:
    question = replace(study.instrument.questions[0], kind=QuestionKind.SLIDER, low=0, high=10)
    sliding = replace(study, instrument=replace(study.instrument, questions=(question,)))
    name = question.name
    people = [person(number, **BEGUN) for number in (1, 2)]
    values = {(1, 1): 0, (2, 1): 1, (1, 2): 10, (2, 2): 9, (1, 3): 4, (2, 3): 4}
    found = collected(sliding, people, {key: {name: value} for key, value in values.items()})
    # Krippendorff: 1 - mean squared difference within pairs / that among all six answers.
    within = [(0 - 1) ** 2, (10 - 9) ** 2, 0]
    given = [0, 1, 10, 9, 4, 4]
    among = [(a - b) ** 2 for i, a in enumerate(given) for b in given[:i]]
    expected = 1 - (sum(within) / 3) / (sum(among) / len(among))
    assert found.agreement()[name] == pytest.approx(expected)


def test_translations_that_are_shown_together_are_judged_one_by_one(tmp_path: Path) -> None:
    folder = instrument_study(tmp_path, "together", items=2, rest="shared = true\n")
    design = draw_study(folder).design
    items = {each.id: each for each in design.items}
    answers = {(1, 2): {"rating.1": 0, "rating.3": 6}, (2, 2): {"rating.1": 0, "rating.3": 5}}
    people = [person(number, **BEGUN) for number in (1, 2)]
    data = CollectedData(
        read_study(folder), items, design.questionnaires, people, answers, {(1, 2): 9.0}
    )
    judged = [*data.judgments(people[0])]
    assert [(each.position, each.slot) for each in judged] == [
        (position, slot) for position in (1, 2) for slot in (1, 2, 3, 4, 5)
    ]
    assert [each.answers["rating"] for each in judged] == [None] * 5 + [0, None, 6, None, None]
    shown = items[design.questionnaires[1].items[1]]
    assert [each.item for each in judged[5:]] == list(shown.parts)
    assert {each.seconds for each in judged[5:]} == {9.0}
    progress = data.progress()[1]
    assert (progress.answered, progress.expected) == (2, 4)
    alpha = data.agreement()["rating"]
    # Ordinal, of (0, 0) and (6, 5): 1 - 0.5 / 3.
    assert alpha == pytest.approx(5 / 6)
