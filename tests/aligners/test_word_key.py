"""Keys of words."""

import gc
from collections.abc import Iterator, Sequence
from weakref import ref

import numpy as np

from kilter.aligners.word_key import WordKeys, WordKeySets, word_keys
from kilter.core.corpus import Vocabulary


def test_words_match_by_key_and_others_have_none() -> None:
    vocabulary = Vocabulary()
    numbers = vocabulary.numbers(["Walk", "walk", "talk", "unasked"])
    single = WordKeys(str.lower).of(numbers[:3], vocabulary)
    assert single[0] == single[1] != single[2]
    assert single[3] == -1


def test_a_word_may_have_several_keys_and_a_vocabulary_may_grow() -> None:
    vocabulary = Vocabulary()
    keys = WordKeySets(str.lower, set)  # their letters
    first = vocabulary.numbers(["ab"])
    assert [part.tolist() for part in keys.of(first, vocabulary)] == [[0, 2], [0, 1]]
    both = np.concatenate([first, vocabulary.numbers(["BC"])])
    offsets, flat = keys.of(both, vocabulary)
    assert offsets.tolist() == [0, 2, 4]
    assert len({*flat.tolist()}) == 3
    assert len({*flat[:2].tolist()} & {*flat[2:].tolist()}) == 1


def test_keys_that_nobody_wants_any_more_are_gone_at_once() -> None:
    class Key:
        """What a weak reference can point to."""

    made: list[ref[Key]] = []

    def keys_of(forms: Sequence[str]) -> Iterator[Key]:
        for _ in forms:
            key = Key()
            made.append(ref(key))
            yield key

    vocabulary = Vocabulary()
    gc.disable()
    try:
        keys = WordKeys(str, keys_of)
        keys.of(vocabulary.numbers(["one", "other"]), vocabulary)
        assert [key() is None for key in made] == [False, False]
        del keys
        assert [key() is None for key in made] == [True, True]
    finally:
        gc.enable()


def test_a_vocabulary_has_its_keys_of_a_kind_once_and_takes_them_along() -> None:
    vocabulary = Vocabulary()
    made: list[WordKeys] = []

    def make() -> WordKeys:
        made.append(WordKeys(str))
        return made[-1]

    assert word_keys(vocabulary, "plain", make) is word_keys(vocabulary, "plain", make)
    assert word_keys(vocabulary, "other", make) is not made[0]
    assert len(made) == 2
    del vocabulary
    gc.collect()
    assert len(WordKeys(str).of(np.zeros(0, np.int32), Vocabulary())) == 0


def test_words_fold_by_the_rules_of_their_language() -> None:
    words = ["Işık", "ışık", "IŞIK", "işik", "İzmir", "izmir"]

    def keys(vocabulary: Vocabulary, kept: WordKeys) -> list[int]:
        return [int(key) for key in kept.of(vocabulary.numbers(words), vocabulary)]

    one, other, capitals, dotted, upper, lower = keys(
        Vocabulary(turkic=True), WordKeys(str.casefold)
    )
    assert one == other == capitals != dotted
    assert upper == lower
    one, other, capitals, dotted, upper, lower = keys(Vocabulary(), WordKeys(str.casefold))
    assert one != other
    assert one != capitals != other
    assert capitals == dotted
    assert upper == lower
    assert len(set(keys(Vocabulary(turkic=True), WordKeys(str)))) == 6
