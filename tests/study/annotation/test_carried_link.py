"""Links follow their words, by the match that a brute force finds, too."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.study.annotation.carried_link import carried, word_match
from kilter.study.annotation.drawn_link import DrawnLink

WORDS = st.lists(st.sampled_from("abc"), max_size=5)


def edits(before: list[str], after: list[str]) -> int:
    """Return the least number of edits, by trying every match that keeps the order of words."""
    best = len(before) + len(after)
    for size in range(1, min(len(before), len(after)) + 1):
        for ours in combinations(before, size):
            for theirs in combinations(after, size):
                same = sum(one == other for one, other in zip(ours, theirs, strict=True))
                best = min(best, len(before) + len(after) - size - same)
    return best


@given(WORDS, WORDS)
def test_words_are_matched_with_as_few_edits_as_possible(
    before: list[str], after: list[str]
) -> None:
    places = word_match(before, after)
    assert sorted(places.values()) == [places[place] for place in sorted(places)]
    same = sum(before[place] == after[other] for place, other in places.items())
    assert len(before) + len(after) - len(places) - same == edits(before, after)


@pytest.mark.parametrize(
    ("before", "after", "places"),
    [
        ("a dog sleeps", "an old dog sleeps", {0: 0, 1: 2, 2: 3}),
        ("the big dog", "the dogs", {0: 0, 2: 1}),
        ("one two three", "one three", {0: 0, 2: 1}),
        ("one", "", {}),
    ],
)
def test_a_replaced_word_is_the_most_similar_one(
    before: str, after: str, places: dict[int, int]
) -> None:
    assert word_match(before.split(), after.split()) == places


@pytest.mark.parametrize(
    ("before", "after", "places"),
    [
        ("a b c d", "b c d a", {0: 3, 1: 0, 2: 1, 3: 2}),
        ("not today sing", "today not sing loud", {0: 1, 1: 0, 2: 2}),
        ("a a b", "b a", {1: 1, 2: 0}),
        ("Ich habe gestern gelesen", "Gestern habe ich gelesen", {0: 2, 1: 1, 2: 0, 3: 3}),
        ("the dog sleeps", "the dogs sleep", {0: 0, 1: 1, 2: 2}),
        ("the big dog", "the huge dog", {0: 0, 1: 1, 2: 2}),
        ("the big dog", "eins zwo fünf", {}),
        ("cat", "cats", {0: 0}),
    ],
)
def test_a_word_that_is_moved_takes_its_links_along(
    before: str, after: str, places: dict[int, int]
) -> None:
    links = [DrawnLink(place, place) for place in range(len(before.split()))]
    found = carried(links, before.split(), after.split())
    assert {link.source: link.target for link in found.links} == places
    assert found.dropped == len(links) - len(places)


def test_links_keep_what_they_say_and_lost_ones_are_counted() -> None:
    links = [
        DrawnLink(0, 0, sure=False),
        DrawnLink(1, 1, proposed=True, certainty=0.5),
        DrawnLink(2, 2),
    ]
    found = carried(links, ["a", "b", "c"], ["new", "a", "c"])
    assert found.links == (DrawnLink(0, 1, sure=False), DrawnLink(2, 2))
    assert found.dropped == 1
    assert carried(links, ["a", "b", "c"], ["a", "b", "c"]) == (tuple(links), 0)
