"""Pairs that a stage of the matcher offers: each link finds its own certainty."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import kilter
from kilter.aligners.offered_pair import LEAST_CERTAINTY, OfferedPairs
from kilter.aligners.registry import default_aligner
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


# Words of like meaning: the stage `embedding` of the matcher.


WITH = "match:stages=exact+stem+embedding"
HYPOTHESIS = "he purchased an automobile , on the street"
REFERENCE = "yesterday he bought a car on the road ."


def test_words_of_like_meaning_are_linked_where_equal_ones_left_them_free() -> None:
    plain, more = (
        kilter.align([HYPOTHESIS], [REFERENCE], aligner=name) for name in ("match", WITH)
    )
    assert set(plain.segment(0)) < set(more.segment(0))
    assert {(1, 2), (3, 4), (7, 7)} <= set(more.segment(0))  # purchased, automobile and street


def test_marks_are_never_paired_and_links_say_how_certain_they_are() -> None:
    found = kilter.align(["well !", HYPOTHESIS], ["good ?", REFERENCE], aligner=WITH)
    assert (1, 1) not in found.segment(0)
    assert found.certainty is not None
    equal = {(0, 1), (5, 5), (6, 6)}
    begin = found.offsets[1]
    for link, certainty in zip(found.segment(1), found.certainty[begin:].tolist(), strict=True):
        assert (certainty == 1.0) if link in equal else (LEAST_CERTAINTY <= certainty <= 0.8)


def test_links_and_certainty_come_from_the_cache_as_they_were_made(tmp_path: object) -> None:
    lines = [HYPOTHESIS, "a b"], [REFERENCE, "b a"]
    first, again = (
        kilter.explain_segments(
            *lines, segments=1, metrics="order", aligner=WITH, cache=str(tmp_path)
        )
        for _ in range(2)
    )
    assert first[0].links == again[0].links
    assert first[0].certainty == again[0].certainty is not None


def test_english_texts_are_linked_with_the_model_where_order_is_computed() -> None:
    assert default_aligner("en-GB") == WITH
    lines = [HYPOTHESIS], [REFERENCE]
    for metric, stages in (("order", "exact+stem+embedding"), ("kendall", "exact+stem,")):
        signature = kilter.score(*lines, metrics=metric, language="en").signatures[metric]
        assert f"stages:{stages}" in signature
    named = kilter.score(*lines, metrics="order", language="en", aligner="match:stages=exact")
    assert "stages:exact," in named.signatures["order"]
