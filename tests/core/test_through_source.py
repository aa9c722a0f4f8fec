"""Links and permutations through the source."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError, OptionError
from kilter.core.link_rule import joined_links, source_permutations
from kilter.core.links import LinkBatch
from tests.oracles import links as oracle
from tests.strategies import link_sets

Drawn = list[tuple[int, int, list[tuple[int, int]]]]


@given(st.lists(link_sets(6), max_size=4), st.lists(link_sets(6), max_size=4))
def test_joined_links_share_a_source_word(first: Drawn, second: Drawn) -> None:
    pairs = list(zip(first, second, strict=False))
    found = joined_links(
        LinkBatch.of([one[2] for one, _ in pairs]), LinkBatch.of([other[2] for _, other in pairs])
    )
    expected = [oracle.joined(one[2], other[2]) for one, other in pairs]
    assert [found.segment(k) for k in range(len(found))] == expected


@given(link_sets(7), st.data())
def test_both_permutations_are_those_of_the_rule(
    drawn: tuple[int, int, list[tuple[int, int]]], data: st.DataObject
) -> None:
    length, second, links = drawn
    other = [(s, (t * 5 + 3) % max(second, 1)) for s, t in data.draw(st.permutations(links))]
    first, reference = source_permutations(
        LinkBatch.of([links]), LinkBatch.of([other]), np.array([length])
    )
    assert (first[0] + 1).tolist() == oracle.birch(length, links)
    assert (reference[0] + 1).tolist() == oracle.birch(length, other)
    assert len(first.pair_scores(reference)["kendall"]) == 1


def test_talbot_permutations_differ_from_birch_where_words_have_no_link() -> None:
    links = LinkBatch.of([[(0, 2), (2, 0)]])
    birch, _ = source_permutations(links, links, np.array([3]))
    talbot, _ = source_permutations(links, links, np.array([3]), rule="talbot")
    assert (birch[0] + 1).tolist() == [2, 3, 1]
    assert (talbot[0] + 1).tolist() == [3, 1, 2]


def test_rules_that_drop_words_and_unequal_numbers_of_segments_are_refused() -> None:
    links = LinkBatch.of([[(0, 0)]])
    with pytest.raises(OptionError, match="the rule drop drops words"):
        source_permutations(links, links, np.array([1]), rule="drop")
    with pytest.raises(InputError, match="of 1 segment and source-reference links of 2"):
        joined_links(links, LinkBatch.of([[], []]))


def test_a_link_batch_collects_links_in_any_order_and_size() -> None:
    owners = np.array([2, 0, 2, 2])
    for far in (3, 2**31 - 1):
        rows = np.array([[far, 1], [0, far], [0, 5], [far, 1]], dtype=np.int32)
        found = LinkBatch.collected(owners, rows, 4)
        assert [found.segment(k) for k in range(4)] == [[(0, far)], [], [(0, 5), (far, 1)], []]
