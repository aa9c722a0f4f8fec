"""A pile of scanned pages, sorted into questionnaires and consent forms."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kilter.core.errors import InputError, Setting
from kilter.study.paper.scan.reading import Reading, joined, read_page
from kilter.study.paper.scan.registration import flat_page, page_code
from kilter.study.paper.scan.sheet import sheets

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from kilter.study.design.item import Questionnaire
    from kilter.study.design.study import Study
    from kilter.study.paper.form import Form, PageCode
    from kilter.study.paper.scan.reading import Key
    from kilter.study.paper.scan.registration import FlatPage
    from kilter.study.paper.scan.sheet import Sheet


@dataclass(slots=True)
class ScannedBooklet:
    """What was seen of one participant's booklet: pictures by page, and readings by question."""

    participant: str
    form: Form
    pages: dict[int, list[str]] = field(default_factory=dict)
    readings: dict[Key, list[Reading]] = field(default_factory=dict)

    def answers(self, confirmed: Mapping[Key, int | str | None]) -> dict[Key, int | str | None]:
        """Return answers that are clear, or that somebody has confirmed, who knows better."""
        seen = self._joined()
        clear = {key: reading.value for key, reading in seen.items() if reading.is_clear}
        return {**clear, **confirmed}

    def doubts(self, confirmed: Mapping[Key, int | str | None]) -> dict[Key, Reading]:
        """Return what somebody has to look at."""
        return {
            key: reading
            for key, reading in self._joined().items()
            if not reading.is_clear and key not in confirmed
        }

    def _joined(self) -> dict[Key, Reading]:
        return {key: joined(readings) for key, readings in self.readings.items()}

    def missing_pages(self, confirmed: Mapping[Key, int | str | None]) -> list[int]:
        """Return the pages whose answers nobody has seen."""
        unseen = {*self.form.questions()} - {*self.readings} - {*confirmed}
        return sorted({page for key, page in self.form.questions().items() if key in unseen})


@dataclass(frozen=True, slots=True, eq=False)
class ScannedConsent:
    """What was seen of one page of a consent form: lines by name, and which of its places hold writing.

    `picture` is a checksum of the picture: nothing on the paper tells one form from another.
    """

    picture: str
    page: ScannedBooklet
    written: Mapping[str, bool]

    @property
    def name(self) -> str:
        """How the form is called where somebody has to look at it."""
        return self.page.participant

    @property
    def scan(self) -> str:
        """The picture's file."""
        return self.page.pages[0][0]


@dataclass(slots=True)
class Pile:
    """Reads pictures of pages, and collects what is wrong with them and what is worth a word.

    `participant` names the one whose pages these are; otherwise a booklet's code names its participant.
    """

    study: Study
    questionnaires: Sequence[Questionnaire]
    forms: Mapping[str, Form]
    participant: str | None = None
    booklets: dict[str, ScannedBooklet] = field(default_factory=dict)
    consents: dict[str, ScannedConsent] = field(default_factory=dict)
    problems: list[InputError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def read(self, paths: Iterable[Path]) -> int:
        """Read all pictures in files and folders, and return how many there were."""
        count = 0
        for sheet in sheets(paths):
            if isinstance(sheet, InputError):
                self.problems.append(sheet)
                continue
            count += 1
            try:
                # Marks and code are at the same places on the pages of all forms.
                any_form = next(iter(self.forms.values()))
                page = flat_page(sheet, any_form)
                code = self._code(page, any_form)
                if code.is_consent:
                    self._keep_consent(page, code, sheet)
                else:
                    self._sort(page, code)
            except InputError as error:
                self.problems.append(error)
        return count

    def _code(self, page: FlatPage, form: Form) -> PageCode:
        code = page_code(page, form)
        if code is None:
            raise InputError(
                "the code beside the mark at the bottom right cannot be read; scan the page again",
                where=page.name,
            )
        if code.study != self.study.name:
            raise InputError(
                f"is a page of the study {code.study}, not of {self.study.name}; leave it out",
                where=page.name,
            )
        return code

    def _sort(self, page: FlatPage, code: PageCode) -> None:
        form = self._form(page, code)
        name = self.participant or code.booklet
        booklet = self.booklets.setdefault(name, ScannedBooklet(name, form))
        if booklet.form is not form:
            raise InputError(
                f"is a page of {code.booklet}, printed otherwise than other pages of {name}; scan the "
                "booklets one by one",
                where=page.name,
            )
        before = booklet.pages.setdefault(code.page, [])
        if before:
            self.notes.append(
                f"{page.name}: is page {code.page} of {name} once more, as in {before[0]}"
            )
        before.append(page.name)
        for key, reading in read_page(page, form, code.page).items():
            booklet.readings.setdefault(key, []).append(reading)

    def _keep_consent(self, page: FlatPage, code: PageCode, sheet: Sheet) -> None:
        """Keep a page of a consent form apart from all others."""
        form = self._form(page, code)
        picture = hashlib.sha256(sheet.image.tobytes()).hexdigest()
        if picture in self.consents:
            self.notes.append(
                f"{page.name}: is the same picture as {self.consents[picture].scan}; it counts once"
            )
            return
        seen = ScannedBooklet(f"consent-{picture[:12]}", form, {0: [page.name]})
        written = {}
        for (position, question), reading in read_page(page, form, code.page).items():
            if position:
                written[question] = not reading.is_clear
            else:
                seen.readings[position, question] = [reading]
        self.consents[picture] = ScannedConsent(picture, seen, written)

    def _form(self, page: FlatPage, code: PageCode) -> Form:
        form = self.forms.get(code.form)
        if form is None or form.questionnaire != code.questionnaire or code.page > form.pages:
            raise InputError(
                f"is page {code.page} of {code.booklet}, whose form {code.form} is not here; name the "
                "folder of its booklet with",
                where=page.name,
                advice=Setting("forms", "FOLDER"),
            )
        items = {entry.number: entry.items for entry in self.questionnaires}
        if not form.is_consent and items.get(form.questionnaire) != form.items:
            raise InputError(
                f"is page {code.page} of {code.booklet}, printed for other items than those of this "
                "study; name the study that it belongs to",
                where=page.name,
            )
        return form
