"""What self-training learns from, and what it refuses."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError, KilterWarning, OptionError
from kilter.reorder import read
from kilter.run.preordering.self_training_data import (
    SelfTrainingData,
    SelfTrainingSettings,
    Sentences,
    split,
)
from tests.preordering.searched import in_hidden_order, small_trees


def test_a_share_is_held_out_by_the_seed(tmp_path: Path) -> None:
    trees = small_trees(tmp_path)
    training = Sentences.of(in_hidden_order(trees), trees.sentences())
    data = SelfTrainingData(treebanks=[], training=training, held_out=0.25)
    parts = split(data, seed=1)
    assert parts.held_rows.sum() == 10
    assert (parts.training_rows ^ parts.held_rows).all()
    assert (split(data, seed=2).held_rows != parts.held_rows).any()
    turned = Sentences([words[::-1] for words in training.words], training.reference)
    other = SelfTrainingData(treebanks=[], training=training, held_out=turned)
    assert split(other, seed=1).training_rows.all()
    mixed = Sentences([training.words[0], *turned.words[1:]], training.reference)
    with pytest.warns(KilterWarning, match="hidden: 1 of 40 sentences are learned from, too"):
        split(SelfTrainingData(treebanks=[], training=training, held_out=mixed), seed=1)
    few = SelfTrainingData(treebanks=[], training=training, held_out=0.1)
    with pytest.raises(InputError, match="there are 4 sentences held out; at least 10"):
        split(few, seed=1)
    with pytest.raises(OptionError, match="it is unknown whether self-training helps"):
        split(SelfTrainingData(treebanks=[], training=training, held_out=0.0), seed=1)


def test_references_need_the_words_of_their_source(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("b a\n", encoding="utf-8")
    order = read(str(tmp_path / "a.txt"))
    with pytest.raises(InputError, match=r"a\.txt: does not say how the sentences read"):
        Sentences.of(order)
    with pytest.raises(InputError, match="has 1 line, but the source has 2"):
        Sentences.of(order, [["a", "b"], ["c"]])


@pytest.mark.parametrize(
    "wrong", [{"weight": 0}, {"nbest": 0}, {"treebank_weight": 0}, {"rounds": -1}, {"minimum": 1.5}]
)
def test_settings_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(OptionError, match=next(iter(wrong))):
        SelfTrainingSettings(**wrong)  # type: ignore[arg-type]
