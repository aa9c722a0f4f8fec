"""Rules that make one set of links of two directions."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError
from kilter.core.link_rule import Symmetrization, symmetrize
from kilter.core.links import Link, LinkBatch
from tests.oracles import em

link_sets = st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=14)

# Source words run down, target words across; F forward, R reverse, B both.
#      0  1  2  3  4
#  0   B  F  .  .  .
#  1   .  .  R  .  .
#  2   .  .  .  F  .
#  3   .  .  .  .  .
#  4   F  .  .  .  R
FORWARD = {(0, 0), (0, 1), (2, 3), (4, 0)}
REVERSE = {(0, 0), (1, 2), (4, 4)}
GROWN = {(0, 0), (0, 1), (1, 2), (2, 3)}
WORKED: list[tuple[str, set[Link]]] = [
    ("forward", FORWARD),
    ("reverse", REVERSE),
    ("intersection", {(0, 0)}),
    ("union", FORWARD | REVERSE),
    ("grow-diag", GROWN),
    ("grow-diag-final", GROWN | {(4, 0), (4, 4)}),
    ("grow-diag-final-and", GROWN | {(4, 4)}),
]


@pytest.mark.parametrize(("rule", "expected"), WORKED)
def test_a_worked_example(rule: str, expected: set[Link]) -> None:
    found = symmetrize(LinkBatch.of([FORWARD]), LinkBatch.of([REVERSE]), rule=Symmetrization(rule))
    assert found.segment(0) == sorted(expected)


def test_growing_needs_a_link_in_both_directions_to_start_from() -> None:
    forward, reverse = LinkBatch.of([[(0, 0)]]), LinkBatch.of([[(0, 1)]])
    assert symmetrize(forward, reverse, rule=Symmetrization.GROW_DIAG).segment(0) == []


def test_a_neighbour_with_both_words_linked_is_left_out() -> None:
    forward, reverse = LinkBatch.of([[(0, 0), (1, 1), (0, 1)]]), LinkBatch.of([[(0, 0), (1, 1)]])
    grown = symmetrize(forward, reverse, rule=Symmetrization.GROW_DIAG_FINAL)
    assert grown.segment(0) == [(0, 0), (1, 1)]


@given(st.lists(st.tuples(link_sets, link_sets), max_size=4), st.sampled_from(Symmetrization))
def test_every_rule_equals_its_naive_definition(
    segments: list[tuple[set[Link], set[Link]]], rule: Symmetrization
) -> None:
    found = symmetrize(
        LinkBatch.of([one for one, _ in segments]),
        LinkBatch.of([other for _, other in segments]),
        rule=rule,
    )
    expected = [sorted(em.symmetrized(one, other, rule)) for one, other in segments]
    assert [found.segment(k) for k in range(len(found))] == expected


@given(link_sets, link_sets)
def test_the_rules_form_a_chain_from_intersection_to_union(
    one: set[Link], other: set[Link]
) -> None:
    forward, reverse = LinkBatch.of([one]), LinkBatch.of([other])
    chain = ("intersection", "grow-diag", "grow-diag-final-and", "union")
    sets = [set(symmetrize(forward, reverse, rule=Symmetrization(r)).segment(0)) for r in chain]
    assert all(small <= large for small, large in pairwise(sets))


def test_positions_may_be_as_large_as_they_like() -> None:
    far = LinkBatch.of([[(2**31 - 1, 2**31 - 1), (0, 0)]])
    found = symmetrize(far, far, rule=Symmetrization.GROW_DIAG_FINAL_AND)
    assert found.segment(0) == [(0, 0), (2**31 - 1, 2**31 - 1)]


def test_both_directions_have_equally_many_segments() -> None:
    with pytest.raises(InputError, match="1 segment, the reverse links 2"):
        symmetrize(LinkBatch.of([[]]), LinkBatch.of([[], []]), rule=Symmetrization.UNION)


def test_negative_positions_are_refused() -> None:
    with pytest.raises(InputError, match="negative"):
        symmetrize(LinkBatch.of([[(-1, 0)]]), LinkBatch.of([[]]), rule=Symmetrization.UNION)
