"""How a score comes about, step by step."""

import pytest

from kilter.results.measure import Working, WorkingStep, part_steps
from tests.working import followed

STEPS = (WorkingStep("m", "matches", 3), WorkingStep("score", "share", 0.5, "m / 6"))


def test_the_score_is_the_value_of_the_last_step() -> None:
    assert Working(STEPS).score == 0.5


def test_a_working_is_written_with_its_formulas() -> None:
    assert Working(STEPS).to_dict() == [
        {"name": "m", "meaning": "matches", "formula": "", "value": 3},
        {"name": "score", "meaning": "share", "formula": "m / 6", "value": 0.5},
    ]


@pytest.mark.parametrize("steps", [(), (STEPS[0], STEPS[0])])
def test_steps_without_names_of_their_own_are_refused(steps: tuple[WorkingStep, ...]) -> None:
    with pytest.raises(ValueError, match="a name of its own"):
        Working(steps)


def test_steps_of_a_part_have_names_of_their_own_in_formulas_too() -> None:
    both = (*part_steps(STEPS, "one"), *part_steps(STEPS, "other"))
    assert [step.name for step in both] == ["one_m", "one_score", "other_m", "other_score"]
    assert both[3].formula == "other_m / 6"
    followed(Working(both))


def test_functions_in_formulas_of_a_part_keep_their_names() -> None:
    (only,) = part_steps([WorkingStep("e", "power", 1.0, "exp(min(0, 1))")], "part")
    assert only.formula == "exp(min(0, 1))"


def test_a_formula_that_does_not_give_its_value_is_noticed() -> None:
    with pytest.raises(AssertionError):
        followed(Working((WorkingStep("a", "one", 1), WorkingStep("b", "two", 3.0, "a + 1"))))
