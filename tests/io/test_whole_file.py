"""Files that are read as a whole."""

import io
import zipfile
from pathlib import Path

import pytest

import kilter
from kilter.core.errors import InputError
from kilter.io import stream as whole_file
from kilter.io.stream import check_unpacked_size, whole_content


def test_regular_files_up_to_a_size_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"abc")
    assert whole_content(path) == b"abc"
    monkeypatch.setattr(whole_file, "LARGEST", 2)
    with pytest.raises(InputError, match="a: has 3 bytes; such a file may have up to 2"):
        whole_content(path)


@pytest.mark.parametrize("aligner", ["hmm:model=/dev/zero", "ibm1:model=/dev/zero"])
def test_a_device_is_no_model(aligner: str) -> None:
    with pytest.raises(InputError, match="/dev/zero: is no regular file"):
        kilter.align(["a"], ["b"], aligner=aligner)
    with pytest.raises(InputError, match="/dev/zero: is no regular file"):
        kilter.parse(["a"], parser="perceptron:model=/dev/zero")


def test_an_archive_may_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", bytes(1 << 20))
    with zipfile.ZipFile(packed) as archive:
        check_unpacked_size(archive)
        monkeypatch.setattr(whole_file, "LARGEST", 1 << 19)
        with pytest.raises(zipfile.BadZipFile, match="it holds more than 524288 bytes"):
            check_unpacked_size(archive)
