"""Files with a segment a line."""

import gzip
from pathlib import Path

import pytest

from kilter.errors import InputError
from kilter.formats.line_stream import LineStream


def test_lines_are_counted_and_come_some_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kilter.formats.stream.CHUNK", 3)
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
