"""Figures for planning show sizes and powers."""

from kilter.stats.significance import sample_size
from kilter.study.analysis.power import Power, Unit, power_figure
from kilter.study.analysis.sample_size import sample_size_figure
from tests.render.picture import overlaps, parsed, rises, texts


def test_sizes_fall_with_the_difference_and_are_those_of_the_formula() -> None:
    picture = sample_size_figure(deviation=0.2, powers=(0.8,), simulated=False)
    (curve,) = parsed(picture).findall(".//{*}polyline")
    places = [tuple(map(float, point.split(","))) for point in curve.get("points", "").split()]
    assert rises([x for x, _ in places])
    assert rises([y for _, y in places])
    description = parsed(picture).find("{*}desc")
    assert description is not None
    assert f"0.1: {sample_size(deviation=0.2, difference=0.1)}" in (description.text or "")
    assert overlaps(picture) == []


def test_power_is_drawn_with_its_interval() -> None:
    power = Power(
        question="order", unit=Unit.SENTENCES, level=0.05, repetitions=100, count=36, share=0.5,
        low=0.4, high=0.6, rho=0.2, deviation=0.1,
    )  # fmt: skip
    picture = power_figure({"order": [(8, power), (16, power)]}, x="participants", simulated=True)
    shown = texts(picture)
    assert {"SIMULATED DATA", "participants", "power", "order"} <= set(shown)
    assert any("Share of 100 simulated studies" in text for text in shown)
    nothing = power_figure({}, x="participants", simulated=False)
    assert "undefined: no power was simulated" in texts(nothing)
