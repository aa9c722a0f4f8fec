"""Consent forms that were scanned: counted apart, in a table that leads to no answers."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.io.output import write_file
from kilter.io.stream import exists

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

TABLE = "consent.csv"
_HEAD = ("picture", "texts", "signed")
_WORDS = {True: "yes", False: "no", None: "none"}
_VALUES = {word: value for value, word in _WORDS.items()}


@dataclass(frozen=True, slots=True)
class ConsentRecord:
    """One scanned page of a consent form: what it agrees to, and whether it is signed.

    `picture` is a checksum of the picture, so that the same one counts once, and `texts` one of what was agreed to. A
    line without an answer is None, and `signed` on a page without the place for it; lines of other pages are left out.
    """

    picture: str
    texts: str
    signed: bool | None
    answers: Mapping[str, bool | None] = field(default_factory=dict)


class ConsentTable:
    """The file of all consent forms of a study. Its rows are in the order of checksums, not of scanning."""

    def __init__(self, path: Path, lines: Sequence[str]) -> None:
        self._path = path
        self._lines = lines
        self._records = {record.picture: record for record in self._read()}

    def __contains__(self, picture: str) -> bool:
        return picture in self._records

    def __len__(self) -> int:
        return len(self._records)

    def add(self, records: Iterable[ConsentRecord]) -> int:
        """Add records, write the file if there are any new ones, and return how many were new."""
        new = {record.picture: record for record in records if record.picture not in self}
        if new:
            self._records |= new
            write_file(self._path, self._text(), private=True)
        return len(new)

    def _text(self) -> str:
        out = io.StringIO(newline="")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([*_HEAD, *self._lines])
        for _, record in sorted(self._records.items()):
            given = record.answers
            answers = [_WORDS[given[line]] if line in given else "" for line in self._lines]
            signed = "" if record.signed is None else _WORDS[record.signed]
            writer.writerow([record.picture, record.texts, signed, *answers])
        return out.getvalue()

    def _read(self) -> Iterable[ConsentRecord]:
        if not exists(self._path):
            return
        try:
            text = self._path.read_text("utf-8-sig")
            rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row]
        except (UnicodeDecodeError, csv.Error) as error:
            raise InputError(f"is no CSV in UTF-8: {error}", where=str(self._path)) from error
        wanted = [*_HEAD, *self._lines]
        if not rows or rows[0] != wanted:
            raise InputError(
                f"the header must be {','.join(wanted)}; move the file away and scan the consent forms again",
                where=f"{self._path}:1",
            )
        for number, row in enumerate(rows[1:], start=2):
            if len(row) != len(wanted) or not {*row[2:]} <= {"", *_VALUES}:
                raise InputError(
                    "needs a cell for each column, with yes, no, none or nothing",
                    where=f"{self._path}:{number}",
                )
            cells = zip(self._lines, row[3:], strict=True)
            answers = {line: _VALUES[cell] for line, cell in cells if cell}
            yield ConsentRecord(row[0], row[1], _VALUES.get(row[2]), answers)

    def agreeing(self, optional: Iterable[str]) -> int:
        """Return how many forms are signed and agree to every line that is not voluntary.

        Nothing joins the pages of a form: of lines on other pages than the signature, the one that the fewest agree to
        counts.
        """
        records, needed = self._records.values(), {*self._lines} - {*optional}
        signed = sum(
            record.signed is True and all(record.answers.get(line, True) for line in needed)
            for record in records
        )
        agreed = (sum(record.answers.get(line) is True for record in records) for line in needed)
        return min([signed, *agreed])

    def said(self, optional: Iterable[str]) -> list[str]:
        """Return sentences: how many forms are signed, and how many agree to lines that not all agree to."""
        signed = [record.signed for record in self._records.values() if record.signed is not None]
        told = [f"{counted(len(signed), 'consent form')}, {sum(signed)} signed"]
        for line in self._lines:
            given = [
                record.answers[line] for record in self._records.values() if line in record.answers
            ]
            counts = [given.count(value) for value in (True, False, None)]
            if line in {*optional} or counts[1] or counts[2]:
                yes, no, left_out = counts
                told.append(f"{line}: {yes} yes, {no} no, {left_out} without an answer")
        return told
