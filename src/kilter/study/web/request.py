"""A request to a survey: in which language, and who takes part."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from starlette.responses import JSONResponse

from kilter.study.store.admission import NotAdmittedError, Refusal
from kilter.study.store.participant import Stage
from kilter.study.web.call import BaseCall, PageError
from kilter.study.web.site import Site

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request
    from starlette.responses import Response

    from kilter.study.instrument.interface import Documents, Interface
    from kilter.study.store.participant import Participant
    from kilter.study.store.participant_session import Visit

PARTICIPANT, LINK, LANGUAGE, RESEARCHER = (
    f"kilter_{name}" for name in ("participant", "link", "language", "researcher")
)
_REFUSALS = {
    Refusal.NO_VISIT: (404, "no_visit"),
    Refusal.WITHDRAWN: (404, "not_found"),
    Refusal.SUBMITTED: (409, "closed"),
    Refusal.OTHER_STAGE: (409, "closed"),
    Refusal.STUDY_CLOSED: (410, "study_closed"),
    Refusal.PAUSED: (503, "paused"),
}


@dataclass(slots=True)
class Call(BaseCall[Site]):
    """One request to a survey."""

    session_cookie: ClassVar[str] = PARTICIPANT
    # The link is there until the information sheet was read.
    short_cookies: ClassVar[frozenset[str]] = frozenset({PARTICIPANT, LINK, RESEARCHER})

    interface: Interface = field(init=False)
    visit: Visit | None = None
    account: str = ""

    def __post_init__(self) -> None:
        """Choose the language, in which refusals are written, too."""
        self.interface = self.site.interface(_wanted_languages(self.request))

    @property
    def participant(self) -> Participant | None:
        """Who takes part, if anybody does."""
        return None if self.visit is None else self.visit.participant

    @property
    def documents(self) -> Documents:
        """The documents of the study in the language of the page."""
        return self.site.documents[self.interface.language]

    @property
    def researcher(self) -> Interface:
        """The interface for researchers; a language without texts for them leaves them in English."""
        return self.interface if self.interface.research else self.site.english

    def identify(self) -> None:
        """Find the visit of a participant, and the language that was chosen."""
        chosen = self.request.query_params.get("language")
        if chosen in self.site.interfaces:
            self.cookies[LANGUAGE] = chosen
        if self.token:
            self.visit = self.site.store.visits.find(self.token)

    def somebody(self) -> Visit:
        """Return the visit of a participant, or say that there is no such page for others."""
        if self.visit is None:
            raise PageError(404, "no_visit")
        return self.visit

    def begin_visit(self, person: Participant, token: str) -> None:
        """Let this browser act for a participant, and no longer for anybody else.

        Who has not begun yet sees the personal link with the information sheet; afterwards it is shown to
        nobody, whatever cookies they have.
        """
        self.end_visit()
        self.cookies[PARTICIPANT] = self.site.store.visits.begin(person.id)
        if person.stage is Stage.INFORMATION:
            self.cookies[LINK] = token

    def end_visit(self) -> None:
        """Let this browser act for no participant."""
        if self.token:
            self.site.store.visits.end(self.token)
        self.cookies[PARTICIPANT] = self.cookies[LINK] = None
        self.visit = None

    def handle(self, handler: Callable[[Any], Response]) -> Response:
        """Return the response of a page; whoever may not see it now is told why, or led to where they are."""
        try:
            return super(Call, self).handle(handler)
        except NotAdmittedError as error:
            if error.reason is Refusal.OTHER_STAGE and not self.wants_json:
                return self.go("/continue")
            return self.refusal(PageError(*_REFUSALS[error.reason]))

    def context(self) -> dict[str, Any]:
        """Return what templates know, whatever the page."""
        return {
            "call": self,
            "say": self.interface.say,
            "tell": self.researcher.tell,
            "researcher": self.researcher,
            "interface": self.interface,
            "interfaces": self.site.interfaces,
            "study": self.site.study,
            "participant": self.participant,
        }

    def refusal(self, error: PageError) -> Response:
        """Return the page of a refusal, or what a script is told."""
        if self.wants_json:
            return JSONResponse({"saved": False, "reason": error.key}, status_code=error.status)
        text = f"{error.key}_text" if f"{error.key}_text" in self.interface.text else ""
        return self.page("message.html", status=error.status, title=error.key, text=text)


def _wanted_languages(request: Request) -> list[str]:
    accepted = request.headers.get("accept-language", "")[:200].split(",")
    return [
        request.query_params.get("language", ""),
        request.cookies.get(LANGUAGE, ""),
        *(part.partition(";")[0].strip()[:2].lower() for part in accepted),
    ]
