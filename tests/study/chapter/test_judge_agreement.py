"""Figures of agreement show coefficients, or reasons in their place."""

import pytest

from kilter.study.analysis.judge_agreement import judge_agreement
from kilter.study.chapter.judge_agreement import agreement_figure, leave_one_out_figures
from tests.render.picture import parsed, texts
from tests.study.analysis.studies import crossed

LEVELS = [[1, 2, 3, 4], [2, 3, 4, 5], [1, 1, 2, 3]]


def test_agreement_shows_its_coefficients_or_reasons() -> None:
    made = crossed(LEVELS)
    found = [judge_agreement(made, question) for question in ("holistic", "order")]
    shown = texts(agreement_figure(found, simulated=False))
    for alpha in found[0].alpha.values():
        assert f"{alpha:.3f}" in shown
    assert any(text.endswith("(3 pairs)") for text in shown)
    many = judge_agreement(crossed([row * 4 for row in LEVELS]), "order")
    others = texts(*leave_one_out_figures([many], simulated=False))
    assert {"p0", "p1", "p2", "1.000 (16)"} <= set(others)
    alone = agreement_figure([judge_agreement(crossed([[1, 2]]), "order")], simulated=False)
    assert "undefined: no sentence was judged by two participants" in texts(alone)


def test_a_kappa_is_drawn_from_the_lowest_to_the_highest_of_all_pairs() -> None:
    found = judge_agreement(crossed(LEVELS), "order")
    kappas = [kappa for kappa in found.kappa.values() if isinstance(kappa.mean, float)]
    assert all(isinstance(kappa.lowest, float) for kappa in kappas)
    picture = parsed(agreement_figure([found], simulated=False))
    numbers = {text.text: float(text.get("x", "")) for text in picture.findall(".//{*}text")}
    zero, one = numbers["0"], numbers["1"]
    drawn = [
        tuple((float(line.get(end, "")) - zero) / (one - zero) for end in ("x1", "x2"))
        for line in picture.findall(".//{*}line")
        if line.get("stroke-width") == "2"
    ]
    for kappa in kappas:
        ends = (kappa.lowest, kappa.highest)
        assert any(line == pytest.approx(ends, abs=0.001) for line in drawn)
