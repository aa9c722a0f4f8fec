"""Shares of a difference add up to it, in numbers and in print."""

from decimal import Decimal
from fractions import Fraction
from math import fsum, ulp

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kilter.stats.split import adding_up, apportioned, product_shares
from tests.oracles import parts as oracle

VALUES = st.floats(0, 1)
SIDES = st.integers(1, 4).flatmap(
    lambda count: st.tuples(*[st.lists(VALUES, min_size=count, max_size=count)] * 2)
)
PARTS = st.lists(st.floats(-1, 1), min_size=1, max_size=4)


def found(first: list[float], second: list[float]) -> list[float]:
    sides = ([np.array([value]) for value in side] for side in (first, second))
    return [share.item() for share in product_shares(*sides)]


@given(SIDES)
def test_shares_are_the_mean_gains_over_all_orders_of_changing(
    sides: tuple[list[float], list[float]],
) -> None:
    expected = oracle.shares(*([Fraction(value) for value in side] for side in sides))
    assert found(*sides) == pytest.approx([float(share) for share in expected], abs=1e-15)


@given(VALUES, VALUES, VALUES, VALUES)
def test_of_two_factors_each_is_weighed_by_the_mean_of_the_other(
    a1: float, b1: float, a2: float, b2: float
) -> None:
    expected = [(a2 - a1) * (b1 + b2) / 2, (b2 - b1) * (a1 + a2) / 2]
    assert found([a1, b1], [a2, b2]) == pytest.approx(expected, abs=1e-16)
    assert found([a2, b2], [a1, b1]) == [-share for share in found([a1, b1], [a2, b2])]


@given(SIDES)
def test_shares_of_equal_sides_are_nothing(sides: tuple[list[float], list[float]]) -> None:
    assert set(found(sides[0], sides[0])) == {0.0}


@given(st.lists(VALUES, min_size=3, max_size=3), VALUES)
def test_a_factor_that_does_not_change_contributes_nothing(
    first: list[float], other: float
) -> None:
    assert found(first, [other, *first[1:]])[1:] == [0.0, 0.0]


@given(PARTS, st.integers(-4, 4))
def test_parts_add_up_to_a_total_with_no_finer_bits(parts: list[float], steps: int) -> None:
    # A total in steps of the last bit of the largest part, a few of them off by rounding.
    unit = ulp(max(map(abs, parts)))
    total = (round(fsum(parts) / unit) + steps) * unit
    adjusted = adding_up(total, parts)
    assert fsum(adjusted) == total
    assert adjusted == pytest.approx(parts, abs=(len(parts) + 5) * unit)


@given(PARTS, st.floats(-1e-16, 1e-16))
def test_parts_add_up_to_any_other_total_but_for_the_last_bit_of_the_largest(
    parts: list[float], off: float
) -> None:
    total = fsum(parts) + off
    assert abs(fsum([*adding_up(total, parts), -total])) <= 2 * ulp(max(map(abs, [*parts, total])))


def test_a_small_part_takes_up_bits_that_the_largest_cannot_hold() -> None:
    total = -0.41828967452749183
    parts = adding_up(total, [0.11, total - 0.11])
    assert max(map(abs, parts)) > 0.5
    assert total % ulp(0.5) != 0.0
    assert parts[0] + parts[1] == total


def test_a_part_of_nothing_stays_nothing() -> None:
    assert adding_up(0.1 + 0.2, [0.3, 0.0]) == [0.1 + 0.2, 0.0]


def test_nothing_adds_up_to_nothing() -> None:
    assert adding_up(0.5, []) == []
    assert apportioned(0.5, []) == []


@given(PARTS)
@example([0.00005, -0.00005])
@example([0.9, 0.9, 0.9])
@example([-1e-9, -1e-9])
def test_printed_parts_add_up_to_the_printed_total(parts: list[float]) -> None:
    total = fsum(parts)
    shown = apportioned(total, parts)
    printed = sum(Decimal(f"{value:.4f}") for value in shown)
    assert printed == Decimal(f"{total:.4f}")
    assert all(abs(one - other) < 1e-4 + 1e-12 for one, other in zip(parts, shown, strict=True))
    assert "-0.0000" not in {f"{value:+.4f}" for value in shown}


@given(PARTS)
def test_printed_parts_of_exchanged_systems_differ_by_their_signs_only(parts: list[float]) -> None:
    turned = apportioned(-fsum(parts), [-part for part in parts])
    assert [-value for value in turned] == apportioned(fsum(parts), parts)


def test_what_lost_most_gets_what_is_missing() -> None:
    assert apportioned(0.0010, [0.00034, 0.00033, 0.00033]) == [0.0004, 0.0003, 0.0003]
    assert apportioned(0.0002, [0.00016, 0.00004]) == [0.0002, 0.0]
    assert apportioned(-0.0058, [0.0004, -0.0062]) == [0.0004, -0.0062]
