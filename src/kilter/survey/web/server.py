"""The web server of a study."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import uvicorn
from anyio import to_thread
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse
from starlette.routing import Match, Route

from kilter.errors import InputError, OptionError
from kilter.survey.store.fault import fault
from kilter.survey.web import analysis_pages as analyses
from kilter.survey.web import participant_pages as pages
from kilter.survey.web import researcher_pages as research
from kilter.survey.web.connection import connection_class
from kilter.survey.web.gate import Gate
from kilter.survey.web.log import LOG, write_log
from kilter.survey.web.monitoring import monitoring_routes
from kilter.survey.web.request import PageError, endpoint
from kilter.survey.web.tally import Tally
from kilter.survey.web.workers import Workers

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
    from types import FrameType

    from starlette.requests import Request
    from starlette.responses import Response

    from kilter.survey.web.request import Call
    from kilter.survey.web.site import Site

    ErrorHandler = Callable[[Request, Exception], Awaitable[Response]]

_STATIC = Path(__file__).parent / "static"
_FILES = {
    "survey.css": "text/css",
    "instrument.css": "text/css",
    "item.js": "text/javascript",
    "slider.js": "text/javascript",
    "analysis.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
_SETTLE_SECONDS = 30.0
_OTHER_THREADS = 3  # two logins, and what settles the database
_GRACE_SECONDS = 5  # for requests that are being answered when a signal ends the server
_END_SECONDS = 8.0


def application(site: Site, *, settle_seconds: float = _SETTLE_SECONDS) -> Starlette:
    """Return the web application of a study; it completes the file of SQLite regularly and at its end."""
    threads = max(1, site.store.connections - _OTHER_THREADS)

    async def settle() -> None:
        while True:
            await asyncio.sleep(settle_seconds)
            try:
                await run_in_threadpool(site.store.settle)
            except SQLAlchemyError as error:
                LOG.error("the database cannot be settled: %s", fault(error))

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        # What is asked at once waits for a thread rather than for a connection to the database.
        to_thread.current_default_thread_limiter().total_tokens = threads
        task = asyncio.create_task(settle())
        try:
            yield
        finally:
            task.cancel()
            # Here, since a signal ends the process before anything that follows.
            await run_in_threadpool(site.store.close)

    def route(
        path: str, handler: Callable[[Call], Response], *methods: str, at_once: int | None = None
    ) -> Route:
        page = endpoint(site, handler, at_once=at_once)
        return Route(path, page, methods=list(methods or ("GET",)))

    both = ("GET", "POST")
    routes = [
        route("/", pages.welcome),
        route("/join", pages.join, "POST"),
        route("/p/{token}", pages.personal_link, *both),
        route("/continue", pages.resume),
        route("/information", pages.information, *both),
        route("/consent", pages.consent, *both),
        route("/about", pages.about, *both),
        route("/sample", pages.sample, *both),
        route("/item/{number}", pages.item, *both),
        route("/review", pages.review),
        route("/submit", pages.submit, "POST"),
        route("/thanks", pages.thanks),
        route("/withdraw", pages.withdraw, *both),
        route("/leave", pages.leave, *both),
        # As many as there are hashes of passwords made at once: others would wait for them in a thread.
        route("/research/login", research.login, *both, at_once=2),
        route("/research/logout", research.logout, "POST"),
        route("/research", research.dashboard),
        route("/research/links", research.links),
        route("/research/actions", research.actions),
        route("/research/pause", research.pause, "POST"),
        route("/research/extend", research.extend, "POST"),
        route("/research/close", research.close, *both),
        route("/research/analysis", analyses.analysis, *both),
        route("/research/analysis/{path:path}", analyses.analysis_file),
        route("/research/export/{file}", research.export),
        Route("/static/{name}", _static),
        *monitoring_routes(site),
    ]
    for each in routes:
        if site.address.hides(each.path):
            raise OptionError(
                f"--public-url ends in {site.address.prefix}, which is a page of the survey; choose another path"
            )
    app = Starlette(
        routes=routes,
        exception_handlers={
            404: _elsewhere(site, routes, endpoint_for(site, PageError(404, "not_found"))),
            405: endpoint_for(site, PageError(405, "not_found")),
        },
        lifespan=lifespan,
    )
    app.router.redirect_slashes = (
        False  # Starlette would repeat whatever the request calls its host
    )
    app.add_middleware(Gate, headers=site.headers, address=site.address, tally=site.tally)
    return app


def endpoint_for(site: Site, error: PageError) -> ErrorHandler:
    """Return what answers a request that no page answers."""

    def refuse(_call: Call) -> Response:
        raise error

    answer = endpoint(site, refuse)

    async def handle(request: Request, _exception: Exception) -> Response:
        if request.method not in ("GET", "HEAD"):
            return PlainTextResponse("There is no such page.", error.status)
        return await answer(request)

    return handle


def _elsewhere(site: Site, routes: Sequence[Route], refuse: ErrorHandler) -> ErrorHandler:
    """Return what leads from a path with a slash at its end to the page without it, and refuses others."""

    async def handle(request: Request, exception: Exception) -> Response:
        path = request.scope["path"].rstrip("/")
        is_page = any(
            route.matches({**request.scope, "path": path})[0] is Match.FULL for route in routes
        )
        if not is_page or path == request.scope["path"]:
            return await refuse(request, exception)
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(site.path(quote(path)) + query)

    return handle


def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _FILES:
        return PlainTextResponse("There is no such file.", 404)
    response = FileResponse(_STATIC / name, media_type=_FILES[name])
    response.headers["Cache-Control"] = "max-age=3600"
    return response


class _EndingServer(uvicorn.Server):
    """A server that ends soon after a signal, whatever its clients and its database do."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end; what takes too long is left, as after a crash: all that was said to be saved is."""
        super().handle_exit(sig, frame)
        end = threading.Timer(_END_SECONDS, os._exit, [128 + sig])
        end.daemon = True
        end.start()


def server_of(
    site: Site, *, host: str = "", port: int = 0, proxies: Sequence[str] = ()
) -> uvicorn.Server:
    """Return the server of a study, which listens nowhere yet."""
    settings = uvicorn.Config(
        application(site),
        host=host,
        port=port,
        http=connection_class(site.headers),
        ws="none",
        access_log=False,
        server_header=False,
        # Anybody can write X-Forwarded-For, and attempts are counted for addresses.
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        log_config=None,
        h11_max_incomplete_event_size=32 * 1024,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    return _EndingServer(settings)


def serve(
    open_site: Callable[[Tally], Site],
    *,
    host: str,
    port: int,
    workers: int = 1,
    proxies: Sequence[str] = (),
) -> int:
    """Serve a study until the process is interrupted, and return an exit code.

    Each process opens the site for itself: connections to a database cannot be shared.
    """
    tally = Tally(workers)
    with _bound(host, port) as listener:
        write_log()

        def work(number: int) -> None:
            tally.take_row(number)
            server_of(open_site(tally), proxies=proxies).run(sockets=[listener])

        if workers > 1:
            return Workers(workers, work).run()
        work(0)
    return 0


def _bound(host: str, port: int) -> socket.socket:
    """Return a socket at an address; who serves listens on it when all is ready."""
    bound = None
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, socket.SOCK_STREAM)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
    except OSError as error:
        if bound is not None:
            bound.close()
        raise InputError(
            f"cannot listen on {host}, port {port}: {error.strerror}; choose another --host or --port"
        ) from error
    return bound
