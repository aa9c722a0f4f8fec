"""Tables in every format: their cells, and what is wrong with them."""

import json
import re
from collections.abc import Callable
from functools import partial
from math import isnan
from pathlib import Path
from typing import Any

import pytest

from kilter.core.errors import InputError
from kilter.io.judgments.reader import read_judgments
from kilter.io.output import written_text
from kilter.io.perturbation import read_labelled, read_perturbed
from kilter.io.score_file import read_metric_scores, read_rater_scores, read_ratings
from kilter.io.stream import ByteSource
from kilter.io.table import DataTable, cell_text, number, read_table


def table(folder: Path, text: str) -> DataTable:
    path = folder / "table.txt"
    path.write_bytes(text.encode())
    return read_table(ByteSource(str(path)))


@pytest.mark.parametrize("text", ["A\tb c\n1\t2 3\n", 'A,b c\r\n1,"2 3"\r\n'])
def test_tabs_go_before_commas_and_names_are_lower_case(text: str, tmp_path: Path) -> None:
    assert table(tmp_path, text).columns == {"a": ("1",), "b c": ("2 3",)}


def test_blanks_separate_where_nothing_else_does(tmp_path: Path) -> None:
    found = table(tmp_path, "a b\n1 2\n\n3 4\n")
    assert found.columns == {"a": ("1", "3"), "b": ("2", "4")}
    assert found.lines.tolist() == [2, 4]
    assert found.find("x", "b") == "b"
    assert found.where(1).endswith("table.txt:4")


def test_a_header_between_semicolons_is_told(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("system;segment;rater;rating\na;1;x;2\n", encoding="utf-8")
    fault = r"scores\.csv:1: has one column, .* so that semicolons seem to part its columns"
    scores = (partial(read, name="m") for read in (read_metric_scores, read_ratings))
    for read in (read_table, *scores):
        with pytest.raises(InputError, match=fault):
            read(ByteSource(str(path)))
    with pytest.raises(InputError, match=fault):
        read_judgments(str(path))
    assert list(table(tmp_path, "a;b\tc\n").columns) == ["a;b", "c"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_quoted_field_keeps_its_line_breaks(end: str, tmp_path: Path) -> None:
    found = table(tmp_path, end.join(["a,b", '1,"two', "", 'lines"', "", "3,4", ""]))
    assert found.columns == {"a": ("1", "3"), "b": ("two\n\nlines", "4")}
    assert found.lines.tolist() == [2, 6]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a,A\n", 1, "names the column 'a' twice"),
        ("a,b\n1\n", 2, "has 1 field; the header names 2"),
        ('a,b\n"1,2\n', 2, "is not a table"),
    ],
)
def test_what_is_no_table_is_named_with_its_line(
    text: str, line: int, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message) as raised:
        table(tmp_path, text)
    assert str(raised.value.where).endswith(f"table.txt:{line}")


def test_what_a_table_is_for_is_checked_before_its_details(tmp_path: Path) -> None:
    path = tmp_path / "text.en"
    path.write_text("the cat saw the cat\na dog ran\n", encoding="utf-8")
    with pytest.raises(InputError) as raised:
        read_table(
            ByteSource(str(path)),
            check=lambda header: header.need_all("pets", ("dog", "hound"), ("age",)),
        )
    assert str(raised.value) == (
        f"{path}:1: is not a table of pets: its first line names none of the columns dog (or hound), age; "
        "it names: the, cat, saw"
    )


def test_a_long_header_is_named_by_its_beginning(tmp_path: Path) -> None:
    found = table(tmp_path, " ".join(f"word{place}" for place in range(500)) + "\n")
    with pytest.raises(InputError, match=r"its columns are: word0, word1, .*, \.\.\.$") as raised:
        found.need("x")
    assert len(str(raised.value)) < 400


def test_columns_of_numbers_are_checked(tmp_path: Path) -> None:
    found = table(tmp_path, "whole,real\n1,0.5\n2,none\n")
    assert found.integers("whole", low=1).tolist() == [1, 2]
    with pytest.raises(InputError, match=r"whole is '9+'; it must be a whole number from 1"):
        table(tmp_path, f"whole,b\n{'9' * 5000},1\n").integers("whole", low=1)
    assert found.numbers("real")[0] == 0.5
    assert isnan(found.numbers("real")[1])
    with pytest.raises(InputError, match="whole is '1'; it must be a whole number from 2"):
        found.integers("whole", low=2)
    with pytest.raises(InputError, match="has no column 'x' or 'y'; its columns are: whole, real"):
        found.need("x", "y")
    with pytest.raises(InputError, match="must lie between -1e\\+60 and 1e\\+60"):
        table(tmp_path, "a\n1e61\n").numbers("a")
    with pytest.raises(InputError, match="a is 'x', which is not a number"):
        table(tmp_path, "a\nx\n").numbers("a")


