"""What vectors say about pairs of sentences: as plain loops say it, and the same whatever stands beside it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from kilter import _core
from kilter.core.corpus import row_offsets
from tests.oracles.meaning import meaning

Singles = NDArray[np.float32]
OPTIONS = {"context": 0.3, "position": 0.05, "temperature": 0.06, "floor": 0.6}
Found = tuple[Singles, Singles, NDArray[np.float64]]
SEEDS = st.integers(0, 2**32 - 1)


def compared(sentences: list[Singles], pairs: list[tuple[int, int]], **changed: Any) -> Found:
    vectors = np.concatenate([np.zeros((0, sentences[0].shape[1]), np.float32), *sentences])
    firsts, seconds = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return _core.meanings(
        vectors,
        row_offsets(np.array([len(rows) for rows in sentences])),
        np.ascontiguousarray(firsts),
        np.ascontiguousarray(seconds),
        **{**OPTIONS, "jobs": 1, **changed},
    )


def drawn(seed: int, *lengths: int, width: int = 24) -> list[Singles]:
    """Return sentences of vectors, the words of which are from a small vocabulary with some noise."""
    draw = np.random.default_rng(seed)
    words = draw.normal(size=(6, width))
    return [
        (words[draw.integers(6, size=n)] + draw.choice([0.0, 0.3]) * draw.normal(size=(n, width)))
        .astype(np.float32)
        .reshape(n, width)
        for n in lengths
    ]


def _assert_near(found: object, expected: object) -> None:
    np.testing.assert_allclose(np.array(found), np.array(expected), rtol=2e-4, atol=1e-6)


@given(
    st.integers(0, 9),
    st.integers(0, 9),
    SEEDS,
    st.fixed_dictionaries(
        {
            "context": st.sampled_from([0.0, 0.3, 1.0]),
            "position": st.sampled_from([0.0, 0.05, 1.0]),
            "temperature": st.sampled_from([0.03, 0.06, 1.0]),
            "floor": st.sampled_from([-1.0, 0.6, 2.0]),
        }
    ),
)
def test_meanings_are_those_of_plain_loops(
    n: int, m: int, seed: int, options: dict[str, float]
) -> None:
    first, second = drawn(seed, n, m)
    expected = meaning(first.tolist(), second.tolist(), **options)
    first_words, second_words, totals = compared([first, second], [(0, 1)], **options)
    assert first_words.shape == (n, 4)
    assert second_words.shape == (m, 3)
    masses = np.array(expected.masses).reshape(n, m)
    of_first = [
        expected.precision,
        masses.sum(1),
        expected.first_concordant,
        expected.first_discordant,
    ]
    _assert_near(first_words, np.array(of_first).T.reshape(n, 4))
    of_second = [expected.recall, expected.bigram, masses.sum(0)]
    _assert_near(second_words, np.array(of_second).T.reshape(m, 3))
    whole = [expected.concordant, expected.discordant, masses.sum(), (masses**2).sum()]
    _assert_near(totals, [whole])


@given(SEEDS, st.integers(1, 5))
def test_a_pair_depends_on_its_vectors_alone(seed: int, jobs: int) -> None:
    sentences = drawn(seed, 5, 0, 7, 1, 12)
    pairs = [(0, 2), (1, 3), (2, 0), (4, 4), (3, 0), (0, 1), (0, 2)]
    first_words, second_words, totals = compared(sentences, pairs, jobs=jobs)
    at = other = 0
    for place, (one, two) in enumerate(pairs):
        alone = compared([sentences[one], sentences[two]], [(0, 1)])
        n, m = len(sentences[one]), len(sentences[two])
        assert first_words[at : at + n].tobytes() == alone[0].tobytes()
        assert second_words[other : other + m].tobytes() == alone[1].tobytes()
        assert totals[place].tobytes() == alone[2].tobytes()
        at, other = at + n, other + m


@given(st.integers(1, 12), SEEDS, st.floats(1e-3, 1e3))
def test_equal_words_and_bigrams_have_a_cosine_of_exactly_1(
    n: int, seed: int, scale: float
) -> None:
    draw = np.random.default_rng(seed)
    sentence = (scale * draw.normal(size=(n, 37))).astype(np.float32)
    first_words, second_words, _ = compared([sentence], [(0, 0)])
    assert (first_words[:, 0] == 1).all()
    assert (second_words[:, 0] == 1).all()
    assert (second_words[:-1, 1] == 1).all()
    assert second_words[-1, 1] == 0


def test_a_reversed_sentence_is_out_of_order_and_an_equal_one_in_order() -> None:
    sentence = np.eye(8, dtype=np.float32)
    backward = np.ascontiguousarray(sentence[::-1])
    *_, totals = compared([sentence, backward], [(0, 0), (1, 0)], context=0.0)
    (alike, few, linked, squared), (none, turned, *_) = totals
    assert few < 1e-3 < 0.9 * 28 < alike <= 28
    assert none < 1e-3 < 0.9 * 28 < turned <= 28
    assert 7.9 < squared < linked < 8


def test_a_vector_of_zeros_is_like_no_other() -> None:
    sentence = np.zeros((2, 5), dtype=np.float32)
    first_words, second_words, totals = compared([sentence], [(0, 0)])
    assert (first_words[:, 0] == 0).all()
    assert (second_words[:, :2] == 0).all()
    assert np.isfinite(totals).all()


def test_words_below_the_floor_have_hardly_a_link() -> None:
    one = np.array([[1.0, 0.0]], dtype=np.float32)
    other = np.array([[0.5, np.sqrt(0.75)]], dtype=np.float32)  # a cosine of one half
    strict = compared([one, other], [(0, 1)], floor=0.8)[2][0, 2]
    lenient = compared([one, other], [(0, 1)], floor=0.2)[2][0, 2]
    assert strict < 1e-3
    assert lenient > 0.98


@pytest.mark.parametrize("temperature", [0.01, 0.06, 0.37, 10.0])
@pytest.mark.parametrize("floor", [-1.0, -0.3, 0.61, 0.999, 1.001, 2.0])
def test_the_mass_of_a_single_link_is_exact_up_to_rounding(
    temperature: float, floor: float
) -> None:
    one = np.ones((1, 1), dtype=np.float32)
    found = compared([one], [(0, 0)], temperature=temperature, floor=floor)[2][0, 2]
    expected = (1 / (1 + math.exp((floor - 1) / temperature))) ** 2
    assert found == pytest.approx(expected, rel=4e-15)


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"context": 1.5}, "context"),
        ({"position": -0.1}, "position"),
        ({"temperature": 0.0}, "temperature"),
        ({"floor": 3.0}, "floor"),
    ],
)
def test_options_out_of_range_are_refused(changed: dict[str, float], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        compared(drawn(1, 2), [(0, 0)], **changed)


def test_pairs_of_sentences_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ValueError, match="seconds"):
        compared(drawn(1, 2), [(0, 1)])


def test_vectors_that_are_not_finite_are_refused() -> None:
    sentence = np.full((2, 4), np.nan, dtype=np.float32)
    with pytest.raises(ValueError, match="finite"):
        compared([sentence], [(0, 0)])


def test_tables_beyond_memory_are_refused_before_they_are_made() -> None:
    words = np.zeros((1 << 14, 1), dtype=np.float32)
    with pytest.raises(ValueError, match="16384 by 16384 words"):
        compared([words], [(0, 0)])
