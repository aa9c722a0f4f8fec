"""Sums over sentence pairs: by hand, by plain loops, and the same however pairs are cut."""

import math
import statistics
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.link_rule import OrderRule
from kilter.core.links import LinkBatch
from kilter.results.reordering_statistics import ReorderingStatistics
from kilter.run.reordering.order_sums import (
    DISTANCES,
    SCORES,
    OrderSums,
    mean_score,
    order_sums,
    statistics_of,
)
from tests.oracles import reordering_statistics as oracle
from tests.oracles.reordering_statistics import Pair

BIRCH = OrderRule.parse("birch")


def sums(pairs: list[Pair]) -> OrderSums:
    links = LinkBatch.of([links for *_, links in pairs])
    lengths = [np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1)]
    return order_sums(links, lengths[0], lengths[1], rule=BIRCH, ahead=3)


def measured(pairs: list[Pair]) -> ReorderingStatistics:
    return statistics_of(sums(pairs), rule=BIRCH, ahead=3, target=True)


@st.composite
def linked_pairs(draw: st.DrawFn) -> list[Pair]:
    pairs = []
    for _ in range(draw(st.integers(1, 8))):
        words, others = draw(st.integers(1, 30)), draw(st.integers(1, 30))
        link = st.tuples(st.integers(0, words - 1), st.integers(0, others - 1))
        pairs.append((words, others, sorted(draw(st.sets(link, max_size=12)))))
    return pairs


def test_a_verb_that_moves_to_the_end_is_counted_as_by_hand() -> None:
    """`She reads a book`, `sie ein Buch liest`: the order of the translation is She, a, book, reads."""
    found = measured([(4, 4, [(0, 0), (1, 3), (2, 1), (3, 2)]), (2, 2, [(0, 0)]), (1, 1, [])])
    counts = found.counts
    assert (counts.pairs, counts.linked, counts.monotone) == (3, 2, 1)
    assert (counts.source_words, counts.linked_source_words) == (7, 5)
    assert (counts.link_pairs, counts.crossing) == (6, 2)
    assert (counts.jumps, counts.straight) == (4, 2)
    # 1 4 2 3 has two of six pairs out of order; the other pair is monotone
    assert found.means["kendall"].value == pytest.approx((4 / 6 + 1) / 2)
    steps = {each.least: (each.forward, each.backward, each.words) for each in found.distances}
    assert steps[0] == (2, 0, 3)  # a to book, and the two words of the other; three in place
    assert steps[1] == (1, 1, 2)  # She to a, over reads; book back to reads, over a
    assert steps[2] == (0, 0, 1)  # reads
    assert [(row.label, row.counts.pairs) for row in found.lengths] == [("1-5", 3)]


@given(linked_pairs())
def test_counts_distances_and_means_are_those_of_plain_loops(pairs: list[Pair]) -> None:
    found = measured(pairs)
    wanted = oracle.counts(pairs, 3)
    assert {each.name: getattr(found.counts, each.name) for each in fields(found.counts)} == {
        each.name: wanted.get(each.name, 0) for each in fields(found.counts)
    }
    for kind, listed in zip(("forward", "backward", "words"), oracle.distances(pairs), strict=True):
        for row, least in zip(found.distances, DISTANCES, strict=True):
            most = math.inf if row.most is None else row.most
            assert getattr(row, kind) == sum(n for d, n in listed.items() if least <= d <= most)
    for name, scores in oracle.scores(pairs).items():
        mean = found.means[name]
        assert mean.n == len(scores)
        if len(scores) > 1:
            assert mean.value == pytest.approx(float(statistics.mean(scores)), abs=1e-15)
            error = math.sqrt(statistics.variance(scores) / len(scores))
            ends = [
                float(statistics.mean(scores)) + z * error
                for z in (-1.959963984540054, 1.959963984540054)
            ]
            # A root: what sums of squares lose in their last place, 1e-16, is 1e-8 of an end.
            assert (mean.low, mean.high) == pytest.approx(
                (max(0.0, ends[0]), min(1.0, ends[1])), abs=1e-7
            )


@given(linked_pairs(), st.randoms())
def test_sums_are_the_same_however_pairs_are_cut_and_ordered(
    pairs: list[Pair], random: "np.random.Generator"
) -> None:
    whole = sums(pairs)
    shuffled = list(pairs)
    random.shuffle(shuffled)
    cut = len(pairs) // 2
    parts = [some for some in (shuffled[:cut], shuffled[cut:]) if some]
    added = OrderSums.nothing()
    for some in parts:
        added += sums(some)
    for each in fields(whole):
        assert np.array_equal(getattr(whole, each.name), getattr(added, each.name))


def test_every_length_is_in_the_range_that_names_it() -> None:
    ends = (1, 5, 6, 10, 11, 15, 16, 20, 21, 30, 31, 40, 41, 60, 61, 100, 101)
    found = measured([(words, 1, [(0, 0)]) for words in ends])
    labels = ["1-5", "6-10", "11-15", "16-20", "21-30", "31-40", "41-60", "61-100"]
    assert [(row.label, row.counts.pairs) for row in found.lengths] == [
        *((label, 2) for label in labels),
        ("101+", 1),
    ]


def test_ranges_of_length_add_up_to_all_pairs() -> None:
    pairs: list[Pair] = [(words, 3, [(0, 0), (words - 1, 2)]) for words in (1, 5, 6, 60, 61, 300)]
    found = measured(pairs)
    assert [row.label for row in found.lengths] == ["1-5", "6-10", "41-60", "61-100", "101+"]
    for name in SCORES:
        total = sum(
            (row.means[name].value or 0) * (row.means[name].n or 0) for row in found.lengths
        )
        assert total / len(pairs) == pytest.approx(found.means[name].value)


def test_without_links_there_is_no_mean_and_without_two_pairs_no_interval() -> None:
    assert measured([(2, 2, [])]).to_dict()["means"]["pef"] == {
        "value": None, "low": None, "high": None, "pairs": 0,
    }  # fmt: skip
    one = mean_score(2**59, 2**58, 1)
    assert (one.value, one.low, one.high) == (0.5, None, None)
