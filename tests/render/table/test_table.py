"""Tables in every format."""

import io
import json
from typing import Any

import numpy as np
import pytest

from kilter.render.table.table import TableFormat, table_writer, write_cells

NAMES = ["line", "kendall", "primal", "permutation", "error"]
BLOCKS: list[dict[str, list[Any]]] = [
    {
        "line": [1, 2],
        "kendall": [2 / 3, None],
        "primal": [True, None],
        "permutation": [[2, 1, 3], None],
        "error": [None, "a | b & c_d \\ 50%"],
    },
    {"line": [], "kendall": [], "primal": [], "permutation": [], "error": []},
    {
        "line": [3],
        "kendall": [1e-7],
        "primal": [False],
        "permutation": [[]],
        "error": [None],
    },
]


def written(form: str, *, blocks: list[dict[str, list[Any]]] = BLOCKS) -> str:
    out = io.StringIO()
    writer = table_writer(TableFormat(form), out, NAMES, header={"schema": "kilter.test/1"})
    writer.start()
    for block in blocks:
        writer.rows({**block, "not asked for": [0] * len(block["line"])})
    writer.end()
    return out.getvalue()


ROWS = [
    {name: column[place] for name, column in block.items()}
    for block in BLOCKS
    for place in range(len(block["line"]))
]


def test_jsonl_is_one_object_a_line() -> None:
    lines = written("jsonl").splitlines()
    assert [json.loads(line) for line in lines] == ROWS
    assert list(json.loads(lines[0])) == NAMES


def test_json_is_one_document_with_its_header() -> None:
    assert json.loads(written("json")) == {"schema": "kilter.test/1", "rows": ROWS}
    assert json.loads(written("json", blocks=[])) == {"schema": "kilter.test/1", "rows": []}


def test_json_names_may_hold_any_character() -> None:
    out = io.StringIO()
    name = 'pef:a=50%,b="%s"'
    writer = table_writer(TableFormat.JSONL, out, [name], header={})
    writer.rows({name: [1.0]})
    assert json.loads(out.getvalue()) == {name: 1.0}


def test_json_is_written_in_the_letters_that_it_holds() -> None:
    for form in (TableFormat.JSON, TableFormat.JSONL):
        out = io.StringIO()
        writer = table_writer(form, out, ["größe"], header={"title": "Übung"})
        writer.start()
        writer.rows({"größe": ["groß"]})
        writer.end()
        assert '"größe"' in out.getvalue()
        assert '"groß"' in out.getvalue()
        assert ('"Übung"' in out.getvalue()) == (form is TableFormat.JSON)


def test_tsv_keeps_full_precision_and_leaves_missing_fields_empty() -> None:
    assert [line.split("\t") for line in written("tsv").split("\n")] == [
        NAMES,
        ["1", "0.6666666666666666", "true", "2 1 3", ""],
        ["2", "", "", "", "a | b & c_d \\ 50%"],
        ["3", "1e-07", "false", "", ""],
        [""],
    ]


def test_markdown_is_a_pipe_table() -> None:
    assert written("md").splitlines() == [
        "| line | kendall | primal | permutation | error |",
        "| ---: | ---: | ---: | ---: | ---: |",
        "| 1 | 0.6667 | yes | [2, 1, 3] | - |",
        "| 2 | - | - | - | a \\| b & c\\_d \\\\ 50% |",
        "| 3 | 1.0e-07 | no | [] | - |",
    ]


def test_latex_is_a_booktabs_table_with_escapes() -> None:
    assert written("latex").splitlines() == [
        "\\begin{tabular}{rrrrr}",
        "\\toprule",
        "line & kendall & primal & permutation & error \\\\",
        "\\midrule",
        "1 & 0.6667 & yes & [2, 1, 3] & - \\\\",
        "2 & - & - & - & a \\textbar{} b \\& c\\_d \\textbackslash{} 50\\% \\\\",
        "3 & 1.0e-07 & no & [] & - \\\\",
        "\\bottomrule",
        "\\end{tabular}",
    ]


def test_text_is_aligned_to_its_names() -> None:
    header, first, *_ = written("text").splitlines()
    assert header.split() == NAMES
    assert first.split() == ["1", "0.6667", "yes", "[2,", "1,", "3]", "-"]
    for name, cell in (("line", "1"), ("kendall", "0.6667"), ("primal", "yes")):
        assert header.index(name) + len(name) == first.index(cell) + len(cell)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0.0000"),
        (1.0, "1.0000"),
        (4.9e-5, "4.9e-05"),
        (5e-5, "0.0001"),
        (-4.9e-5, "-4.9e-05"),
    ],
)
def test_small_numbers_show_their_size(value: float, shown: str) -> None:
    out = io.StringIO()
    table_writer(TableFormat.TEXT, out, ["x"], header={}).rows({"x": [value]})
    assert out.getvalue().strip() == shown


@pytest.mark.parametrize(
    ("form", "shown"),
    [("tsv", "x\n0.123456789\n"), ("jsonl", '{"x":0.123456789}\n'), ("text", "0.1235")],
)
def test_arrays_are_written_in_full_for_programs_and_short_for_people(
    form: str, shown: str
) -> None:
    out = io.StringIO()
    writer = table_writer(TableFormat(form), out, ["x"], header={})
    writer.start()
    writer.rows({"x": np.array([0.123456789])})
    writer.end()
    assert shown in out.getvalue().replace(": ", ":")


@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_finished_tables_have_their_first_columns_flush_left(left: int) -> None:
    def cells(form: TableFormat) -> list[str]:
        out = io.StringIO()
        write_cells(form, out, ["aaa", "bb", "c"], [["1", "22", "333"]], left=left)
        return out.getvalue().splitlines()

    assert cells(TableFormat.LATEX)[0] == f"\\begin{{tabular}}{{{'l' * left + 'r' * (3 - left)}}}"
    rule = [" :--- "] * left + [" ---: "] * (3 - left)
    assert cells(TableFormat.MD)[1] == f"|{'|'.join(rule)}|"
    sides = [str.ljust] * left + [str.rjust] * (3 - left)
    rows = (("aaa", "bb", "c"), ("1", "22", "333"))
    assert cells(TableFormat.TEXT) == [
        "  ".join(set_(cell, width) for set_, cell, width in zip(sides, row, (3, 2, 3), strict=True))
        .rstrip()
        for row in rows
    ]  # fmt: skip
