"""Figures of agreement show coefficients, or reasons in their place."""

from kilter.reports.study.judge_agreement import agreement_figure, leave_one_out_figure
from kilter.survey.analysis.judge_agreement import judge_agreement
from tests.reports.picture import texts
from tests.survey.analysis.studies import crossed

LEVELS = [[1, 2, 3, 4], [2, 3, 4, 5], [1, 1, 2, 3]]


def test_agreement_shows_its_coefficients_or_reasons() -> None:
    made = crossed(LEVELS)
    found = [judge_agreement(made, question) for question in ("holistic", "order")]
    shown = texts(agreement_figure(found, simulated=False))
    for alpha in found[0].alpha.values():
        assert f"{alpha:.3f}" in shown
    assert any(text.endswith("(3 pairs)") for text in shown)
    others = texts(leave_one_out_figure(found, simulated=False))
    assert {"p0", "p1", "p2", "1.000, 1.000 (4)"} <= set(others)
    alone = agreement_figure([judge_agreement(crossed([[1, 2]]), "order")], simulated=False)
    assert "undefined: no sentence was judged by two participants" in texts(alone)
