"""Tables in every format."""

import csv
import io
import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.estimate import Estimate
from kilter.core.table import Column, Table
from kilter.render.table.page import write_result
from kilter.render.table.table import (
    FULL_FORMATS,
    TableFormat,
    table_writer,
    write_cells,
    write_rows,
)
from kilter.results.document import Document, Result
from tests.render.written import shown

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


# A result in any format.


@dataclass(frozen=True)
class Small(Result):
    """A small result that remembers what was made of it."""

    made: list[str]
    score: float = 0.5

    def to_dict(self) -> Document:
        self.made.append("document")
        return {"score": self.score}

    def data(self) -> Table:
        self.made.append("rows")
        return Table("", ["score"], [[self.score]])

    def tables(self) -> list[Table]:
        self.made.append("page")
        return [Table("", ["score"], [[self.score]])]


@pytest.mark.parametrize("form", TableFormat)
def test_only_what_the_format_needs_is_made_of_a_result(form: TableFormat) -> None:
    made = list[str]()
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    write_result(Small(made), out, form)
    kind = "rows" if form in FULL_FORMATS - {TableFormat.JSON} else "page"
    assert made == ["document" if form is TableFormat.JSON else kind]


def test_a_document_is_json_and_holds_no_number_that_json_lacks() -> None:
    assert json.loads(shown(Small([]), TableFormat.JSON)) == {"score": 0.5}
    with pytest.raises(ValueError, match="JSON compliant"):
        shown(Small([], float("nan")), TableFormat.JSON)


@dataclass(frozen=True)
class Plain(Result):
    """A result that is its fields."""

    names: tuple[str, ...]
    mean: Estimate

    def tables(self) -> list[Table]:
        mean = Column("mean", ".2f±", "mean <score>")
        return [
            Table("means", ["system", mean], [[name, self.mean] for name in self.names], ["a & b"])
        ]


def test_a_document_follows_from_fields() -> None:
    document = Plain(("a", "b"), Estimate(0.5, 0.4, 0.6)).to_dict()
    assert document == {"names": ["a", "b"], "mean": {"value": 0.5, "low": 0.4, "high": 0.6}}


def test_a_notebook_shows_the_tables() -> None:
    page = Plain(("a", "<b>"), Estimate(0.5, 0.4, 0.6))._repr_html_()
    assert page.startswith("<table>\n<caption>means</caption>\n")
    assert '<th style="text-align: right">mean &lt;score&gt;</th>' in page
    assert (
        '<td style="text-align: left">&lt;b&gt;</td><td style="text-align: right">0.50 ±0.10</td>'
        in page
    )
    assert page.endswith("<p>a &amp; b</p>")


def test_a_cut_name_is_spelled_out_once_beneath_the_last_table() -> None:
    name = "a-system-with-a-very-long-name"
    table = Table("", [Column("system", "name"), "n"], [[name, 1], ["b", 2]], ["noted"])
    text = shown(table, TableFormat.TEXT, width=40)
    assert text.splitlines()[1].split() == ["a-system-wit…ame", "1"]
    assert text.endswith(f"\n\nnoted\na-system-wit…ame: {name}\n")
    assert "…" not in shown(table, TableFormat.MD, width=40)


# Tables for programs.


def as_csv(table: Table) -> str:
    out = io.StringIO(newline="")
    write_rows(table, out, TableFormat.CSV)
    return out.getvalue()


@given(st.lists(st.tuples(st.text(), st.text(), st.integers()), max_size=5))
def test_csv_reads_back_as_any_text_that_was_written(rows: list[tuple[str, str, int]]) -> None:
    header, *read = csv.reader(
        io.StringIO(as_csv(Table("", ["one", "a,b", "n"], rows)), newline="")
    )
    assert header == ["one", "a,b", "n"]
    assert read == [[one, other, str(number)] for one, other, number in rows]


def test_csv_writes_numbers_in_full_nothing_for_what_is_missing_and_flags_as_json_does() -> None:
    assert as_csv(Table("", ["x", "y", "z"], [(0.1, None, True)])) == "x,y,z\n0.1,,true\n"


def test_a_table_of_named_values_takes_them_in_the_order_of_its_columns() -> None:
    rows: list[dict[str, Any]] = [{"b": 2, "a": 1, "unused": 3}]
    assert Table.of(["a", "b"], rows) == Table("", ["a", "b"], [[1, 2]])
