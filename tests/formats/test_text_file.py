"""Texts of every kind of file."""

import gzip
from pathlib import Path

import pytest

from kilter.errors import InputError
from kilter.formats.text_file import checked_text_file, part_names, read_text_file, text_part

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
