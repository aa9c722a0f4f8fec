"""The statistical aligners `ibm1` and `hmm`: learning, options, model files."""

import os
import random
import re
from pathlib import Path

import numpy as np
import pytest

from kilter.aligners.em_aligner import EmAligner
from kilter.aligners.em_model import EmModel
from kilter.aligners.em_model_file import load, save
from kilter.aligners.hmm import Hmm
from kilter.aligners.ibm1 import Ibm1
from kilter.aligners.registry import ALIGNERS, aligner
from kilter.aligners.symmetrization import Symmetrization
from kilter.errors import InputError, OptionError
from kilter.structures.text.token_column import TokenColumn, Vocabulary

TEXT = [
    ("the house", "das Haus"),
    ("the book", "das Buch"),
    ("a book", "ein Buch"),
    ("a house", "ein Haus"),
    ("the small house", "das kleine Haus"),
    ("the small book", "das kleine Buch"),
    ("", ""),
    ("a", ""),
]
NAMES = ["ibm1", "hmm"]


def columns(text: list[tuple[str, str]], vocabulary: Vocabulary) -> tuple[TokenColumn, TokenColumn]:
    first = vocabulary.column([one.split() for one, _ in text])
    return first, vocabulary.column([other.split() for _, other in text])


def made(specification: str) -> EmAligner:
    found = aligner(specification)
    assert isinstance(found, EmAligner)
    return found


def same(one: EmModel, other: EmModel) -> bool:
    names = ("offsets", "targets", "probabilities", "jumps")
    return all(
        np.array_equal(getattr(getattr(one, side), name), getattr(getattr(other, side), name))
        for side in ("forward", "reverse")
        for name in names
    ) and (
        one.kind,
        one.training,
        one.lowercase,
        one.first_words,
        one.second_words,
        one.null,
        one.uniform,
    ) == (
        other.kind,
        other.training,
        other.lowercase,
        other.first_words,
        other.second_words,
        other.null,
        other.uniform,
    )


def test_both_are_registered_under_their_names() -> None:
    assert [ALIGNERS.find(name).name for name in NAMES] == NAMES
    assert not ALIGNERS.find("hmm").monolingual


@pytest.mark.parametrize("name", NAMES)
def test_words_that_translate_one_another_are_linked(name: str) -> None:
    vocabulary = Vocabulary()
    found = made(name).align(*columns(TEXT, vocabulary), vocabulary)
    expected = [[(k, k) for k in range(len(one.split()))] for one, _ in TEXT[:-1]]
    assert [found.segment(k) for k in range(len(TEXT))] == [*expected, []]


def test_forward_links_give_each_second_word_at_most_one_link() -> None:
    vocabulary = Vocabulary()
    text = [("a", "x y z"), ("a b", "x y z"), ("b", "z")]
    for rule, side in (("forward", 1), ("reverse", 0)):
        for name in NAMES:
            found = made(f"{name}:symmetrize={rule}").align(*columns(text, vocabulary), vocabulary)
            for segment in range(len(text)):
                words = [link[side] for link in found.segment(segment)]
                assert len(words) == len(set(words))


def test_a_reordered_pair_is_followed() -> None:
    vocabulary = Vocabulary()
    text = [
        ("red car", "voiture rouge"),
        ("red", "rouge"),
        ("car", "voiture"),
        ("big car", "grande voiture"),
    ]
    found = Hmm().align(*columns(text, vocabulary), vocabulary)
    assert found.segment(0) == [(0, 1), (1, 0)]


@pytest.mark.parametrize("name", NAMES)
def test_jobs_change_nothing(name: str) -> None:
    dice = random.Random(7)
    words = [f"w{k}" for k in range(50)]
    text = [
        (" ".join(dice.choices(words, k=dice.randint(0, 15))), " ".join(dice.choices(words, k=9)))
        for _ in range(300)
    ]
    vocabulary = Vocabulary()
    sides = columns(text, vocabulary)
    models = [made(name).train(*sides, vocabulary, jobs=jobs) for jobs in (1, 4)]
    assert same(*models)


