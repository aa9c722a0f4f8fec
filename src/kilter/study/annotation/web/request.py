"""A request to the pages of a project: who works on it, and what the editor sends."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from starlette.responses import JSONResponse

from kilter.study.annotation.web.site import AnnotationSite
from kilter.study.web.call import BaseCall, PageError, form_fields

if TYPE_CHECKING:
    from starlette.responses import Response

    from kilter.study.annotation.store.person import Person

PERSON = "kilter_annotator"
LONGEST_BODY = 256 * 1024
_MESSAGES = {
    "no_visit": ("Open your personal link", "This page opens with the personal link that you were given."),
    "no_link": ("This personal link is not valid", ("It may have been copied only in part, or it has expired. "
                "Ask whoever invited you for your link.")),
    "not_found": ("There is no such page", ("Go back to the list of sentences, or open your personal "
                  "link.")),
    "other_person": ("This page belongs to somebody else", "This browser is open for another person now."),
    "forbidden": ("This form was not sent from one of our pages", "Open the page again and try once more."),
    "too_large": ("This is too much text", "A sentence and its links take up to 256 KiB."),
    "too_many": ("Too many wrong links", "Wait a minute, and open your personal link again."),
    "invalid": ("This cannot be saved", ""),
}  # fmt: skip


class RefusedError(PageError):
    """A request that is answered with a status, the name of a reason, and a sentence about it."""

    def __init__(self, status: int, key: str, message: str = "", **more: object) -> None:
        super().__init__(status, key)
        self.message = message
        self.more = more


@dataclass(slots=True)
class AnnotationCall(BaseCall[AnnotationSite]):
    """One request to the pages of a project."""

    session_cookie: ClassVar[str] = PERSON
    short_cookies: ClassVar[frozenset[str]] = frozenset({PERSON})
    longest_body: ClassVar[int] = LONGEST_BODY

    person: Person | None = None

    def read_form(self, body: bytes) -> dict[str, Any]:
        """Return the fields of a form, or the object that the editor sends."""
        kind = self.request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            return dict(form_fields(body))
        try:
            form = json.loads(body.decode(), parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            raise RefusedError(400, "invalid", "The body is not JSON.") from None
        if not isinstance(form, dict):
            raise RefusedError(422, "invalid", "The body must be an object.")
        return form

    def identify(self) -> None:
        """Find whose visit this is."""
        if self.token:
            self.person = self.site.store.people.visitor(self.token)

    @property
    def name(self) -> str:
        """Who asks, by name; empty if nobody does."""
        return self.person.name if self.person else ""

    def check_form_token(self, given: object) -> None:
        """Refuse a form that comes from no page made for this person in this browser.

        A page that was opened by one person sends nothing for another who uses the browser since.
        """
        if self.is_own_form(given, self.name):
            return
        for name, _ in self.site.project.people():
            if name != self.name and self.is_own_form(given, name):
                if self.person is None:  # the visit is over
                    raise PageError(404, "no_visit")
                raise RefusedError(
                    403,
                    "other_person",
                    f"This page is {name}'s, but this browser is open for {self.name} now. Nothing was saved: open "
                    f"the personal link of {name} again.",
                )
        raise PageError(403, "forbidden")

    def someone(self) -> Person:
        """Return who asks, or say that there is no such page for others."""
        if self.person is None:
            raise PageError(404, "no_visit")
        return self.person

    def begin_visit(self, person: Person) -> None:
        """Let this browser act for somebody, and no longer for anybody else."""
        self.end_visit()
        self.cookies[PERSON] = self.site.store.people.begin_visit(person)

    def end_visit(self) -> None:
        """Let this browser act for nobody."""
        if self.token:
            self.site.store.people.sessions.end(self.token)
        self.cookies[PERSON] = None
        self.person = None

    def context(self) -> dict[str, Any]:
        """Return what templates know, whatever the page."""
        return {
            "title": self.site.project.title,
            "person": self.person,
            "form_token": self.form_token(self.name),
        }

    def refusal(self, error: PageError) -> Response:
        """Return the page of a refusal, or what a script is told."""
        heading, text = _MESSAGES.get(error.key, (error.key, ""))
        message = error.message if isinstance(error, RefusedError) else ""
        if self.wants_json:
            more = error.more if isinstance(error, RefusedError) else {}
            told = {"saved": False, "reason": error.key, "message": message or heading}
            return JSONResponse({**more, **told}, status_code=error.status)
        return self.page("message.html", status=error.status, heading=heading, text=message or text)


def _refuse_constant(text: str) -> None:
    raise ValueError(text)
