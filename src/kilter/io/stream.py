"""Bytes in from files, compressed files and standard input."""

from __future__ import annotations

import errno
import os
import stat
import sys
import tokenize
import warnings
import zipfile
import zlib
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import SpooledTemporaryFile, gettempdir
from typing import IO, TYPE_CHECKING
from weakref import finalize

from kilter.core.errors import InputError, KilterWarning, spelled
from kilter.core.settings import shown
from kilter.io import compression

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def is_utf8(name: str) -> bool:
    r"""Return whether a name, as the operating system gave it, can be written down.

    >>> is_utf8("Übersetzung.txt"), is_utf8("\udcfcbersetzung.txt")
    (True, False)
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def unopenable(name: str) -> str | None:
    r"""Return why no file can have this name, or None.

    >>> unopenable("text"), unopenable("te\0xt")
    (None, 'the name holds a NUL byte, which no file has in its name')
    """
    if "\0" in name:
        return "the name holds a NUL byte, which no file has in its name"
    try:
        os.fsencode(name)
    except UnicodeEncodeError as error:
        return (
            f"the name holds U+{ord(name[error.start]):04X}, which the operating system cannot encode as "
            f"{error.encoding}"
        )
    return None


def check_name(name: str) -> None:
    """Raise an `InputError` for a file that was found under a name no output could spell."""
    if not is_utf8(name):
        raise InputError("the name is not UTF-8; rename the file", where=name)


CHUNK = 1 << 20
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_KEPT_IN_MEMORY = 16 << 20
_LARGEST_LIST = 256 << 20


def is_standard_input(path: str) -> bool:
    """Return whether an argument stands for standard input."""
    return path == "-"


def display_name(path: str) -> str:
    """Return how messages name an input."""
    return "standard input" if is_standard_input(path) else spelled(path)


def repeated_files(paths: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each path of a file that was named before, with what is wrong; `a` and `./a` are one file.

    >>> list(repeated_files(["a", "b", "./a"]))
    [('./a', 'is given twice, first as a')]
    """
    seen: dict[str, str] = {}
    for path in paths:
        real = path if path == "-" or unopenable(path) else os.path.realpath(path)
        if real in seen:
            yield (
                path,
                "is given twice" + (f", first as {seen[real]}" if seen[real] != path else ""),
            )
        else:
            seen[real] = path


def refuse_repeated(paths: Sequence[str]) -> None:
    """Raise an `InputError` for the first file that was named before."""
    for path, fault in repeated_files(paths):
        raise InputError(fault, where=display_name(path))


def byte_source(source: ByteSource | str) -> ByteSource:
    """Return the input that is given, or the one of that name."""
    return source if isinstance(source, ByteSource) else ByteSource(source)


