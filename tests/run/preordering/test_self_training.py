"""Rounds of self-training: what is learned again, what is kept, when it ends."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import kilter
from kilter.core.errors import InputError, OptionError
from kilter.io.conllu import read_conllu
from kilter.io.stream import ByteSource
from kilter.parsers.perceptron_training import TrainingSettings
from kilter.results.preordering import SelfTrainingResult
from kilter.run.preordering.self_training import self_train
from kilter.run.preordering.self_training_data import (
    ParseChoosing,
    SelfTrainingData,
    SelfTrainingSettings,
    Sentences,
)
from kilter.run.train_parser import TrainedParser, learned_parser
from tests.parsers.small_treebank import sentences
from tests.preordering.searched import hidden_rules, in_hidden_order, small_trees

FEW = SelfTrainingSettings(
    rounds=1,
    nbest=6,
    minimum_gain=0.0,
    training=TrainingSettings(passes=1, voters=1, beam=4),
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> SelfTrainingData:
    """Return a treebank, and references of other sentences, a fourth of which is held out."""
    folder = tmp_path_factory.mktemp("data")
    path = folder / "bank.conllu"
    path.write_text(sentences(24, 8), encoding="utf-8")
    trees = small_trees(folder)
    return SelfTrainingData(
        treebanks=[("bank", read_conllu(ByteSource(str(path))))],
        training=Sentences.of(in_hidden_order(trees), trees.sentences()),
        held_out=0.25,
        gold=trees,
    )


@pytest.fixture(scope="module")
def run(
    data: SelfTrainingData, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, SelfTrainingResult]:
    folder = tmp_path_factory.mktemp("run")
    return folder, self_train(data, hidden_rules(), folder=str(folder), settings=FEW)


def test_held_out_sentences_are_scored_and_not_learned_from(
    run: tuple[Path, SelfTrainingResult], data: SelfTrainingData
) -> None:
    folder, found = run
    assert (found.sentences, found.held_out, found.treebank) == (30, 10, 24)
    first, second = found.rounds
    assert first.pick is None
    assert second.pick is not None
    assert second.pick.picked == 30
    words = {" ".join(each) for each in data.training.words}
    picked = read_conllu(ByteSource(str(folder / "picked-1.conllu"))).trees
    assert len(picked) == 30
    assert {" ".join(each) for each in picked.sentences()} <= words
    frs, kendall = found.gains
    assert frs.value == pytest.approx((second.frs.value or 0) - (first.frs.value or 0))
    assert kendall.metric == "kendall"
    trees = kilter.parse(
        [" ".join(each) for each in data.training.words],
        parser=f"perceptron:model={folder / 'round-1.model'}",
        tokenize="none",
    )
    again = kilter.preorder.evaluate({"it": trees}, hidden_rules(), data.training.reference)
    every = again.scores["frs", "P1R1"].sum()
    parts = (second.frs.value or 0) * 10 + second.training * 30
    assert every == pytest.approx(parts)
    assert second.accuracy is not None
    gold = kilter.preorder.evaluate(
        {"it": trees}, hidden_rules(), data.training.reference, gold=data.gold
    )
    assert second.accuracy == gold.accuracies["it"]


def test_a_run_goes_on_where_it_stopped(
    run: tuple[Path, SelfTrainingResult],
    data: SelfTrainingData,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole, expected = run
    part = tmp_path / "part"
    learned = []

    def counted(*given: Any, **options: Any) -> TrainedParser:
        learned.append(given)
        return learned_parser(*given, **options)

    monkeypatch.setattr("kilter.run.preordering.parser_school.learned_parser", counted)
    self_train(data, hidden_rules(), folder=str(part), settings=replace(FEW, rounds=0))
    assert len(learned) == 1
    found = self_train(data, hidden_rules(), folder=str(part), settings=FEW)
    assert len(learned) == 2
    assert found.rounds == expected.rounds
    for name in ("round-0.model", "picked-1.conllu", "round-1.model"):
        assert (part / name).read_bytes() == (whole / name).read_bytes()
    (part / "round-1.model").write_bytes((part / "round-0.model").read_bytes())
    self_train(data, hidden_rules(), folder=str(part), settings=FEW)
    assert len(learned) == 3
    for name in ("picked-1.conllu", "round-1.model"):
        (part / name).write_bytes((part / name).read_bytes()[:200])
        self_train(data, hidden_rules(), folder=str(part), settings=FEW)
        assert (part / name).read_bytes() == (whole / name).read_bytes()
    assert len(learned) == 5


def test_what_is_learned_from_is_not_held_out(data: SelfTrainingData, tmp_path: Path) -> None:
    bank = data.treebanks[0][1].trees
    for same in (replace(data, held_out=data.training), replace(data, gold=bank)):
        with pytest.raises(InputError, match="all its sentences are learned from"):
            self_train(same, hidden_rules(), folder=str(tmp_path), settings=FEW)


def test_a_folder_holds_one_run(
    run: tuple[Path, SelfTrainingResult], data: SelfTrainingData
) -> None:
    folder, _ = run
    with pytest.raises(InputError, match="a run with other settings: nbest; give another folder"):
        self_train(data, hidden_rules(), folder=str(folder), settings=replace(FEW, nbest=5))
    other = replace(data, treebanks=[*data.treebanks, *data.treebanks])
    with pytest.raises(InputError, match="a run with other data: treebanks"):
        self_train(other, hidden_rules(), folder=str(folder), settings=FEW)


def test_a_broken_record_is_no_run(data: SelfTrainingData, tmp_path: Path) -> None:
    (tmp_path / "selftrain.json").write_text('{"kilter": 1}', encoding="utf-8")
    with pytest.raises(InputError, match=r"selftrain\.json: is not a record of a run"):
        self_train(data, hidden_rules(), folder=str(tmp_path), settings=FEW)


def test_a_round_that_gains_too_little_is_the_last(data: SelfTrainingData, tmp_path: Path) -> None:
    wanted = replace(FEW, rounds=3, minimum_gain=2.0)
    found = self_train(
        data, hidden_rules(), folder=str(tmp_path), settings=replace(wanted, contrasts=True)
    )
    assert len(found.rounds) == 2
    assert found.converged
    # Names of ours: the publication's P1 to P5 are other parsers, of other data.
    names = ["greedy", "beam", "plain", "targeted", "lowercase"]
    assert [each.name for each in found.contrasts] == names
    assert found.contrasts[1].frs == found.rounds[0].frs
    assert found.contrasts[3].frs == found.rounds[1].frs
    pick = found.contrasts[2].pick
    assert pick is not None
    assert (pick.changed, pick.selected) == (0, pick.first)
    pairs = [(each.first, each.second, each.metric) for each in found.contrast_gains]
    others = [("greedy", name) for name in names[1:]]
    assert pairs == [
        (*pair, metric)
        for pair in [*others, ("plain", "targeted")]
        for metric in ("frs", "kendall")
    ]


def test_targeted_is_tested_against_plain_self_training_on_as_many_parses(
    data: SelfTrainingData, tmp_path: Path
) -> None:
    wanted = replace(FEW, rounds=2, minimum_gain=-1.0, changed_only=True)
    found = self_train(
        data, hidden_rules(), folder=str(tmp_path), settings=replace(wanted, contrasts=True)
    )
    for number, each in enumerate(found.rounds[1:], start=1):
        assert each.pick is not None
        assert 0 < each.pick.picked < 30
        plain = read_conllu(ByteSource(str(tmp_path / "plain" / f"picked-{number}.conllu")))
        assert len(plain.trees) == each.pick.picked
        assert {line for lines in plain.comments for line in lines if "# rank" in line} == {
            "# rank = 1"
        }
    assert len(found.rounds) == 3
    gain = found.contrast_gains[-2]
    by_name = {each.name: each for each in found.contrasts}
    assert gain.value == pytest.approx(
        (by_name["targeted"].frs.value or 0) - (by_name["plain"].frs.value or 0)
    )
    assert gain.p is not None
    assert 0.0 < gain.p <= 1.0
    document = found.to_dict()["contrast_gains"]
    assert isinstance(document, list)
    assert document[-2]["p"] == gain.p


def test_plain_self_training_is_no_contrast_to_itself(
    data: SelfTrainingData, tmp_path: Path
) -> None:
    plain = replace(FEW, pick=ParseChoosing.FIRST)
    with pytest.raises(OptionError, match="contrasts compare targeted with plain self-training"):
        self_train(
            data, hidden_rules(), folder=str(tmp_path), settings=replace(plain, contrasts=True)
        )
