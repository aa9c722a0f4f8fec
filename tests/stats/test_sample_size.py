"""Sample sizes: the formula, and what it cannot be asked."""

import pytest

from kilter.core.errors import OptionError
from kilter.stats.significance import sample_size


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        # 2 (1.959964 + 0.841621)^2 = 15.697770 for one comparison at 5% and 80% power.
        ({"deviation": 1.0, "difference": 1.0}, 16),
        ({"deviation": 0.3, "difference": 0.1}, 142),
        # z_(1 - 0.05 / 12) = 2.638257 for six comparisons; 2 (2.638257 + 1.281552)^2 = 30.729...
        ({"deviation": 1.0, "difference": -1.0, "comparisons": 6, "power": 0.9}, 31),
        ({"deviation": 1.0, "difference": 1.0, "level": 0.01}, 24),
    ],
)
def test_the_formula_of_section_13_6(options: dict[str, float], expected: int) -> None:
    assert sample_size(**options) == expected  # type: ignore[arg-type]


def test_more_power_and_more_comparisons_need_more() -> None:
    sizes = [sample_size(deviation=1.0, difference=0.2, power=power) for power in (0.5, 0.8, 0.95)]
    assert sizes == sorted(set(sizes))
    assert sample_size(deviation=1.0, difference=0.2, comparisons=10) > sizes[1]


@pytest.mark.parametrize(
    "wrong",
    [
        {"difference": 0.0},
        {"deviation": 0.0},
        {"deviation": float("nan")},
        {"level": 0.0},
        {"power": 1.0},
        {"comparisons": 0},
    ],
)
def test_what_has_no_answer_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(OptionError):
        sample_size(**{"deviation": 1.0, "difference": 1.0, **wrong})  # type: ignore[arg-type]