class ByteSource:
    """An input that can be read more than once; standard input and pipes are kept aside for that.

    A name in `.gz`, `.xz`, `.bz2` or `.zst` is decompressed. A byte-order mark at the very start says nothing about
    UTF-8: it is dropped with a `KilterWarning`. Whatever cannot be read is an `InputError`, and so is a
    file that is changed or replaced after it was opened for the first time: what was checked once is what is read again.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        path = os.fspath(path) if isinstance(path, os.PathLike) else path
        if not isinstance(path, str):
            raise InputError(f"a file is named by a text, not by {shown(path)}")
        self.path = path
        self.name = display_name(path)
        self._kept: IO[bytes] | None = None
        self._mark_told = False
        self._size = 0
        self._state: tuple[int, ...] | None = None
        self.share: float | None = None
        """How much of a file has been read so far, compressed or not, up to 1; None of pipes."""

    def chunks(self, *, again: bool = False) -> Iterator[bytes]:
        """Yield the bytes in pieces; say `again=True` beforehand if they will be read once more."""
        start = b""
        pieces = self.raw_chunks(again=again)
        for piece in pieces:
            start += piece
            if len(start) >= len(_BYTE_ORDER_MARK):
                break
        if start.startswith(_BYTE_ORDER_MARK):
            start = start.removeprefix(_BYTE_ORDER_MARK)
            self._tell_mark()
        if start:
            yield start
        yield from pieces

    def whole(self) -> bytes:
        """Return all bytes of a list or a table of settings; more than 256 MiB are an `InputError`."""
        content = bytearray()
        for piece in self.chunks():
            content += piece
            if len(content) > _LARGEST_LIST:
                raise InputError(
                    f"holds more than {_LARGEST_LIST >> 20} MiB, which such a file may not",
                    where=self.name,
                )
        return bytes(content)

    def _tell_mark(self) -> None:
        if not self._mark_told:
            self._mark_told = True
            warnings.warn(
                f"{self.name}: the byte-order mark at its start was dropped; UTF-8 needs none",
                KilterWarning,
                stacklevel=3,
            )

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """Yield the bytes as a file that is read at any place, which formats with an index at their end need."""
        with self._opened(again=True) as stream:
            try:
                yield stream
            except Exception:  # which a change may have led to
                self._refuse_change(stream)
                raise
            self._refuse_change(stream)

    def raw_chunks(self, *, again: bool = False) -> Iterator[bytes]:
        """Yield every byte in pieces, as `chunks` does, with a byte-order mark where there is one."""
        with self._opened(again=again) as stream:
            while True:
                try:
                    piece = self._read(stream)
                except InputError:  # half of a compressed file is damaged
                    self._refuse_change(stream)
                    raise
                if self._size:
                    position = os.lseek(stream.fileno(), 0, os.SEEK_CUR)
                    self.share = min(1.0, position / self._size)
                self._refuse_change(stream)
                if not piece:
                    return
                yield piece

    def digest(self) -> str:
        """Return what tells the bytes from any others: their SHA-256."""
        whole = sha256()
        for piece in self.raw_chunks(again=True):
            whole.update(piece)
        return whole.hexdigest()

    @contextmanager
    def _opened(self, *, again: bool) -> Iterator[IO[bytes]]:
        if self.path == "-":
            yield self._standard_input(again=again)
            return
        if self._kept is not None:
            self._kept.seek(0)
            yield self._kept
            return
        if not self.path:
            raise InputError("the file name is empty; name a file, or - for standard input")
        path = Path(self.path)
        fault = unopenable(self.path)
        if fault is not None:
            raise InputError(f"cannot be opened: {fault}", where=self.path)
        try:
            status = path.stat()
            mode = status.st_mode
            stream = None if stat.S_ISDIR(mode) else compression.opened(path)
        except OSError as error:
            raise InputError(
                f"cannot be opened: {error.strerror or error}", where=self.path
            ) from error
        if stream is None:
            raise InputError("is a directory; name a file in it", where=self.path)
        if _never_ends(status, stream):
            stream.close()
            raise InputError("is a device that may never end; name a file", where=self.path)
        self._size = status.st_size if stat.S_ISREG(mode) else 0
        with stream:
            self._refuse_change(stream)
            yield self._keep(stream) if again and not stat.S_ISREG(mode) else stream

    def _refuse_change(self, stream: IO[bytes]) -> None:
        """Raise an `InputError` if the file is no longer what it was when it was opened first."""
        if stream is self._kept or is_standard_input(self.path):
            return
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode):
            return
        state = status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
        if self._state not in (None, state):
            raise InputError(
                "was changed or replaced while it was read; run the command again when it stays as it is",
                where=self.name,
            )
        self._state = state

    def _standard_input(self, *, again: bool) -> IO[bytes]:
        if self._kept is not None:
            self._kept.seek(0)
            return self._kept
        stream = getattr(sys.stdin, "buffer", None)
        if stream is None or stream.closed:
            raise InputError("is closed; name a file instead", where=self.name)
        return self._keep(_as_binary(stream)) if again else _as_binary(stream)

    def _keep(self, stream: IO[bytes]) -> IO[bytes]:
        """Return a copy of what can be read only once."""
        kept = SpooledTemporaryFile(max_size=_KEPT_IN_MEMORY)  # noqa: SIM115 - outlives this call
        finalize(self, kept.close)
        while piece := self._read(stream):
            try:
                kept.write(piece)
            except OSError as error:
                raise InputError(
                    f"cannot be set aside in {gettempdir()}: {error.strerror or error}; the variable TMPDIR names "
                    "another folder",
                    where=self.name,
                ) from error
        kept.seek(0)
        self._kept = _as_binary(kept)
        return self._kept

    def _read(self, stream: IO[bytes]) -> bytes:
        with self._explained():
            return stream.read(CHUNK)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn what goes wrong while reading into an `InputError`."""
        try:
            yield
        except compression.reading_errors() as error:
            told = error.strerror if isinstance(error, OSError) else None
            if told is None:  # nor is an error of the operating system
                fault = f"is damaged or not compressed as its name says: {error}"
            else:
                fault = f"cannot be read: {told}"
            raise InputError(fault, where=self.name) from error


