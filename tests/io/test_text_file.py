"""Texts of every kind of file."""

import gzip
import warnings
from pathlib import Path
from random import Random

import pytest

from kilter.core.errors import InputError, KilterWarning
from kilter.io.text_file import (
    TextStream,
    checked_text_file,
    part_names,
    read_text_file,
    read_text_files,
    text_part,
)
from tests.thorough import tried

SET = '<tstset sysid="a"><doc docid="d"><seg id="1">x &amp; y</seg></doc></tstset>\n'


def written(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def test_a_file_is_read_as_what_it_is(tmp_path: Path) -> None:
    assert read_text_file(written(tmp_path, "plain", "a b\nc\n")) == ("a b", "c")
    assert read_text_file(written(tmp_path, "set", SET)) == ("x & y",)
    assert read_text_file(written(tmp_path, "set.sgm", SET) + "#a") == ("x & y",)
    assert read_text_file(written(tmp_path, "t.tsv", "u\tv\n1\t2\n") + "#v") == ("2",)
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(b"u,v\n1,2\n"))
    assert read_text_file(tmp_path / "t.csv.gz#u") == ("1",)


def test_a_file_that_is_not_what_its_name_says_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "plain.sgm", "a b\n")
    with pytest.raises(InputError, match=rf"^{path}:1: is no set of segments, as its name says"):
        read_text_file(path)
    plain = written(tmp_path, "plain", "a b\n")
    with pytest.raises(
        InputError, match=r"one segment a line, which has no part 'x'; leave it out"
    ):
        read_text_file(plain + "#x")


def test_everything_that_is_wrong_with_lines_is_found(tmp_path: Path) -> None:
    path = written(tmp_path, "bad", "a\r\nb\0\n")
    lines, faults = checked_text_file(path)
    assert lines is None
    assert [str(fault).partition(" ")[0] for fault in faults] == [f"{path}:1:", f"{path}:2:"]


def test_a_part_is_named_behind_the_file_unless_that_is_a_file(tmp_path: Path) -> None:
    path = written(tmp_path, "a#b", "x\n")
    assert text_part(path) == (path, None)
    assert read_text_file(path) == ("x",)
    assert text_part("c#d#e") == ("c#d", "e")
    assert text_part("-") == ("-", None)
    assert text_part("#x") == ("#x", None)
    assert text_part("t.tsv").with_column("mt") == "t.tsv#mt"
    assert text_part("t.tsv#ref").with_column("mt") == "t.tsv#ref"
    assert text_part("t.txt").with_column("mt") == "t.txt"
    assert part_names(["a.sgm#x", "a.sgm#y", "b"]) == ["x", "y", None]


PIECES = [
    b"a b",
    b"\n",
    b"\n\n",
    b"\r\n",
    b"\0",
    b"\xef\xbb\xbf",
    b"\xff",
    "ö".encode(),
    b"\t",
    b'"',
    b",",
    b"{}",
]
HEADS = {"txt": b"", "tsv": b"a\tb\n", "csv": b"a,b\n", "jsonl": b'{"a": "x"}\n'}


@pytest.mark.parametrize("suffix", HEADS)
def test_a_text_in_blocks_is_the_same_text_with_the_same_faults(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kilter.io.stream.CHUNK", 7)
    path = tmp_path / f"text.{suffix}"
    random = Random(4)
    seen = set()
    for _ in range(tried(600, quick=60)):
        data = HEADS[suffix] * random.randrange(2) + b"".join(random.choices(PIECES, k=6))
        path.write_bytes(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", KilterWarning)
            outcomes = []
            for read in (read_text_file, _streamed):
                try:
                    outcomes.append(str(read(f"{path}#a" if suffix != "txt" else path)))
                except InputError as error:
                    outcomes.append(str(error))
        assert outcomes[0] == outcomes[1], data
        seen.add(outcomes[0].partition(" ")[2][:20])
    assert len(seen) > 3


def _streamed(path: str | Path) -> tuple[str, ...]:
    stream = TextStream(path)
    count = stream.count
    lines = tuple(line for block in stream.blocks(3) for line in block)
    assert count == len(lines)
    assert lines == tuple(stream)
    return lines


def test_texts_that_belong_together_are_read_no_further_than_they_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kilter.io.stream.CHUNK", 64)
    monkeypatch.setattr("kilter.io.text._FAR", 10)
    short, long = str(tmp_path / "a"), str(tmp_path / "b")
    Path(short).write_bytes(b"a\nb\n")
    Path(long).write_bytes(b"a\nb\n")
    assert read_text_files([short, long]) == {short: ("a", "b"), long: ("a", "b")}
    Path(long).write_bytes(b"a\n" * 1000)
    with pytest.raises(InputError, match=r"b: has at least \d+ lines, but .*a has 2;"):
        read_text_files([short, long])
