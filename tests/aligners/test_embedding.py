"""The embedding aligner: mutual best matches of word vectors."""

import sys

import numpy as np
import pytest

from kilter.aligners.embedding import Embedding
from kilter.aligners.registry import aligner
from kilter.core.corpus import Vocabulary
from kilter.core.errors import InputError, MissingToolError
from kilter.core.links import Link
from kilter.parsers.encoder.encoder import load_encoder


def linked(first: str, second: str, name: str = "embedding") -> list[Link]:
    vocabulary = Vocabulary()
    one, other = (vocabulary.column([text.split()]) for text in (first, second))
    return aligner(name).align(one, other, vocabulary).segment(0)


def naive(cosines: list[list[float]], options: Embedding) -> list[Link]:
    """Return the links by the definition, word for word."""
    rows, columns = len(cosines), len(cosines[0])

    def cosine(i: int, j: int) -> float:
        return cosines[i][j] if 0 <= i < rows and 0 <= j < columns else 0.0

    def similarity(i: int, j: int) -> float:
        near = (cosine(i - 1, j - 1) + cosine(i + 1, j + 1)) / 2
        distance = abs(i / rows - j / columns)
        return cosine(i, j) + options.context * near - options.position * distance

    links = []
    for i in range(rows):
        j = max(range(columns), key=lambda k: similarity(i, k))
        back = max(range(rows), key=lambda k: similarity(k, j))
        if back == i and similarity(i, j) >= options.threshold:
            links.append((i, j))
    return links


def test_links_are_those_of_the_definition() -> None:
    random = np.random.default_rng(3)
    for _ in range(50):
        first, second = (
            random.normal(size=(size, 4)).astype(np.float32) for size in random.integers(1, 9, 2)
        )
        options = Embedding(context=0.3, position=0.2, threshold=0.1)
        found = options._links(first, second)
        assert [tuple(link) for link in found.tolist()] == naive(
            (first @ second.T).tolist(), options
        )


def test_other_words_for_the_same_thing_are_linked() -> None:
    links = linked("the boy purchased a new automobile", "the boy bought a new car")
    assert links == [(k, k) for k in range(6)]


def test_repeated_words_keep_to_their_neighbours() -> None:
    the, dog, cat = np.eye(3, dtype=np.float32)
    first, second = np.array([the, dog, the, cat]), np.array([the, cat, the, dog])
    assert Embedding()._links(first, second).tolist() == [[0, 2], [1, 3], [2, 0], [3, 1]]


def test_of_equal_neighbours_the_nearer_word_is_taken() -> None:
    the, *_ = np.eye(3, dtype=np.float32)
    same = np.array([the, the, the])
    assert Embedding(context=0.0)._links(same, same).tolist() == [[0, 0], [1, 1], [2, 2]]


def test_a_word_has_at_most_one_link_and_a_high_threshold_leaves_none() -> None:
    first, second = "no no no yes", "yes no"
    links = linked(first, second)
    assert len({i for i, _ in links}) == len({j for _, j in links}) == len(links)
    assert linked(first, second, "embedding:threshold=2") == []


def test_empty_segments_and_many_segments_keep_their_places() -> None:
    vocabulary = Vocabulary()
    texts = [["one", "two"], [], ["three"]] * 700
    other = [["one", "two"], ["x"], []] * 700
    batch = aligner("embedding").align(
        vocabulary.column(texts), vocabulary.column(other), vocabulary, jobs=2
    )
    assert batch.counts.tolist() == [2, 0, 0] * 700
    assert batch.segment(2097) == [(0, 0), (1, 1)]


def test_texts_of_different_lengths_are_refused() -> None:
    vocabulary = Vocabulary()
    with pytest.raises(InputError, match="both need equally many"):
        aligner("embedding").align(vocabulary.column([["a"]]), vocabulary.column([]), vocabulary)


def test_without_its_model_the_install_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kilter_model_en", None)
    load_encoder.cache_clear()
    with pytest.raises(MissingToolError, match=r"pip install 'kilter\[parse\]'"):
        linked("a", "a")
