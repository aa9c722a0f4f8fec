"""Bytes from files, pipes and standard input."""

import gzip
import io
import lzma
import os
import random
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.io.stream import CHUNK, ByteSource

DATA = b"2 1\n" * 1000
Feed = Callable[..., Path]


def read(path: Path | str, *, again: bool = False) -> bytes:
    return b"".join(ByteSource(str(path)).chunks(again=again))


def compress(data: bytes, suffix: str) -> bytes:
    if suffix == ".gz":
        return gzip.compress(data)
    return lzma.compress(data) if suffix == ".xz" else data


@pytest.fixture
def feed(tmp_path: Path) -> Feed:
    """Return a function that makes a named pipe and writes into it once."""

    def make(data: bytes, name: str = "pipe") -> Path:
        path = tmp_path / name
        os.mkfifo(path)
        threading.Thread(target=path.write_bytes, args=(data,), daemon=True).start()
        return path

    return make


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def edited(path: Path) -> None:
    status = path.stat()
    with path.open("r+b") as file:
        file.write(b"9")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1))


def grown(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"x")


def replaced(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    status = path.stat()
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.rename(path)


@pytest.mark.parametrize("suffix", [".txt", ".gz", ".xz"])
@pytest.mark.parametrize("change", [cut, edited, grown, replaced])
def test_a_file_that_changes_between_two_readings_is_refused(
    tmp_path: Path, suffix: str, change: Callable[[Path], None]
) -> None:
    path = tmp_path / f"orders{suffix}"
    path.write_bytes(compress(DATA, suffix))
    source = ByteSource(str(path))
    assert b"".join(source.chunks(again=True)) == DATA
    change(path)
    with pytest.raises(InputError, match=r"orders\.\w+: was changed or replaced while it was read"):
        list(source.chunks(again=True))
    with (
        pytest.raises(InputError, match=r"was changed or replaced while it was read"),
        source.opened(),
    ):
        pytest.fail("it was opened")


@pytest.mark.parametrize("change", [cut, edited, grown])
def test_a_file_that_changes_while_it_is_read_is_refused(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    path = tmp_path / "orders"
    path.write_bytes(random.Random(1).randbytes(5 * CHUNK))
    pieces = ByteSource(str(path)).chunks()
    next(pieces)
    change(path)
    with pytest.raises(InputError, match=r"orders: was changed or replaced while it was read"):
        list(pieces)


@pytest.mark.parametrize("fault", [None, ValueError("what the change led to")])
def test_a_file_that_changes_while_it_is_open_is_refused(
    tmp_path: Path, fault: Exception | None
) -> None:
    path = tmp_path / "orders"
    path.write_bytes(DATA)

    def read_changed() -> None:
        with ByteSource(str(path)).opened():
            grown(path)
            if fault is not None:
                raise fault

    with pytest.raises(InputError, match=r"orders: was changed or replaced while it was read"):
        read_changed()


def test_a_full_folder_for_temporary_files_is_told_by_its_name(
    tmp_path: Path, feed: Feed, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.BytesIO):
        def write(self, _: object) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("kilter.io.stream.SpooledTemporaryFile", lambda **_: Full())
    monkeypatch.setattr("kilter.io.stream.gettempdir", lambda: str(tmp_path))
    told = r"pipe: cannot be set aside in .*: No space left on device; the variable TMPDIR names another"
    with pytest.raises(InputError, match=told):
        read(feed(DATA), again=True)


@pytest.mark.parametrize("suffix", [".txt", ".gz", ".xz", ""])
def test_files_are_decompressed_by_suffix(tmp_path: Path, suffix: str) -> None:
    packed = compress(DATA, suffix)
    path = tmp_path / f"orders{suffix}"
    path.write_bytes(packed)
    source = ByteSource(str(path))
    for _ in range(2):
        assert b"".join(source.chunks()) == DATA


def test_long_inputs_come_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "long"
    path.write_bytes(b"x" * (2 * CHUNK + 5))
    assert [len(piece) for piece in ByteSource(str(path)).chunks()] == [CHUNK, CHUNK, 5]


@pytest.mark.parametrize("suffix", [".gz", ".xz", ""])
def test_a_file_tells_how_much_of_it_is_read(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"long{suffix}"
    path.write_bytes(compress(random.Random(4).randbytes(4 * CHUNK), suffix))
    source = ByteSource(str(path))
    for _ in range(2):
        shares = [source.share for _ in source.raw_chunks()]
        assert shares == pytest.approx([0.25, 0.5, 0.75, 1.0], abs=0.05)
    assert source.share == 1


def test_nobody_knows_how_much_of_a_pipe_is_read(
    feed: Feed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(DATA)))
    for source in (ByteSource(str(feed(DATA))), ByteSource("-")):
        for again in (True, False):
            assert [source.share for _ in source.chunks(again=again)] == [None]


def test_several_compressed_members_are_one_file(tmp_path: Path) -> None:
    path = tmp_path / "two.gz"
    path.write_bytes(gzip.compress(b"1\n") + gzip.compress(b"2 1\n"))
    assert read(path) == b"1\n2 1\n"


@pytest.mark.parametrize(
    ("suffix", "damage"),
    [
        *((suffix, damage) for suffix in (".gz", ".xz") for damage in ("cut", "flipped", "plain")),
        (".gz", "garbage after"),
    ],
)
def test_damaged_archives_are_named_with_the_reason(
    tmp_path: Path, suffix: str, damage: str
) -> None:
    packed = bytearray(compress(os.urandom(5000), suffix))
    if damage == "cut":
        packed = packed[:-100]
    elif damage == "flipped":
        packed[len(packed) // 2] ^= 0xFF
    elif damage == "plain":
        packed = bytearray(DATA)
    else:
        packed += b"garbage, not an archive"
    path = tmp_path / f"orders{suffix}"
    path.write_bytes(packed)
    with pytest.raises(InputError, match="damaged or not compressed") as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.parametrize(
    ("name", "reason"),
    [("missing", "No such file"), (".", "is a directory"), ("x" * 300, "too long")],
)
def test_what_cannot_be_opened_is_named_with_the_reason(
    tmp_path: Path, name: str, reason: str
) -> None:
    path = tmp_path / name
    with pytest.raises(InputError, match=reason) as caught:
        read(path)
    assert caught.value.where == str(path)
    assert caught.value.exit_code == 3


def test_a_file_below_a_file_is_named_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="Not a directory"):
        read(tmp_path / "file" / "inside")


def test_a_pipe_is_kept_for_a_second_reading(feed: Feed) -> None:
    source = ByteSource(str(feed(DATA)))
    assert b"".join(source.chunks(again=True)) == DATA
    assert b"".join(source.chunks()) == DATA
    assert b"".join(source.chunks()) == DATA


def test_a_damaged_archive_in_a_pipe_is_named(feed: Feed) -> None:
    with pytest.raises(InputError, match="damaged"):
        read(feed(gzip.compress(DATA)[:-9], "pipe.gz"), again=True)


def test_standard_input_is_kept_for_a_second_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(DATA)))
    source = ByteSource("-")
    assert source.name == "standard input"
    assert b"".join(source.chunks(again=True)) == DATA
    assert b"".join(source.chunks()) == DATA


