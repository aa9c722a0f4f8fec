"""One connection to the server: how many there may be, and how long each may take."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Mapping

HEADER_SECONDS = (
    10.0  # from the first byte of a request, or from the beginning, to the end of its headers
)
BODY_SECONDS = 20.0  # from there to the end of a form, of 64 KiB at most
READING_SECONDS = 60.0  # for a client that takes no more of a response
MOST_CONNECTIONS = 900  # Linux gives a process 1,024 open files unless it asks for more


class Connection(H11Protocol):
    """A connection that is closed when the client keeps the server waiting."""

    protection: ClassVar[Mapping[str, str]] = {}
    _deadline: asyncio.TimerHandle | None = None
    _awaited: object = None  # what of a request, by the name of its state
    _reading: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request, unless there are too many connections."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            self._refuse(503, "The survey is busy. Try again in a minute.")
        else:
            self._watch()

    def data_received(self, data: bytes) -> None:
        """Take in a part of a request."""
        if not self.transport.is_closing():
            super().data_received(data)
            self._watch()

    def on_response_complete(self) -> None:
        """Wait for the next request, which may be there in part."""
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._forget_deadline()
        self._forget_reading()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Wait for a client who reads slowly, but not for ever."""
        super().pause_writing()
        self._forget_reading()
        self._reading = self.loop.call_later(READING_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on with a client who has read."""
        self._forget_reading()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request."""
        self._refuse(400, msg)

    def _watch(self) -> None:
        """Begin to count the seconds when a part of a request is awaited, and stop when it has come."""
        state = self.conn.their_state
        has_begun = self.timeout_keep_alive_task is None or bool(self.conn.trailing_data[0])
        is_idle = state is h11.IDLE and not has_begun
        if is_idle or state not in (h11.IDLE, h11.SEND_BODY):
            self._forget_deadline()
        elif state is not self._awaited:
            self._forget_deadline()
            self._awaited = state
            seconds = HEADER_SECONDS if state is h11.IDLE else BODY_SECONDS
            self._deadline = self.loop.call_later(seconds, self.transport.abort)

    def _forget_deadline(self) -> None:
        self._awaited = None
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _forget_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _refuse(self, status: int, reason: str) -> None:
        """Answer before any page is asked, with the headers that every response has, and close."""
        body = reason.encode()
        lines = [
            f"HTTP/1.1 {status} {'Bad Request' if status == 400 else 'Service Unavailable'}",
            "content-type: text/plain; charset=utf-8",
            f"content-length: {len(body)}",
            "connection: close",
            *(f"{name.lower()}: {value}" for name, value in self.protection.items()),
        ]
        self.transport.write("\r\n".join([*lines, "", ""]).encode() + body)
        self.transport.close()


def connection_class(headers: Mapping[str, str]) -> type[Connection]:
    """Return the connections of a server whose every response has these headers."""
    return type("SiteConnection", (Connection,), {"protection": headers})
