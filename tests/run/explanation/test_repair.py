"""Orders with some errors put right, against words that are moved one by one."""

from itertools import permutations as all_orders

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.permutation_input import as_batch
from kilter.run.explanation.repair import Repairs
from tests.run.explanation_texts import put_right

ORDERS = [[*order] for size in range(1, 6) for order in all_orders(range(size))]


def misplaced(order: list[int]) -> list[tuple[int, ...]]:
    """Return errors of an order: every word that is less than one before it, two and two of them."""
    places = [at for at, rank in enumerate(order) if rank < max(order[:at], default=0)]
    return [tuple(places[start : start + 2]) for start in range(0, len(places), 2)]


def test_errors_that_are_put_right_go_before_the_next_word_that_stays() -> None:
    found = [misplaced(order) for order in ORDERS]
    repairs = Repairs.of(as_batch(ORDERS), found)
    rows = [
        (segment, first, last)
        for segment, errors in enumerate(found)
        for first in range(len(errors) + 1)
        for last in range(first, len(errors) + 1)
    ]
    put = repairs.orders(*np.array(rows).T)
    for number, (segment, first, last) in enumerate(rows):
        goes = [place for error in found[segment][first:last] for place in error]
        moved = [place for error in found[segment] for place in error]
        assert put[number].tolist() == put_right(ORDERS[segment], goes, moved)


@given(st.permutations(range(9)))
def test_sets_of_errors_are_put_right_as_their_bits_say(order: list[int]) -> None:
    errors = misplaced(order)
    put = Repairs.of(as_batch([[0], order]), [[], errors]).subsets(1)
    assert len(put) == 1 << len(errors)
    moved = [place for error in errors for place in error]
    for chosen in range(len(put)):
        goes = [p for number, error in enumerate(errors) if chosen >> number & 1 for p in error]
        assert put[chosen].tolist() == put_right(order, goes, moved)
    assert put[len(put) - 1].tolist() == sorted(order)
