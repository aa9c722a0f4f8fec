"""Compressed files, which their names tell: gzip, xz, bzip2 and Zstandard, read and written."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys
import zlib
from contextlib import suppress
from importlib import import_module
from typing import IO, TYPE_CHECKING, Any, cast

from kilter.core.errors import MissingToolError

if TYPE_CHECKING:
    from pathlib import Path

SUFFIXES = (".gz", ".xz", ".bz2", ".zst")
SUFFIX_LIST = ".gz, .xz, .bz2 or .zst"
"""As messages and help name them."""
_LEVEL = 6
"""Of gzip, as its command has it; the highest takes several times as long for a few percent."""
_ZSTD = ("compression.zstd", "backports.zstd")
"""One interface: in Python's library from 3.14, before that in a package."""
_STARTS = (
    b"\x1f\x8b",
    b"\xfd7zXZ",
    b"\x28\xb5\x2f\xfd",
    # Without the digit of the level and the mark of the first block, a text could begin so.
    *(b"BZh%d1AY&SY" % level for level in range(1, 10)),
)


def compression(path: str) -> str | None:
    """Return the suffix that says how a file is compressed, None of one that is not.

    >>> compression("scores.tsv.GZ"), compression("scores.tsv")
    ('.gz', None)
    """
    return next((suffix for suffix in SUFFIXES if path.lower().endswith(suffix)), None)


def uncompressed_name(path: str) -> str:
    """Return a name without the suffix of its compression.

    >>> uncompressed_name("scores.tsv.zst"), uncompressed_name("scores.tsv")
    ('scores.tsv', 'scores.tsv')
    """
    return path[: -len(compression(path) or "")] if compression(path) else path


def format_suffix(path: str) -> str:
    """Return the suffix that says what a file holds, in lower case and before that of its compression.

    >>> format_suffix("scores.TSV.gz"), format_suffix("scores.gz"), format_suffix("v1.2/scores")
    ('.tsv', '', '')
    """
    name = uncompressed_name(path).rpartition("/")[2]
    return name[name.rfind(".") :].lower() if "." in name else ""


def begins_compressed(data: bytes) -> bool:
    """Return whether bytes begin as a compressed file does, and no text.

    >>> begins_compressed(gzip.compress(b"a")), begins_compressed(b"BZh is no word")
    (True, False)
    """
    return data.startswith(_STARTS)


def opened(path: Path) -> IO[bytes]:
    """Return the bytes of a file, decompressed if its name says so."""
    match compression(path.name):
        case ".gz":
            return _stream(gzip.open(path, "rb"))
        case ".xz":
            return _stream(lzma.open(path, "rb"))
        case ".bz2":
            return _stream(bz2.open(path, "rb"))
        case ".zst":
            return _stream(_zstd(path.name).open(path, "rb"))
        case _:
            return path.open("rb")


def compressed(stream: IO[bytes], path: str) -> IO[bytes]:
    """Return what compresses into a stream as the name says, the same bytes every time; or the stream itself."""
    match compression(path):
        case ".gz":  # neither name nor time go into the file
            return _stream(gzip.GzipFile("", "wb", _LEVEL, stream, mtime=0))
        case ".xz":
            return _stream(lzma.LZMAFile(stream, "wb"))
        case ".bz2":
            return _stream(bz2.BZ2File(stream, "wb"))
        case ".zst":
            return _stream(_zstd(path).ZstdFile(stream, "wb"))
        case _:
            return stream


def check_compression(path: str) -> None:
    """Raise a `MissingToolError` if a package is missing that compresses as the name says."""
    if compression(path) == ".zst":
        _zstd(path)


def reading_errors() -> tuple[type[Exception], ...]:
    """Return what reading may raise; where bytes are damaged, an `OSError` has no text of the system."""
    zstd = [sys.modules[name].ZstdError for name in _ZSTD if name in sys.modules]
    return (OSError, EOFError, lzma.LZMAError, zlib.error, *zstd)


def _zstd(name: str) -> Any:
    for module in _ZSTD:
        with suppress(ModuleNotFoundError):
            return import_module(module)
    raise MissingToolError(f"the compressed file {name}", install="pip install 'kilter[zstd]'")


def _stream(stream: object) -> IO[bytes]:
    return cast("IO[bytes]", stream)
