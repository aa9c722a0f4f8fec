"""Bytes from files, pipes and standard input."""

import ast
import gzip
import io
import lzma
import os
import random
import sys
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kilter
from kilter.cli.main import run
from kilter.core.errors import InputError
from kilter.io import stream as whole_file
from kilter.io.stream import (
    CHUNK,
    DAMAGE,
    ByteSource,
    check_unpacked_size,
    exists,
    file_status,
    is_file,
    is_folder,
    whole_content,
)

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


# Files of arrays: however one is damaged, reading it ends in an error that is listed.


ENTRY, LISTED = b"PK\x03\x04", b"PK\x01\x02"
"""How an archive begins what it holds, and how it begins the list of it."""


def saved() -> bytearray:
    out = io.BytesIO()
    np.savez_compressed(out, numbers=np.arange(300))
    return bytearray(out.getvalue())


def with_password(data: bytearray) -> bytearray:
    data[data.index(ENTRY) + 6] |= 1
    data[data.index(LISTED) + 8] |= 1
    return data


def of_a_later_version(data: bytearray) -> bytearray:
    data[data.index(LISTED) + 6] = 250
    return data


def packed_in_another_way(data: bytearray) -> bytearray:
    for place in (data.index(ENTRY) + 8, data.index(LISTED) + 10):
        data[place] = 99
    return data


def changed_inside(data: bytearray) -> bytearray:
    data[80] ^= 0xFF
    return data


def cut_off(data: bytearray) -> bytearray:
    return data[:-30]


@pytest.mark.parametrize(
    "damage",
    [with_password, of_a_later_version, packed_in_another_way, changed_inside, cut_off],
)
def test_a_damaged_file_ends_in_a_listed_error(damage: Callable[[bytearray], bytearray]) -> None:
    def read(data: bytearray) -> list[int]:
        with np.load(io.BytesIO(bytes(data)), allow_pickle=False) as archive:
            return list(archive["numbers"])

    assert read(saved()) == list(range(300))
    with pytest.raises(DAMAGE):
        read(damage(saved()))


@pytest.mark.parametrize("header", [b"{'descr': '<f8", b"\x00" * 40, b"[" * 60])
def test_a_header_of_code_ends_in_a_listed_error(header: bytes) -> None:
    data = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
    with pytest.raises(DAMAGE):
        np.load(io.BytesIO(data), allow_pickle=False)


# What there is under the name of a file, asked before it is read.


SOURCE = Path(kilter.__file__).parent
LONG = "a sentence where a file belongs " * 10
TEXT = str(Path(__file__).parents[2] / "examples" / "local.en")

ASKING_THEMSELVES = {
    "aligners/word_key.py": "a name that was asked for before, and files of its folder",
    "cli/explain.py": "a text that may be a file, which nothing is wrong with if it is none",
    "io/output.py": "every fault of the operating system is explained around it",
    "parsers/spacy.py": "files of a package",
    "run/meta/matched_texts.py": "every fault of the operating system is explained around it",
    "run/cache/cache_folder.py": "files that were found in a folder",
    "study/analysis/running_analysis.py": "files that it has just written",
    "study/design/creation.py": "files of the package",
    "study/instrument/data_file.py": "files of the package",
    "study/instrument/interface.py": "files of the package",
    "study/paper/scan/sheet.py": "files that were found in a folder",
}
"""Modules that ask for files without `file_status`, and why nobody sees a traceback of it."""


def test_files_folders_and_nothing_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "round").symlink_to(tmp_path / "round")
    seen = {
        name: (exists(tmp_path / name), is_file(tmp_path / name), is_folder(tmp_path / name))
        for name in (".", "file", "none", "file/below", "round")
    }
    nothing = (False, False, False)
    assert seen == {
        ".": (True, False, True),
        "file": (True, True, False),
        "none": nothing,
        "file/below": nothing,
        "round": nothing,
    }
    status = file_status(tmp_path / "file")
    assert status is not None
    assert status.st_ino == (tmp_path / "file").stat().st_ino


@pytest.mark.parametrize("name", [LONG, "a\0b"], ids=["long", "nul"])
@pytest.mark.parametrize("ask", [exists, is_file, is_folder])
def test_a_name_that_is_not_taken_is_refused(ask: Callable[[str], bool], name: str) -> None:
    with pytest.raises(InputError, match=r"cannot be opened: (File name too long|the name holds)"):
        ask(name)


def test_a_locked_way_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(_: Path) -> os.stat_result:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "stat", locked)
    with pytest.raises(InputError, match=r"^file: cannot be opened: Permission denied$"):
        exists("file")


COMMANDS = (
    ("score", "-r", TEXT, LONG),
    ("score", "-r", LONG, TEXT),
    ("validate", "-r", TEXT, LONG),
    ("meta", "--judgments", LONG, "-r", TEXT, "--systems", TEXT),
    ("meta", "--judgments", TEXT, "-r", TEXT, "--systems", LONG),
    ("tune", "-m", "pef", "-o", "beta", "--judgments", LONG, "-r", TEXT, "--systems", TEXT),
    ("parse", TEXT, "--cache", LONG),
    ("align", "--source", TEXT, "--target", TEXT, "--cache", LONG),
    ("align", "--source", TEXT, "--target", TEXT, "--aligner", f"hmm:model={LONG}"),
    ("cache", LONG),
    ("published", "pc-2", "--data", LONG),
    ("report", "-r", TEXT, TEXT, "-o", "page.html", "--no-pdf", "--figures", LONG),
    ("parse", TEXT, "--parser", f"conllu:file={LONG}"),
    ("survey", "create", LONG),
    ("survey", "status", LONG),
    ("survey", "analyse", LONG, "-o", "out"),
    ("survey", "print", LONG, "-o", "out"),
    ("survey", "export", LONG, "-o", "out"),
    ("survey", "import", LONG, TEXT),
    ("survey", "erase", LONG, "token"),
    ("survey", "scan", LONG, TEXT, "--forms", LONG),
)


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda words: " ".join(words)[:24])
def test_a_sentence_where_a_file_belongs_is_an_error_of_the_data(
    arguments: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    code = run(list(arguments))
    assert (code, "File name too long" in capsys.readouterr().err) == (3, True)
    assert not list(tmp_path.iterdir())


CALLS: dict[str, Callable[[], Any]] = {
    "read_judgments": lambda: kilter.read_judgments(LONG),
    "parse": lambda: kilter.parse(["a"], cache=LONG),
    "published": lambda: kilter.published("pc-2", data=LONG),
    "meta": lambda: kilter.meta(
        kilter.EvaluationInputs(judgments=LONG, references=(TEXT,), systems=(TEXT,))
    ),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_sentence_where_a_file_belongs_is_an_input_error(call: str) -> None:
    with pytest.raises(InputError, match="File name too long"):
        CALLS[call]()


def test_whoever_asks_for_a_file_asks_here() -> None:
    asking = set()
    questions = {"exists", "is_dir", "is_file"}
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if not any(question in text for question in questions):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Attribute) and node.attr in questions:
                asking.add(path.relative_to(SOURCE).as_posix())
    assert asking == set(ASKING_THEMSELVES)


# Files that are read as a whole.


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
    with pytest.raises(InputError, match="/dev/zero: is not a regular file"):
        kilter.align(["a"], ["b"], aligner=aligner)
    with pytest.raises(InputError, match="/dev/zero: is not a regular file"):
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
