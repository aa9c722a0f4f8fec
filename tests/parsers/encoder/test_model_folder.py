"""A model is used only if its files are what they should be."""

import hashlib
import json
import shutil
import sys
from pathlib import Path

import pytest

from kilter.core.corpus import Vocabulary
from kilter.core.errors import InputError, MissingToolError
from kilter.parsers.encoder.encoder import load_encoder
from kilter.parsers.encoder.model_folder import model_folder
from kilter.parsers.model import Model

FILES = ["model.onnx", "vocab.txt", "labels.npy"]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a folder with a copy of the installed model."""
    target = tmp_path / "model"
    shutil.copytree(model_folder().path, target)
    return target


def test_the_installed_model_is_whole_and_within_25_megabytes() -> None:
    folder = model_folder()
    sizes = [len(folder.read(name)) for name in FILES]
    assert len(folder.read("perceptron.npz")) < 10_000_000
    assert sum(sizes) < 25_000_000
    assert folder.config["language"] == "en"
    assert folder.signature("") == "version:1.0.0"
    assert folder.signature("mine") == "folder:mine,version:1.0.0"


@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_named_with_the_remedy(
    copy: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = bytearray((copy / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copy / name).write_bytes(content)
    with pytest.raises(InputError, match=rf"{name}: the file is damaged.*the folder of a whole"):
        model_folder(str(copy)).read(name)
    monkeypatch.setattr("kilter.parsers.encoder.model_folder._installed", lambda: copy)
    with pytest.raises(InputError, match=rf"{name}: the file is damaged.*pip install --force-re"):
        model_folder().read(name)


@pytest.mark.parametrize("name", [*FILES, "config.json"])
def test_a_missing_file_is_named_with_the_remedy(copy: Path, name: str) -> None:
    (copy / name).unlink()
    with pytest.raises(InputError, match=rf"{name}: cannot be read \(No such file"):
        model_folder(str(copy)).read(name)


def test_a_config_that_is_no_json_is_damaged(copy: Path) -> None:
    (copy / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="it is not JSON"):
        model_folder(str(copy))


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("version", None, "it has no version"),
        ("sha256", None, "it has no checksums"),
        ("labels", None, "it lists no names as labels"),
        ("upos", [1, 2], "it lists no names as upos"),
        ("labels", [], "it lists 0 names as labels, the network has 51"),
        ("labels", ["dep"] * 51, "parataxis is not among its labels"),
        ("xpos", ["NN"], "it lists 1 names as xpos, the network has 49"),
    ],
)
def test_a_config_that_lost_something_is_damaged(
    copy: Path, key: str, value: object, reason: str
) -> None:
    config = json.loads((copy / "config.json").read_text(encoding="utf-8"))
    config[key] = value
    (copy / "config.json").write_text(json.dumps(config), encoding="utf-8")
    vocabulary = Vocabulary()
    with pytest.raises(InputError, match=f"config.json: the file is damaged, {reason}"):
        Model(folder=str(copy)).parse(vocabulary.column([["Cats", "sleep"]]), vocabulary)


def test_a_model_of_another_format_is_refused(copy: Path) -> None:
    (copy / "config.json").write_text(json.dumps({"format": "other/2"}), encoding="utf-8")
    with pytest.raises(InputError, match="its format must be kilter-model/1"):
        model_folder(str(copy))


def test_without_its_package_the_install_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kilter_model_en", None)
    load_encoder.cache_clear()
    with pytest.raises(MissingToolError, match=r"pip install 'kilter\[parse\]'"):
        load_encoder().names("upos")


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"no network", "a field of kind 6 is none of a model"),
        (b"", "its operations are not those of a network that this version computes"),
        (b"\x3a\x05", "the model is cut off"),
    ],
)
def test_a_network_that_cannot_be_computed_is_named_with_the_remedy(
    copy: Path, content: bytes, fault: str
) -> None:
    (copy / "model.onnx").write_bytes(content)
    config = json.loads((copy / "config.json").read_text(encoding="utf-8"))
    config["sha256"]["model.onnx"] = hashlib.sha256(content).hexdigest()
    (copy / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(
        InputError,
        match=rf"model\.onnx: Kilter .* cannot compute it \({fault}\); use a newer one: pip",
    ):
        load_encoder(str(copy)).names("upos")
