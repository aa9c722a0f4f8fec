"""How much of a sentence was changed."""

import pytest

from kilter.study.simulation.damage import damages


def test_damages_see_order_and_choice_apart() -> None:
    assert damages("The cat sat.", "the cat sat") == (0.0, 0.0)
    assert damages("c b a", "a b c") == (1.0, 0.0)
    assert damages("x y z", "a b c") == (0.0, 1.0)
    assert damages("", "") == (0.0, 0.0)
    assert damages("the the", "the")[1] == pytest.approx(1 / 3)
