"""How far a study is, as people and programs read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.render.table.long_table import LongTable, write_result
from kilter.render.table.page import Note, Page
from kilter.render.table.table import TableFormat, write_cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

    from kilter.results.study import (
        AnnotationStatus,
        AnnotatorLink,
        PersonalLink,
        PoolCount,
        PoolStatistics,
        StudyStatus,
    )

_COUNTS = ("questionnaire", "participants", "started", "submitted", "withdrawn")
_COLUMNS = (*_COUNTS, "answered", "expected", "median_seconds")


def write_status(status: StudyStatus, out: TextIO, *, form: TableFormat) -> None:
    """Write how far a study is; rows for programs hold the questionnaires only."""
    write_result(
        out,
        form,
        document=status.to_dict,
        rows=lambda: LongTable.of(_COLUMNS, [row.to_dict() for row in status.questionnaires]),
        page=lambda: _write_page(status, Page(out, form)),
    )


def _write_page(status: StudyStatus, page: Page) -> None:
    page.start(status.agreement)
    rows = [
        [
            *(str(getattr(row, name)) for name in _COUNTS),
            f"{row.answered}/{row.expected}",
            "-" if row.median_seconds is None else f"{row.median_seconds:.1f}",
        ]
        for row in status.questionnaires
    ]
    write_cells(page.form, page.out, [*_COUNTS, "answered", "median s"], rows, left=0)
    if status.groups:
        page.out.write("\n")
        groups = [
            [row.group or "(no group)", *(str(getattr(row, name)) for name in _COUNTS[1:])]
            for row in status.groups
        ]
        write_cells(page.form, page.out, ["group", *_COUNTS[1:]], groups, left=1)
        page.out.write("\n")
    lines = list(_lines(status))
    if page.form is TableFormat.TEXT:
        page.out.writelines(f"{line}\n" for line in lines)
    else:
        page.notes(map(Note, lines))


def _lines(status: StudyStatus) -> Iterator[str]:
    for name, alpha in status.agreement.items():
        value = "undefined" if alpha is None else f"{alpha:.3f}"
        yield f"Krippendorff's alpha of {name} on shared items: {value}"
    yield (
        f"{status.participants_doubtful} of {status.participants_answering} participants "
        "with doubtful answers"
    )
    if status.closed:
        yield "the study is closed"
    elif status.paused:
        yield "the study is paused"


_COLUMNS_personal_link = ("number", "group", "questionnaire", "opened", "link")


def write_links(links: Sequence[PersonalLink], out: TextIO, *, form: TableFormat) -> None:
    """Write links, one a row."""
    write_result(
        out,
        form,
        document=lambda: [link.to_dict() for link in links],
        rows=lambda: LongTable.of(_COLUMNS_personal_link, [link.to_dict() for link in links]),
        page=lambda: _write_page_personal_link(links, Page(out, form)),
    )


def _write_page_personal_link(links: Sequence[PersonalLink], page: Page) -> None:
    page.start(link.group or "" for link in links)
    rows = [
        [
            str(link.number),
            link.group or "",
            str(link.questionnaire),
            "yes" if link.opened else "",
            link.link,
        ]
        for link in links
    ]
    write_cells(page.form, page.out, _COLUMNS_personal_link, rows, left=len(_COLUMNS_personal_link))


_COLUMNS_pool_statistics = (
    "pair", "year", "corpora", "sentences", "in pool", "reference length", "hypothesis length",
    "ranked", "rank score",
)  # fmt: skip


def write_pool(statistics: PoolStatistics, out: TextIO) -> None:
    """Write a row for each language pair and year and one for all; permutations where they were counted."""
    counted = statistics.total.permutations
    types = [] if counted is None else [*counted]
    names = [*_COLUMNS_pool_statistics, *types, *(["permutations"] if types else [])]
    rows = [_cells(row, types) for row in (*statistics.rows, statistics.total)]
    write_cells(TableFormat.TEXT, out, names, rows, left=1)


def _cells(row: PoolCount, types: list[str]) -> list[str]:
    cells = [
        row.pair or "all",
        "" if row.year is None else str(row.year),
        str(row.corpora),
        str(row.sentences),
        str(row.in_pool),
        _mean(row.reference_length, 1),
        _mean(row.hypothesis_length, 1),
        str(row.ranked),
        _mean(row.rank_score, 3),
    ]
    if row.permutations is not None and types:
        cells += [str(row.permutations[name]) for name in types]
        cells.append(str(sum(row.permutations.values())))
    return cells


def _mean(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


_COUNTS_annotation_status = ("sentences", "done", "begun", "open")
_COLUMNS_annotation_status = (
    "name",
    *_COUNTS_annotation_status,
    "median_seconds",
    "findings",
    "bookmarks",
    "comments",
)


def write_annotation_status(status: AnnotationStatus, out: TextIO, *, form: TableFormat) -> None:
    """Write how far everybody is."""
    write_result(
        out,
        form,
        document=status.to_dict,
        rows=lambda: LongTable.of(
            _COLUMNS_annotation_status, [row.to_dict() for row in status.annotators]
        ),
        page=lambda: _write_page_annotation_status(status, Page(out, form)),
    )


def _write_page_annotation_status(status: AnnotationStatus, page: Page) -> None:
    page.start(row.name for row in status.annotators)
    rows = [
        [
            row.name,
            *(str(getattr(row, name)) for name in _COUNTS_annotation_status),
            "-" if row.median_seconds is None else f"{row.median_seconds:.1f}",
            str(row.findings),
            str(row.bookmarks),
            str(row.comments),
        ]
        for row in status.annotators
    ]
    titles = ["name", *_COUNTS_annotation_status, "median s", "findings", "bookmarks", "comments"]
    write_cells(page.form, page.out, titles, rows, left=1)


_COLUMNS_annotator_link = ("name", "role", "sentences", "opened", "link")


def write_annotator_links(
    links: Sequence[AnnotatorLink], out: TextIO, *, form: TableFormat
) -> None:
    """Write links, one a row."""
    write_result(
        out,
        form,
        document=lambda: [link.to_dict() for link in links],
        rows=lambda: LongTable.of(_COLUMNS_annotator_link, [link.to_dict() for link in links]),
        page=lambda: _write_page_annotator_link(links, Page(out, form)),
    )


def _write_page_annotator_link(links: Sequence[AnnotatorLink], page: Page) -> None:
    page.start(link.name for link in links)
    rows = [
        [link.name, link.role, str(link.sentences), "yes" if link.opened else "", link.link]
        for link in links
    ]
    write_cells(
        page.form, page.out, _COLUMNS_annotator_link, rows, left=len(_COLUMNS_annotator_link)
    )
