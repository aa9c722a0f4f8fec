"""Columns hold what they name: how far a project is."""

from dataclasses import replace

from kilter import __version__
from kilter.render.table.page import write_result
from kilter.render.table.table import TableFormat
from kilter.results.study import (
    AnnotationStatus,
    AnnotatorLink,
    AnnotatorProgress,
    GroupProgress,
    PersonalLink,
    PoolCount,
    PoolStatistics,
    QuestionnaireProgress,
    StudyStatus,
    annotator_link_table,
    personal_link_table,
)
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.written import document, objects, pages, shown


@case("AnnotationStatus")
def test_columns_of_write_annotation_status_hold_what_they_name(book: Book) -> None:
    progress = tuple(
        book.make(AnnotatorProgress, str(k), median_seconds=seconds)
        for k, seconds in enumerate((12.25, None))
    )
    status = AnnotationStatus(title="Links", sentences=7, annotators=progress)
    names = ("name", "sentences", "done", "begun", "open", "median_seconds", "findings",
             "bookmarks", "comments")  # fmt: skip
    rows = [{name: getattr(row, name) for name in names} for row in progress]
    assert objects(write_result, status) == rows
    assert document(status) == {
        "schema": "kilter.annotation-status/1",
        "version": __version__,
        "title": "Links",
        "sentences": 7,
        "annotators": rows,
    }
    (table,) = pages(write_result, status)
    assert table == [
        {
            **{name: str(getattr(row, name)) for name in names if name != "median_seconds"},
            "median s": spent,
        }
        for row, spent in zip(progress, ("12.2", "-"), strict=True)
    ]


# Columns hold what they name: personal links of a project.


@case("annotator_link_table")
def test_columns_of_write_annotator_link_table_hold_what_they_name(book: Book) -> None:
    links = [
        book.make(AnnotatorLink, str(k), opened=opened) for k, opened in enumerate((True, False))
    ]
    names = ("name", "role", "sentences", "opened", "link")
    rows = [{name: getattr(link, name) for name in names} for link in links]
    assert objects(write_result, annotator_link_table(links)) == rows
    assert document(annotator_link_table(links)) == rows
    (table,) = pages(write_result, annotator_link_table(links))
    assert table == [
        {name: str(getattr(link, name)) for name in names}
        | {"opened": "yes" if link.opened else ""}
        for link in links
    ]


# Columns hold what they name: personal links of a study.


@case("personal_link_table")
def test_columns_of_write_links_hold_what_they_name(book: Book) -> None:
    links = [
        book.make(PersonalLink, "0", group="staff", opened=True),
        book.make(PersonalLink, "1", group=None, opened=False),
    ]
    names = ("number", "group", "questionnaire", "opened", "link")
    rows = [{name: getattr(link, name) for name in names} for link in links]
    assert objects(write_result, personal_link_table(links)) == rows
    assert document(personal_link_table(links)) == rows
    (table,) = pages(write_result, personal_link_table(links))
    assert table == [
        {
            "number": str(link.number),
            "group": link.group or "",
            "questionnaire": str(link.questionnaire),
            "opened": "yes" if link.opened else "",
            "link": link.link,
        }
        for link in links
    ]


# Columns hold what they name: the pool of a study.


TYPES = ("order", "swap")


@case("PoolStatistics")
def test_columns_of_a_pool_hold_what_they_name(book: Book) -> None:
    row = book.make(PoolCount, "0", pair="de-en", permutations={"order": 31, "swap": 11})
    total = book.make(
        PoolCount,
        "1",
        pair=None,
        year=None,
        rank_score=None,
        permutations={"order": 32, "swap": 12},
    )
    for counted in (True, False):
        given = [row, total]
        if not counted:
            given = [replace(each, permutations=None) for each in given]
        text = shown(PoolStatistics(rows=(given[0],), total=given[1]), TableFormat.TEXT, width=200)
        header, *lines = text.splitlines()
        cells = [line.split() for line in lines]
        assert header.split()[:9] == [
            "pair", "year", "corpora", "sentences", "in", "pool", "reference", "length", "hypothesis",
        ]  # fmt: skip
        assert cells[0][:9] == [
            "de-en", str(row.year), str(row.corpora), str(row.sentences), str(row.in_pool),
            f"{row.reference_length:.1f}", f"{row.hypothesis_length:.1f}", str(row.ranked),
            f"{row.rank_score:.3f}",
        ]  # fmt: skip
        assert cells[1][:3] == ["all", str(total.corpora), str(total.sentences)]
        assert cells[1][7] == "-"
        assert header.split()[13:] == ([*TYPES, "permutations"] if counted else [])
        assert [each[-3:] for each in cells] == (
            [["31", "11", "42"], ["32", "12", "44"]] if counted else [each[-3:] for each in cells]
        )


# Columns hold what they name: how far a study is, as people and programs read it.


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
