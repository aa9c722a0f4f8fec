"""The limits of a connection: how many there may be, and how long each part of a request may take.

HTTP itself is uvicorn's. It has no limit for the time that a request takes to arrive, and none for one address.
"""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Mapping

HEADER_SECONDS = (
    10.0  # from the connection or the first byte of a request to the end of its headers
)
BODY_SECONDS = 20.0  # from there to the end of the form
READING_SECONDS = 60.0  # for a client that takes no more of a response
MOST_CONNECTIONS = 900  # Linux gives a process 1,024 open files unless it asks for more
MOST_PER_ADDRESS = 300  # many people may share one address, but it must leave room for others
_REASONS = {400: "Bad Request", 503: "Service Unavailable"}


class Connection(H11Protocol):
    """A connection of uvicorn that is closed when the client keeps the server waiting."""

    def __init__(self, *arguments: Any, protection: Mapping[str, str], **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._protection = protection
        self._waits_for: object = None  # the state of the request that is being waited for
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self.address = ""  # that connections are counted for; none for a proxy that is trusted

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request, unless there are too many connections."""
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        proxies = [ip_network(proxy) for proxy in self.config.forwarded_allow_ips or ()]
        is_proxy = bool(host) and any(ip_address(host) in proxy for proxy in proxies)
        self.address = "" if is_proxy or not host else counted_as(host)
        if self._has_room():
            self._watch()
        else:
            self._refuse(503, "The server is busy. Try again in a minute.")

    def _has_room(self) -> bool:
        """Return whether this connection may stay; if need be, close the one that has been idle longest."""
        there: list[Any] = [each for each in self.connections if not each.transport.is_closing()]
        own = [each for each in there if each.address == self.address]
        if self.address and len(own) > MOST_PER_ADDRESS:
            there = own
        elif len(there) <= MOST_CONNECTIONS:
            return True
        idle = [each for each in there if each.timeout_keep_alive_task is not None]
        if not idle:
            return False
        min(idle, key=lambda each: each.timeout_keep_alive_task.when()).transport.close()
        return True

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
        for name in [*self._timers]:
            self._stop(name)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Wait for a client who reads slowly, but not for ever."""
        super().pause_writing()
        self._start("response", READING_SECONDS)

    def resume_writing(self) -> None:
        """Go on with a client who has read."""
        self._stop("response")
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request."""
        self._refuse(400, msg)

    def _watch(self) -> None:
        """Start a timer when a part of a request begins to be awaited, and stop it when it has come."""
        state = self.conn.their_state
        has_begun = self.timeout_keep_alive_task is None or bool(self.conn.trailing_data[0])
        if state is h11.SEND_BODY or (state is h11.IDLE and has_begun):
            if state is not self._waits_for:
                self._start("request", HEADER_SECONDS if state is h11.IDLE else BODY_SECONDS)
                self._waits_for = state
        else:
            self._stop("request")
            self._waits_for = None

    def _start(self, name: str, seconds: float) -> None:
        self._stop(name)
        self._timers[name] = self.loop.call_later(seconds, self.transport.abort)

    def _stop(self, name: str) -> None:
        if name in self._timers:
            self._timers.pop(name).cancel()

    def _refuse(self, status: int, reason: str) -> None:
        """Answer before any page is asked, with the headers that every response has, and close."""
        body = reason.encode()
        lines = [
            f"HTTP/1.1 {status} {_REASONS[status]}",
            "content-type: text/plain; charset=utf-8",
            f"content-length: {len(body)}",
            "connection: close",
            *(f"{name.lower()}: {value}" for name, value in self._protection.items()),
        ]
        self.transport.write("\r\n".join([*lines, "", ""]).encode() + body)
        self.transport.close()


def counted_as(host: str) -> str:
    """Return what the connections of an address are counted for: the network, if one machine has all of it.

    >>> counted_as("2001:db8:1:2::3"), counted_as("::ffff:192.0.2.1")
    ('2001:db8:1:2::/64', '192.0.2.1')
    """
    address = ip_address(host)
    if not isinstance(address, IPv6Address):
        return host
    return str(address.ipv4_mapped or ip_network((int(address) >> 64 << 64, 64)))
