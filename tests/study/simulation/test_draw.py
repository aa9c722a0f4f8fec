"""Numbers drawn by chance."""

import numpy as np
import pytest

from kilter.study.analysis.power import PowerDesign
from kilter.study.simulation.draw import Stream, normals, uniforms
from kilter.study.simulation.effect import Effects
from kilter.study.simulation.simulation import draw


def test_draws_have_the_distribution_they_should() -> None:
    numbers = uniforms(1, Stream.DAMAGE, 20_000)
    assert (numbers.min() >= 0.0, numbers.max() < 1.0) == (True, True)
    assert np.histogram(numbers, bins=10, range=(0, 1))[0].min() > 1800
    drawn = normals(1, Stream.NOISE, 100, 200)
    assert drawn.shape == (100, 200)
    assert (drawn.mean(), drawn.std()) == pytest.approx((0.0, 1.0), abs=0.03)
    assert float(np.mean(np.abs(drawn) < 1.96)) == pytest.approx(0.95, abs=0.006)
    assert not np.array_equal(uniforms(1, Stream.TOOL, 5), uniforms(2, Stream.TOOL, 5))


@pytest.mark.parametrize(
    ("chance", "level"),
    [
        ("participant_deviation", 0.3),
        ("sentence_deviation", 0.3),
        ("noise_deviation", 0.3),
        ("careless", 1.0),
        ("careless", 0.5),
    ],
)
def test_no_block_of_repetitions_draws_the_numbers_of_another(chance: str, level: float) -> None:
    nothing = dict.fromkeys(
        ("participant_deviation", "sentence_deviation", "noise_deviation", "careless"), 0.0
    )
    effects = Effects(**nothing | {chance: level})  # type: ignore[arg-type]
    layout = PowerDesign(participants=6, sentences=8, shared=3).layout(seed=1)
    first, second = (
        draw(layout, effects, questions=["holistic", "order"], seed=1, repetitions=4, block=block)
        for block in (0, 1)
    )
    repetitions = [scores for drawn in (first, second) for scores in drawn.scores["order"].tolist()]
    assert len({*map(tuple, repetitions)}) == 8
    if level == 0.5:
        careless = [*first.careless.tolist(), *second.careless.tolist()]
        assert {sum(row) for row in careless} == {3}
        assert careless[:4] != careless[4:]
