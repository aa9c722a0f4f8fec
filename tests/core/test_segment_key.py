"""Keys of segments: the same for the same words alone."""

from hashlib import blake2b
from itertools import combinations

from kilter.core.corpus import KEY_SIZE, Vocabulary, pair_key, segment_keys


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
