"""The EM kernels against plain definitions, and the laws of expectation-maximisation."""

import random
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from kilter import _core
from tests.oracles import em
from tests.thorough import examples, tried

Column: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int64], dict[str, int]]
NULL, UNIFORM, REACH = 0.2, 0.1, 3
CACHED = 1 << 25

sentences = st.lists(st.sampled_from("abcd"), max_size=3).map(tuple)
bitexts = st.lists(st.tuples(sentences, sentences), min_size=1, max_size=5)


def column(side: Sequence[em.Sentence]) -> Column:
    numbers: dict[str, int] = {}
    ids = [numbers.setdefault(word, len(numbers)) for words in side for word in words]
    offsets = np.cumsum([0, *map(len, side)], dtype=np.int64)
    return np.array(ids, dtype=np.int32), offsets, numbers


def trainer(
    pairs: Sequence[em.Pair], *, jobs: int = 1, cached: int = CACHED, reach: int = REACH
) -> _core.EmTrainer:
    one, two = column([s for s, _ in pairs]), column([t for _, t in pairs])
    return _core.EmTrainer(*one[:2], *two[:2], len(one[2]), len(two[2]), reach, cached, jobs)


def learned(model: _core.EmTrainer, direction: int, pairs: Sequence[em.Pair]) -> em.Table:
    """Return the kernel's table with words instead of numbers."""
    sides = [column([s for s, _ in pairs]), column([t for _, t in pairs])]
    source, target = (list(sides[k][2]) for k in ((0, 1) if direction == 0 else (1, 0)))
    rows: list[em.Word] = [None, *source]
    offsets, targets, probabilities = model.table(direction)
    return {
        (rows[row], target[targets[entry]]): float(probabilities[entry])
        for row in range(len(rows))
        for entry in range(offsets[row], offsets[row + 1])
    }


def decoded(
    model: _core.EmTrainer, pairs: Sequence[em.Pair], decoding: _core.Decoding, *, jobs: int = 1
) -> list[list[int]]:
    """Return the source position of each target word, forward."""
    one, two = column([s for s, _ in pairs]), column([t for _, t in pairs])
    offsets, targets, probabilities = model.table(0)
    text = (one[0], one[1], two[0], two[1])
    found = _core.em_decode(
        *text, offsets, targets, probabilities, model.jumps(0), NULL, UNIFORM, decoding, jobs
    )
    return [part.tolist() for part in np.split(found, two[1][1:-1])] if pairs else []


def learned_jumps(model: _core.EmTrainer) -> em.Jumps:
    jumps = em.Jumps(REACH, NULL, UNIFORM)
    jumps.weights = dict(zip(range(-REACH, REACH + 1), model.jumps(0).tolist(), strict=True))
    return jumps


def random_pairs(seed: int, size: int, longest: int) -> list[em.Pair]:
    dice = random.Random(seed)
    words = [f"w{k}" for k in range(40)]

    def sentence() -> list[str]:
        return dice.choices(words, k=dice.randint(0, longest))

    return [(sentence(), sentence()) for _ in range(size)]


@given(bitexts)
def test_model_1_equals_the_definition(pairs: list[em.Pair]) -> None:
    model = trainer(pairs)
    likelihoods = [model.model1() for _ in range(4)]
    for direction, side in enumerate((pairs, em.flipped(pairs))):
        table, expected = em.model1(side, 4)
        assert learned(model, direction, pairs) == pytest.approx(table, abs=1e-9)
        assert [both[direction] for both in likelihoods] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("agree", [False, True])
