"""Columns hold what they name: how far a study is, as people and programs read it."""

from dataclasses import replace

from kilter.render.table.page import write_result
from kilter.render.table.table import TableFormat
from kilter.results.study import (
    GroupProgress,
    QuestionnaireProgress,
    StudyStatus,
)
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.written import document, objects, pages, shown


@case("StudyStatus")
def test_columns_of_write_status_hold_what_they_name(book: Book) -> None:
    progress = tuple(
        book.make(QuestionnaireProgress, str(k), median_seconds=seconds)
        for k, seconds in enumerate((12.25, None))
    )
    groups = tuple(
        book.make(GroupProgress, f"group {k}", group=name) for k, name in enumerate(("staff", None))
    )
    status = StudyStatus(
        paused=True, links=7, open_limit=3, questionnaires=progress,
        agreement={"order": 0.5, "sense": None}, participants_answering=9, participants_doubtful=4,
        groups=groups,
    )  # fmt: skip
    counts = ("questionnaire", "participants", "started", "submitted", "withdrawn")
    rows = [
        {name: getattr(row, name) for name in (*counts, "answered", "expected", "median_seconds")}
        for row in progress
    ]
    assert objects(write_result, status) == rows
    assert document(status) == {
        "schema": "kilter.survey-status/1", "paused": True, "closed": False, "links": 7, "open_limit": 3,
        "questionnaires": rows, "agreement": {"order": 0.5, "sense": None},
        "participants_answering": 9, "participants_doubtful": 4,
        "groups": [
            {name: getattr(row, name) for name in ("group", *counts[1:])} for row in groups
        ],
    }  # fmt: skip
    (_rule, *table), grouped = pages(write_result, status)  # numbers are flush right
    assert grouped == [
        {"group": name, **{count: str(getattr(row, count)) for count in counts[1:]}}
        for row, name in zip(groups, ("staff", "(no group)"), strict=True)
    ]
    assert table == [
        {
            **{name: str(getattr(row, name)) for name in counts},
            "answered": f"{row.answered}/{row.expected}",
            "median s": spent,
        }
        for row, spent in zip(progress, ("12.2", "-"), strict=True)
    ]
    text = shown(status, TableFormat.TEXT)
    assert text.splitlines()[-4:] == [
        "Krippendorff's alpha of order on shared items: 0.500",
        "Krippendorff's alpha of sense on shared items: undefined",
        "4 of 9 participants with doubtful answers",
        "the study is paused",
    ]
    # In a document they are a list of their own beneath the table.
    page = shown(status, TableFormat.MD)
    assert page.splitlines()[-4:] == [f"- {line}" for line in text.splitlines()[-4:]]
    closed = shown(replace(status, closed=True), TableFormat.TEXT)
    assert closed.splitlines()[-2:] == [*text.splitlines()[-2:-1], "the study is closed"]
