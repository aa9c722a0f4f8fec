"""Tables of permutations in files, and from Parquet files."""

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kilter.io import permutation as permutation_table
from tests.cli.command import kilter
from tests.cli.permutation.orders import KEYS, rows_of

ORDERS = [[1, 2, 3], [2, 4, 5, 6, 1, 3], [], [1], [*range(60, 0, -1)]] * 3
OPTIONS = [
    [],
    ["--complexity", "--beta", "0.3"],
    ["-m", "kendall", "-m", "pef:gamma=0.5"],
    ["--on-error", "mark"],
]


def parquet(folder: Path, rows: list[Any]) -> str:
    path = folder / "orders.parquet"
    pq.write_table(pa.table({"order": pa.array(rows, pa.list_(pa.int64()))}), path)
    return str(path)


def text(folder: Path, rows: list[Any]) -> str:
    path = folder / "orders.txt"
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return str(path)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read four rows at a time."""
    monkeypatch.setattr(permutation_table, "_MOST_ROWS", 4)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
def test_a_parquet_file_scores_as_the_same_lines_do(options: list[str], tmp_path: Path) -> None:
    lines, rows = text(tmp_path, ORDERS), parquet(tmp_path, ORDERS)
    expected = kilter("permutation", lines, "--format", "jsonl", *options)
    assert expected.code == 0
    assert kilter("permutation", rows, "--format", "jsonl", *options) == expected
    out = tmp_path / "scores.parquet"
    assert kilter("permutation", rows, "-o", str(out), *options).err == ""
    assert pq.read_table(out).to_pylist() == rows_of(expected.out)
    assert pq.ParquetFile(out).num_row_groups == 4  # 15 rows, four at a time


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("on_error", ["skip", "mark"])
def test_columns_keep_their_types_whatever_is_missing(on_error: str, tmp_path: Path) -> None:
    # The first block has no good row, the second none that is bad.
    rows = parquet(tmp_path, [None, [1, 1], None, [2], [2, 1], [1], [], [1, 2], None])
    out = tmp_path / "scores.parquet"
    found = kilter("permutation", rows, "-o", str(out), "--on-error", on_error)
    did = "skipped" if on_error == "skip" else "marked"
    assert found.err.startswith(
        f"kilter: {did} 5 of 9 rows; the first is {rows}:1: the row is null"
    )
    table = pq.read_table(out)
    listed = kilter("permutation", rows, "--format", "jsonl", "--on-error", on_error, "-q")
    assert table.to_pylist() == rows_of(listed.out)
    last = ["error"] if on_error == "mark" else []
    assert table.column_names == ["line", *KEYS, *last]
    assert table.schema.field("pef").type == pa.float64()
    assert table.schema.field("trees").type == pa.string()


def test_standard_output_holds_the_same_parquet_file(tmp_path: Path) -> None:
    from subprocess import run

    from tests.cli.command import KILTER

    rows, out = parquet(tmp_path, ORDERS), tmp_path / "scores.parquet"
    assert kilter("permutation", rows, "-o", str(out), "--format", "parquet").code == 0
    piped = run(
        [KILTER, "permutation", rows, "--format", "parquet"], capture_output=True, check=True
    )
    assert piped.stdout == out.read_bytes()


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("name", ["scores.parquet", "scores.tsv"])
def test_a_bad_row_leaves_nothing_behind(name: str, tmp_path: Path) -> None:
    rows = parquet(tmp_path, [*ORDERS, [3, 3, 1]])
    found = kilter("permutation", rows, "-o", str(tmp_path / name))
    assert found.code == 3
    assert found.err.startswith(f"kilter: {rows}:16: 3 at position 2 stands already at position 1")
    assert [path.name for path in tmp_path.iterdir()] == ["orders.parquet"]
    assert kilter("permutation", rows, "--format", "tsv").out == ""


def test_the_name_of_the_output_says_its_format(tmp_path: Path) -> None:
    lines = text(tmp_path, ORDERS)
    for form in ("tsv", "csv", "jsonl"):
        expected = kilter("permutation", lines, "--format", form).out
        for name in (f"scores.{form}", f"scores.{form}.gz"):
            found = kilter("permutation", lines, "-o", str(tmp_path / name))
            assert (found.code, found.out, found.err) == (0, "", "")
            data = (tmp_path / name).read_bytes()
            data = gzip.decompress(data) if name.endswith(".gz") else data
            assert data.decode() == expected


def test_trees_are_drawn_of_rows_too(tmp_path: Path) -> None:
    lines, rows = text(tmp_path, ORDERS), parquet(tmp_path, ORDERS)
    assert kilter("permutation", rows, "--forest") == kilter("permutation", lines, "--forest")
    first = json.loads(kilter("permutation", rows, "--forest").out.splitlines()[0])
    assert first["permutation"] == [1, 2, 3]


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["{text}", "-o", "{rows}", "--format", "tsv"], "--format tsv does not fit -o"),
        (["{text}", "-o", "scores"], "-o scores: the name must end in .tsv"),
        (["{text}", "-o", "a.tsv", "--tree=penn"], "--output has no effect with --tree"),
        (["{text}", "--column", "a"], "--column names a column, but"),
        (["{rows}", "--pairs"], "--pairs compares permutations of lines"),
        (["a.jsonl", "--pairs"], "--pairs compares permutations of lines"),
        (["{rows}", "-o", "{rows}"], "would replace an input"),
    ],
)
def test_what_does_not_fit_is_refused(arguments: list[str], fault: str, tmp_path: Path) -> None:
    names = {"text": text(tmp_path, ORDERS), "rows": parquet(tmp_path, ORDERS)}
    found = kilter("permutation", *(each.format(**names) for each in arguments))
    assert found.code == 2
    assert fault in found.err