def test_standard_input_is_read_as_it_comes_when_once_is_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(DATA)))
    source = ByteSource("-")
    assert b"".join(source.chunks()) == DATA
    assert b"".join(source.chunks()) == b""


def test_a_closed_standard_input_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="standard input: is closed; name a file instead"):
        read("-")


def test_an_error_while_reading_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, _: object) -> int:
            raise OSError(5, "Input/output error")

    for again in (False, True):
        stream = io.TextIOWrapper(io.BufferedReader(Broken()))
        monkeypatch.setattr(sys, "stdin", stream)
        with pytest.raises(InputError, match="standard input: cannot be read: Input/output error"):
            read("-", again=again)


def test_an_empty_name_is_no_directory() -> None:
    with pytest.raises(InputError, match=r"^the file name is empty; name a file, or -"):
        read("")


def test_a_device_that_never_ends_is_refused_and_that_of_nothing_is_empty() -> None:
    for device in ("/dev/zero", "/dev/urandom"):
        with pytest.raises(InputError, match=f"{device}: is a device that may never end"):
            next(ByteSource(device).chunks())
    assert list(ByteSource("/dev/null").chunks()) == []


def test_a_list_may_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kilter.io.stream._LARGEST_LIST", 1 << 20)
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"a" * (1 << 20)))
    assert len(ByteSource(path).whole()) == 1 << 20
    path.write_bytes(gzip.compress(b"a" * (1 << 22)))
    with pytest.raises(InputError, match="holds more than 1 MiB"):
        ByteSource(path).whole()
