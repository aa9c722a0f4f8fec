"""A report that follows its files: served on this machine alone, made again when a file changes."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

from kilter.core.errors import KilterError, OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

HOST = "127.0.0.1"
_SECONDS = 0.5


class LivePage:
    """The newest page that could be made of some files, and what is wrong with them since."""

    def __init__(self, make: Callable[[], str], files: Sequence[str]) -> None:
        self._make = make
        self._files = [Path(path) for path in files]
        self._stamp = self._stamps()
        self.html = make()  # what is wrong from the beginning is an error
        self.version = 1
        self.problem: str | None = None

    def follow(self) -> None:
        """Make the page again if a file is not what it was; keep the last one where that fails."""
        stamp = self._stamps()
        if stamp == self._stamp:
            return
        self._stamp = stamp
        try:
            html = self._make()
        except KilterError as error:
            self.problem = error.for_command()
            return
        self.html, self.problem = html, None
        self.version += 1

    def _stamps(self) -> list[tuple[int, int] | None]:
        """Return when each file was changed last, and how large it is; None where it is not there."""
        found: list[tuple[int, int] | None] = []
        for path in self._files:
            try:
                status = path.stat()
            except OSError:
                found.append(None)
            else:
                found.append((status.st_mtime_ns, status.st_size))
        return found


@contextmanager
def serving(page: LivePage, port: int) -> Iterator[str]:
    """Serve a page on this machine, at any free port for 0, and yield its address."""
    try:
        server = _Server((HOST, port), _Handler)
    except OSError as error:
        raise OptionError(f"port {port} cannot be used: {error.strerror}; name another") from error
    server.page = page
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://{HOST}:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def follow(page: LivePage, stop: threading.Event) -> None:
    """Look at the files again and again until told to stop."""
    while not stop.wait(_SECONDS):
        page.follow()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    page: LivePage


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    server_version = "kilter"
    sys_version = ""

    def do_GET(self) -> None:
        page = self.server.page
        if not self._is_ours():
            self._answer(HTTPStatus.FORBIDDEN, "text/plain", "This page is for its own machine.")
        elif self.path == "/":
            self._answer(HTTPStatus.OK, "text/html", page.html)
        elif self.path == "/version":
            told = {"version": page.version, "problem": page.problem}
            self._answer(HTTPStatus.OK, "application/json", json.dumps(told))
        else:
            self._answer(HTTPStatus.NOT_FOUND, "text/plain", "There is no such page.")

    def _is_ours(self) -> bool:
        """Return whether the request names this machine: other sites may point their name at it."""
        port = self.server.server_port
        return self.headers.get("Host") in {f"{HOST}:{port}", f"localhost:{port}"}

    def _answer(self, status: HTTPStatus, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Say nothing: whoever looks at the page knows."""
