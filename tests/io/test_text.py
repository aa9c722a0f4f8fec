"""Plain text, one segment a line."""

import gzip
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError, KilterWarning
from kilter.io.stream import ByteSource
from kilter.io.text import (
    LineStream,
    LongTextError,
    TextProblem,
    check_lines,
    count_together,
    problems,
    read_text,
    split_lines,
)
from kilter.io.text_file import TextStream, read_text_file
from tests.cli.command import kilter


def written(folder: Path, data: bytes, name: str = "text.txt") -> str:
    path = folder / name
    path.write_bytes(data)
    return str(path)


def read(path: str) -> tuple[str, ...]:
    return read_text(ByteSource(path))


def refusal(path: str) -> str:
    with pytest.raises(InputError) as raised:
        read(path)
    return str(raised.value)


def test_lines_end_in_line_feeds_and_in_nothing_else(tmp_path: Path) -> None:
    data = "a\u2028b\n\x0bc\x85d\n\ne \rf".encode()
    assert read(written(tmp_path, data)) == ("a\u2028b", "\x0bc\x85d", "", "e \rf")


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_the_last_line_may_lack_its_end(end: bytes, tmp_path: Path) -> None:
    assert read(written(tmp_path, b"one\ntwo" + end)) == ("one", "two")


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\0"))))
def test_lines_survive_writing_and_reading(lines: list[str]) -> None:
    data = "".join(line + "\n" for line in lines).encode()
    if lines and not any(line.startswith("\ufeff") for line in lines):
        assert list(problems(data)) == []
    assert split_lines(data) == tuple(lines)


@pytest.mark.parametrize(("suffix", "squeeze"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_compressed_files_are_read_by_their_suffix(
    suffix: str, squeeze: type[bytes], tmp_path: Path
) -> None:
    data = squeeze("größer\nzwei\n".encode())
    assert read(written(tmp_path, data, "text.txt" + suffix)) == ("größer", "zwei")
    plain = written(tmp_path, data, "text")
    assert refusal(plain) == (
        f"{plain}:1: begins as a compressed file does; unpack it, or let its name end in .gz, .xz, .bz2 or .zst"
    )


def test_a_byte_order_mark_is_dropped_at_the_very_start_alone(tmp_path: Path) -> None:
    path = written(tmp_path, b"\xef\xbb\xbfone\n")
    with pytest.warns(KilterWarning) as told:
        assert read(path) == ("one",)
    assert [str(each.message) for each in told] == [
        f"{path}: the byte-order mark at its start was dropped; UTF-8 needs none"
    ]
    joined = written(tmp_path, b"one\ntwo\n\xef\xbb\xbfthree\n")
    assert refusal(joined).startswith(f"{joined}:3: starts with a byte-order mark, which only")
    doubled = written(tmp_path, b"\xef\xbb\xbf\xef\xbb\xbfone\n")
    with pytest.warns(KilterWarning):
        assert refusal(doubled).startswith(f"{doubled}:1: starts with a byte-order mark")


@pytest.mark.parametrize(
    ("data", "line"), [(b"a\r\nb\r\n", 1), (b"a\nb\r\n", 2), (b"a\nb\nc\r", 3)]
)
def test_windows_line_ends_are_refused_where_the_first_stands(
    data: bytes, line: int, tmp_path: Path
) -> None:
    path = written(tmp_path, data)
    found = refusal(path)
    assert found.startswith(f"{path}:{line}: ends in a carriage return")
    assert "dos2unix" in found


def test_a_nul_byte_is_refused_with_its_line(tmp_path: Path) -> None:
    path = written(tmp_path, b"a\nb\x00\n")
    assert refusal(path).startswith(f"{path}:2: holds a NUL byte")


def test_broken_utf8_is_refused_with_line_and_column(tmp_path: Path) -> None:
    path = written(tmp_path, "eins\nzw\u00e4i\n".encode() + b"dr\xe4i\n")
    assert refusal(path).startswith(f"{path}:3: byte 0xe4 in column 3 is not UTF-8")


@pytest.mark.parametrize("data", [b"", gzip.compress(b"", mtime=0)])
def test_an_empty_file_is_refused(data: bytes, tmp_path: Path) -> None:
    path = written(tmp_path, data, "text.gz" if data else "text")
    assert refusal(path) == f"{path}:1: the file is empty; it must hold one segment a line"


def test_every_problem_is_listed() -> None:
    found = list(problems(b"\xef\xbb\xbfa\r\n\xff\n\x00\nok\n\xfe\n"))
    assert [problem.line for problem in found] == [1, 1, 3, 2, 5]
    assert found[-1] == TextProblem(
        5, "byte 0xfe in column 1 is not UTF-8; convert the file, e.g. with iconv -t UTF-8"
    )


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    if not list(problems(data)):
        assert "\n".join(split_lines(data)) == data.decode().removesuffix("\n")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["\ufeffa", "b"], "entry 0 starts with a byte-order mark; read the file with encoding='utf-8-sig'"),
        (["a", "\ufeffb", "\ufeffc"], "entry 1 starts with a byte-order mark"),
        (["a", "b\r"], "entry 1 ends in a carriage return (Windows line ends); remove them, e.g. with removesuffix"),
        (["a\r", "b\r"], "entry 0 ends in a carriage return"),
        (["a", "", "b\0c"], "entry 2 holds a NUL character; this is not text"),
        (["a", "b \udcff"], "entry 1 holds the lone surrogate U+DCFF, which no text can hold; decode the bytes as UTF-8"),
        (["\ud83d\ude00"], "entry 0 holds the lone surrogate U+D83D"),
        (["a", "b\nc"], "entry 1 holds a line break; one entry is one segment"),
        (["a\n"], "entry 0 holds a line break"),
        (["a", 5], "entry 1 is 5, not a string"),
        (["a", None], "entry 1 is missing (None); fill it, with '' where a segment has no words"),
        (["a", b"b"], "entry 1 is b'b', which is not decoded; decode it"),
    ],
)  # fmt: skip
def test_lists_of_lines_are_refused_with_text_and_entry(lines: list[Any], expected: str) -> None:
    with pytest.raises(InputError) as raised:
        check_lines(lines, where="references")
    assert str(raised.value).startswith(f"references: {expected}")


