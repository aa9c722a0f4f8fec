"""Plain text, one segment a line: UTF-8, split on line feeds only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kilter.formats.stream import ByteSource

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class TextProblem:
    """Something that makes a text unusable: where, and what would be right."""

    line: int
    reason: str


def read_text(source: ByteSource) -> tuple[str, ...]:
    """Return the lines of a text; the first problem is an `InputError` with file and line."""
    data = b"".join(source.chunks())
    for problem in problems(data):
        raise InputError(problem.reason, where=f"{source.name}:{problem.line}")
    return split_lines(data)


def split_lines(data: bytes) -> tuple[str, ...]:
    """Return the lines of checked bytes; the last line may lack its line end."""
    lines = data.decode().split("\n")
    return tuple(lines[:-1] if lines[-1] == "" else lines)


def problems(data: bytes) -> Iterator[TextProblem]:
    """Yield everything that is wrong with the bytes of a text."""
    if not data:
        yield TextProblem(1, "the file is empty; it must hold one segment a line")
        return
    if data.startswith(_BYTE_ORDER_MARK):
        yield TextProblem(1, "starts with a byte-order mark; save it as UTF-8 without one")
    if data.startswith((b"\x1f\x8b", b"\xfd7zXZ")):
        yield TextProblem(1, "is compressed, but its name does not end in .gz or .xz; rename it")
        return
    if b"\r\n" in data or data.endswith(b"\r"):
        line = data.count(b"\n", 0, data.find(b"\r\n") if b"\r\n" in data else len(data)) + 1
        yield TextProblem(
            line, "ends in a carriage return (Windows line ends); remove them, e.g. with dos2unix"
        )
    if b"\x00" in data:
        line = data.count(b"\n", 0, data.find(b"\x00")) + 1
        yield TextProblem(line, "holds a NUL byte; this is not a text file, or not UTF-8")
    try:
        data.decode()
    except UnicodeDecodeError:
        for number, line_bytes in enumerate(data.split(b"\n"), start=1):
            try:
                line_bytes.decode()
            except UnicodeDecodeError as error:
                yield TextProblem(
                    number,
                    f"byte 0x{line_bytes[error.start]:02x} in column {error.start + 1} is not UTF-8; "
                    "convert the file, e.g. with iconv -t UTF-8",
                )