@pytest.mark.parametrize("cell", ["inf", "-inf", "1_000", "x"])
def test_what_is_no_finite_number_is_none(cell: str) -> None:
    assert number(cell) is None


def json_lines(folder: Path, text: str) -> ByteSource:
    path = folder / "table.jsonl"
    path.write_text(text, encoding="utf-8")
    return ByteSource(str(path))


def test_cells_are_those_of_a_delimited_table(tmp_path: Path) -> None:
    table = read_table(json_lines(tmp_path, '{"A": 1, "b": null}\n\n{"b": true, "A": "x"}\n'))
    assert table.columns == {"a": ("1", "x"), "b": ("", "yes")}
    assert table.lines.tolist() == [1, 3]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "is not JSON"),
        ("[1]", "is not a JSON object with keys"),
        ("{}", "is not a JSON object with keys"),
        ('{"b": 1}', "has the keys b; the first line has a"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_a_wrong_line_is_named(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message) as raised:
        read_table(json_lines(tmp_path, f'{{"a": 1}}\n{line}\n'))
    assert str(raised.value.where).endswith("table.jsonl:2")


Row = dict[str, object]
FORMATS = ["csv", "jsonl", "jsonl.gz", "parquet", "arrow"]


def written(path: Path, rows: list[Row]) -> str:
    """Write a table in the format of its name."""
    if path.suffix in (".parquet", ".arrow"):
        arrow = pytest.importorskip("pyarrow")
        columns = arrow.Table.from_pylist(rows)
        if path.suffix == ".parquet":
            pytest.importorskip("pyarrow.parquet").write_table(columns, path)
        else:
            pytest.importorskip("pyarrow.feather").write_feather(columns, path)
        return str(path)
    if ".jsonl" in path.name:
        text = "".join(f"{json.dumps(row)}\n" for row in rows)
    else:
        separator = "," if path.suffix == ".csv" else "\t"
        lines = [rows[0], *(row.values() for row in rows)]
        text = "".join(f"{separator.join(map(cell_text, line))}\n" for line in lines)
    with written_text(path) as out:
        out.write(text)
    return str(path)


READERS: dict[str, tuple[Callable[[str], Any], list[Row]]] = {
    "judgments": (
        read_judgments,
        [
            {"segment": 1, "system": "a", "score": 0.25},
            {"segment": 2, "system": "a", "score": None},
            {"segment": 2, "system": "b", "score": 1.0},
        ],
    ),
    "scores": (
        lambda path: read_ratings(ByteSource(path), name="scores"),
        [
            {"system": "a", "segment": 1, "metric": "m", "score": 0.1, "statistics": "1.0 2.0"},
            {"system": "a", "segment": 2, "metric": "m", "score": 1 / 3, "statistics": "0.0 1.0"},
        ],
    ),
    "ratings": (
        lambda path: read_rater_scores(ByteSource(path)),
        [
            {"rater": "Anna", "system": "a b", "segment": 1, "rating": 4},
            {"rater": "Ben", "system": "a b", "segment": 1, "rating": 5},
        ],
    ),
    "perturbed": (
        lambda path: read_perturbed(ByteSource(path)),
        [{"reference": "a b c", "original": "a c", "perturbed": "c a", "kind": "swap"}],
    ),
    "labelled": (
        lambda path: read_labelled(ByteSource(path)),
        [
            {"output": "a b", "reference": "a b", "label": 0},
            {"output": "b a", "reference": "a b", "label": 1},
        ],
    ),
}


def told(value: object) -> str:
    """Return all that was read, without the file and the lines of its rows."""
    return re.sub(r"line=(array\(\[[^]]*\]\)|\d+)|source='[^']*'", "", repr(value))


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", READERS)
def test_every_reader_of_tables_reads_every_format(kind: str, form: str, tmp_path: Path) -> None:
    read, rows = READERS[kind]
    expected = told(read(written(tmp_path / "t.tsv", rows)))
    assert told(read(written(tmp_path / f"t.{form}", rows))) == expected
