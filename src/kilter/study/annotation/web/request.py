"""A request as pages of a project see it, and how it becomes a response."""

from __future__ import annotations

import hmac
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote

from anyio import to_thread
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse

from kilter.study.password import new_token
from kilter.study.web import guard
from kilter.study.web.request import LONGEST_TOKEN, PageError, body_of, set_cookies

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request
    from starlette.responses import Response

    from kilter.study.annotation.store.person import Person
    from kilter.study.annotation.web.site import AnnotationSite

VISITOR, PERSON = "kilter_visitor", "kilter_annotator"
LONGEST_BODY = 256 * 1024
_SHORT = frozenset({PERSON})
_MESSAGES = {
    "no_visit": ("Open your personal link", "This page opens with the personal link that you were given."),
    "no_link": ("This personal link leads nowhere", ("It may have been copied in part, or is no longer valid. "
                "Ask whoever invited you for your link.")),
    "not_found": ("There is no such page", ("The way back leads through the list of sentences, or your personal "
                  "link.")),
    "other_person": ("This page is somebody else's", "This browser is open for another person now."),
    "forbidden": ("This was not sent from a page of ours", "Open the page again and try once more."),
    "too_large": ("This is too much", "A sentence and its links take up to 256 KiB."),
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
class AnnotationCall:
    """One request: who asks, and with what."""

    site: AnnotationSite
    request: Request
    form: dict[str, Any]
    visitor: str = ""
    person: Person | None = None
    cookies: dict[str, str | None] = field(default_factory=dict)

    @property
    def wants_json(self) -> bool:
        """Whether a script asks."""
        return self.request.headers.get("accept", "") == "application/json"

    @property
    def client(self) -> str:
        """The address that attempts are counted for."""
        return self.request.client.host if self.request.client else ""

    @property
    def token(self) -> str:
        """The token of the visit, which leads to no personal link."""
        return self.request.cookies.get(PERSON, "")[:LONGEST_TOKEN]

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
            self.site.store.people.end_visit(self.token)
        self.cookies[PERSON] = None
        self.person = None

    def page(self, template: str, *, status: int = 200, **values: object) -> Response:
        """Return a page."""
        html = self.site.render(
            template,
            root=self.site.address.prefix,
            # One slash at the beginning: with two, the rest would be a host.
            path=self.site.path("/" + quote(self.request.scope["path"].lstrip("/"))),
            title=self.site.project.title,
            person=self.person,
            form_token=self.form_token(self.person.name if self.person else ""),
            **values,
        )
        return HTMLResponse(html, status_code=status)

    def form_token(self, name: str) -> str:
        """Return what forms of pages carry that were made for somebody, by name, in this browser.

        A page that was opened by one person sends nothing for another who uses the browser since.
        """
        return guard.forgery_token(self.site.running.secret, f"{self.visitor} {name}")

    def go(self, path: str) -> Response:
        """Return the way to another page."""
        return RedirectResponse(self.site.path(path), status_code=303)


def endpoint(
    site: AnnotationSite, handler: Callable[[AnnotationCall], Response]
) -> Callable[[Request], Awaitable[Response]]:
    """Return what the server calls for a page: reads the form, finds out who asks, adds cookies."""

    async def answer(request: Request) -> Response:
        call = AnnotationCall(site, request, {})
        try:
            if request.method == "POST":
                call.form = _form(request, await body_of(request, most=LONGEST_BODY))
            return await to_thread.run_sync(_answered, call, handler)
        except PageError as error:
            return _refused(call, error)

    return answer


def _answered(call: AnnotationCall, handler: Callable[[AnnotationCall], Response]) -> Response:
    request, site = call.request, call.site
    call.visitor = request.cookies.get(VISITOR, "")[:LONGEST_TOKEN]
    if call.token:
        call.person = site.store.people.visitor(call.token)
    if request.method == "POST":
        _check_form(call)
    if not call.visitor:
        call.visitor = new_token()
        call.cookies[VISITOR] = call.visitor
    try:
        response = handler(call)
    except PageError as error:
        response = _refused(call, error)
    set_cookies(response, request, call.cookies, address=site.address, short=_SHORT)
    return response


def _check_form(call: AnnotationCall) -> None:
    request, site = call.request, call.site
    given = call.form.pop("form_token", "")
    is_ours = site.address.is_own_origin(
        request.headers.getlist("origin"),
        request.headers.get("host", ""),
        is_public=site.is_public,
    )
    if not is_ours or not isinstance(given, str) or not call.visitor:
        raise PageError(403, "forbidden")
    own = call.person.name if call.person else ""
    if _is_token(call, given, own):
        return
    for name, _ in site.project.people():
        if name != own and _is_token(call, given, name):
            if call.person is None:  # the visit is over
                raise PageError(404, "no_visit")
            raise RefusedError(
                403,
                "other_person",
                f"This page is {name}'s, but this browser is open for {own} now. Nothing was saved: open the "
                f"personal link of {name} again.",
            )
    raise PageError(403, "forbidden")


def _is_token(call: AnnotationCall, given: str, name: str) -> bool:
    return hmac.compare_digest(call.form_token(name).encode(), given.encode(errors="replace"))


def _form(request: Request, body: bytes) -> dict[str, Any]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        return dict(_fields(body))
    try:
        form = json.loads(body.decode(), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise RefusedError(400, "invalid", "The body is no JSON.") from None
    if not isinstance(form, dict):
        raise RefusedError(422, "invalid", "The body must be an object.")
    return form


def _no_number(text: str) -> None:
    raise ValueError(text)


def _fields(body: bytes) -> dict[str, str]:
    try:
        fields = parse_qs(
            body.decode(), keep_blank_values=True, max_num_fields=guard.MOST_FIELDS, errors="strict"
        )
    except ValueError:
        raise PageError(400, "forbidden") from None
    if any(len(values) > 1 for values in fields.values()):
        raise PageError(422, "forbidden")
    return {name: values[0] for name, values in fields.items()}


def _refused(call: AnnotationCall, error: PageError) -> Response:
    heading, text = _MESSAGES.get(error.key, (error.key, ""))
    message = error.message if isinstance(error, RefusedError) else ""
    if call.wants_json:
        more = error.more if isinstance(error, RefusedError) else {}
        said = {"saved": False, "reason": error.key, "message": message or heading}
        return JSONResponse({**more, **said}, status_code=error.status)
    return call.page("message.html", status=error.status, heading=heading, text=message or text)


def endpoint_for(
    site: AnnotationSite, status: int
) -> Callable[[Request, Exception], Awaitable[Response]]:
    """Return what answers a request that no page answers."""

    def refuse(_call: AnnotationCall) -> Response:
        # An error of its own for each call: it keeps every call that it was raised in.
        raise PageError(status, "not_found")

    answer = endpoint(site, refuse)

    async def handle(request: Request, _exception: Exception) -> Response:
        if request.method not in ("GET", "HEAD"):
            return PlainTextResponse("There is no such page.", status)
        return await answer(request)

    return handle