@examples(40)
@given(pairs=bitexts, reach=st.integers(1, 3))
def test_the_hidden_markov_model_equals_the_sum_over_all_paths(
    pairs: list[em.Pair],
    reach: int,
    *,
    agree: bool,
) -> None:
    model = trainer(pairs, reach=reach)
    for _ in range(2):
        model.model1()
    oracle = em.Hmm(pairs, 2, [em.Jumps(reach, NULL, UNIFORM) for _ in range(2)])
    for _ in range(3):
        likelihoods = model.hmm(NULL, UNIFORM, agree)
        assert likelihoods == pytest.approx(oracle.iterate(agree=agree), abs=1e-9)
        for direction in (0, 1):
            table = learned(model, direction, pairs)
            assert table == pytest.approx(oracle.tables[direction], abs=1e-9)
            weights = [oracle.jumps[direction].weights[d] for d in range(-reach, reach + 1)]
            assert model.jumps(direction) == pytest.approx(weights, abs=1e-9)


@examples(60)
@given(bitexts)
def test_the_best_path_is_as_probable_as_any(pairs: list[em.Pair]) -> None:
    model = trainer(pairs)
    model.model1()
    model.hmm(NULL, UNIFORM, agree=False)
    jumps = learned_jumps(model)
    table = learned(model, 0, pairs)
    found = decoded(model, pairs, _core.Decoding.PATH)
    for number, pair in enumerate(pairs):
        reached = em.path_probability(table, jumps, pair, found[number])
        assert reached == pytest.approx(em.best_path(table, jumps, pair), rel=1e-9)


@examples(60)
@given(bitexts)
def test_posterior_links_are_the_most_probable_ones(pairs: list[em.Pair]) -> None:
    model = trainer(pairs)
    model.model1()
    model.hmm(NULL, UNIFORM, agree=True)
    jumps = learned_jumps(model)
    table = learned(model, 0, pairs)
    found = decoded(model, pairs, _core.Decoding.POSTERIOR)
    for number, pair in enumerate(pairs):
        expected = em.Expectation(table, jumps, pair).posteriors
        for j, row in enumerate(expected):
            assert row[found[number][j]] == pytest.approx(max(row.values()), rel=1e-9)


@given(bitexts)
def test_model_1_links_each_word_to_its_best_word(pairs: list[em.Pair]) -> None:
    model = trainer(pairs)
    for _ in range(3):
        model.model1()
    table = learned(model, 0, pairs)
    found = decoded(model, pairs, _core.Decoding.MODEL1)
    for number, (source, target) in enumerate(pairs):
        for j, word in enumerate(target):
            best = max(range(len(source)), key=lambda i: table[source[i], word], default=-1)
            if best >= 0 and table[source[best], word] < table[None, word]:
                best = -1
            assert found[number][j] == best


def test_the_likelihood_never_falls() -> None:
    model = trainer(random_pairs(1, 60, 12), reach=5)
    stages = [[model.model1() for _ in range(15)]]
    stages.append([model.hmm(NULL, UNIFORM, agree=False) for _ in range(25)])
    for stage in stages:
        steps = np.diff(np.array(stage), axis=0)
        assert (steps > -1e-9).all()
        assert steps[0].min() > 0


def test_every_row_of_a_table_is_a_distribution() -> None:
    model = trainer(random_pairs(2, 50, 9))
    model.model1()
    model.hmm(NULL, UNIFORM, agree=True)
    for direction in (0, 1):
        offsets, _, probabilities = model.table(direction)
        sums = np.add.reduceat(probabilities, offsets[:-1])
        assert sums == pytest.approx(np.ones(len(sums)), abs=1e-9)


@pytest.mark.parametrize("cached", [0, CACHED])
@pytest.mark.parametrize("jobs", [2, 3, 7, 64])
def test_the_number_of_threads_changes_no_bit(jobs: int, cached: int) -> None:
    pairs = random_pairs(3, 700, 30)
    results = []
    for model in (trainer(pairs), trainer(pairs, jobs=jobs, cached=cached)):
        likelihoods = [model.model1() for _ in range(2)]
        likelihoods += [model.hmm(NULL, UNIFORM, agree=True) for _ in range(2)]
        arrays = [array.tobytes() for which in (0, 1) for array in model.table(which)]
        jumps = [model.jumps(which).tobytes() for which in (0, 1)]
        results.append((likelihoods, arrays, jumps))
    assert results[0] == results[1]


