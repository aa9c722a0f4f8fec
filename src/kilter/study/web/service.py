"""What serves any of our sites: its application, its server and the processes of it."""

from __future__ import annotations

import asyncio
import gc
import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Protocol, cast
from urllib.parse import quote

import uvicorn
from anyio import to_thread
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse
from starlette.routing import Match, Route
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from kilter.core.errors import InputError, KilterError, OptionError
from kilter.study.store.fault import fault
from kilter.study.web.connection import Connection
from kilter.study.web.gate import Gate
from kilter.study.web.log import LOG, write_log

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
    from multiprocessing.process import BaseProcess
    from pathlib import Path

    from starlette.requests import Request
    from starlette.responses import Response

    from kilter.study.store.request_counters import RequestCounters
    from kilter.study.web.site_address import SiteAddress

    ErrorHandler = Callable[[Request, Exception], Awaitable[Response]]

SETTLE_SECONDS = 30.0
_OTHER_THREADS = 3  # two logins, and what settles the database
_GRACE_SECONDS = 5  # for requests that are being answered when a signal ends the server
_END_SECONDS = 3.0  # after these, for the database
_HEALTH_SECONDS = 20  # without an answer from a process; on a busy machine a start takes many
_TRIES = 5  # to open the application in a new process
_PAUSE_SECONDS = 0.5
_SEARCHES = (
    700,
    10,
    10,
)  # for garbage, as Python itself makes them; commands that end soon make fewer
_MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


class Settling(Protocol):
    """A store behind a site."""

    @property
    def requests(self) -> RequestCounters:
        """What counts requests."""

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
                await run_in_threadpool(site.store.requests.flush)
                await run_in_threadpool(site.store.settle)
            except Exception as error:  # noqa: BLE001 - whatever fails now is tried again
                LOG.error("the database cannot be settled: %s", fault(error))

    @asynccontextmanager
    async def lifespan(served: Starlette) -> AsyncIterator[None]:
        # What is asked at once waits for a thread rather than for a connection to the database.
        to_thread.current_default_thread_limiter().total_tokens = threads
        task = asyncio.create_task(settle())
        try:
            yield
        finally:
            task.cancel()
            if getattr(served.state, "has_process", False):
                _end_soon()
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
    app.add_middleware(
        Gate, headers=site.headers, address=site.address, counters=site.store.requests
    )
    return app


def _end_soon() -> None:
    """End the process also if its database does not answer: all that was said to be saved is."""
    end = threading.Timer(_END_SECONDS, os._exit, [128 + signal.SIGTERM])
    end.daemon = True
    end.start()


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


def server_config(
    open_application: Callable[[], Starlette],
    headers: Mapping[str, str],
    *,
    workers: int = 1,
    proxies: Sequence[str] = (),
) -> uvicorn.Config:
    """Return how uvicorn serves an application, which each process opens for itself.

    `headers` are those of every response, also of what is refused before the application is asked.
    """
    return uvicorn.Config(
        partial(_opened, open_application),
        factory=True,
        workers=workers,
        http=cast("type[asyncio.Protocol]", partial(Connection, protection=dict(headers))),
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
        timeout_worker_healthcheck=_HEALTH_SECONDS,
    )


def _opened(open_application: Callable[[], Starlette]) -> Starlette:
    """Open the application; a process that uvicorn has started tries for some seconds before it gives up."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        write_log()
        threading.Thread(target=_end_with, args=[parent], daemon=True).start()
    for tries_left in reversed(range(_TRIES if parent is not None else 1)):
        try:
            application = open_application()
        except Exception as error:
            if parent is None:
                raise
            if not tries_left:
                said = str(error) if isinstance(error, KilterError) else fault(error)
                LOG.error("a process cannot start: %s", said)
                raise SystemExit(STARTUP_FAILURE) from None
            time.sleep(_PAUSE_SECONDS)
        else:
            break
    return application


def _in_own_process(open_application: Callable[[], Starlette]) -> Starlette:
    """Open the application for a process that does nothing else, and ends with it."""
    application = open_application()
    application.state.has_process = True
    # What is loaded stays; of what requests leave behind, no more is to pile up than Python lets.
    gc.freeze()
    gc.set_threshold(*_SEARCHES)
    return application


def _end_with(parent: BaseProcess) -> None:
    """End this process when the one that started it is gone."""
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)


def serve(
    open_application: Callable[[], Starlette],
    headers: Mapping[str, str],
    *,
    ready: Callable[[], None],
    host: str,
    port: int,
    workers: int = 1,
    proxies: Sequence[str] = (),
) -> int:
    """Serve an application until the process is interrupted, and return an exit code.

    `ready` is called once the port is ours. Several processes open the application each for itself, so that it must
    be something that can be pickled: connections to a database cannot be shared.
    """
    opened = partial(_in_own_process, open_application)
    config = server_config(opened, headers, workers=workers, proxies=proxies)
    with _bound(host, port) as listener:
        ready()
        write_log()
        if workers == 1:
            uvicorn.Server(config).run(sockets=[listener])
            return 0
        logging.getLogger("uvicorn.error").setLevel(logging.INFO)  # which processes end
        supervisor = Multiprocess(config, sockets=[listener])
        supervisor.run()
        codes = {process.exitcode for process in supervisor.processes}
    return 1 if STARTUP_FAILURE in codes else 0


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
