"""Texts of tables and of sets on the command line."""

from pathlib import Path

import pytest

from tests.cli.command import kilter


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "news.tsv"
    path.write_text("src\tmt\tref\nx y\ta b c\tb a c\n", encoding="utf-8")
    return str(path)


def scores(*arguments: str) -> list[list[str]]:
    found = kilter("score", *arguments, "-m", "kendall", "--format", "tsv", "-q")
    assert found.err == ""
    return [line.split("\t")[:3] for line in found.out.splitlines()[1:]]


def test_columns_are_named_by_role_or_behind_the_file(table: str) -> None:
    named = scores("-r", table, table, "--column", "hypothesis=mt", "--column", "reference=ref")
    assert named == scores("-r", f"{table}#ref", f"{table}#mt")
    assert [name for name, *_ in scores("-r", f"{table}#ref", f"{table}#mt", f"{table}#src")] == [
        "mt",
        "src",
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--column", "mt"], 2, "--column is 'mt'; write ROLE=NAME with one of hypothesis, reference, source"),
        (["--column", "target=mt"], 2, "--column is 'target=mt'; write ROLE=NAME"),
        (["--column", "source=src"], 2, "--column source=src names a column, but no source is a table"),
        (["--column", "hypothesis=mt", "--column", "hypothesis=ref"], 2, "--column hypothesis is given twice"),
        (["--column", "hypothesis=x"], 3, "has no column 'x'; its columns are: src, mt, ref"),
        ([], 3, "is a table with the columns src, mt, ref; choose one, such as"),
    ],
)  # fmt: skip
def test_what_names_no_column_is_refused(
    arguments: list[str], code: int, message: str, table: str
) -> None:
    found = kilter("score", "-r", f"{table}#ref", table, *arguments)
    assert (found.code, found.out) == (code, "")
    assert message in found.err


def test_sets_of_other_segments_are_not_scored_against_one_another(tmp_path: Path) -> None:
    one = '<tstset><doc docid="d"><seg id="{}">a b</seg><seg id="{}">c</seg></doc></tstset>\n'
    for name, numbers in (("a.sgm", (1, 2)), ("b.sgm", (2, 1))):
        (tmp_path / name).write_text(one.format(*numbers), encoding="utf-8")
    paths = [f"{tmp_path}/{name}" for name in ("a.sgm", "b.sgm")]
    found = kilter("score", "-r", *paths)
    assert found.code == 3
    assert f"{paths[1]}: segment 1 is d#2, but that of {paths[0]} is d#1; every text" in found.err
    assert kilter("validate", "-r", *paths).out.startswith(f"{paths[1]}: segment 1 is d#2, but")
    assert scores("-r", paths[0], paths[0])[0][2] == "1.0"


def test_a_folder_of_tables_is_a_folder_of_systems(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    for name, text in (("a.tsv", "x y"), ("b.tsv", "y x")):
        (tmp_path / "out" / name).write_text(f"id\tmt\n1\t{text}\n", encoding="utf-8")
    (tmp_path / "ref").write_text("x y\n", encoding="utf-8")
    (tmp_path / "pairs.tsv").write_text("seg\tbetter\tworse\n1\ta.tsv\tb.tsv\n", encoding="utf-8")
    found = kilter(
        "meta", "--judgments", f"{tmp_path}/pairs.tsv", "-r", f"{tmp_path}/ref", "--systems",
        f"{tmp_path}/out", "--column", "hypothesis=mt", "-m", "kendall", "--format", "tsv", "-q",
    )  # fmt: skip
    assert found.code == 0, found.err
    assert "kendall" in found.out
