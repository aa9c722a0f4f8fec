"""Columns hold what they name: the same correlations for groups of participants. Section 13.5"""

import pytest

from kilter.study.analysis.subgroup import Split, Subgroup
from kilter.study.chapter import subgroup
from kilter.study.chapter.tool_correlation import Correction
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.study_table import (
    QUESTIONS,
    check_correlations,
    check_report,
    faked,
    ranges,
    tool_rows,
)


def split(book: Book) -> Split:
    groups = tuple(book.make(Subgroup, "split", "groups", str(k)) for k in range(2))
    made: Split = book.make(Split, "split", groups=groups)
    return made


@case("split_report")
def test_columns_of_split_report_hold_what_they_name(book: Book) -> None:
    report = subgroup.split_report({"age": split(book)}, participants=7)
    check_report(book, report, titles={"group": "name"})


@case("subgroup_report")
def test_columns_of_subgroup_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked(subgroup, monkeypatch)
    made = split(book)
    rows = [row for group in made.groups for row in tool_rows(book, group.name)]
    report = subgroup.subgroup_report(
        "age", made, rows, adjusted=True, correction=Correction.NONE, simulated=False
    )
    check_correlations(report.data, rows, intervals=False)
    for table, question in zip(report.tables, QUESTIONS, strict=True):
        sides = [(group.name, side) for group in made.groups for side in (False, True)]
        assert table.names == (
            "tool", *(f"{name}, adjusted" if side else name for name, side in sides)
        )  # fmt: skip
        for tool, *cells in table.rows:
            for (name, side), cell in zip(sides, cells, strict=True):
                (row,) = [r for r in rows if r.adjusted is side
                          and (r.question, r.group, r.tool) == (question, name, tool)]  # fmt: skip
                assert ranges(cell) == (row.highest, row.lowest)