@given(st.lists(st.text(st.characters(codec=None) | st.sampled_from("\r\0\ufeff\ud800"))))
def test_lists_are_refused_exactly_where_their_file_would_be(lines: list[str]) -> None:
    data = "".join(line + "\n" for line in lines).encode("utf-8", "surrogatepass")
    in_file = bool(lines) and bool(list(problems(data)))
    try:
        check_lines(lines, where="x")
        in_list = False
    except InputError:
        in_list = True
    assert in_list == (in_file or any("\n" in line for line in lines))


def test_lines_with_other_breaks_and_marks_inside_pass() -> None:
    lines = ["a\u2028b", "\x0bc\x85d", "", "e \rf", "g \ufeffg", "h\ufeff"]
    assert check_lines(lines, where="x") is None  # type: ignore[func-returns-value]
    assert check_lines([], where="x") is None  # type: ignore[func-returns-value]


# Files with a segment a line.


def test_lines_are_counted_and_come_some_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kilter.io.stream.CHUNK", 3)
    path = tmp_path / "a.tsv#x.gz"
    path.write_bytes(gzip.compress(b"a b\n\nc\tlong line\nd"))
    stream = LineStream(path)
    assert stream.name == str(path)
    assert stream.count == 4
    assert [*stream.blocks(3)] == [("a b", "", "c\tlong line"), ("d",)]
    assert [*stream] == ["a b", "", "c\tlong line", "d"]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "a:1: the file is empty; it must hold one segment a line"),
        (b"a\nb\r\n", "a:2: ends in a carriage return"),
        (b"a\nb\xff\n", "a:2: byte 0xff in column 2 is not UTF-8"),
    ],
)
def test_what_is_wrong_is_told_when_lines_are_counted(
    content: bytes, fault: str, tmp_path: Path
) -> None:
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(InputError, match=fault):
        _ = LineStream(tmp_path / "a").count


def test_other_bytes_have_another_digest(tmp_path: Path) -> None:
    for name, text in (("a", "x\n"), ("b", "y\n"), ("c", "x\n")):
        (tmp_path / name).write_text(text)
    one, other, same = (LineStream(tmp_path / name).digest() for name in "abc")
    assert one == same != other


