"""All tools on all kinds of sentences."""

from dataclasses import replace

import pytest

from kilter.study.analysis import correlation_overview
from kilter.study.analysis.correlation_overview import best_of_families, best_on_order
from kilter.study.analysis.tool_correlation import Correction
from kilter.study.judgments.judgment_study import SentenceGroup
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.picture import texts
from tests.render.study_table import QUESTIONS, faked, ranges, tool_rows
from tests.study.analysis.correlated import ROWS


@case("overview_report")
def test_columns_of_overview_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked(correlation_overview, monkeypatch)
    on_translations = tool_rows(book)
    rows = on_translations + [
        replace(row, sentences=SentenceGroup.SWAP) for row in tool_rows(book, "swaps")
    ]
    report = correlation_overview.overview_report(
        rows, adjusted=True, correction=Correction.HOLM, simulated=False
    )
    for cells, row in zip(report.data.rows, rows, strict=True):
        named = dict(zip(report.data.names, cells, strict=True))
        assert named.pop("kind of sentences") == str(row.sentences)
        for column, cell in named.items():
            assert cell == getattr(row, column), column
    by_cell = {(r.question, r.tool, str(r.sentences)): r for r in rows if r.adjusted}
    for table, question in zip(report.tables, QUESTIONS, strict=True):
        assert table.names == ("tool", "translation", "swap")
        for tool, *shown in table.rows:
            if not any(shown):
                continue  # the name of a family
            for kind, cell in zip(table.names[1:], shown, strict=True):
                row = by_cell[question, str(tool), kind]
                assert ranges(cell) == (row.highest, row.lowest)


def test_a_family_is_represented_by_its_best_tool_on_order_that_scored_all() -> None:
    plain = [row for row in ROWS if not row.adjusted]
    best = best_of_families(plain)
    # bleu has no correlation and rare too few sentences; theirs has 15 of 20.
    assert {(row.tool, row.variant) for row in best} == {
        ("wmt-rank", ""), ("dted", "variant=b"), ("dted", "variant=b,flat=true"),
    }  # fmt: skip
    assert {row.question for row in best} == {"holistic", "order"}
    top = best_on_order(plain)
    assert top is not None
    assert top.question == "order"
    assert top.highest == max(row.highest for row in best if row.question == "order")  # type: ignore[type-var]
    assert best_on_order([]) is None


def test_the_figure_of_the_best_tools_says_by_which_question_they_are_best() -> None:
    renamed = [replace(row, question="ease") for row in ROWS if row.question == "holistic"]
    for rows, asked in ((ROWS, "order"), (renamed, "ease")):
        report = correlation_overview.overview_report(
            rows, adjusted=False, correction=Correction.HOLM, simulated=False
        )
        best = next(figure for figure in report.figures if figure.name == "figure-best")
        assert f"Best: the largest correlation with {asked}." in " ".join(texts(best.svg))
        assert f"correlates most with {asked} on translations" in report.text[0]