def test_the_numbers_of_a_shared_vocabulary_change_nothing() -> None:
    fresh, used = Vocabulary(), Vocabulary()
    used.column([["Buch", "zebra", "small"], ["a"]])
    one = Hmm().train(*columns(TEXT, fresh), fresh)
    other = Hmm().train(*columns(TEXT, used), used)
    assert same(one, other)


def test_progress_is_told_after_every_iteration() -> None:
    vocabulary = Vocabulary()
    told: list[tuple[int, int]] = []
    sides = columns(TEXT, vocabulary)
    Hmm(iterations=2, model1=3).align(
        *sides, vocabulary, progress=lambda k, of: told.append((k, of))
    )
    assert told == [(k, 5) for k in range(1, 6)]


def test_extra_pairs_teach_and_are_not_aligned() -> None:
    vocabulary = Vocabulary()
    short = columns([("the house", "das Haus")], vocabulary)
    alone = Ibm1(symmetrize=Symmetrization.INTERSECTION).align(*short, vocabulary)
    taught = Ibm1(symmetrize=Symmetrization.INTERSECTION).align(
        *short, vocabulary, extra=columns(TEXT, vocabulary)
    )
    assert len(alone) == len(taught) == 1
    assert taught.segment(0) == [(0, 0), (1, 1)] != alone.segment(0)


def test_case_is_ignored_unless_told_otherwise() -> None:
    vocabulary = Vocabulary()
    sides = columns([("The the", "Das das")], vocabulary)
    assert Ibm1().train(*sides, vocabulary).first_words == ("the",)
    assert Ibm1(lowercase=False).train(*sides, vocabulary).first_words == ("The", "the")


