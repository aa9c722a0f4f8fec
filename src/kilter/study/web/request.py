"""A request as pages see it, and how it becomes a response."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote

from anyio import CapacityLimiter, to_thread
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from kilter.study.password import new_token
from kilter.study.store.admission import NotAdmittedError, Refusal
from kilter.study.store.participant import Stage
from kilter.study.web import guard

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Mapping

    from starlette.requests import Request

    from kilter.study.instrument.interface import Documents, Interface
    from kilter.study.store.participant import Participant
    from kilter.study.store.participant_session import Visit
    from kilter.study.web.site import Site
    from kilter.study.web.site_address import SiteAddress

    Handler = Callable[["Call"], Response]

VISITOR, PARTICIPANT, LINK, LANGUAGE, RESEARCHER = (
    f"kilter_{name}" for name in ("visitor", "participant", "link", "language", "researcher")
)
_YEAR = 365 * 24 * 3600
# What a browser forgets when it is closed; the link is there until the information sheet was read.
_SHORT = frozenset({PARTICIPANT, LINK, RESEARCHER})
LONGEST_TOKEN = 100
_MOST_WAITING = 300
_MILLION = 7  # digits
_REFUSALS = {
    Refusal.NO_VISIT: (404, "no_visit"),
    Refusal.WITHDRAWN: (404, "not_found"),
    Refusal.SUBMITTED: (409, "closed"),
    Refusal.OTHER_STAGE: (409, "closed"),
    Refusal.STUDY_CLOSED: (410, "study_closed"),
    Refusal.PAUSED: (503, "paused"),
}


class PageError(Exception):
    """A request that is answered with a short page: a status, and the name of its texts."""

    def __init__(self, status: int, key: str) -> None:
        super().__init__(key)
        self.status = status
        self.key = key


@dataclass(slots=True)
class Call:
    """One request: who asks, in which language, with which form."""

    site: Site
    request: Request
    form: dict[str, str]
    interface: Interface
    visitor: str
    visit: Visit | None = None
    account: str = ""
    cookies: dict[str, str | None] = field(default_factory=dict)
    delay: float = 0.0

    @property
    def participant(self) -> Participant | None:
        """Who takes part, if anybody does."""
        return None if self.visit is None else self.visit.participant

    @property
    def documents(self) -> Documents:
        """The documents of the study in the language of the page."""
        return self.site.documents[self.interface.language]

    @property
    def wants_json(self) -> bool:
        """Whether a script asks, which wants to know whether something was saved."""
        return self.request.headers.get("accept", "") == "application/json"

    @property
    def client(self) -> str:
        """The address that attempts are counted for."""
        return self.request.client.host if self.request.client else ""

    @property
    def token(self) -> str:
        """The token of the participant's visit, which leads to no personal link."""
        return self.request.cookies.get(PARTICIPANT, "")[:LONGEST_TOKEN]

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

    def somebody(self) -> Visit:
        """Return the visit of a participant, or say that there is no such page for others."""
        if self.visit is None:
            raise PageError(404, "no_visit")
        return self.visit

    @property
    def researcher(self) -> Interface:
        """The interface for researchers; a language without texts for them leaves them in English."""
        return self.interface if self.interface.research else self.site.english

    @property
    def form_token(self) -> str:
        """What the forms of a page carry."""
        return guard.forgery_token(self.site.secret, self.visitor)

    def page(self, template: str, *, status: int = 200, **values: object) -> Response:
        """Return a page."""
        html = self.site.render(
            template,
            call=self,
            form_token=self.form_token,
            say=self.interface.say,
            tell=self.researcher.tell,
            researcher=self.researcher,
            interface=self.interface,
            interfaces=self.site.interfaces,
            study=self.site.study,
            participant=self.participant,
            root=self.site.address.prefix,
            # One slash at the beginning: with two, the rest would be a host.
            path=self.site.path("/" + quote(self.request.scope["path"].lstrip("/"))),
            **values,
        )
        return HTMLResponse(html, status_code=status)

    def go(self, path: str) -> Response:
        """Return the way to another page, as a script or a browser follows it."""
        target = self.site.path(path)
        if self.wants_json:
            return JSONResponse({"saved": True, "next": target})
        return RedirectResponse(target, status_code=303)


def whole_number(text: str) -> int | None:
    """Return the number that digits write, zeros before it or not; None for everything else.

    Nothing here is as large as a million, and Python refuses to read numbers of thousands of digits.
    """
    digits = text.lstrip("0") or text[:1]
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < _MILLION else None


