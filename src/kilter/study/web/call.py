"""From a request to a response, for every site: form, session, origin, cookies, refusals."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar
from urllib.parse import parse_qs, quote

from anyio import CapacityLimiter, to_thread
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse

from kilter.study.password import new_token
from kilter.study.web.guard import LONGEST_BODY, MOST_FIELDS, forgery_token, is_own_form
from kilter.study.web.site_base import BaseSite

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request
    from starlette.responses import Response

SiteType = TypeVar("SiteType", bound=BaseSite)
CallType = TypeVar("CallType", bound="BaseCall[Any]")

VISITOR = "kilter_visitor"
"""The cookie that tokens of forms belong to."""
LONGEST_TOKEN = 100
_YEAR = 365 * 24 * 3600
_MOST_WAITING = 300
_MILLION = 7  # digits


class PageError(Exception):
    """A request that is answered with a short page: a status, and the name of its texts."""

    def __init__(self, status: int, key: str) -> None:
        super().__init__(key)
        self.status = status
        self.key = key


@dataclass(slots=True)
class BaseCall(ABC, Generic[SiteType]):
    """One request: with which form, by which browser, and what its response is to set."""

    session_cookie: ClassVar[str]
    short_cookies: ClassVar[frozenset[str]]
    """Those that a browser forgets when it is closed."""
    longest_body: ClassVar[int] = LONGEST_BODY

    site: SiteType
    request: Request
    form: dict[str, Any] = field(default_factory=dict)
    visitor: str = ""
    cookies: dict[str, str | None] = field(default_factory=dict)
    delay: float = 0.0

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
        """The token of the session, which leads to no personal link."""
        return self.cookie(self.session_cookie)

    def cookie(self, name: str) -> str:
        """Return what the browser holds under a name."""
        return self.request.cookies.get(name, "")[:LONGEST_TOKEN]

    def form_token(self, name: str = "") -> str:
        """Return what the forms of a page carry: it belongs to the browser and, if need be, to a name."""
        return forgery_token(self.site.secret, self._visitor_as(name))

    def is_own_form(self, given: object, name: str = "") -> bool:
        """Return whether a form carries the browser's token, and that of a name."""
        return is_own_form(self.site.secret, self._visitor_as(name), given)

    def _visitor_as(self, name: str) -> str:
        return f"{self.visitor} {name}" if self.visitor and name else self.visitor

    def read_form(self, body: bytes) -> dict[str, Any]:
        """Return the fields of a form that was sent."""
        return form_fields(body)

    @abstractmethod
    def identify(self) -> None:
        """Find out who asks."""

    def check_form_token(self, given: object) -> None:
        """Refuse a form that comes from no page made for this browser."""
        if not self.is_own_form(given):
            raise PageError(403, "forbidden")

    @abstractmethod
    def context(self) -> dict[str, Any]:
        """Return what templates of this site know, whatever the page."""

    @abstractmethod
    def refusal(self, error: PageError) -> Response:
        """Return the page, or what a script is told, of a request that is refused."""

    def handle(self, handler: Callable[[Any], Response]) -> Response:
        """Return the response of a page."""
        try:
            return handler(self)
        except PageError as error:
            return self.refusal(error)

    def page(self, template: str, *, status: int = 200, **values: Any) -> Response:
        """Return a page."""
        known = {
            "root": self.site.address.prefix,
            # One slash at the beginning: with two, the rest would be a host.
            "path": self.site.path("/" + quote(self.request.scope["path"].lstrip("/"))),
            "form_token": self.form_token(),
        }
        html = self.site.render(template, **{**known, **self.context(), **values})
        return HTMLResponse(html, status_code=status)

    def go(self, path: str) -> Response:
        """Return the way to another page, as a script or a browser follows it."""
        target = self.site.path(path)
        if self.wants_json:
            return JSONResponse({"saved": True, "next": target})
        return RedirectResponse(target, status_code=303)


def endpoint(
    call_type: type[CallType],
    site: Any,
    handler: Callable[[CallType], Response],
    *,
    at_once: int | None = None,
) -> Callable[[Request], Awaitable[Response]]:
    """Return what the server calls for a page: reads the form, finds out who asks, adds cookies.

    Of a page with `at_once`, only so many are made at the same time; who waits for it keeps no others waiting.
    """
    limiter = None if at_once is None else CapacityLimiter(at_once)

    async def answer(request: Request) -> Response:
        call = call_type(site, request)
        try:
            if request.method == "POST":
                call.form = call.read_form(await _body(request, most=call.longest_body))
            _check_queue(limiter)
            response = await to_thread.run_sync(_answered, call, handler, limiter=limiter)
        except PageError as error:
            return call.refusal(error)
        await asyncio.sleep(call.delay)
        return response

    return answer


def _check_queue(limiter: CapacityLimiter | None) -> None:
    if limiter is not None and limiter.statistics().tasks_waiting >= _MOST_WAITING:
        raise PageError(429, "too_many")


def refusing(
    call_type: type[CallType], site: Any, status: int
) -> Callable[[Request, Exception], Awaitable[Response]]:
    """Return what answers a request that no page answers."""

    def refuse(_call: CallType) -> Response:
        # An error of its own for each call: it keeps every call that it was raised in.
        raise PageError(status, "not_found")

    answer = endpoint(call_type, site, refuse)

    async def handle(request: Request, _exception: Exception) -> Response:
        if request.method not in ("GET", "HEAD"):
            return PlainTextResponse("There is no such page.", status)
        return await answer(request)

    return handle


def _answered(call: BaseCall[Any], handler: Callable[[Any], Response]) -> Response:
    call.visitor = call.cookie(VISITOR)
    call.identify()
    if call.request.method == "POST":
        headers = call.request.headers
        given = call.form.pop("form_token", "")
        if not call.site.is_own_origin(headers.getlist("origin"), headers.get("host", "")):
            raise PageError(403, "forbidden")
        call.check_form_token(given)
    if not call.visitor:
        call.visitor = call.cookies[VISITOR] = new_token()
    response = call.handle(handler)
    _set_cookies(call, response)
    return response


def _set_cookies(call: BaseCall[Any], response: Response) -> None:
    """Let the browser keep cookies, the short ones until it is closed; None takes one away."""
    address = call.site.address
    for name, value in call.cookies.items():
        if value is None and name not in call.request.cookies:
            continue
        kept = None if name in call.short_cookies else _YEAR
        response.set_cookie(
            name,
            value or "",
            max_age=kept if value is not None else 0,
            path=address.prefix or "/",
            httponly=True,
            secure=address.is_secure,
            samesite="lax",
        )


async def _body(request: Request, *, most: int) -> bytes:
    """Return what a request brings; more bytes than that are refused before all of them are there."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > most:
            raise PageError(413, "too_large")
    return body


def form_fields(body: bytes) -> dict[str, str]:
    """Return the fields of a form as browsers send it."""
    try:
        fields = parse_qs(
            body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict"
        )
    except ValueError:
        raise PageError(400, "forbidden") from None
    # No page sends a field twice, and NUL cannot be stored in every database.
    if any(len(values) > 1 or "\x00" in name + values[0] for name, values in fields.items()):
        raise PageError(422, "forbidden")
    return {name: values[0] for name, values in fields.items()}


def whole_number(text: str) -> int | None:
    """Return the number that digits write, zeros before it or not; None for everything else.

    Nothing here is as large as a million, and Python refuses to read numbers of thousands of digits.
    """
    digits = text.lstrip("0") or text[:1]
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < _MILLION else None