@pytest.mark.parametrize("name", NAMES)
def test_a_model_is_written_and_used_again(name: str, tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    vocabulary = Vocabulary()
    sides = columns(TEXT, vocabulary)
    first = made(f"{name}:model={path}").align(*sides, vocabulary)
    assert [file.name for file in tmp_path.iterdir()] == ["model.npz"]
    written = path.read_bytes()
    told: list[int] = []
    again = made(f"{name}:model={path}").align(
        *sides, vocabulary, progress=lambda k, _: told.append(k)
    )
    assert not told
    assert path.read_bytes() == written
    assert np.array_equal(first.links, again.links)


@pytest.mark.parametrize("name", NAMES)
def test_a_model_survives_its_file(name: str, tmp_path: Path) -> None:
    vocabulary = Vocabulary()
    model = made(name).train(*columns([*TEXT, ("naïve\ud800", "日本 語")], vocabulary), vocabulary)
    save(model, tmp_path / "model")
    assert same(load(tmp_path / "model"), model)


def test_unknown_words_of_new_text_are_left_free_by_model_1(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    vocabulary = Vocabulary()
    Ibm1(model=str(path)).align(*columns(TEXT, vocabulary), vocabulary)
    other = Vocabulary()
    found = Ibm1(model=str(path)).align(
        *columns([("the zebra", "das Zebra"), ("zebra", "Zebra")], other), other
    )
    assert found.segment(0) == [(0, 0)]
    assert found.segment(1) == []


def test_unknown_words_are_placed_by_their_neighbours_in_the_hidden_markov_model() -> None:
    vocabulary = Vocabulary()
    model = Hmm().train(*columns(TEXT, vocabulary), vocabulary)
    new = columns([("the zebra house", "das Zebra Haus")], vocabulary)
    found = model.links(*new, vocabulary, decoding=Hmm()._decoding(), rule=Hmm().symmetrize)
    assert found.segment(0) == [(0, 0), (1, 1), (2, 2)]


def test_a_model_of_the_other_aligner_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "model.npz")
    vocabulary = Vocabulary()
    sides = columns(TEXT, vocabulary)
    Ibm1(model=path).align(*sides, vocabulary)
    with pytest.raises(InputError, match="aligner ibm1, not of hmm"):
        Hmm(model=path).align(*sides, vocabulary)
    with pytest.raises(InputError, match=r"made with .*lowercase=true"):
        Ibm1(model=path, lowercase=False).align(*sides, vocabulary)
    with pytest.raises(OptionError, match="extra pairs"):
        Ibm1(model=path).align(*sides, vocabulary, extra=sides)


OTHER_TRAINING = [
    ("ibm1", "iterations=2"),
    ("ibm1", "lowercase=false"),
    ("hmm", "iterations=2"),
    ("hmm", "model1=0"),
    ("hmm", "agree=false"),
]


@pytest.mark.parametrize(("name", "asked"), OTHER_TRAINING)
def test_a_model_of_other_training_is_refused(name: str, asked: str, tmp_path: Path) -> None:
    path = str(tmp_path / "model.npz")
    option = asked.partition("=")[0]
    vocabulary = Vocabulary()
    sides = columns(TEXT, vocabulary)
    made(f"{name}:model={path}").align(*sides, vocabulary)
    with pytest.raises(InputError, match=rf"model\.npz: the model was made with {option}=\w+;"):
        made(f"{name}:model={path},{asked}").align(*sides, vocabulary)


@pytest.mark.parametrize("asked", ["symmetrize=union", "links=posterior"])
def test_a_model_serves_every_way_to_read_links_off_it(asked: str, tmp_path: Path) -> None:
    path = str(tmp_path / "model.npz")
    vocabulary = Vocabulary()
    sides = columns(TEXT, vocabulary)
    Hmm(model=path).align(*sides, vocabulary)
    found = made(f"hmm:model={path},{asked}").align(*sides, vocabulary)
    assert np.array_equal(found.links, made(f"hmm:{asked}").align(*sides, vocabulary).links)


def test_the_signature_holds_a_checksum_of_what_the_model_holds(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    vocabulary = Vocabulary()
    found = Ibm1(model=str(path))
    assert f"model:{path})" in found.signature()
    signatures = set()
    for text in (TEXT, TEXT[:3]):
        path.unlink(missing_ok=True)
        found.align(*columns(text, vocabulary), vocabulary)
        signatures.add(found.signature())
        with np.load(path) as archive:
            parts = dict(archive)
        np.savez(path, allow_pickle=False, **parts)
        signatures.add(found.signature())
    assert len(signatures) == 2
    assert all(re.search(r"model:.*model\.npz#[0-9a-f]{8}\)$", each) for each in signatures)


def test_several_pairs_of_texts_need_a_model_that_exists(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    found = Ibm1(model=str(path))
    found.check_pairs_of_texts(1)
    Ibm1().check_pairs_of_texts(2)
    with pytest.raises(OptionError, match=r"2 pairs .* train it before with kilter align"):
        found.check_pairs_of_texts(2)
    path.touch()
    found.check_pairs_of_texts(2)


def test_files_that_are_no_models_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "foreign"
    for content in (b"", b"PK\x03\x04", b"PK\x03\x04 and more", b"plain text\n"):
        path.write_bytes(content)
        with pytest.raises(InputError, match="foreign"):
            load(path)
    with path.open("wb") as stream:
        np.savez(stream, something=np.ones(3))
    with pytest.raises(InputError, match="no model"):
        load(path)
    with pytest.raises(InputError, match="cannot be read"):
        load(tmp_path / "absent")
    with pytest.raises(InputError, match="cannot be read"):
        load(tmp_path)
    vocabulary = Vocabulary()
    with pytest.raises(InputError, match="cannot be written"):
        Ibm1(model=str(tmp_path / "absent" / "model")).align(*columns(TEXT, vocabulary), vocabulary)


CHANGES = [
    ("version", 1, "version 1"),
    ("null", 0.0, "probability"),
    ("first_ends", np.array([1, 0], dtype=np.int64), "words"),
    ("second_text", np.array([255] * 99, dtype=np.uint8), "words"),
    ("forward_offsets", np.zeros(3, dtype=np.int64), "rows"),
    ("forward_targets", np.array([9], dtype=np.int32), "rows"),
    ("reverse_probabilities", np.ones(1), "probability"),
    ("reverse_jumps", np.ones(4), "jump"),
    ("reverse_jumps", np.array([1.0, np.nan, 1.0]), "jump"),
    ("forward_jumps", np.ones(3, dtype=np.float32), "float64"),
    ("forward_probabilities", np.array("text"), "float64"),
]


def test_an_array_of_others_is_called_no_model(tmp_path: Path) -> None:
    path = tmp_path / "array.npy"
    np.save(path, np.arange(3))
    with pytest.raises(InputError, match=r"array\.npy: this is no model of a Kilter aligner"):
        load(path)


@pytest.mark.parametrize(("name", "value", "message"), CHANGES)
def test_a_model_with_a_wrong_part_is_refused(
    name: str, value: object, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "model.npz"
    vocabulary = Vocabulary()
    save(Hmm().train(*columns(TEXT, vocabulary), vocabulary), path)
    with np.load(path) as archive:
        parts = dict(archive)
    parts[name] = np.asarray(value)
    np.savez(path, allow_pickle=False, **parts)
    with pytest.raises(InputError, match=message):
        load(path)
    del parts[name]
    np.savez(path, allow_pickle=False, **parts)
    with pytest.raises(InputError):
        load(path)


class _Intruder:
    """Makes a folder where its pickle is opened."""

    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self.target),)


def test_nothing_in_a_model_is_run(tmp_path: Path) -> None:
    path, target = tmp_path / "model.npz", tmp_path / "made"
    vocabulary = Vocabulary()
    save(Hmm().train(*columns(TEXT, vocabulary), vocabulary), path)
    with np.load(path) as archive:
        parts = dict(archive)
    parts["forward_jumps"] = np.array([_Intruder(target)], dtype=object)
    np.savez(path, **parts)
    with pytest.raises(InputError, match="the model is damaged"):
        load(path)
    assert not target.exists()


def test_changed_bytes_are_refused_or_harmless(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    vocabulary = Vocabulary()
    sides = columns(TEXT, vocabulary)
    save(Hmm().train(*sides, vocabulary), path)
    whole = path.read_bytes()
    dice = random.Random(11)
    refused = 0
    for _ in range(300):
        changed = bytearray(whole[: dice.choice([len(whole), dice.randrange(len(whole))])])
        for _ in range(dice.randint(0, 3)):
            if changed:
                changed[dice.randrange(len(changed))] = dice.randrange(256)
        path.write_bytes(changed)
        try:
            Hmm(model=str(path)).align(*sides, vocabulary)
        except InputError:
            refused += 1
    assert refused > 150


def test_texts_of_different_lengths_are_refused() -> None:
    vocabulary = Vocabulary()
    first, second = columns(TEXT, vocabulary)
    longer = vocabulary.column([["a"]] * 9)
    for name in NAMES:
        with pytest.raises(InputError, match="8 and 9 segments"):
            made(name).align(first, longer, vocabulary)
        with pytest.raises(InputError, match="9 and 8 segments"):
            made(name).train(first, second, vocabulary, extra=(longer, second))


@pytest.mark.parametrize("name", NAMES)
def test_texts_without_words_have_no_links(name: str) -> None:
    vocabulary = Vocabulary()
    for text in ([], [("", "")], [("", "x"), ("a", "")]):
        found = made(name).align(*columns(text, vocabulary), vocabulary)
        assert len(found) == len(text)
        assert not len(found.links)


def test_options_round_trip_through_the_specification() -> None:
    for specification in ("hmm:iterations=3,agree=false,links=posterior", "ibm1:symmetrize=union"):
        assert made(specification).specification() == specification
    with pytest.raises(OptionError, match="grow-diag"):
        made("hmm:symmetrize=sideways")


@pytest.mark.parametrize(
    ("option", "low", "high"),
    [("ibm1:iterations", 1, 1000), ("hmm:iterations", 1, 1000), ("hmm:model1", 0, 1000)],
)
def test_iterations_have_bounds(option: str, low: int, high: int) -> None:
    for right in (low, high):
        made(f"{option}={right}")
    for wrong in (low - 1, high + 1):
        with pytest.raises(OptionError, match=f"must lie between {low} and {high}"):
            made(f"{option}={wrong}")
