"""How far participants are."""

from kilter.study.store.participant import STEPS, Stage
from tests.study.people import person


def test_a_participant_is_at_the_first_step_that_was_not_taken() -> None:
    taken = [person(1, **dict.fromkeys(STEPS[:count], 1.0)) for count in range(len(STEPS) + 1)]
    assert [each.stage for each in taken] == [
        Stage.INFORMATION, Stage.CONSENT, Stage.ABOUT, Stage.SAMPLE, Stage.ITEMS, Stage.SUBMITTED,
    ]  # fmt: skip


def test_whoever_has_withdrawn_is_at_no_other_step() -> None:
    assert {
        person(1, withdrawn_at=2.0, **dict.fromkeys(steps, 1.0)).stage for steps in ((), STEPS)
    } == {Stage.WITHDRAWN}
