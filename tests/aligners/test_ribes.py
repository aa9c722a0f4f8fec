"""The ribes aligner: links by context, lower case, repeated reference words."""

from hypothesis import given
from hypothesis import strategies as st

from kilter.aligners.registry import aligner
from kilter.core.corpus import Vocabulary
from kilter.core.links import Link
from tests.oracles import match as oracle

WORDS = st.lists(st.sampled_from(["a", "A", "b", "c"]), max_size=10)


def links(specification: str, first: list[str], second: list[str]) -> list[Link]:
    vocabulary = Vocabulary()
    columns = (vocabulary.column([first]), vocabulary.column([second]))
    return aligner(specification).align(*columns, vocabulary).segment(0)


@given(WORDS, WORDS)
def test_links_are_those_of_the_definition_on_lower_case(
    first: list[str], second: list[str]
) -> None:
    lower = [[word.lower() for word in side] for side in (first, second)]
    assert links("ribes:repeats=true", first, second) == oracle.context_links(*lower)
    assert links("ribes:repeats=true,case=keep", first, second) == oracle.context_links(
        first, second
    )


@given(WORDS, WORDS)
def test_without_repeats_a_reference_word_keeps_its_first_link(
    first: list[str], second: list[str]
) -> None:
    expected: dict[int, int] = {}
    for row, col in links("ribes:repeats=true", first, second):
        expected.setdefault(col, row)
    assert links("ribes", first, second) == sorted((row, col) for col, row in expected.items())


def test_a_reference_word_that_is_reached_twice_has_one_link_by_default() -> None:
    first, second = list("xabay"), list("xay")
    assert links("ribes", first, second) == [(0, 0), (1, 1), (4, 2)]
    assert links("ribes:repeats=true", first, second) == [(0, 0), (1, 1), (3, 1), (4, 2)]


def test_several_segments_keep_their_own_links() -> None:
    vocabulary = Vocabulary()
    texts = ["x a b a y", "", "a b", "a a"], ["x a y", "a", "b a", "a"]
    first, second = (vocabulary.column([line.split() for line in text]) for text in texts)
    found = aligner("ribes").align(first, second, vocabulary, jobs=2)
    assert [found.segment(k) for k in range(4)] == [
        [(0, 0), (1, 1), (4, 2)],
        [],
        [(0, 1), (1, 0)],
        [],
    ]
