"""Whoever asks for no adjustment is told that there was none."""

from kilter.study.analysis.adjustment import Estimator, adjust
from kilter.study.chapter.adjustment import adjustment_report, effect_report
from tests.study.analysis.studies import crossed

NONE = ("Judgments were not adjusted, as asked for.",)


def test_reports_without_adjustments_say_so() -> None:
    made = crossed([[1, 3, 5], [2, 3, 4]])
    assert adjustment_report(made, {}).text == NONE
    assert effect_report({}, simulated=False).text == NONE


def test_notes_are_about_the_first_question() -> None:
    made = crossed([[1, 3, 5], [2, 3, 4], [1, 2, 5]])
    first, second = (adjust(made, "order", estimator=each) for each in Estimator)
    for listed, said in (((first, second), "in closed form"), ((second, first), "by restricted")):
        notes = adjustment_report(made, dict(zip(("order", "holistic"), listed, strict=True))).notes
        assert f"Effects are estimated {said}" in notes[1]