def test_a_text_that_goes_far_beyond_another_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kilter.io.stream.CHUNK", 64)
    monkeypatch.setattr("kilter.io.text._FAR", 100)
    short, long = tmp_path / "short", tmp_path / "long.gz"
    short.write_bytes(b"a\n" * 3)
    long.write_bytes(gzip.compress(b"b\n" * 100_000)[:-1])  # at its end it is damaged
    streams = [LineStream(long), LineStream(short)]
    with pytest.raises(
        LongTextError, match=r"long\.gz: has at least 128 lines, but .*short has 3;"
    ):
        count_together(streams)
    monkeypatch.setattr("kilter.io.text._FAR", 1_000_000)
    with pytest.raises(InputError, match="is damaged"):
        count_together(streams)


@pytest.mark.parametrize("name", ["long.gz", "long.tsv.gz"])
def test_a_text_of_as_many_lines_that_is_larger_by_far_is_not_read_to_its_end(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kilter.io.stream.CHUNK", 1 << 12)
    monkeypatch.setattr("kilter.io.text_file._CHARACTERS", 1 << 12)
    for limit in ("_LARGE", "_LONG_LINE"):
        monkeypatch.setattr(f"kilter.io.text.{limit}", 1 << 12)
    short, long = tmp_path / "short", tmp_path / name
    short.write_bytes(b"a\n" * 3)
    lines = [b"text\n"] * name.endswith("tsv.gz") + [b"b" * (1 << 12) + b"\n"] * 30
    long.write_bytes(gzip.compress(b"".join(lines))[:-1])  # at its end it is damaged
    streams = [TextStream(short), TextStream(long)]
    with pytest.raises(
        LongTextError, match=r"long.*: has more than 0 MiB, but .*short has 3 lines of 6 bytes"
    ):
        count_together(streams)
    for limit in ("_LARGE", "_LONG_LINE"):
        monkeypatch.setattr(f"kilter.io.text.{limit}", 1 << 20)
    with pytest.raises(InputError, match="is damaged"):
        count_together(streams)


@pytest.mark.parametrize("command", ["score", "validate"])
def test_a_packed_text_beside_a_short_reference_is_refused_in_one_line(
    command: str, tmp_path: Path
) -> None:
    short, long = tmp_path / "short", tmp_path / "long.gz"
    short.write_bytes(b"a b c d\n" * 2)
    with gzip.open(long, "wb", compresslevel=1) as file:
        for _ in range(2):
            file.write(b"a " * (25 << 20) + b"\n")
    found = kilter(command, "-r", str(short), str(long))
    assert found.code == 3
    assert "long.gz: has more than" in found.out + found.err
    assert "Traceback" not in found.err


@pytest.mark.parametrize("read", [read_text, read_text_file])
def test_a_line_without_end_is_refused_wherever_a_text_is_read(
    read: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kilter.io.stream.CHUNK", 1 << 10)
    monkeypatch.setattr("kilter.io.text._LONGEST_LINE", 4 << 10)
    (tmp_path / "a").write_bytes(b"a\n" + b"a" * (1 << 14))
    with pytest.raises(InputError, match="a: has a line of more than"):
        read(tmp_path / "a")


def test_texts_are_counted_together_and_the_first_fault_is_told(tmp_path: Path) -> None:
    for name, content in {"a": b"a\nb\n", "b": b"a\nb\0\n", "c": b"a\r\n"}.items():
        (tmp_path / name).write_bytes(content)
    streams = {name: LineStream(tmp_path / name) for name in "abc"}
    count_together([streams["a"]])
    assert streams["a"].count == 2
    with pytest.raises(InputError, match="c:1: ends in a carriage return"):
        count_together([streams["c"], streams["b"], streams["a"]])


def test_a_line_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kilter.io.stream.CHUNK", 1 << 10)
    monkeypatch.setattr("kilter.io.text._LONGEST_LINE", 4 << 10)
    (tmp_path / "a").write_bytes(b"a\n" + b"a" * (1 << 14))
    with pytest.raises(InputError, match="a: has a line of more than"):
        _ = LineStream(tmp_path / "a").count
