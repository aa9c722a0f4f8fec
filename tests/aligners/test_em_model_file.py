"""Files of trained models: there and back, refused where they do not fit, harmless whatever they hold."""

import os
import random
import re
from pathlib import Path

import numpy as np
import pytest

from kilter.aligners.em_model import load, save
from kilter.aligners.hmm import Hmm
from kilter.aligners.ibm1 import Ibm1
from kilter.core.corpus import Vocabulary
from kilter.core.errors import InputError, OptionError
from tests.aligners.trained import NAMES, TEXT, columns, made, same


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
