"""Files with a segment a line."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.io.text import LineStream, LongTextError, count_together, read_text
from kilter.io.text_file import TextStream, read_text_file
from tests.cli.command import kilter


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
