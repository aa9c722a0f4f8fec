"""Parses that are picked among the n-best, against a plain loop over them."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from kilter.core.corpus import TokenColumn, Vocabulary
from kilter.io.conllu import read_conllu
from kilter.io.stream import ByteSource
from kilter.parsers.perceptron import Perceptron
from kilter.parsers.perceptron_training import TrainingSettings
from kilter.preordering.dependency_tree_order import reorder_trees
from kilter.run.preordering.parser_school import ParserSchool
from kilter.run.preordering.self_training_data import (
    ParseChoosing,
    SelfTrainingData,
    SelfTrainingSettings,
    Sentences,
)
from tests.oracles.reordering import form_positions, kept_joints
from tests.parsers.small_treebank import sentences
from tests.preordering.searched import hidden_rules, in_hidden_order, small_trees

FEW = SelfTrainingSettings(nbest=5, training=TrainingSettings(passes=1, voters=1, beam=4))
Scores = list[list[float]]


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> tuple[ParserSchool, Path, Scores]:
    """Return a school, the model of its treebank, and what each parse of each sentence scores."""
    folder = tmp_path_factory.mktemp("school")
    path, model = folder / "bank.conllu", folder / "own.model"
    path.write_text(sentences(20, 8), encoding="utf-8")
    trees = small_trees(folder)
    order = in_hidden_order(trees)
    data = SelfTrainingData(
        treebanks=[("bank", read_conllu(ByteSource(str(path))))],
        training=Sentences.of(order, trees.sentences()),
        held_out=0.25,
    )
    made = ParserSchool(data, hidden_rules(), FEW, 1)
    made.learned(model, FEW, None, lambda *_: None)
    vocabulary = Vocabulary()
    words = TokenColumn(
        vocabulary.numbers(w for line in trees.sentences() for w in line), trees.offsets
    )
    found = Perceptron(model=str(model)).parse_nbest(words, vocabulary, 5).trees
    single = replace(found, parses=np.arange(found.trees + 1))
    placed = reorder_trees(single, hidden_rules())
    scores: Scores = []
    for segment, own in enumerate(trees.sentences()):
        assert order.words is not None
        scores.append([])
        for tree in range(found.parses[segment], found.parses[segment + 1]):
            row = placed.order[placed.offsets[tree] : placed.offsets[tree + 1]]
            places = form_positions([own[k] for k in row], order.words[segment])
            joints = kept_joints(places, list(range(len(own))))
            scores[-1].append(joints / (len(own) - 1))
    return made, model, scores


def read_back(path: Path) -> list[tuple[int, int, float]]:
    """Return segment from 0, rank and score of the parses in a file."""
    found = []
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        said = dict(line[2:].split(" = ", 1) for line in block.splitlines() if line[0] == "#")
        found.append((int(said["sent_id"]) - 1, int(said["rank"]), float(said["frs"])))
    return found


def test_the_parse_that_reorders_best_is_picked(
    school: tuple[ParserSchool, Path, Scores], tmp_path: Path
) -> None:
    made, model, scores = school
    bank, pick = made.picked(model, FEW, tmp_path / "picked.conllu")
    training = [k for k in range(40) if made.parts.training_rows[k]]
    expected = [(k, scores[k].index(max(scores[k])) + 1, max(scores[k])) for k in training]
    written = read_back(tmp_path / "picked.conllu")
    assert [row[:2] for row in written] == [row[:2] for row in expected]
    assert [row[2] for row in written] == pytest.approx([row[2] for row in expected], abs=1e-6)
    assert max(rank for _, rank, _ in expected) > 1
    assert pick.first == pytest.approx(np.mean([scores[k][0] for k in training]))
    assert pick.selected == pytest.approx(np.mean([max(scores[k]) for k in training]))
    assert pick.worst == pytest.approx(np.mean([min(scores[k]) for k in training]))
    assert pick.changed == sum(rank > 1 for _, rank, _ in expected)
    assert bank is not None
    names = bank[1].trees.vocabulary.words
    assert {names[tag] for tag in bank[1].kept[1]} <= {"D", "A", "N", "V", "P"}


def test_plain_self_training_takes_the_first_and_a_minimum_leaves_out(
    school: tuple[ParserSchool, Path, Scores], tmp_path: Path
) -> None:
    made, model, scores = school
    path = tmp_path / "picked.conllu"
    _, pick = made.picked(model, replace(FEW, pick=ParseChoosing.FIRST), path)
    assert {rank for _, rank, _ in read_back(path)} == {1}
    assert (pick.picked, pick.changed, pick.selected) == (30, 0, pick.first)
    some = sum(max(scores[k]) == 1.0 for k in np.flatnonzero(made.parts.training_rows))
    assert made.picked(model, replace(FEW, minimum=1.0), path)[1].picked == some
    path.write_text("", encoding="utf-8")
    assert made.read_picked(path) is None


def test_gains_have_the_p_value_of_a_sign_flip_test(
    school: tuple[ParserSchool, Path, Scores],
) -> None:
    made, model, _ = school
    before = made.evaluated("before", "", model, None)
    added = np.linspace(-0.1, 0.3, len(before.rows))
    after = replace(
        before, shown=replace(before.shown, name="after"), rows=before.rows + added[:, np.newaxis]
    )
    gain, _ = made.gains(before, after)
    sums = [abs(np.dot(added, signs)) for signs in product((1, -1), repeat=len(added))]
    expected = np.mean([each >= added.sum() - 1e-9 for each in sums])
    assert (gain.first, gain.second) == ("before", "after")
    assert gain.p == pytest.approx(expected)
    assert 0.0 < expected < 0.5
