"""The files of learned parsers of any kind: refused when damaged."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.parsers.model_file import CARD, read_model
from tests.parsers.test_perceptron_tables import saved, small


def changed(content: bytes, change: Callable[[dict[str, bytes]], None]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, each in files.items():
            archive.writestr(name, each)
    return out.getvalue()


def damage_weights(files: dict[str, bytes]) -> None:
    files["moves.npy"] = files["moves.npy"][:-1] + b"\x07"


def lose_a_table(files: dict[str, bytes]) -> None:
    del files["moves.npy"]


def name_another_format(files: dict[str, bytes]) -> None:
    files[CARD] = json.dumps({**json.loads(files[CARD]), "format": "other/1"}).encode()


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (damage_weights, "checksum is another one"),
        (lose_a_table, "not a parser model"),
        (name_another_format, "format must be kilter-parser/1"),
    ],
)
def test_a_damaged_model_is_named(
    tmp_path: Path, change: Callable[[dict[str, bytes]], None], fault: str
) -> None:
    path = saved(tmp_path, changed(small().to_bytes(), change))
    with pytest.raises(InputError, match=fault) as raised:
        read_model(path)
    assert path in str(raised.value)
    assert "kilter train parser" in str(raised.value)


@pytest.mark.parametrize("content", [b"", b"no model", small().to_bytes()[:200]])
def test_what_is_no_model_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(InputError, match="not a parser model"):
        read_model(saved(tmp_path, content))


def test_what_was_added_behind_a_model_is_damage(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="something stands behind its end"):
        read_model(saved(tmp_path, small().to_bytes() + b"x\n"))


def test_a_missing_file_is_named() -> None:
    with pytest.raises(InputError, match=r"nowhere\.model: cannot be read"):
        read_model("nowhere.model")


def test_a_model_with_a_password_is_refused(tmp_path: Path) -> None:
    content = bytearray(small().to_bytes())
    for record, flags in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        content[content.index(record) + flags] |= 1
    with pytest.raises(InputError, match="not a parser model"):
        read_model(saved(tmp_path, bytes(content)))
