"""Tables of a study: analyses are replaced by results made from their types."""

import re
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

import pytest

from kilter.core.table import Table
from kilter.render.page.sub_report import SubReport, report_csv
from kilter.study.analysis.judged_correlation import Correlation, ToolCorrelation
from kilter.study.judgments.judgment_study import SentenceGroup
from tests.render.distinct import Book, check_row
from tests.study.analysis.studies import crossed

QUESTIONS = ("holistic", "order")


STUDY = crossed([[1, 2, 3], [2, 3, 5]])


GROUPS = (SentenceGroup.ALL, SentenceGroup.TRANSLATION, SentenceGroup.PERMUTATION)


def faked(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch, **functions: Callable[..., Any]
) -> None:
    """Replace the analyses that a report asks for, and its figures, which cannot draw such numbers."""
    for name in [*vars(module)]:
        if name.endswith(("_figure", "_figures")):
            monkeypatch.setattr(module, name, _drawn(name))
    for name, function in functions.items():
        monkeypatch.setattr(module, name, function)


def _drawn(name: str) -> Callable[..., Any]:
    """Return what draws nothing in the place of a function that returns a picture, or several."""
    return lambda *_args, **_options: ("<svg/>",) if name.endswith("s") else "<svg/>"


def check_report(
    book: Book,
    report: SubReport,
    *,
    titles: Mapping[str, str] | None = None,
    computed: Sequence[str] = (),
    shown: bool = True,
) -> None:
    """Check all tables of a report, and the file that programs read."""
    tables = [report.data, *(report.shown or ())] if shown else [report.data]
    for table in tables:
        assert table.rows
        for row in table.rows:
            check_row(book, table.names, row, titles=titles or {}, computed=computed)
    header, *lines = report_csv(report, simulated=False).splitlines()
    assert header.split(",")[: len(report.data.names)] == list(report.data.names)
    assert len(lines) == len(report.data.rows)


SUMMARY = {"n": "count"}


def tool_rows(book: Book, group: str = "all") -> list[ToolCorrelation]:
    """Return correlations of two tools with both questions, adjusted and not."""
    return [
        book.make(
            ToolCorrelation, group, question, str(side), tool,
            question=question, sentences=SentenceGroup.TRANSLATION, adjusted=side, group=group,
            tool=tool, variant="",
        )
        for question in QUESTIONS
        for side in (False, True)
        for tool in ("bleu", "ter")
    ]  # fmt: skip


CORRELATION = {
    "n": "judgments",
    "p_holm": "holm",
    "sentence_p_holm": "sentence_holm",
    "kind of sentences": "kind",
}


def check_correlations(table: Table, rows: Sequence[ToolCorrelation], *, intervals: bool) -> None:
    listed = [(row, name, value) for row in rows for name, value in row.configurations.items()]
    assert len(listed) == len(table.rows)
    assert ("low" in table.names) is intervals
    for (row, name, value), cells in zip(listed, table.rows, strict=True):
        named = dict(zip(table.names, cells, strict=True))
        assert named.pop("configuration") == name
        assert named.pop("kind of sentences") == row.sentences
        assert isinstance(value, Correlation)
        for column, cell in named.items():
            attribute = CORRELATION.get(column, column)
            owner = value if hasattr(value, attribute) else row
            assert cell == getattr(owner, attribute), column


def ranges(cell: Any) -> tuple[float, ...]:
    assert isinstance(cell, str)
    return tuple(map(float, re.findall(r"\d+\.\d+", cell)))