@pytest.mark.parametrize("decoding", _core.Decoding)
def test_decoding_is_the_same_for_every_number_of_threads(decoding: _core.Decoding) -> None:
    pairs = random_pairs(4, 300, 20)
    model = trainer(pairs)
    model.hmm(NULL, UNIFORM, agree=False)
    assert decoded(model, pairs, decoding) == decoded(model, pairs, decoding, jobs=5)


def test_sentences_of_500_words_stay_finite() -> None:
    dice = random.Random(5)
    words = [f"w{k}" for k in range(2000)]
    count = tried(3, quick=1)
    pairs = [(dice.choices(words, k=500), dice.choices(words, k=500)) for _ in range(count)]
    pairs += [(["w1"], dice.choices(words, k=500)), (dice.choices(words, k=500), ["w1"])]
    model = trainer(pairs)
    likelihoods = [model.model1() for _ in range(3)]
    likelihoods += [model.hmm(NULL, UNIFORM, agree=True) for _ in range(4)]
    assert np.isfinite(likelihoods).all()
    for direction in (0, 1):
        assert np.isfinite(model.table(direction)[2]).all()


def test_texts_without_words_are_texts() -> None:
    for pairs in ([], [((), ())], [((), ("a",))], [(("a",), ())]):
        model = trainer(pairs)
        model.model1()
        assert np.isfinite(model.hmm(NULL, UNIFORM, agree=True)).all()


def test_unknown_words_follow_their_neighbours_in_the_hidden_markov_model() -> None:
    pairs = [
        (("a", "b", "c"), ("x", "y", "z")),
        (("a",), ("x",)),
        (("c",), ("z",)),
        (("b",), ("y",)),
    ]
    model = trainer(pairs)
    for _ in range(5):
        model.model1()
    for _ in range(5):
        model.hmm(NULL, UNIFORM, agree=True)
    source = np.array([0, -1, 2], dtype=np.int32)
    target = np.array([0, -1, 2], dtype=np.int32)
    offsets = np.array([0, 3], dtype=np.int64)
    table, jumps = model.table(0), model.jumps(0)
    sides = (source, offsets, target, offsets, *table, jumps, NULL, UNIFORM)
    assert _core.em_decode(*sides, _core.Decoding.PATH, 1).tolist() == [0, 1, 2]
    assert _core.em_decode(*sides, _core.Decoding.MODEL1, 1).tolist() == [0, -1, 2]


def test_the_kernel_refuses_what_would_leave_its_arrays() -> None:
    ids, offsets = np.array([0, 1], dtype=np.int32), np.array([0, 2], dtype=np.int64)
    with pytest.raises(ValueError, match=r"target\[1\] is 1"):
        _core.EmTrainer(ids, offsets, ids, offsets, 2, 1, REACH, CACHED, 1)
    with pytest.raises(ValueError, match="equally many"):
        _core.EmTrainer(ids, offsets, ids, np.array([0, 1, 2]), 2, 2, REACH, CACHED, 1)
    with pytest.raises(ValueError, match="fall from 3 to 2"):
        _core.EmTrainer(ids, np.array([0, 3, 2]), ids, np.array([0, 1, 2]), 2, 2, REACH, CACHED, 1)
    model = _core.EmTrainer(ids, offsets, ids, offsets, 2, 2, REACH, CACHED, 1)
    with pytest.raises(ValueError, match="null"):
        model.hmm(0.0, 0.1, agree=True)
    with pytest.raises(ValueError, match="forward"):
        model.table(2)
    with pytest.raises(ValueError, match="table"):
        _core.em_decode(
            ids,
            offsets,
            ids,
            offsets,
            np.array([0, 9]),
            ids,
            np.ones(2),
            np.ones(3),
            0.2,
            0.1,
            _core.Decoding.PATH,
            1,
        )
