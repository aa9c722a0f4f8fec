"""`kilter permutation --tree`, `--forest` and drawings."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from kilter.cli.main import run
from tests.cli.command import kilter
from tests.cli.permutation.orders import MIXED, Captured, rows_of, text_of
from tests.golden import cases


@pytest.mark.parametrize(
    "structure", [["--tree"], ["--forest"], ["--draw"], ["--draw", "svg"], ["--tree", "dot"]]
)
def test_a_bad_line_leaves_no_structure_behind(
    tmp_path: Path, capsys: Captured, structure: list[str]
) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("2 1\n" * 300_000 + "2 2\n", encoding="utf-8")
    assert run(["permutation", str(path), *structure]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"{path}:300001: 2 at position 2" in captured.err


def test_marked_lines_stand_between_structures(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "mixed.txt"
    path.write_text(MIXED, encoding="utf-8")
    assert run(["permutation", str(path), "--tree", "--on-error", "mark", "-q"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "<2,1>[2, 1]"
    assert lines[1].startswith(f"# {path}:2: 'x' in column 1")
    assert lines[2] == "2 x <1,2>[1, 2, 3]"
    assert run(["permutation", str(path), "--forest", "--on-error", "mark", "-q"]) == 0
    rows = rows_of(capsys.readouterr().out)
    assert rows[0]["permutation"] == [2, 1]
    assert (rows[1]["line"], rows[3]["line"]) == (2, 4)
    assert "'x' in column 1" in rows[1]["error"]


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ([], "<2,4,1,3>[2, 2 x <1,2>[4, 5, 6], 1, 3]\n"),
        (["bracketed"], "<2,4,1,3>[2, 2 x <1,2>[4, 5, 6], 1, 3]\n"),
        (["penn"], "(<2,4,1,3> 2 (2x<1,2> 4 5 6) 1 3)\n"),
        (["penn", "--binary"], "(<2,4,1,3> 2 (<1,2> (<1,2> 4 5) 6) 1 3)\n"),
        (
            ["penn", "--binary", "--branching", "right"],
            "(<2,4,1,3> 2 (<1,2> 4 (<1,2> 5 6)) 1 3)\n",
        ),
    ],
)
def test_trees_are_written_on_request(form: list[str], text: str) -> None:
    found = kilter("permutation", "--tree", *form, stdin=b"2 4 5 6 1 3\n")
    assert (found.code, found.out, found.err) == (0, text, "")


def test_trees_for_latex_and_graphviz_are_written(orders: Path, capsys: Captured) -> None:
    assert run(["permutation", str(orders), "--tree", "qtree"]) == 0
    assert capsys.readouterr().out.count("\\Tree ") == 3
    assert run(["permutation", str(orders), "--tree", "dot"]) == 0
    assert capsys.readouterr().out.count("digraph permutation {") == 3


def test_forests_are_one_chart_a_line(tmp_path: Path, capsys: Captured) -> None:
    rows = cases("forests")
    path = tmp_path / "vectors.txt"
    path.write_text(text_of([tuple(row["pi"]) for row in rows]), encoding="utf-8")
    assert run(["permutation", str(path), "--forest"]) == 0
    found = rows_of(capsys.readouterr().out)
    assert [chart["entries"] for chart in found] == [row["forest"] for row in rows]


def test_drawings_show_tree_and_diagram(orders: Path, capsys: Captured) -> None:
    assert run(["permutation", str(orders), "--draw"]) == 0
    out = capsys.readouterr().out
    assert "2413" in out
    assert out.count("●") == 12


def test_svg_holds_one_permutation_and_is_xml() -> None:
    found = kilter("permutation", "--draw", "svg", stdin=b"2 4 5 6 1 3\n")
    assert found.code == 0
    assert ET.fromstring(found.out).tag.endswith("svg")  # noqa: S314 - our own text


def test_svg_of_two_permutations_is_refused_whole() -> None:
    found = kilter("permutation", "--draw", "svg", stdin=b"1 2\n2 1\n")
    assert (found.code, found.out) == (3, "")
    assert found.err.startswith("kilter: standard input:2: an SVG picture holds one permutation")


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (["--trees", "all"], "<1,2>[<1,2>[1, 2], 3]\n<1,2>[1, <1,2>[2, 3]]\n\n<1,2>[<2,1>[2, 1], 3]\n"),
        (["--trees", "all", "--tree=penn"], "(<1,2> (<1,2> 1 2) 3)\n(<1,2> 1 (<1,2> 2 3))\n\n(<1,2> (<2,1> 2 1) 3)\n"),
        (["--trees", "weak"], "<1,2,3>[1, 2, 3]\n<1,2>[<1,2>[1, 2], 3]\n<1,2>[1, <1,2>[2, 3]]\n\n<2,1,3>[2, 1, 3]\n<1,2>[<2,1>[2, 1], 3]\n"),
    ],
)  # fmt: skip
def test_all_trees_and_weak_factorizations_are_listed(asked: list[str], text: str) -> None:
    found = kilter("permutation", *asked, stdin=b"1 2 3\n2 1 3\n")
    assert (found.code, found.out, found.err) == (0, text, "")


def test_all_trees_are_drawn() -> None:
    found = kilter("permutation", "--trees", "weak", "--draw", stdin=b"1 2 3\n")
    assert found.out.count("1 │  ● · ·") == 3
    assert found.out.splitlines()[0].strip() == "123"


def test_more_trees_than_asked_for_are_an_error_with_their_number() -> None:
    words = b"1 2\n1 2 3 4 5 6 7 8 9\n"
    found = kilter("permutation", "--trees", "all", stdin=words)
    assert found.code == 3
    assert (
        "standard input:2: the permutation has 1430 permutation trees, more than 1000" in found.err
    )
    assert kilter("permutation", "--trees", "all", "--max-trees", "1430", stdin=words).code == 0
    found = kilter("permutation", "--trees", "weak", "--max-trees", "20792", stdin=words)
    assert "has 20793 weak factorizations, more than 20792; raise --max-trees" in found.err


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (["--trees", "all", "--binary"], "--binary has no effect with --trees all"),
        (["--trees", "weak", "--draw=svg"], "an SVG picture holds one tree"),
        (["--max-trees", "3"], "--max-trees has no effect with the table of all scores"),
        (["--tree", "--max-trees", "3"], "--max-trees has no effect with --tree"),
        (["--trees", "all", "--forest"], "--forest and --trees cannot be combined"),
        (["--trees", "all", "-m", "pef"], "-m and --trees cannot be combined"),
        (["--trees", "all", "--complexity"], "--complexity has no effect with --trees"),
        (["--trees", "all", "--format", "json"], "--format has no effect with --trees"),
    ],
)
def test_trees_that_cannot_be_are_refused(asked: list[str], message: str) -> None:
    found = kilter("permutation", *asked, stdin=b"1 2\n")
    assert found.code == 2
    assert message in found.err
