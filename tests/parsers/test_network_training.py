"""What a network learns from a treebank."""

import ctypes
from dataclasses import replace
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from kilter.parsers.network_file import ParserNetwork
from kilter.parsers.network_training import (
    Dropout,
    LessonBatch,
    NetworkSettings,
    NetworkSizes,
    by_name,
    learned_network,
    loss_gradient,
    matrix_threads,
    network_accuracy,
)
from tests.parsers.test_perceptron_training import lessons

SMALL = NetworkSizes(width=64, depth=1, arc=16, label=16, word=16, piece=8, piece_rows=256)
FEW = NetworkSettings(passes=16)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("treebank")


@pytest.fixture(scope="module")
def network(folder: Path) -> ParserNetwork:
    return learned_network(lessons(folder, 200, 1), FEW, sizes=SMALL)


def test_a_simple_language_is_learned_from_two_hundred_trees(
    network: ParserNetwork, folder: Path
) -> None:
    found = network_accuracy(network, lessons(folder, 40, 2))
    assert found.sentences == 40
    assert found.las > 0.97
    assert (found.upos or 0) > 0.97


def test_accuracy_counts_words_whose_label_is_right(network: ParserNetwork, folder: Path) -> None:
    held = lessons(folder, 40, 2)
    labels = [f"not-{label}" for label in held.labels]
    found = network_accuracy(network, replace(held, labels=labels))
    assert found.las == 0
    assert found.uas > 0.97


def test_weights_are_the_same_again_and_others_for_another_seed(folder: Path) -> None:
    few = lessons(folder, 30, 1)
    once, again, other = (
        learned_network(few, NetworkSettings(passes=1, seed=seed), sizes=SMALL)
        for seed in (1, 1, 2)
    )
    assert once.to_bytes() == again.to_bytes()
    assert (once.input != other.input).any()


def test_progress_rises_and_ends_with_all_steps(folder: Path) -> None:
    seen: list[tuple[int, int]] = []
    settings = NetworkSettings(passes=2)
    learned_network(
        lessons(folder, 30, 1), settings, sizes=SMALL, progress=lambda *step: seen.append(step)
    )
    steps = seen[0][1]
    assert seen == [(k + 1, steps) for k in range(steps)]


def test_words_that_are_seen_once_have_no_vector_of_their_own(
    network: ParserNetwork, folder: Path
) -> None:
    forms, counts = np.unique(lessons(folder, 200, 1).parts[:, 0], return_counts=True)
    assert network.forms.tolist() == forms[counts > 1].tolist()
    assert len(network.words) == len(network.forms) + 1


# Threads of numpy's library of matrices: as many as asked for, and as before afterwards.


def threads() -> int:
    library = ctypes.CDLL(import_module("numpy.linalg._umath_linalg").__file__)
    if not hasattr(library, "scipy_openblas_get_num_threads64_"):
        pytest.skip("this numpy has another library of matrices")
    return int(library.scipy_openblas_get_num_threads64_())


def test_there_are_as_many_as_asked_for_and_as_before_afterwards() -> None:
    before = threads()
    with matrix_threads(1):
        assert threads() == 1
        with matrix_threads(2):
            assert threads() == 2
        assert threads() == 1
    assert threads() == before


def test_a_fault_leaves_as_many_as_before() -> None:
    before = threads()
    with pytest.raises(ValueError, match="fault"), matrix_threads(before + 1):
        raise ValueError("fault")
    assert threads() == before


# The gradient of the network's loss, against differences of the loss itself.


SIZES = NetworkSizes(width=8, depth=2, arc=6, label=4, word=5, piece=3, piece_rows=16, reach=2)
SHAPES = SIZES.shapes(7, 4, 3)


def batch() -> LessonBatch:
    """Return sentences of three, one and five words."""
    draw = np.random.default_rng(5)
    return LessonBatch(
        draw.integers(0, 7, 9),
        draw.integers(0, 16, (9, 9)),
        np.array([0, 3, 4, 9]),
        draw.integers(0, 4, 9).astype(np.int32),
        np.array([-1, 0, 1, -1, 1, -1, 1, 2, 0], dtype=np.int32),
        draw.integers(0, 3, 9).astype(np.int32),
    )


def weights() -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    size = sum(int(np.prod(shape)) for shape in SHAPES.values())
    return np.random.default_rng(2).normal(0, 0.4, size).astype(np.float32)


