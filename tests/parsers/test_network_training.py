"""What a network learns from a treebank."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kilter.parsers.network_file import ParserNetwork
from kilter.parsers.network_training import (
    NetworkSettings,
    NetworkSizes,
    learned_network,
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
