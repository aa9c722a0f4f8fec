"""A model is used only if its files are what they should be."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from kilter.encoder.encoder import load_encoder
from kilter.encoder.model_folder import model_folder
from kilter.errors import InputError, MissingToolError

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
    assert folder.version == "1.0.0"


@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_named_with_the_remedy(copy: Path, name: str) -> None:
    content = bytearray((copy / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copy / name).write_bytes(content)
    with pytest.raises(InputError, match=rf"{name}: the file is damaged.*pip install --force-re"):
        model_folder(str(copy)).read(name)


@pytest.mark.parametrize("name", [*FILES, "config.json"])
def test_a_missing_file_is_named_with_the_remedy(copy: Path, name: str) -> None:
    (copy / name).unlink()
    with pytest.raises(InputError, match=rf"{name}: cannot be read \(No such file"):
        model_folder(str(copy)).read(name)


def test_a_config_that_is_no_json_is_damaged(copy: Path) -> None:
    (copy / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="it is no JSON"):
        model_folder(str(copy))


def test_a_model_of_another_format_is_refused(copy: Path) -> None:
    (copy / "config.json").write_text(json.dumps({"format": "other/2"}), encoding="utf-8")
    with pytest.raises(InputError, match="its format must be kilter-model/1"):
        model_folder(str(copy))


@pytest.mark.parametrize("package", ["kilter_model_en", "onnxruntime"])
def test_without_its_packages_the_install_command_is_named(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    load_encoder.cache_clear()
    with pytest.raises(MissingToolError, match=r"pip install 'kilter\[parse\]'"):
        load_encoder()
