"""Numbers that data cannot give."""

import numpy as np
import pytest

from kilter.stats.undefined import Undefined, number


@pytest.mark.parametrize("value", [None, float("nan"), np.float64("nan")])
def test_what_is_no_number_is_its_reason(value: float | None) -> None:
    assert number(value, "one value only") == Undefined("one value only")


def test_a_number_is_python_s_own() -> None:
    assert type(number(np.float64(0.5), "never")) is float
