"""Power by simulation: what counts as a study, and as a hit."""

from itertools import cycle, islice
from math import nan, sqrt
from statistics import stdev
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kilter.core.errors import OptionError
from kilter.stats.significance import sample_size
from kilter.stats.undefined import Undefined
from kilter.study.analysis import power
from kilter.study.analysis.adjustment import Adjustment
from kilter.study.analysis.power import (
    Power,
    PowerDesign,
    Unit,
    power_figure,
    share_interval,
    simulated_power,
)
from kilter.study.analysis.sample_size import sample_size_figure
from kilter.study.simulation.effect import Effects
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.picture import overlaps, parsed, rises, texts
from tests.render.study_table import QUESTIONS, STUDY, faked

LAYOUT = PowerDesign(participants=3, sentences=10, shared=4).layout(seed=1)


def correlated(monkeypatch: pytest.MonkeyPatch, rhos: list[float]) -> None:
    """Make every simulated study have the next of these correlations."""
    listed = cycle(rhos)

    def found(answers: NDArray[np.float64], _tool: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.array([*islice(listed, len(answers))])

    monkeypatch.setattr(power, "spearman", found)


def test_studies_without_a_correlation_stay_in_the_denominator(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    correlated(monkeypatch, [0.9, nan, 0.1, nan, 0.2])
    found = simulated_power(
        LAYOUT, effects=Effects(), question="order", accuracy=0.5, repetitions=10
    )
    # Of the 22 sentences rho = 0.9 is significant, 0.1 and 0.2 are not.
    assert (found.repetitions, found.count, found.share) == (10, 22, 0.2)
    assert (found.low, found.high) == share_interval(2, 10)
    assert found.rho == pytest.approx(0.4)
    assert found.deviation == pytest.approx(stdev([0.9, 0.1, 0.2] * 2))


@pytest.mark.parametrize("unit", Unit)
@pytest.mark.parametrize(("sentences", "known"), [(3, False), (14, False), (15, True)])
def test_a_study_of_fewer_than_15_sentences_shows_nothing(
    sentences: int, unit: Unit, *, known: bool
) -> None:
    """Of three sentences in a row a third had rho = 1 and p = 0."""
    layout = PowerDesign(participants=30, sentences=sentences, shared=sentences).layout(seed=1)
    found = simulated_power(
        layout, effects=Effects(), question="order", accuracy=0.9, unit=unit, repetitions=100
    )
    assert (found.share > 0.0) == known
    few = Undefined(f"{sentences} sentences; a correlation needs 15")
    assert (found.rho != few) == (found.deviation != few) == known


@pytest.mark.parametrize(("unit", "count"), [(Unit.SENTENCES, 22), (Unit.JUDGMENTS, 30)])
def test_studies_of_which_none_has_a_correlation_show_nothing(
    unit: Unit, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    correlated(monkeypatch, [nan])
    found = simulated_power(
        LAYOUT, effects=Effects(), question="order", accuracy=1.0, unit=unit, repetitions=300
    )
    assert (found.repetitions, found.count, found.share) == (300, count, 0.0)
    assert (found.low, found.high) == share_interval(0, 300)
    assert found.rho == found.deviation == Undefined("no simulated study has a correlation")


def test_a_study_whose_answers_are_all_the_same_counts_as_not_significant(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def alike(scores: NDArray[np.float64], *, low: int, high: int) -> NDArray[np.int64]:
        return np.full(scores.shape, (low + high) // 2)

    monkeypatch.setattr(power, "nearest_levels", alike)
    layout = PowerDesign(participants=1, sentences=15, shared=0).layout(seed=2)
    found = simulated_power(
        layout, effects=Effects(), question="order", accuracy=1.0, repetitions=40
    )
    assert (found.repetitions, found.share) == (40, 0.0)
    assert found.rho == Undefined("no simulated study has a correlation")
    assert (found.low, found.high) == share_interval(0, 40)


@pytest.mark.parametrize(("hits", "trials"), [(0, 5), (5, 5), (1, 4), (37, 100)])
def test_the_interval_of_a_share_holds_what_wilsons_test_does_not_reject(
    hits: int, trials: int
) -> None:
    low, high = share_interval(hits, trials)
    share = hits / trials

    def distance(truth: float) -> float:
        return abs(share - truth) / sqrt(truth * (1 - truth) / trials)

    for end in (low, high):
        if 1e-9 < end < 1.0 - 1e-9:
            assert distance(end) == pytest.approx(1.959963984540054)
    assert low <= share <= high


@pytest.mark.parametrize(
    "wrong", [{"accuracy": 1.1}, {"level": 0.0}, {"level": 1.0}, {"repetitions": 0}]
)
def test_what_cannot_be_simulated_is_refused(wrong: dict[str, float]) -> None:
    asked = {"accuracy": 0.5, **wrong}
    with pytest.raises(OptionError, match="accuracy is"):
        simulated_power(LAYOUT, effects=Effects(), question="order", **asked)  # type: ignore[arg-type]


@case("power_report")
def test_columns_of_power_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: dict[tuple[object, ...], Power] = {}

    def drawn_power(layout: Any, *, question: str, accuracy: float, **_options: Any) -> Power:
        key = (question, accuracy, layout.participants)
        found[key] = book.make(Power, *map(str, key), question=question)
        return found[key]

    faked(power, monkeypatch, simulated_power=drawn_power)
    variances = {name: book.make(Adjustment, name, question=name) for name in QUESTIONS}
    report = power.power_report(STUDY, variances, seed=1)
    titles = {"sentences": "count", "power": "share", "mean rho": "rho"}
    assert len(found) == len(report.data.rows)
    for row in report.data.rows:
        named = dict(zip(report.data.names, row, strict=True))
        made, noise = found[row[:3]], variances[str(row[0])]
        for name, variance in (("participant", noise.participant_variance),
                               ("noise", noise.residual_variance)):  # fmt: skip
            assert isinstance(variance, float)
            assert named.pop(f"{name}_deviation") == pytest.approx(variance**0.5)
        for column in [*named][3:]:
            assert named[column] == getattr(made, titles.get(column, column)), column
    (shown,) = report.tables
    assert shown.names == report.data.names[:8]
    assert [*shown.rows] == [row[:8] for row in report.data.rows]


# Figures for planning show sizes and powers.


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
