"""Columns hold what they name: scores of every tool, and permutations that change the number of words. Section 13.1"""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from kilter.study.analysis.judgment_study import SentenceGroup
from kilter.study.analysis.score_distribution import ScoreDistribution, TokenChange
from kilter.study.chapter import score_distribution
from tests.render.cases import case
from tests.render.distinct import Book, check_row
from tests.render.study_table import STUDY, SUMMARY, check_report, faked


def _joined(values: Sequence[float]) -> str:
    return " ".join(f"{value:g}" for value in values)


@case("score_report")
def test_columns_of_score_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(_study: object, *, sentences: SentenceGroup) -> tuple[ScoreDistribution, ...]:
        made: ScoreDistribution = book.make(ScoreDistribution, str(sentences), sentences=sentences)
        return (made,)

    faked(score_distribution, monkeypatch, score_distributions=found)
    report = score_distribution.score_report(STUDY)
    titles = {**SUMMARY, "bins": "edges", "range": "lowest"}
    check_report(book, replace(report, shown=None), titles=titles, computed=("bins", "counts"))
    for row in report.data.rows:
        made = book.objects[str(row[3]),]
        assert row[-2:] == (_joined(made.edges), _joined(made.counts))
    (shown,) = report.tables
    ((*cells, extent),) = shown.rows
    made = book.objects["all",]
    assert cells[:2] == [f"{made.tool}:{made.variant}", made.configuration]
    check_row(book, shown.names[2:-1], cells[2:], titles=titles)
    assert extent == f"{made.summary.lowest:.3f} to {made.summary.highest:.3f}"


@case("token_report")
def test_columns_of_token_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = tuple(book.make(TokenChange, str(k)) for k in range(2))
    faked(score_distribution, monkeypatch, token_changes=lambda _: found)
    check_report(book, score_distribution.token_report(STUDY))