def loss(
    flat: np.ndarray[tuple[int], np.dtype[np.float32]], dropout: Dropout
) -> tuple[float, np.ndarray[tuple[int], np.dtype[np.float32]]]:
    gradient = np.full_like(flat, np.nan)
    found = loss_gradient(by_name(flat, SHAPES), by_name(gradient, SHAPES), batch(), dropout)
    return found, gradient


def same_chance() -> Dropout:
    return Dropout(chance=np.random.default_rng(3))


@pytest.mark.parametrize("name", SHAPES)
def test_the_gradient_is_the_slope_of_the_loss(name: str) -> None:
    flat = weights()
    _, gradient = loss(flat, same_chance())
    draw, errors = np.random.default_rng(1), []
    for _ in range(5):
        way = np.zeros_like(flat)
        own = by_name(way, SHAPES)[name]
        own[...] = draw.normal(size=own.shape)
        way *= np.float32(2e-3) / np.linalg.norm(way)
        ahead, behind = (loss(flat + sign * way, same_chance())[0] for sign in (1, -1))
        errors.append(abs((ahead - behind) / 2 - float(gradient @ way)) / 2e-3)
    # Where a unit bends between the two, the difference is no slope; most ways have no such place.
    assert np.median(errors) < 2e-3


def test_a_loss_without_dropout_is_that_of_plain_formulas() -> None:
    named = by_name(weights(), SHAPES)
    given = batch()
    whole = Dropout(np.random.default_rng(0), 0.0, 0.0, 0.0, 0.0)
    found, _ = loss(weights(), whole)
    assert found == pytest.approx(_plain_loss(named, given), abs=1e-4)


def _plain_loss(named: dict[str, np.ndarray], given: LessonBatch) -> float:
    rows = [
        np.concatenate([named["words"][word], *named["pieces"][pieces]])
        for word, pieces in zip(given.words, given.pieces, strict=True)
    ]
    values = np.array(rows, dtype=np.float64) @ named["input"] + named["input_bias"]
    offsets = given.offsets.tolist()
    for matrix, bias in zip(named["layers"], named["layer_bias"], strict=True):
        values = values + _plain_layer(_normed(values) @ matrix + bias, offsets)
    made = _normed(values) @ named["heads"] + named["head_bias"]
    dependents, heads, label_words, label_heads, tags = np.split(made, [6, 12, 16, 20], axis=1)
    sought = _bent(dependents) @ named["arcs"] + named["arc_bias"]
    total = 0.0
    for begin, end in pairwise(offsets):
        for word in range(begin, end):
            scores = [sought[word] @ named["root_arc"]]
            for head in range(begin, end):
                far = min(2, max(-2, head - word)) + 2
                score = sought[word] @ _bent(heads[head]) + named["distance"][far]
                scores.append(score if head != word else -1e30)
            head = int(given.heads[word])
            total += _missed(np.array(scores), head + 1)
            theirs = named["root_label"] if head < 0 else label_heads[begin + head]
            labelled = _bent(label_words[word] + theirs) @ named["labels"] + named["label_bias"]
            total += _missed(labelled, int(given.labels[word]))
            total += _missed(tags[word], int(given.tags[word]))
    return total / len(values)


def _plain_layer(sums: np.ndarray, offsets: list[int]) -> np.ndarray:
    opened = 1 / (1 + np.exp(-sums))
    found = np.zeros((len(sums), 8))
    for begin, end in pairwise(offsets):
        for side, order in enumerate((range(begin, end), reversed(range(begin, end)))):
            state, first = np.zeros(4), 12 * side
            for row in order:
                keep, show = opened[row, first + 4 : first + 8], opened[row, first + 8 : first + 12]
                state = keep * state + (1 - keep) * sums[row, first : first + 4]
                found[row, 4 * side : 4 * side + 4] = show * state
    return found


def _normed(values: np.ndarray) -> np.ndarray:
    centred = values - values.mean(axis=1, keepdims=True)
    found: np.ndarray = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5)
    return found


def _bent(values: np.ndarray) -> np.ndarray:
    return np.where(values > 0, values, 0.1 * values)


def _missed(scores: np.ndarray, right: int) -> float:
    return float(np.log(np.exp(scores - scores.max()).sum()) - (scores[right] - scores.max()))


def test_dropout_leaves_out_its_share_and_keeps_the_mean() -> None:
    kept = Dropout(chance=np.random.default_rng(1)).kept((200, 100), 0.25)
    assert (kept == 0).mean() == pytest.approx(0.25, abs=0.02)
    assert kept.mean() == pytest.approx(1, abs=0.02)
    assert (Dropout(np.random.default_rng(1)).kept((3, 4), 0.0) == 1).all()
