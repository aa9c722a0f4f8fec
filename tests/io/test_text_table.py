"""Texts that are columns of tables."""

import csv
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError
from kilter.io.stream import ByteSource
from kilter.io.table import is_table
from kilter.io.text_file import read_column, read_text_file

ROWS = [["src", "MT", "ref"], ["Ein Hund.", 'a "dog", two', ""], ["", "b", "größer"]]
SUFFIXES = ["tsv", "csv", "jsonl", "parquet"]


class Data(ByteSource):
    """Bytes under a name."""

    def __init__(self, name: str, data: bytes | str) -> None:
        super().__init__(name)
        self.data = data.encode() if isinstance(data, str) else data

    def raw_chunks(self, *, again: bool = False) -> Iterator[bytes]:
        del again
        yield from filter(None, [self.data])

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        yield io.BytesIO(self.data)


def table(suffix: str, rows: list[list[str]]) -> bytes:
    """Return a table of these rows, the first of which is the header."""
    names, *cells = rows
    if suffix == "tsv":
        return "".join("\t".join(row) + "\n" for row in rows).encode()
    if suffix == "csv":
        out = io.StringIO()
        csv.writer(out).writerows(rows)
        return out.getvalue().encode()
    if suffix == "jsonl":
        return "".join(
            json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in cells
        ).encode()
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    out_bytes = io.BytesIO()
    columns = {name: [row[place] for row in cells] for place, name in enumerate(names)}
    parquet.write_table(arrow.table(columns), out_bytes)
    return out_bytes.getvalue()


def read(name: str, data: bytes | str, column: str | None) -> tuple[str, ...]:
    return read_column(Data(name, data), column)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_column_is_a_text(suffix: str) -> None:
    data = table(suffix, ROWS)
    for place, name in enumerate(ROWS[0]):
        assert read(f"t.{suffix}", data, name) == tuple(row[place] for row in ROWS[1:])
    assert read(f"t.{suffix}", data, "mt") == ('a "dog", two', "b")
    with pytest.raises(
        InputError, match=rf"^t.{suffix}: has no column 'x'; its columns are: src, MT, ref"
    ):
        read(f"t.{suffix}", data, "x")
    with pytest.raises(InputError, match=rf"choose one, such as t.{suffix}#src$"):
        read(f"t.{suffix}", data, None)
    assert is_table(f"t.{suffix}.gz")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_one_column_needs_no_name_and_one_written_so_comes_first(suffix: str) -> None:
    assert read(f"t.{suffix}", table(suffix, [["a"], ["x y"]]), None) == ("x y",)
    assert read(f"t.{suffix}", table(suffix, [["A", "a"], ["x", "y"]]), "a") == ("y",)


cells = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\0\t\ufeff"), max_size=6
)


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=5))
def test_any_text_is_read_as_it_was_written(suffix: str, rows: list[tuple[str, str]]) -> None:
    data = table(suffix, [["one", "two"], *map(list, rows)])
    assert read(f"t.{suffix}", data, "two") == tuple(second for _, second in rows)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("t.tsv", "a\tb\nx\n", "t.tsv:2: has 1 field; the header names 2"),
        ("t.csv", "a,b\nx,y,z\n", "t.csv:2: has 3 fields; the header names 2"),
        ("t.csv", 'a,b\n"x\ny",z\n', "t.csv:2: has a line break in a cell; one cell is one segment"),
        ("t.csv", 'a,b\n"x,y\n', "t.csv:2: is not a table: unexpected end of data"),
        ("t.csv", "a,A\n", "t.csv: has no row below its header"),
        ("t.csv", "aa,AA,Aa\nx,y,z\n", "t.csv: has no column 'a'"),
        ("t.jsonl", '{"a": 1}\n', "t.jsonl:1: has 1, which is not a text, in the column a; write it as text"),
        ("t.jsonl", '{"a": "x"}\n{"a": null}\n', "t.jsonl:2: has no text in the column a; fill it, with '' for no words"),
        ("t.jsonl", '{"a": "x"}\n{"b": "y"}\n', "t.jsonl:2: has no key 'a'; its keys are: b"),
        ("t.jsonl", '{"a": "x"}\n[]\n', "t.jsonl:2: is not a JSON object with keys; write one a line"),
        ("t.jsonl", "x\n", "t.jsonl:1: is not JSON: "),
        ("t.jsonl", '{"a": "x\\r"}\n', "t.jsonl:1: ends in a carriage return; take it out"),
        ("t.jsonl", '{"a": "\\ud800"}\n', "t.jsonl:1: holds the lone surrogate U+D800 (\\ud800), which is no character; write the character itself"),
        ("t.jsonl", '{"a": "\\ufeffx"}\n', "t.jsonl:1: starts with a byte-order mark; take it out"),
        ("t.jsonl", '{"a": "x\\u0000"}\n', "t.jsonl:1: holds a NUL character; take it out"),
        ("t.parquet", "PAR1", "t.parquet: is no Parquet file: "),
        ("t.tsv", "", "t.tsv:1: the file is empty; it must hold a header and rows"),
        ("t.tsv", b"a\n\xff\n", "t.tsv:2: byte 0xff in column 1 is not UTF-8"),
    ],
)  # fmt: skip
def test_what_is_no_text_is_refused_with_its_row(
    name: str, data: bytes | str, message: str
) -> None:
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    with pytest.raises(InputError) as caught:
        read(name, data, "a")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("wanted", [None, "hypothesis", "Hypothesis"])
@pytest.mark.parametrize(
    ("value", "fault"),
    [
        (5, "has 5, which is not a text, in the column hypothesis; write it as text"),
        (["a"] * 50, "has ['a', 'a', "),
        (None, "has no text in the column hypothesis; fill it, with '' for no words"),
    ],
)
@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_the_column_that_was_chosen_is_named(
    suffix: str, value: object, fault: str, wanted: str | None
) -> None:
    data = json.dumps({"hypothesis": value}).encode()
    if suffix == "parquet":
        arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        out = io.BytesIO()
        parquet.write_table(arrow.table({"hypothesis": [value]}), out)
        data = out.getvalue()
    with pytest.raises(InputError) as caught:
        read(f"t.{suffix}", data, wanted)
    assert str(caught.value).startswith(f"t.{suffix}:1: {fault}")
    assert len(str(caught.value)) < 180


def test_several_columns_that_differ_in_case_alone_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("Ab\taB\nx\ty\n", encoding="utf-8")
    assert read_column(ByteSource(str(path)), "aB") == ("y",)
    with pytest.raises(InputError, match="has several columns 'ab'; its columns are: Ab, aB"):
        read_column(ByteSource(str(path)), "ab")


def test_bytes_of_parquet_that_are_no_text_are_told_with_their_row(tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    plain = arrow.array([b"a", b"b", b"c\xff", b"d"], arrow.binary())
    rows = arrow.StringArray.from_buffers(4, *plain.buffers()[1:])
    parquet.write_table(arrow.table({"text": rows}), tmp_path / "t.parquet")
    with pytest.raises(InputError, match=r"t\.parquet:3: is not UTF-8; write text"):
        read_text_file(str(tmp_path / "t.parquet"))


def test_semicolons_that_part_columns_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("mt;reference\na b;b a\n", encoding="utf-8")
    for wanted in (None, "mt"):
        with pytest.raises(
            InputError, match=r"a\.csv:1: has one column, 'mt;reference', so that semi"
        ):
            read_column(ByteSource(str(path)), wanted)
