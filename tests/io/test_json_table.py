"""Tables of JSON lines."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.io.delimited import read_json_table
from kilter.io.stream import ByteSource


def source(folder: Path, text: str) -> ByteSource:
    path = folder / "table.jsonl"
    path.write_text(text, encoding="utf-8")
    return ByteSource(str(path))


def test_cells_are_those_of_a_delimited_table(tmp_path: Path) -> None:
    table = read_json_table(source(tmp_path, '{"A": 1, "b": null}\n\n{"b": true, "A": "x"}\n'))
    assert table.columns == {"a": ("1", "x"), "b": ("", "yes")}
    assert table.lines.tolist() == [1, 3]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "is no JSON"),
        ("[1]", "is no JSON object with keys"),
        ("{}", "is no JSON object with keys"),
        ('{"b": 1}', "has the keys b; the first line has a"),
        ("[" * 100_000, "is no JSON"),
    ],
)
def test_a_wrong_line_is_named(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message) as raised:
        read_json_table(source(tmp_path, f'{{"a": 1}}\n{line}\n'))
    assert str(raised.value.where).endswith("table.jsonl:2")
