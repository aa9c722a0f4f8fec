"""Alignment error rate, precision and recall against their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.aligners.agreement import LinkAgreement, agreement, link_counts
from kilter.core.errors import InputError
from kilter.core.links import Link, LinkBatch

link_sets = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=10)
texts = st.lists(st.tuples(link_sets, link_sets, link_sets), min_size=1, max_size=4)


@given(texts)
def test_scores_equal_their_definitions(
    segments: list[tuple[set[Link], set[Link], set[Link]]],
) -> None:
    links, sure, drawn = (LinkBatch.of(side) for side in zip(*segments, strict=True))
    found = agreement(links, sure, drawn)
    a, s, both, possible = 0, 0, 0, 0
    for one, certain, maybe in segments:
        a += len(one)
        s += len(certain)
        both += len(one & certain)
        possible += len(one & (certain | maybe))
    assert found == LinkAgreement(a, s, both, possible)
    assert 0 <= found.error_rate <= 1
    if a and s:
        assert found.precision == possible / a
        assert found.recall == both / s
        assert found.error_rate == 1 - (both + possible) / (a + s)
    counts = link_counts(links, sure, drawn)
    assert counts.sum(axis=0).tolist() == [a, s, both, possible]


def test_without_possible_links_the_error_rate_is_what_f1_leaves() -> None:
    links, gold = LinkBatch.of([[(0, 0), (1, 1), (2, 2)]]), LinkBatch.of([[(0, 0), (3, 3)]])
    found = agreement(links, gold)
    assert found.error_rate == pytest.approx(1 - found.f1)


def test_nothing_proposed_and_nothing_drawn_is_perfect() -> None:
    empty = LinkBatch.of([[], []])
    found = agreement(empty, empty)
    assert (found.precision, found.recall, found.f1, found.error_rate) == (1, 1, 1, 0)
    assert link_counts(empty, empty).tolist() == [[0] * 4] * 2


def test_no_right_link_scores_nothing() -> None:
    found = agreement(LinkBatch.of([[(0, 1)]]), LinkBatch.of([[(0, 0)]]))
    assert (found.precision, found.recall, found.f1, found.error_rate) == (0, 0, 0, 1)


def test_links_of_other_segments_do_not_count() -> None:
    links, gold = LinkBatch.of([[(0, 0)], []]), LinkBatch.of([[], [(0, 0)]])
    assert np.array_equal(link_counts(links, gold)[:, 2], [0, 0])


def test_as_many_segments_of_gold_are_needed() -> None:
    with pytest.raises(InputError, match="2 segments of gold"):
        agreement(LinkBatch.of([[]]), LinkBatch.of([[], []]))
