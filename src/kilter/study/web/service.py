"""What serves any of our sites: its application, its server and the processes of it."""

from __future__ import annotations

import asyncio
import gc
import os
import socket
import threading
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Protocol
from urllib.parse import quote

import uvicorn
from anyio import to_thread
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse
from starlette.routing import Match, Route

from kilter.core.errors import InputError, OptionError
from kilter.study.store.fault import fault
from kilter.study.web.connection import connection_class
from kilter.study.web.gate import Gate
from kilter.study.web.log import LOG, write_log
from kilter.study.web.tally import Tally
from kilter.study.web.workers import Workers

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
    from pathlib import Path
    from types import FrameType

    from starlette.requests import Request
    from starlette.responses import Response

    from kilter.study.web.site_address import SiteAddress

    ErrorHandler = Callable[[Request, Exception], Awaitable[Response]]

SETTLE_SECONDS = 30.0
_OTHER_THREADS = 3  # two logins, and what settles the database
_GRACE_SECONDS = 5  # for requests that are being answered when a signal ends the server
_END_SECONDS = 8.0
_SEARCHES = (
    700,
    10,
    10,
)  # for garbage, as Python itself makes them; commands that end soon make fewer
_MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


class Settling(Protocol):
    """A store behind a site."""

    @property
    def connections(self) -> int:
        """How many connections to its database there may be."""

    def settle(self) -> bool:
        """Complete the file of SQLite."""

    def close(self) -> None:
        """Close all connections."""


class Served(Protocol):
    """A site as its server sees it."""

    @property
    def store(self) -> Settling:
        """What it keeps."""

    @property
    def address(self) -> SiteAddress:
        """Where it is."""

    @property
    def headers(self) -> dict[str, str]:
        """What every response has."""

    @property
    def tally(self) -> Tally:
        """What counts requests."""


def application_of(
    site: Served,
    routes: Sequence[Route],
    *,
    no_page: ErrorHandler,
    no_method: ErrorHandler,
    settle_seconds: float = SETTLE_SECONDS,
) -> Starlette:
    """Return the web application of a site; it completes the file of SQLite regularly and at its end."""
    threads = max(1, site.store.connections - _OTHER_THREADS)

    async def settle() -> None:
        while True:
            await asyncio.sleep(settle_seconds)
            try:
                await run_in_threadpool(site.store.settle)
            except Exception as error:  # noqa: BLE001 - whatever fails now is tried again
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

    for each in routes:
        if site.address.hides(each.path):
            raise OptionError(
                f"--public-url ends in {site.address.prefix}, which is one of the pages; choose another path"
            )
    app = Starlette(
        routes=list(routes),
        exception_handlers={404: _elsewhere(site, routes, no_page), 405: no_method},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = (
        False  # Starlette would repeat whatever the request calls its host
    )
    app.add_middleware(Gate, headers=site.headers, address=site.address, tally=site.tally)
    return app


def _elsewhere(site: Served, routes: Sequence[Route], refuse: ErrorHandler) -> ErrorHandler:
    """Return what leads from a path with a slash at its end to the page without it, and refuses others."""

    async def handle(request: Request, exception: Exception) -> Response:
        path = request.scope["path"].rstrip("/")
        is_page = any(
            route.matches({**request.scope, "path": path})[0] is Match.FULL for route in routes
        )
        if not is_page or path == request.scope["path"]:
            return await refuse(request, exception)
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(site.address.prefix + quote(path) + query)

    return handle


def static_route(files: Mapping[str, Path]) -> Route:
    """Return the route of files that are the same for everybody, by their names."""

    def static(request: Request) -> Response:
        file = files.get(request.path_params["name"])
        if file is None:
            return PlainTextResponse("There is no such file.", 404)
        response = FileResponse(file, media_type=_MEDIA_TYPES[file.suffix])
        response.headers["Cache-Control"] = "max-age=3600"
        return response

    return Route("/static/{name}", static)


class _EndingServer(uvicorn.Server):
    """A server that ends soon after a signal, whatever its clients and its database do."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end; what takes too long is left, as after a crash: all that was said to be saved is."""
        super().handle_exit(sig, frame)
        end = threading.Timer(_END_SECONDS, os._exit, [128 + sig])
        end.daemon = True
        end.start()


def server_of(
    application: Starlette,
    headers: Mapping[str, str],
    *,
    host: str = "",
    port: int = 0,
    proxies: Sequence[str] = (),
) -> uvicorn.Server:
    """Return the server of an application whose every response has these headers; it listens nowhere yet."""
    settings = uvicorn.Config(
        application,
        host=host,
        port=port,
        http=connection_class(headers, proxies),
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
    open_application: Callable[[Tally], tuple[Starlette, Mapping[str, str]]],
    *,
    ready: Callable[[], None],
    host: str,
    port: int,
    workers: int = 1,
    proxies: Sequence[str] = (),
) -> int:
    """Serve an application with its headers until the process is interrupted, and return an exit code.

    `ready` is called once the port is ours. Each process opens the application for itself: connections to a database
    cannot be shared.
    """
    tally = Tally(workers)
    with _bound(host, port) as listener:
        ready()
        write_log()

        def work(number: int) -> None:
            tally.take_row(number)
            application, headers = open_application(tally)
            # What is loaded stays; of what requests leave behind, no more is to pile up than Python lets.
            gc.freeze()
            gc.set_threshold(*_SEARCHES)
            server_of(application, headers, proxies=proxies).run(sockets=[listener])

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
