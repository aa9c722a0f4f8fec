"""Krippendorff's alpha."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.stats.correlation import ScaleLevel, krippendorff_alpha
from tests.oracles import agreement as oracle

DISTANCES = {
    ScaleLevel.NOMINAL: oracle.nominal,
    ScaleLevel.ORDINAL: oracle.ordinal,
    ScaleLevel.INTERVAL: oracle.interval,
}
UNITS = st.lists(st.lists(st.integers(1, 5), max_size=5), max_size=8)


@pytest.mark.parametrize("scale", ScaleLevel)
@given(units=UNITS)
def test_alpha_is_what_its_definition_says(scale: ScaleLevel, units: list[list[int]]) -> None:
    expected = oracle.alpha(units, DISTANCES[scale])
    found = krippendorff_alpha(units, values=range(1, 6), scale=scale)
    assert found == (None if expected is None else pytest.approx(expected, abs=1e-12))


def test_the_reliability_data_of_krippendorff_s_own_example() -> None:
    # K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), example C.
    judges = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    units = [[row[k] for row in judges if row[k] is not None] for k in range(12)]
    answered = [[value for value in unit if value is not None] for unit in units]
    found = {
        scale: krippendorff_alpha(answered, values=range(1, 6), scale=scale) for scale in ScaleLevel
    }
    assert found[ScaleLevel.NOMINAL] == pytest.approx(0.743, abs=5e-4)
    assert found[ScaleLevel.ORDINAL] == pytest.approx(0.815, abs=5e-4)
    assert found[ScaleLevel.INTERVAL] == pytest.approx(0.849, abs=5e-4)


def test_alpha_is_undefined_without_disagreement_to_expect() -> None:
    assert krippendorff_alpha([], values=[1, 2], scale=ScaleLevel.ORDINAL) is None
    assert krippendorff_alpha([[1, 1], [1]], values=[1, 2], scale=ScaleLevel.ORDINAL) is None
