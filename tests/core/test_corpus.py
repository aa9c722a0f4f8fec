"""Keys of segments: the same for the same words alone."""

import copy
import pickle
import sys
from collections.abc import Callable
from hashlib import blake2b
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kilter
from kilter.core.corpus import KEY_SIZE, Vocabulary, pair_key, segment_keys, visible_characters_of


def keys(segments: list[list[str]]) -> list[bytes]:
    vocabulary = Vocabulary()
    return segment_keys(vocabulary.column(segments), vocabulary)


def test_other_words_or_another_order_or_other_borders_are_another_key() -> None:
    found = keys([[], ["a"], ["a", "b"], ["b", "a"], ["ab"], ["a", "", "b"], ["A"], ["a\0b"]])
    assert len({*found}) == len(found)
    assert {len(key) for key in found} == {KEY_SIZE}


def test_a_key_does_not_depend_on_the_vocabulary_or_on_neighbours() -> None:
    assert keys([["x", "y"], ["cats", "sleep"]])[1] == keys([["cats", "sleep"]])[0]


def test_a_key_is_the_same_in_every_run() -> None:
    spelled = b"\4\0\0\0cats" + b"\6\0\0\0sl\xc3\xa9ep"
    assert keys([["cats", "sl\u00e9ep"]]) == [blake2b(spelled, digest_size=16).digest()]


def test_a_pair_is_another_one_than_its_reverse() -> None:
    one, other = keys([["a"], ["b"]])
    found = [pair_key(one, other), pair_key(other, one), pair_key(one, one)]
    assert all(first != second for first, second in combinations(found, 2))


# Words by number.


SEGMENTS = st.lists(st.lists(st.text(max_size=3), max_size=5), max_size=6)


@given(SEGMENTS, SEGMENTS)
def test_the_same_word_has_the_same_number_in_every_column(
    first: list[list[str]], second: list[list[str]]
) -> None:
    vocabulary = Vocabulary()
    for segments in (first, second):
        column = vocabulary.column(segments)
        assert len(column) == len(segments)
        assert column.lengths.tolist() == [len(words) for words in segments]
        assert [vocabulary.text(column, place) for place in range(len(column))] == segments
    words = {word for segment in (*first, *second) for word in segment}
    assert len(vocabulary) == len(words)
    assert set(vocabulary.words) == words
    assert {vocabulary.number(word) for word in words} == set(range(len(words)))
    assert vocabulary.numbers(sorted(words)).tolist() == [*map(vocabulary.number, sorted(words))]


def test_lines_are_split_at_blanks_or_by_the_rules_of_13a() -> None:
    vocabulary = Vocabulary()
    plain = vocabulary.column_of_lines(["Yes, no.", ""], tokenized=False)
    split = vocabulary.column_of_lines(["Yes, no.", ""], tokenized=True)
    assert vocabulary.text(plain, 0) == ["Yes,", "no."]
    assert vocabulary.text(split, 0) == ["Yes", ",", "no", "."]
    assert plain[1].tolist() == split[1].tolist() == []


def test_every_blank_of_unicode_is_left_out_and_nothing_else() -> None:
    lines = ["", "".join(map(chr, range(sys.maxunicode + 1))), " a\u2003b\n", "\u3000"]
    column = visible_characters_of(lines)
    assert len(column) == len(lines)
    for place, line in enumerate(lines):
        assert column[place].tolist() == [*map(ord, "".join(line.split()))]


def test_words_are_equal_in_lower_case_also_those_that_came_later() -> None:
    vocabulary = Vocabulary()
    vocabulary.column([["The", "cat"]])
    assert vocabulary.lowercase().tolist() == [0, 1]
    vocabulary.column([["THE", "the", "Cat", "dog"]])
    assert vocabulary.lowercase().tolist() == [0, 1, 0, 0, 1, 5]


COPIES: list[Callable[[Any], Any]] = [
    copy.copy,
    copy.deepcopy,
    lambda value: pickle.loads(pickle.dumps(value)),  # noqa: S301 - our own bytes
]


@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_numbers_the_same_words_alike_and_goes_its_own_way(
    copied: Callable[[Any], Any],
) -> None:
    vocabulary = Vocabulary()
    column = vocabulary.column([["the", "cat", "the"], ["Katze"]])
    other = copied(vocabulary)
    assert other.words == ["the", "cat", "Katze"]
    assert other.number("Katze") == 2
    assert other.number("mat") == 3
    assert len(vocabulary) == 3
    assert other.text(column, 0) == ["the", "cat", "the"]


@pytest.mark.parametrize("copied", COPIES[1:])
def test_parses_and_reports_can_be_copied_and_sent_to_other_processes(
    copied: Callable[[Any], Any],
) -> None:
    trees = kilter.parse(["the cat sat"])
    again = copied(trees)
    assert again.trees.vocabulary.words == trees.trees.vocabulary.words
    assert again.trees.heads.tolist() == trees.trees.heads.tolist()
    page = kilter.report({"one": ["b a c"], "two": ["a b c"]}, ["a b c"])
    assert copied(page).to_html() == page.to_html()


def test_words_of_turkish_are_lowered_by_its_rules_also_in_a_copy() -> None:
    vocabulary = Vocabulary(turkic=True)
    vocabulary.numbers(["Irmak", "ırmak", "irmak", "İzmir", "izmir"])
    for each in (vocabulary, copy.deepcopy(vocabulary)):
        assert each.lowercase().tolist() == [0, 0, 2, 3, 3]
        assert chr(each.spelling().characters.ids[0]) == "ı"
    plain = Vocabulary()
    plain.numbers(["Irmak", "ırmak", "irmak"])
    assert plain.lowercase().tolist() == [0, 1, 0]
