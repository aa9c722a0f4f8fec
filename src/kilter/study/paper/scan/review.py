"""Doubtful and written answers: pictures for somebody to look at, and a table to fill in."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import cv2

from kilter.core.errors import InputError
from kilter.io.output import make_folder, write_file
from kilter.io.stream import exists
from kilter.study.page_template import templates_in
from kilter.study.paper.scan.answer_text import UnknownQuestionError, WrongTextError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kilter.study.paper.scan.answer_text import AnswerText
    from kilter.study.paper.scan.reading import Key, Reading

TABLE, PAGE = "review.csv", "review.html"
NO_ANSWER = "none"
_TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """One doubtful answer; `answer` is empty until somebody has looked."""

    participant: str
    position: int
    question: str
    doubt: str
    scan: str
    picture: str
    answer: str = ""

    @property
    def key(self) -> tuple[str, int, str]:
        """Which answer this is."""
        return self.participant, self.position, self.question


_COLUMNS = [part.name for part in fields(ReviewRow)]
_ITEM = re.compile("[0-9]{1,9}")


class Review:
    """A folder with doubtful answers.

    What somebody has written into its table is kept, whatever is scanned later.
    """

    def __init__(self, folder: Path, answers: AnswerText) -> None:
        self._folder = folder
        self._answers = answers
        self._rows: dict[tuple[str, int, str], ReviewRow] = {}
        self._values: dict[tuple[str, int, str], int | str | None] = {}
        self.problems: list[InputError] = []
        """What is wrong with the table, row by row."""
        path = folder / TABLE
        if exists(path):
            for row in _rows(path):
                try:
                    self._take(*_checked(*row))
                except InputError as error:
                    self.problems.append(error)

    def _take(self, where: str, row: ReviewRow) -> None:
        if row.key in self._rows:
            raise InputError(
                f"{row.participant} has item {row.position}, {row.question} twice; keep one of the rows",
                where=where,
            )
        self._rows[row.key] = row
        text = row.answer.strip()
        if not text:
            return
        try:
            self._values[row.key] = (
                None if text == NO_ANSWER else self._answers.value(row.position, row.question, text)
            )
        except UnknownQuestionError:
            raise InputError(f"there is no question {row.question!r}", where=where) from None
        except WrongTextError as error:
            raise InputError(f"the answer is {text!r}; {error}", where=where) from error

    def confirmed(self, participant: str) -> dict[Key, int | str | None]:
        """Return what somebody has seen on the pages of a participant."""
        return {
            (position, question): value
            for (name, position, question), value in self._values.items()
            if name == participant
        }

    def write(self, doubts: Mapping[str, Mapping[Key, Reading]]) -> int:
        """Write pictures, page and table for doubts by participant; return how many there are."""
        rows = {key: row for key, row in self._rows.items() if row.answer.strip()}
        open_rows = []
        make_folder(self._folder)
        for participant, readings in doubts.items():
            for (position, question), reading in readings.items():
                picture = f"{participant}-{position}-{question}.png"
                _, data = cv2.imencode(".png", reading.picture)
                write_file(self._folder / picture, data.tobytes())
                row = ReviewRow(
                    participant, position, question, reading.doubt, reading.scan, picture
                )
                rows[row.key] = row
                open_rows.append(row)
        write_file(self._folder / TABLE, _table(rows.values()))
        page = templates_in(_TEMPLATES).get_template("review.html").render(rows=open_rows)
        write_file(self._folder / PAGE, page)
        return len(open_rows)


def _rows(path: Path) -> list[tuple[str, list[str]]]:
    try:
        reader = csv.reader(io.StringIO(path.read_text("utf-8-sig"), newline=""), strict=True)
        listed = [(reader.line_num, row) for row in reader if any(row)]
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"is no CSV in UTF-8: {error}", where=str(path)) from error
    if not listed or listed[0][1] != _COLUMNS:
        raise InputError(f"the header must be {','.join(_COLUMNS)}", where=f"{path}:1")
    return [(f"{path}:{line}", cells) for line, cells in listed[1:]]


def _checked(where: str, cells: list[str]) -> tuple[str, ReviewRow]:
    if len(cells) != len(_COLUMNS) or not _ITEM.fullmatch(cells[1]):
        raise InputError(
            f"needs {len(_COLUMNS)} cells, with the number of an item in the second", where=where
        )
    return where, ReviewRow(cells[0], int(cells[1]), *cells[2:])


def _table(rows: Iterable[ReviewRow]) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows([getattr(row, name) for name in _COLUMNS] for row in rows)
    return out.getvalue()