def endpoint(
    site: Site, handler: Handler, *, at_once: int | None = None
) -> Callable[[Request], Awaitable[Response]]:
    """Return what the server calls for a page: reads the form, finds out who asks, adds cookies.

    Of a page with `at_once`, only so many are made at the same time; who waits for it keeps no others waiting.
    """
    limiter = None if at_once is None else CapacityLimiter(at_once)

    async def answer(request: Request) -> Response:
        call = Call(site, request, {}, site.interface(_wanted_language(request)), "")
        try:
            call.form = await _form(request)
            _check_queue(limiter)
            response = await to_thread.run_sync(_answered, call, handler, limiter=limiter)
        except PageError as error:
            return _refused(call, error)
        await asyncio.sleep(call.delay)
        return response

    return answer


def _check_queue(limiter: CapacityLimiter | None) -> None:
    if limiter is not None and limiter.statistics().tasks_waiting >= _MOST_WAITING:
        raise PageError(429, "too_many")


def _answered(call: Call, handler: Handler) -> Response:
    request, site = call.request, call.site
    call.visitor = request.cookies.get(VISITOR, "")[:LONGEST_TOKEN]
    if request.method == "POST":
        _check_form(call)
    if not call.visitor:
        call.visitor = new_token()
        call.cookies[VISITOR] = call.visitor
    chosen = request.query_params.get("language")
    if chosen in site.interfaces:
        call.cookies[LANGUAGE] = chosen
    if call.token:
        call.visit = site.store.visits.find(call.token)
    response = _handled(call, handler)
    set_cookies(response, request, call.cookies, address=site.address, short=_SHORT)
    return response


def set_cookies(
    response: Response,
    request: Request,
    cookies: Mapping[str, str | None],
    *,
    address: SiteAddress,
    short: Collection[str],
) -> None:
    """Let a browser keep these cookies, the short ones until it is closed; None takes one away."""
    for name, value in cookies.items():
        if value is None and name not in request.cookies:
            continue
        kept = None if name in short else _YEAR
        response.set_cookie(
            name,
            value or "",
            max_age=kept if value is not None else 0,
            path=address.prefix or "/",
            httponly=True,
            secure=address.is_secure,
            samesite="lax",
        )


def _handled(call: Call, handler: Handler) -> Response:
    try:
        return handler(call)
    except PageError as error:
        return _refused(call, error)
    except NotAdmittedError as error:
        if error.reason is Refusal.OTHER_STAGE and not call.wants_json:
            return call.go("/continue")
        return _refused(call, PageError(*_REFUSALS[error.reason]))


def _check_form(call: Call) -> None:
    request = call.request
    host = request.headers.get("host", "")
    given = call.form.pop("form_token", "")
    is_ours = call.site.is_own_origin(request.headers.getlist("origin"), host)
    if not is_ours or not guard.is_own_form(call.site.secret, call.visitor, given):
        raise PageError(403, "forbidden")


def _refused(call: Call, error: PageError) -> Response:
    if call.wants_json:
        return JSONResponse({"saved": False, "reason": error.key}, status_code=error.status)
    text = f"{error.key}_text" if f"{error.key}_text" in call.interface.text else ""
    return call.page("message.html", status=error.status, title=error.key, text=text)


async def body_of(request: Request, *, most: int) -> bytes:
    """Return what a request brings; more bytes than that are refused before all of them are there."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > most:
            raise PageError(413, "too_large")
    return body


async def _form(request: Request) -> dict[str, str]:
    if request.method != "POST":
        return {}
    body = await body_of(request, most=guard.LONGEST_BODY)
    try:
        fields = parse_qs(
            body.decode(), keep_blank_values=True, max_num_fields=guard.MOST_FIELDS, errors="strict"
        )
    except ValueError:
        raise PageError(400, "forbidden") from None
    # No page sends a field twice, and NUL cannot be stored in every database.
    if any(len(values) > 1 or "\x00" in name + values[0] for name, values in fields.items()):
        raise PageError(422, "forbidden")
    return {name: values[0] for name, values in fields.items()}


def _wanted_language(request: Request) -> list[str]:
    accepted = request.headers.get("accept-language", "")[:200].split(",")
    return [
        request.query_params.get("language", ""),
        request.cookies.get(LANGUAGE, ""),
        *(part.partition(";")[0].strip()[:2].lower() for part in accepted),
    ]