def _as_binary(stream: object) -> IO[bytes]:
    return stream  # type: ignore[return-value]


def _never_ends(status: os.stat_result, stream: IO[bytes]) -> bool:
    """Return whether a file is a device other than a terminal and that of nothing."""
    if stat.S_ISBLK(status.st_mode):
        return True
    return stat.S_ISCHR(status.st_mode) and not (
        stream.isatty() or status.st_rdev == Path(os.devnull).stat().st_rdev
    )


# Nothing there; a file where a folder on the way should be; a link that leads to itself.
_NOTHING = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})


def exists(path: str | os.PathLike[str]) -> bool:
    """Return whether there is anything of this name; see `file_status`."""
    return file_status(path) is not None


def is_file(path: str | os.PathLike[str]) -> bool:
    """Return whether there is a regular file of this name; see `file_status`."""
    status = file_status(path)
    return status is not None and stat.S_ISREG(status.st_mode)


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Return whether there is a folder of this name; see `file_status`."""
    status = file_status(path)
    return status is not None and stat.S_ISDIR(status.st_mode)


def file_status(path: str | os.PathLike[str]) -> os.stat_result | None:
    """Return what the operating system knows of a file, or None where there is none.

    A name that it does not take, such as a sentence where a file belongs, or a way that is locked is an
    `InputError`: what is there cannot be told.
    """
    name = os.fspath(path)
    fault = unopenable(name)
    if fault is not None:
        raise InputError(f"cannot be opened: {fault}", where=name)
    try:
        return Path(path).stat()
    except OSError as error:
        if error.errno in _NOTHING:
            return None
        raise InputError(f"cannot be opened: {error.strerror or error}", where=name) from error


LARGEST = 2 << 30
"""Bytes of a file, and of all that is packed in it."""


def check_regular(path: str | Path) -> None:
    """Raise an `InputError` for a device, a pipe or a larger file than is read; a folder is for others to refuse."""
    status = Path(path).stat()
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
        raise InputError("is not a regular file; name one", where=str(path))
    if status.st_size > LARGEST:
        raise InputError(
            f"has {status.st_size} bytes; such a file may have up to {LARGEST}", where=str(path)
        )


def whole_content(path: str | Path) -> bytes:
    """Return the bytes of a regular file."""
    check_regular(path)
    return Path(path).read_bytes()


def check_unpacked_size(archive: zipfile.ZipFile) -> None:
    """Raise a `BadZipFile` for an archive that holds more than is read when it is unpacked."""
    if sum(each.file_size for each in archive.infolist()) > LARGEST:
        raise zipfile.BadZipFile(f"it holds more than {LARGEST} bytes")


DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    tokenize.TokenError,
    SyntaxError,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    EOFError,
    OverflowError,
    MemoryError,  # an array that claims to be larger than any memory
    NotImplementedError,  # an archive of a later version than Python reads
    RuntimeError,  # an archive with a password
)
"""What numpy and zipfile raise for a file that is cut off, changed, encrypted or something else."""
