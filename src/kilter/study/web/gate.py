"""The outermost layer of the server: every response passes it, and no error does."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse

from kilter.study.store.fault import fault, is_passing
from kilter.study.web.log import LOG

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from kilter.study.store.request_counters import RequestCounters
    from kilter.study.web.site_address import SiteAddress

HAS_PREFIX = "kilter_has_prefix"
"""Of a request: whether the path of the public address was before the path of its page."""
_ENDS = "The server is about to be started again. Try again in a minute."
_AWAY = "Nothing can be saved now. What was saved before is still there. Try again in a minute."
_BUG = "Something went wrong. What was saved before is still there."


class Gate:
    """Adds the headers that every response has, answers for errors, writes one line for each request."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        headers: Mapping[str, str],
        address: SiteAddress,
        counters: RequestCounters,
    ) -> None:
        self.app = app
        self._counters = counters
        self._address = address
        self._headers = [(name.lower().encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or take part in the start and end of the server."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        inner = self._address.inner_path(scope["path"])
        has_prefix = inner != scope["path"]
        scope = {**scope, "path": inner, "raw_path": quote(inner).encode(), HAS_PREFIX: has_prefix}
        has_started = False

        async def guarded(message: Message) -> None:
            nonlocal has_started
            if message["type"] == "http.response.start":
                has_started = True
                self._counters.count_response(message["status"])
                present = {name for name, _ in message["headers"]}
                missing = [pair for pair in self._headers if pair[0] not in present]
                message["headers"] = [*message["headers"], *missing]
                spent = 1000 * (time.perf_counter() - began)
                LOG.info("%s %s %s %.1f ms", _method(scope), route(scope), message["status"], spent)
            await send(message)

        try:
            if "\x00" in inner:  # which PostgreSQL refuses to look for
                await PlainTextResponse("There is no such page.", 404)(scope, receive, guarded)
            else:
                await self.app(scope, receive, guarded)
        except ClientDisconnect:
            LOG.info("%s %s ended by the client", _method(scope), route(scope))
        except asyncio.CancelledError:  # the server ends, and does not wait for this request
            LOG.info("%s %s ended with the server", _method(scope), route(scope))
            if not has_started:
                await PlainTextResponse(_ENDS, 503)(scope, receive, guarded)
        except Exception as error:  # noqa: BLE001 - whatever it is, nobody further out may write it down
            passing = is_passing(error)
            kind = "the database fails" if passing else "bug"
            LOG.error("%s in %s: %s", kind, route(scope), fault(error))
            self._counters.count_error()
            if not has_started:
                response = (
                    PlainTextResponse(_AWAY, 503) if passing else PlainTextResponse(_BUG, 500)
                )
                await response(scope, receive, guarded)


def route(scope: Scope) -> str:
    """Return the pattern of a route, never the address: it may hold a token."""
    path = getattr(scope.get("route"), "path", None)
    return path if isinstance(path, str) else "unknown"


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"})


def _method(scope: Scope) -> str:
    """Return the method, of those there are: any word may be sent as one."""
    return scope["method"] if scope["method"] in _METHODS else "unknown"
