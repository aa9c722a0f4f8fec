"""Words in target order, tied ones together."""

import numpy as np

from kilter.core.reordering import Reordering

# Two segments: words 2 and 0 are tied before word 1; one word alone.
MADE = Reordering(
    order=np.array([0, 2, 1, 0], dtype=np.int32),
    group=np.array([0, 0, 1, 0], dtype=np.int32),
    places=np.array([0, 2, 1, 0], dtype=np.int32),
    offsets=np.array([0, 3, 4]),
)


def test_tied_words_are_together() -> None:
    assert len(MADE) == 2
    assert MADE.groups(0) == [[0, 2], [1]]
    assert MADE.groups(1) == [[0]]


def test_orders_are_the_inverse_of_ranks() -> None:
    made = Reordering(
        order=np.array([1, 2, 0], dtype=np.int32),
        group=np.arange(3, dtype=np.int32),
        places=np.array([2, 0, 1], dtype=np.int32),
        offsets=np.array([0, 3]),
    )
    assert made.ranks().values.tolist() == [2, 0, 1]
    assert made.orders().values.tolist() == [1, 2, 0]
