"""Pairs that a stage of the matcher offers: each link finds its own certainty."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kilter.aligners.offered_pair import OfferedPairs
from kilter.core.corpus import TokenColumn
from kilter.core.links import LinkBatch

CELLS = st.lists(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), unique=True), max_size=4)


@given(CELLS, st.data())
def test_every_pair_has_the_certainty_that_it_was_offered_with(
    cells: list[list[tuple[int, int]]], data: st.DataObject
) -> None:
    batch = LinkBatch.of(cells)
    values = np.arange(1, len(batch.links) + 1) / (len(batch.links) + 1)
    offered = OfferedPairs(batch.links, batch.offsets, values)
    first = TokenColumn(
        np.zeros(5 * len(cells), dtype=np.int32), np.arange(0, 5 * len(cells) + 1, 5)
    )
    count = len(batch.links)
    asked = data.draw(st.lists(st.integers(0, count - 1))) if count else []
    rows = np.array(asked, dtype=np.int64)
    words = first.offsets[batch.segments()[rows]] + batch.links[rows, 0]
    found = offered.certainty_of(words, batch.links[rows, 1], first)
    assert found.tolist() == values[rows].tolist()
