"""Columns hold what they name: which levels people used, and two questions together. Section 13.1"""

import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis.answer_distribution import LevelUse, QuestionTable
from kilter.study.analysis.judgment_study import SentenceGroup
from kilter.study.chapter import answer_distribution
from tests.render.cases import case
from tests.render.distinct import Book, check_row
from tests.render.study_table import GROUPS, QUESTIONS, STUDY, faked


@case("level_report")
def test_columns_of_level_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    def use(question: str, participant: str | None) -> LevelUse:
        place = (question, participant or "all")
        shares = {level: book.make(float, *place, "shares", str(level)) for level in range(1, 6)}
        made: LevelUse = book.make(
            LevelUse, *place, question=question, participant=participant, shares=shares
        )
        return made

    uses = tuple(use(question, who) for question in QUESTIONS for who in (None, "p0", "p1"))
    faked(answer_distribution, monkeypatch, level_use=lambda _: uses)
    report = answer_distribution.level_report(STUDY)
    titles = {"n": "answered"}
    for row in report.data.rows:
        who, question, level, share, *rest = row
        (found,) = [u for u in uses if (u.participant or "all", u.question) == (who, question)]
        assert not isinstance(found.shares, Undefined)
        assert share == found.shares[int(str(level))]
        unused = " ".join(map(str, found.never_used))
        assert rest == [found.answered, found.missing, unused]
    for table, question in zip(report.tables, QUESTIONS, strict=True):
        for row in table.rows:
            check_row(book, table.names, row, titles=titles, computed=["participant"])
            (who, *_) = row
            assert book.places[row[1]][:2] == (question, who)


@case("question_report")
def test_columns_of_question_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    def table(
        _study: object, *, rows: str, columns: str, sentences: SentenceGroup
    ) -> QuestionTable:
        made: QuestionTable = book.make(
            QuestionTable, str(sentences), rows=rows, columns=columns, sentences=sentences
        )
        return made

    faked(answer_distribution, monkeypatch, question_table=table)
    report = answer_distribution.question_report(STUDY)
    for row in report.data.rows:
        named = dict(zip(report.data.names, row, strict=True))
        (made,) = [m for p, m in book.objects.items() if p == (named["sentences"],)]
        place = made.row_levels.index(named["holistic"]), made.column_levels.index(named["order"])
        assert named["judgments"] == made.counts[place[0]][place[1]]
        assert named["all judgments"] == made.judgments
        assert (named["missing"], named["Pearson r"]) == (made.missing, made.pearson)
    for square, group in zip(report.tables, GROUPS, strict=True):
        made = book.objects[str(group),]
        assert square.names == ("holistic \\ order", *map(str, made.column_levels), "sum")
        assert [row[0] for row in square.rows] == [str(level) for level in made.row_levels]
        assert [row[1:-1] for row in square.rows] == [*made.counts]
        assert [row[-1] for row in square.rows] == [sum(row) for row in made.counts]
