"""Columns of tables, read as the lines of a text."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kilter.core.errors import InputError
from kilter.io.conllu import read_conllu
from kilter.io.conllu_stream import ConlluStream
from kilter.io.links import read_links
from kilter.io.stream import ByteSource
from kilter.io.text_file import ColumnSource, source_of_lines

LINKS = ["0-0 1-2", "", "2-1"]


@pytest.fixture
def tables(tmp_path: Path) -> dict[str, Path]:
    rows = [{"links": line, "text": "a b c"} for line in LINKS]
    paths = {name: tmp_path / f"t.{name}" for name in ("jsonl", "parquet")}
    paths["jsonl"].write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    pq.write_table(pa.Table.from_pylist(rows), paths["parquet"])
    return paths


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_links_of_a_table_are_those_of_lines(tables: dict[str, Path], kind: str) -> None:
    source = ColumnSource(f"{tables[kind]}#links")
    for again in (True, False):
        assert b"".join(source.chunks(again=again)).decode().splitlines() == LINKS
    file = read_links(f"{tables[kind]}#links", segments=3)
    assert [file.sure.segment(place) for place in range(3)] == [[(0, 0), (1, 2)], [], [(2, 1)]]
    with pytest.raises(InputError, match=r"is a table with the columns links, text; choose one"):
        read_links(str(tables[kind]), segments=3)
    with pytest.raises(InputError, match=r"t\.\w+: has no column 'nix'"):
        read_links(f"{tables[kind]}#nix", segments=3)
    with pytest.raises(InputError, match=r"t\.\w+:1: 'a' is no link"):
        read_links(f"{tables[kind]}#text", form="pharaoh", segments=3)


def test_other_files_are_themselves(tmp_path: Path) -> None:
    for name in ("a.links", "links.tsv"):
        source = ByteSource(str(tmp_path / name))
        assert source_of_lines(source) is source


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_a_table_of_trees_is_refused_in_one_line(tables: dict[str, Path], kind: str) -> None:
    told = r"is a table, and trees are read from CoNLL-U text; `kilter parse -o FILE\.conllu` writes it"
    with pytest.raises(InputError, match=told):
        read_conllu(str(tables[kind]))
    with pytest.raises(InputError, match=told):
        _ = ConlluStream(str(tables[kind])).count
