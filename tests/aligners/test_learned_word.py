"""The stage `learned`: words that stand for one another in the texts at hand."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter import _core
from kilter.aligners import offered_pair as learned_word
from kilter.aligners.registry import aligner
from kilter.core.corpus import Vocabulary
from kilter.core.links import LinkBatch
from tests.oracles import match as oracle
from tests.oracles.match import Links
from tests.thorough import examples

WORDS = st.sampled_from("abcde")
SENTENCES = st.lists(WORDS, max_size=4)
PAIRS = st.lists(st.tuples(SENTENCES, SENTENCES), max_size=6)
Pairs = list[tuple[list[str], list[str]]]
LEARNED = "match:stages=exact+learned"


def linked(pairs: Pairs) -> list[Links]:
    """Return links between some equal words, so that others are free."""
    return [
        [(k, k) for k in range(min(len(first), len(second))) if first[k] == second[k] == "a"]
        for first, second in pairs
    ]


def strengths(
    pairs: Pairs,
    links: list[Links],
    *,
    threshold: float = 0.0,
    evidence: float = 0.0,
    jobs: int = 1,
) -> dict[oracle.Cell, float]:
    vocabulary = Vocabulary()
    first = vocabulary.column([one for one, _ in pairs])
    second = vocabulary.column([other for _, other in pairs])
    batch = LinkBatch.of(links)
    cells, offsets, found = _core.learned_cells(
        first.ids,
        first.offsets,
        second.ids,
        second.offsets,
        batch.links,
        batch.offsets,
        len(vocabulary),
        learned_word.ITERATIONS,
        learned_word.NEIGHBOUR,
        learned_word.DISTANCE,
        learned_word.ALONE,
        threshold,
        evidence,
        jobs,
    )
    segments = np.repeat(np.arange(len(pairs)), np.diff(offsets)).tolist()
    rows = zip(segments, cells.tolist(), found.tolist(), strict=True)
    return {(segment, row, col): value for segment, (row, col), value in rows}


@examples(200)
@given(pairs=PAIRS)
def test_strengths_are_those_of_the_definition(pairs: Pairs) -> None:
    links = linked(pairs)
    expected = oracle.learned_strengths(pairs, links)
    assert strengths(pairs, links) == pytest.approx(
        {cell: strength for cell, (strength, _) in expected.items()}, rel=1e-6, abs=1e-7
    )
    sure = {cell for cell, (strength, often) in expected.items() if strength > 0.2 and often > 1}
    doubt = {
        cell
        for cell, (strength, often) in expected.items()
        if strength == pytest.approx(0.2) or often == pytest.approx(1)
    }
    found = strengths(pairs, links, threshold=0.2, evidence=1.0).keys()
    assert found - doubt == sure - doubt


@examples(100)
@given(pairs=PAIRS, seed=st.integers(0, 1000))
def test_the_order_of_segments_and_the_number_of_threads_change_no_bit(
    pairs: Pairs, seed: int
) -> None:
    links = linked(pairs)
    found = strengths(pairs, links)
    assert strengths(pairs, links, jobs=3) == found
    order = [*range(len(pairs))]
    random.Random(seed).shuffle(order)
    shuffled = strengths([pairs[s] for s in order], [links[s] for s in order])
    assert {(order[s], row, col): value for (s, row, col), value in shuffled.items()} == found


@examples(100)
@given(pairs=PAIRS)
def test_swapped_texts_have_swapped_pairs_to_the_last_bit(pairs: Pairs) -> None:
    links = linked(pairs)
    turned = strengths(
        [(second, first) for first, second in pairs],
        [sorted((col, row) for row, col in each) for each in links],
    )
    assert {(s, col, row): value for (s, row, col), value in turned.items()} == strengths(
        pairs, links
    )


def align(specification: str, *pairs: tuple[str, str]) -> LinkBatch:
    vocabulary = Vocabulary()
    first = vocabulary.column([pair[0].split() for pair in pairs])
    second = vocabulary.column([pair[1].split() for pair in pairs])
    return aligner(specification).align(first, second, vocabulary)


BOUGHT = [
    ("she purchased a house", "she bought a house"),
    ("they purchased it cheaply", "they bought it cheaply"),
    ("we often purchased books there", "we often bought books there"),
]


def test_words_in_the_same_place_of_several_segments_are_linked() -> None:
    found = align(LEARNED, *BOUGHT)
    assert [found.segment(k) for k in range(3)] == [
        [(0, 0), (1, 1), (2, 2), (3, 3)],
        [(0, 0), (1, 1), (2, 2), (3, 3)],
        [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)],
    ]
    assert align("match:stages=exact", *BOUGHT).counts.tolist() == [3, 3, 4]


def test_threads_without_segments_lose_nothing_of_others() -> None:
    # One segment is longer than all others: the second of three threads has none.
    pairs = [(["x"] * 200, ["y"]), *[(one.split(), other.split()) for one, other in BOUGHT]]
    links: list[Links] = [[] for _ in pairs]
    found = [strengths(pairs, links, jobs=jobs) for jobs in (1, 2, 3, 9)]
    assert (1, 1, 1) in found[0]
    assert found == [found[0]] * 4


def test_what_was_learned_links_words_elsewhere_too() -> None:
    moved = ("what did she there purchased", "bought what did she there")
    assert (4, 0) in align(LEARNED, *BOUGHT, moved).segment(3)


def test_one_segment_teaches_nothing_however_many_systems_translate_it() -> None:
    once = BOUGHT[0]
    assert align(LEARNED, once).counts.tolist() == [3]
    assert align(LEARNED, *[once] * 20).counts.tolist() == [3] * 20
    # Many outputs of one reference are one segment, too.
    outputs = [(f"{word} she purchased a house", once[1]) for word in ("so", "then", "now", "thus")]
    assert align(LEARNED, *outputs).counts.tolist() == [3] * 4
    turned = [(reference, output) for output, reference in outputs]
    assert align(LEARNED, *turned).counts.tolist() == [3] * 4


def test_words_that_meet_by_chance_are_not_linked() -> None:
    # Each word of the left meets each of the right equally often: nobody can tell which is which.
    words = "abcdefgh"
    pairs = [
        (" ".join(words[k:] + words[:k]), " ".join((words[j:] + words[:j]).upper()))
        for k in range(8)
        for j in range(8)
    ]
    found = align("match:stages=exact+learned,case=keep", *pairs)
    assert found.counts.sum() == 0


def test_words_that_differ_in_case_only_teach_together() -> None:
    pairs = [("Purchased it she", "Bought it she"), ("she purchased a car", "she bought a car")]
    assert align(LEARNED, *pairs).counts.tolist() == [3, 4]
    assert align(f"{LEARNED},case=keep", *pairs).counts.tolist() == [2, 3]


def test_a_word_keeps_one_link() -> None:
    pairs = [*BOUGHT, ("he purchased and purchased", "he bought things")]
    found = align(LEARNED, *pairs)
    assert found.shared_segments().tolist() == []
    assert found.segment(3) == [(0, 0), (1, 1)]


def test_segments_that_are_too_long_are_named() -> None:
    long = " ".join(f"w{k}" for k in range(300)), " ".join(f"v{k}" for k in range(300))
    found = align(LEARNED, *BOUGHT, long)
    assert found.bounded == (3,)
    assert found.counts.tolist() == [4, 4, 5, 0]
    assert align("match:stages=exact", *BOUGHT, long).bounded == ()


def test_no_segment_and_no_word_are_no_link() -> None:
    assert len(align(LEARNED)) == 0
    assert align(LEARNED, ("", ""), ("a", ""), ("", "b")).counts.tolist() == [0, 0, 0]
