"""Form files: where on the pages of a questionnaire or consent form its boxes are, and the codes of pages."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from kilter.core.errors import InputError
from kilter.io.json_text import parse_json
from kilter.io.stream import is_folder

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = "kilter.form/3"
CONSENT = "consent"
CONSENT_LINE = "consent_"
"""What the names of lines of the consent form begin with, where they stand among other questions."""
_CODE = re.compile(
    rf"kilter:([a-z]+[0-9]*)-(?:{CONSENT}|([0-9]{{1,5}})-([0-9]{{1,5}}))-([0-9]{{1,4}})-([0-9a-f]{{8}})"
)


@dataclass(frozen=True, slots=True)
class Box:
    """A box on a page: what a cross in it means, and its square in points from the lower left corner."""

    page: int
    position: int
    question: str
    value: int
    x: float
    y: float
    size: float


@dataclass(frozen=True, slots=True)
class Field:
    """A place on a page where something is written by hand, in points from the lower left corner."""

    page: int
    position: int
    question: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class PageCode:
    """What the code of a page says: study, questionnaire, copy, page, and the form it was printed by.

    Consent forms have neither questionnaire nor copy, which are 0: they are all the same.

    >>> code = PageCode("wmt14", 2, 1, 7, "0a1b2c3d")
    >>> code.text, PageCode("wmt14", 0, 0, 1, "0a1b2c3d").text
    ('wmt14-2-1-7-0a1b2c3d', 'wmt14-consent-1-0a1b2c3d')
    >>> PageCode.parse("kilter:wmt14-2-1-7-0a1b2c3d") == code, PageCode.parse("another code")
    (True, None)
    """

    study: str
    questionnaire: int
    copy: int
    page: int
    form: str

    @property
    def text(self) -> str:
        """The code as people read it."""
        return f"{self.booklet}-{self.page}-{self.form}"

    @property
    def booklet(self) -> str:
        """The name of the booklet, which is what its participant is called."""
        if self.is_consent:
            return f"{self.study}-{CONSENT}"
        return f"{self.study}-{self.questionnaire}-{self.copy}"

    @property
    def is_consent(self) -> bool:
        """Whether this is a page of a consent form."""
        return not self.questionnaire

    @property
    def for_cameras(self) -> str:
        """The content of the printed code."""
        return f"kilter:{self.text}"

    @classmethod
    def parse(cls, text: str) -> PageCode | None:
        """Return what a code says, or None if it is none of ours."""
        match = _CODE.fullmatch(text)
        if match is None:
            return None
        study, questionnaire, copy, page, form = match.groups()
        return cls(study, int(questionnaire or 0), int(copy or 0), int(page), form)


@dataclass(slots=True)
class Form:
    """The layout of one questionnaire, or of the consent form: boxes and fields, found by the marks in the corners.

    The questionnaire of a consent form is 0, and `texts` is the checksum of what it asks to consent to. What is asked
    about participants, and lines to agree to, have the position 0; what is written by hand on a consent form has 1.

    `marks` are the lower left corners of the marks at the top left, top right, bottom right and bottom
    left; `code` is the square of the page's code. All lengths are points.
    """

    study: str
    questionnaire: int
    items: tuple[str, ...]
    texts: str = ""
    pages: int = 0
    page_size: tuple[float, float] = (0.0, 0.0)
    mark_size: float = 0.0
    marks: tuple[tuple[float, float], ...] = ()
    code: tuple[float, float, float] = (0.0, 0.0, 0.0)
    boxes: list[Box] = field(default_factory=list)
    fields: list[Field] = field(default_factory=list)

    @property
    def id(self) -> str:
        """Eight digits that every page carries, different for every layout."""
        return hashlib.sha256(json.dumps(_entries(self), default=_entries).encode()).hexdigest()[:8]

    @property
    def is_consent(self) -> bool:
        """Whether this is the consent form."""
        return not self.questionnaire

    def questions(self) -> dict[tuple[int, str], int]:
        """Return the page of each position and question."""
        places: list[Box | Field] = [*self.boxes, *self.fields]
        return {(place.position, place.question): place.page for place in places}

    def to_json(self) -> str:
        """Return the text of the form file."""
        entries = {"schema": SCHEMA, "id": self.id, **_entries(self)}
        return json.dumps(entries, default=_entries, indent=1) + "\n"


def _entries(part: Form | Box | Field) -> dict[str, Any]:
    """Return the values of a form, or of one of its places, by name."""
    return {entry.name: getattr(part, entry.name) for entry in fields(part)}


def read_forms(folder: Path) -> dict[str, Form]:
    """Return the forms in a folder by their ids."""
    paths = sorted(folder.glob("*.form.json")) if is_folder(folder) else []
    if not paths:
        raise InputError(
            "holds no form files; name the folder that 'kilter survey print' wrote",
            where=str(folder),
        )
    return {form.id: form for form in map(_read, paths)}


def _read(path: Path) -> Form:
    try:
        entries = parse_json(path.read_bytes())
        if entries.pop("schema") != SCHEMA:
            raise InputError(
                f"is no form file of this version; its schema should be {SCHEMA!r}", where=str(path)
            )
        written = entries.pop("id")
        form = Form(
            **{part.name: _typed(part.name, entries.pop(part.name)) for part in fields(Form)}
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("is no form file; print the booklets again", where=str(path)) from error
    if entries or written != form.id:
        raise InputError("was changed after it was printed; restore it", where=str(path))
    return form


def _typed(name: str, value: object) -> Any:
    """Return an entry of a form file as the form holds it."""
    kinds: dict[str, Any] = {
        "study": str,
        "texts": str,
        "questionnaire": int,
        "pages": int,
        "mark_size": float,
        "items": tuple,
        "page_size": tuple,
        "code": tuple,
        "marks": lambda places: tuple(map(tuple, places)),
        "boxes": lambda boxes: [Box(**box) for box in boxes],
        "fields": lambda places: [Field(**place) for place in places],
    }
    return kinds[name](value)
