"""The stage `similar`: words that share most of their characters, without any resource."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.aligners import word_key as similar_word
from kilter.aligners.registry import aligner
from kilter.aligners.word_key import head, similar_pairs, spoken
from kilter.core.corpus import Vocabulary
from kilter.core.links import Link, LinkBatch
from tests.oracles import match as oracle
from tests.thorough import examples

WORDS = st.text(alphabet="abABéß1.-", min_size=1, max_size=9)
SENTENCES = st.lists(WORDS, max_size=5)
PAIRS = st.lists(st.tuples(SENTENCES, SENTENCES), max_size=4)


def offered(
    pairs: list[tuple[list[str], list[str]]], links: LinkBatch | None = None, *, jobs: int = 1
) -> list[dict[Link, float]]:
    vocabulary = Vocabulary()
    first = vocabulary.column([one for one, _ in pairs])
    second = vocabulary.column([other for _, other in pairs])
    free = LinkBatch.of([[] for _ in pairs]) if links is None else links
    found = similar_pairs(first, second, free, vocabulary, fold=True, jobs=jobs)
    borders = found.offsets.tolist()
    return [
        {
            (row, col): certainty
            for (row, col), certainty in zip(
                found.cells[begin:end].tolist(), found.certainty[begin:end].tolist(), strict=True
            )
        }
        for begin, end in pairwise(borders)
    ]


def similar(one: str, other: str) -> bool:
    return bool(offered([([one], [other])])[0])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("organisation", "organization"),
        ("Philippine", "Philippines"),
        ("Regierung", "Regierungen"),
        ("unemplyment", "unemployment"),
        ("co-operate", "cooperate"),
        ("U.S.", "US"),
        ("1,000", "1.000"),
        ("2012er", "2012ers"),
        ("EINE", "einer"),
    ],
)
def test_words_that_share_most_of_their_characters_are_similar(one: str, other: str) -> None:
    assert similar(one, other)
    assert similar(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("der", "die"),
        ("den", "dem"),
        ("the", "then"),
        ("happy", "unhappy"),
        ("visible", "invisible"),
        ("legal", "illegal"),
        ("increase", "decrease"),
        ("inside", "outside"),
        ("minimum", "maximum"),
        ("state", "steps"),
        ("that", "than"),
        ("stopped", "started"),
        ("there", "these"),
        ("hopeful", "hopeless"),
        ("2011", "2012"),
        ("1.5", "15"),
        ("-5", "5"),
        ("20-year", "30-year"),
        ("...", ".."),
        ("猫", "猫猫"),
    ],
)
def test_short_words_antonyms_and_other_numbers_are_not(one: str, other: str) -> None:
    assert not similar(one, other)
    assert not similar(other, one)


@examples(200)
@given(pairs=PAIRS)
def test_pairs_are_those_of_the_definition(pairs: list[tuple[list[str], list[str]]]) -> None:
    expected = []
    for first, second in pairs:
        found = {}
        for row, one in enumerate(first):
            for col, other in enumerate(second):
                a, b = (spoken(word.casefold()) for word in (one, other))
                heads = [head(word.casefold(), said) for word, said in ((one, a), (other, b))]
                if not a or not b or heads[0] != heads[1]:
                    continue
                shared = oracle.shared_letters(a, b)
                dice = 2 * shared / (len(a) + len(b))
                if a == b or (shared >= 3 and dice > 0.4):
                    found[row, col] = 0.2 + 0.75 * dice
        expected.append(pytest.approx(found))
    assert offered(pairs) == expected
    assert offered(pairs, jobs=3) == expected


@examples(100)
@given(pairs=PAIRS)
def test_swapped_texts_have_swapped_pairs(pairs: list[tuple[list[str], list[str]]]) -> None:
    swapped = offered([(second, first) for first, second in pairs])
    turned = [{(col, row): value for (row, col), value in found.items()} for found in swapped]
    assert offered(pairs) == turned


def test_threads_without_segments_lose_nothing_of_others() -> None:
    # One segment is longer than all others: the second of three threads has none.
    pairs = [(["houses"] * 200, ["x"]), *[(["houses"], ["house"])] * 5]
    expected = [{}, *[{(0, 0): pytest.approx(0.2 + 0.75 * 8 / 11)}] * 5]
    assert [offered(pairs, jobs=jobs) for jobs in (1, 2, 3, 9)] == [expected] * 4


def test_words_with_a_link_are_left_alone() -> None:
    pairs = [(["houses", "house"], ["house", "housed"])]
    links = LinkBatch.of([[(1, 0)]])
    assert offered(pairs)[0].keys() == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert offered(pairs, links)[0].keys() == {(0, 1)}


def test_a_vocabulary_that_grew_keeps_what_was_known() -> None:
    vocabulary = Vocabulary()
    made = aligner("match:stages=exact+similar")
    first = vocabulary.column([["organisation"]])
    second = vocabulary.column([["organization"]])
    assert made.align(first, second, vocabulary).segment(0) == [(0, 0)]
    third = vocabulary.column([["Organisations", "--", "x"]])
    assert made.align(third, second, vocabulary).segment(0) == [(0, 0)]
    assert made.align(first, third, vocabulary).segment(0) == [(0, 0)]


def test_case_counts_where_it_is_kept() -> None:
    vocabulary = Vocabulary()
    first, second = vocabulary.column([["HOUSES"]]), vocabulary.column([["houses"]])
    found = [
        aligner(f"match:stages=similar,case={case}").align(first, second, vocabulary).segment(0)
        for case in ("fold", "keep")
    ]
    assert found == [[(0, 0)], []]


def test_forms_are_forgotten_with_their_vocabulary() -> None:
    before = len(similar_word._KEPT)
    assert similar("houses", "housed")
    assert len(similar_word._KEPT) == before
