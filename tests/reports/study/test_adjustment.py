"""Whoever asks for no adjustment is told that there was none."""

from kilter.reports.study.adjustment import adjustment_report, effect_report
from tests.survey.analysis.studies import crossed

NONE = ("Judgments were not adjusted, as asked for.",)


def test_reports_without_adjustments_say_so() -> None:
    made = crossed([[1, 3, 5], [2, 3, 4]])
    assert adjustment_report(made, {}).text == NONE
    assert effect_report({}, simulated=False).text == NONE
