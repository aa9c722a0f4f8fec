"""Figures of participants show effects, intervals and means."""

from kilter.study.analysis.adjustment import adjust
from kilter.study.chapter.adjustment import adjusted_figures, effect_figures
from tests.render.picture import parsed, texts
from tests.study.analysis.studies import crossed

LEVELS = [[1, 2, 3, 4], [2, 3, 4, 5], [1, 1, 2, 3]]


def test_effects_are_listed_from_the_most_severe_to_the_mildest() -> None:
    found = adjust(crossed(LEVELS), "order")
    (picture,) = effect_figures(found, simulated=False)
    shown = texts(picture)
    assert [text for text in shown if text in ("p0", "p1", "p2")] == ["p2", "p0", "p1"]
    for entry in found.effects:
        assert f"{entry.effect:+.3f} (n = 4)" in shown
    dots = [float(dot.get("cx", "")) for dot in parsed(picture).findall(".//{*}circle")]
    assert dots == sorted(dots)


def test_one_participant_has_an_effect_without_an_interval_and_the_reason_below() -> None:
    shown = texts(*effect_figures(adjust(crossed([[1, 2, 3]]), "order"), simulated=False))
    assert any("Variance of participants: undefined: " in text for text in shown)


def test_original_and_adjusted_means_stand_on_one_line() -> None:
    made = crossed([*LEVELS, [None] * 4])
    found = adjust(made, "order")
    shown = texts(*adjusted_figures(made, found, simulated=False))
    assert f"0.375, {0.375 - found.effects[0].effect:.3f}" in shown
    assert "undefined: there is no answer" in shown
    assert any(
        text.startswith("t-test between original and adjusted scores: t = ") for text in shown
    )
