"""Sub-reports in every format: gaps with their reasons, names as they are."""

import csv
import json
import re

import pytest

from kilter.core.table import Table
from kilter.render.page.sub_report import (
    Figure,
    SubReport,
    file_name,
    report_csv,
    report_json,
    report_page,
)
from kilter.render.table.table import TableFormat
from kilter.stats.undefined import Undefined

TABLE = Table(
    columns=("name", "n", "r", "p"),
    rows=(
        ("a_b", 3, 0.25, 1e-9),
        ("=x", 0, Undefined("no value"), Undefined("no value")),
        ("c", None, Undefined("all are the same"), 0.5),
    ),
)
REPORT = SubReport(name="some", title="Some", text=("Found.",), data=TABLE, notes=("n: three.",))


def test_csv_leaves_gaps_empty_and_says_why() -> None:
    text = report_csv(REPORT, simulated=False)
    rows = list(csv.DictReader(text.splitlines()))
    assert rows[0] == {"name": "a_b", "n": "3", "r": "0.25", "p": "1e-09", "undefined": ""}
    assert rows[1]["r"] == rows[1]["p"] == ""
    assert rows[1]["undefined"] == "r, p: no value"
    assert rows[1]["name"] == "'=x"
    assert rows[2]["undefined"] == "r: all are the same"
    assert "simulated" not in rows[0]
    marked = list(csv.DictReader(report_csv(REPORT, simulated=True).splitlines()))
    assert [row["simulated"] for row in marked] == ["yes"] * 3


def test_json_holds_null_and_the_reason() -> None:
    found = json.loads(report_json(REPORT, header={"simulated": True}))
    assert (found["analysis"], found["title"], found["simulated"]) == ("some", "Some", True)
    assert found["rows"][1] == {
        "name": "=x", "n": 0, "r": None, "p": None, "undefined": "r, p: no value",
    }  # fmt: skip
    assert found["rows"][0]["undefined"] is None


@pytest.mark.parametrize("form", [TableFormat.MD, TableFormat.LATEX])
def test_people_see_a_dash_and_the_reason_beneath(form: TableFormat) -> None:
    text = report_page(REPORT, form=form, simulated=False)
    assert len(re.findall(r"[|&] - \[1\]", text)) == 2
    assert len(re.findall(r"[|&] - \[2\]", text)) == 1
    assert text.index("[1] undefined: no value") < text.index("[2] undefined: all are the same")
    assert "n: three." in text
    assert "imulated" not in text
    assert "Simulated data: nobody was asked." in report_page(REPORT, form=form, simulated=True)


def test_a_table_without_rows_says_so() -> None:
    empty = SubReport(
        name="none", title="None", text=(), data=Table(columns=("a",), rows=()), notes=("n: 0.",)
    )  # fmt: skip
    assert "There is nothing to show." in report_page(empty, form=TableFormat.MD, simulated=False)
    assert report_csv(empty, simulated=True) == "a,undefined,simulated\n"
    assert json.loads(report_json(empty, header={"simulated": False}))["rows"] == []


def test_a_figure_is_described_by_what_its_picture_says() -> None:
    svg = '<svg><title id="t">A &amp; B</title><desc id="d">one 0.5; two 0.7</desc></svg>'
    figure = Figure(svg=svg, subject="order")
    assert figure.caption == "A & B: order"
    assert figure.alternative == "A & B: order. one 0.5; two 0.7"
    long = svg.replace("one 0.5; ", "one 0.5; " * 200)
    assert len(Figure(svg=long).alternative) < 1000
    assert Figure(svg=long).alternative.endswith("; the rest is in the table")


def test_names_of_files_hold_no_path() -> None:
    for name in ("../../etc", "a/b", "a\\b", ".hidden", "x\x00y", "C:"):
        made = file_name("figure", name)
        assert not {*made} & {*"/\\.\x00:"}
        assert made.startswith("figure-")
