"""Tables with a header."""

from math import isnan
from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.io.delimited import DelimitedTable, number, read_delimited
from kilter.io.stream import ByteSource


def table(folder: Path, text: str) -> DelimitedTable:
    path = folder / "table.txt"
    path.write_bytes(text.encode())
    return read_delimited(ByteSource(str(path)))


@pytest.mark.parametrize("text", ["A\tb c\n1\t2 3\n", 'A,b c\r\n1,"2 3"\r\n'])
def test_tabs_go_before_commas_and_names_are_lower_case(text: str, tmp_path: Path) -> None:
    assert table(tmp_path, text).columns == {"a": ("1",), "b c": ("2 3",)}


def test_blanks_separate_where_nothing_else_does(tmp_path: Path) -> None:
    found = table(tmp_path, "a b\n1 2\n\n3 4\n")
    assert found.columns == {"a": ("1", "3"), "b": ("2", "4")}
    assert found.lines.tolist() == [2, 4]
    assert found.find("x", "b") == "b"
    assert found.where(1).endswith("table.txt:4")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_quoted_field_keeps_its_line_breaks(end: str, tmp_path: Path) -> None:
    found = table(tmp_path, end.join(["a,b", '1,"two', "", 'lines"', "", "3,4", ""]))
    assert found.columns == {"a": ("1", "3"), "b": ("two\n\nlines", "4")}
    assert found.lines.tolist() == [2, 6]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a,A\n", 1, "names the column 'a' twice"),
        ("a,b\n1\n", 2, "has 1 fields; the header names 2"),
        ('a,b\n"1,2\n', 2, "is no table"),
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
        read_delimited(
            ByteSource(str(path)),
            check=lambda header: header.need_all("pets", ("dog", "hound"), ("age",)),
        )
    assert str(raised.value) == (
        f"{path}:1: is no table of pets: its first line names none of the columns dog (or hound), age; "
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
    with pytest.raises(InputError, match="a is 'x', which is no number"):
        table(tmp_path, "a\nx\n").numbers("a")


@pytest.mark.parametrize("cell", ["inf", "-inf", "1_000", "x"])
def test_what_is_no_finite_number_is_none(cell: str) -> None:
    assert number(cell) is None
