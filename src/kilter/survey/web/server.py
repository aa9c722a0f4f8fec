"""The web server of a study."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, PlainTextResponse
from starlette.routing import Route

from kilter.survey.web import participant_pages as pages
from kilter.survey.web import researcher_pages as research
from kilter.survey.web.guard import HEADERS
from kilter.survey.web.request import PageError, endpoint

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from kilter.survey.web.request import Call
    from kilter.survey.web.site import Site

_STATIC = Path(__file__).parent / "static"
_FILES = {"survey.css": "text/css", "item.js": "text/javascript", "icon.svg": "image/svg+xml"}
_SETTLE_SECONDS = 30.0
LOG = logging.getLogger("kilter.survey")


def application(site: Site, *, settle_seconds: float = _SETTLE_SECONDS) -> Starlette:
    """Return the web application of a study; it completes the file of SQLite regularly and at its end."""

    async def settle() -> None:
        while True:
            await asyncio.sleep(settle_seconds)
            try:
                await run_in_threadpool(site.store.settle)
            except SQLAlchemyError:
                LOG.exception("the database cannot be settled")

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        task = asyncio.create_task(settle())
        try:
            yield
        finally:
            task.cancel()
            # Here, since a signal ends the process before anything that follows.
            await run_in_threadpool(site.store.close)

    def route(path: str, handler: Callable[[Call], Response], *methods: str) -> Route:
        return Route(path, endpoint(site, handler), methods=list(methods or ("GET",)))

    both = ("GET", "POST")
    routes = [
        route("/", pages.welcome),
        route("/join", pages.join, "POST"),
        route("/p/{token}", pages.personal_link),
        route("/continue", pages.resume),
        route("/information", pages.information, *both),
        route("/consent", pages.consent, *both),
        route("/about", pages.about, *both),
        route("/sample", pages.sample, *both),
        route("/item/{number:int}", pages.item, *both),
        route("/review", pages.review),
        route("/submit", pages.submit, "POST"),
        route("/thanks", pages.thanks),
        route("/withdraw", pages.withdraw, *both),
        route("/research/login", research.login, *both),
        route("/research/logout", research.logout, "POST"),
        route("/research", research.dashboard),
        route("/research/links", research.links),
        route("/research/pause", research.pause, "POST"),
        route("/research/extend", research.extend, "POST"),
        route("/research/export/{file}", research.export),
        Route("/static/{name}", _static),
    ]
    app = Starlette(
        routes=routes,
        exception_handlers={
            404: endpoint_for(site, PageError(404, "not_found")),
            405: endpoint_for(site, PageError(405, "not_found")),
            500: _bug,
        },
        lifespan=lifespan,
    )
    app.add_middleware(_Guarded)
    return app


def endpoint_for(
    site: Site, error: PageError
) -> Callable[[Request, Exception], Awaitable[Response]]:
    """Return what answers a request that no page answers."""

    def refuse(_call: Call) -> Response:
        raise error

    answer = endpoint(site, refuse)

    async def handle(request: Request, _exception: Exception) -> Response:
        if request.method not in ("GET", "HEAD"):
            return PlainTextResponse("There is no such page.", error.status)
        return await answer(request)

    return handle


async def _bug(request: Request, exception: Exception) -> Response:
    """Write down what went wrong, and tell no more than that something did."""
    LOG.error("bug in %s", _route(request.scope), exc_info=exception)
    return PlainTextResponse("Something went wrong. What was saved before is still there.", 500)


def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _FILES:
        return PlainTextResponse("There is no such file.", 404)
    response = FileResponse(_STATIC / name, media_type=_FILES[name])
    response.headers["Cache-Control"] = "max-age=3600"
    return response


def _route(scope: Scope) -> str:
    """Return the pattern of a route, never the address: it may hold a token."""
    path = getattr(scope.get("route"), "path", None)
    return path if isinstance(path, str) else "unknown"


class _Guarded:
    """Adds the headers that every response has, and writes one log line without personal data."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name for name, _ in message["headers"]}
                message["headers"] += [
                    (name.lower().encode(), value.encode())
                    for name, value in HEADERS.items()
                    if name.lower().encode() not in present
                ]
                spent = 1000 * (time.perf_counter() - began)
                LOG.info(
                    "%s %s %s %.1f ms", scope["method"], _route(scope), message["status"], spent
                )
            await send(message)

        await self.app(scope, receive, guarded)


def serve(site: Site, *, host: str, port: int) -> None:
    """Serve a study until the process is interrupted."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    settings = uvicorn.Config(
        application(site),
        host=host,
        port=port,
        access_log=False,
        server_header=False,
        # Anybody can write X-Forwarded-For, and attempts are counted for addresses.
        proxy_headers=False,
        log_level="warning",
        limit_concurrency=1000,
        h11_max_incomplete_event_size=32 * 1024,
        timeout_keep_alive=30,
    )
    uvicorn.Server(settings).run()
