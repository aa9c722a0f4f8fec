"""One connection to the server: how many there may be, and how long each may take."""

from __future__ import annotations

import asyncio
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from kilter.study.web.plain_request import plain_request, plain_response

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from ipaddress import IPv4Network, IPv6Network

    from kilter.study.web.plain_request import PlainRequest

HEADER_SECONDS = (
    10.0  # from the first byte of a request, or from the beginning, to the end of its headers
)
BODY_SECONDS = 20.0  # from there to the end of a form, of 64 KiB at most
READING_SECONDS = 60.0  # for a client that takes no more of a response
MOST_CONNECTIONS = 900  # Linux gives a process 1,024 open files unless it asks for more
MOST_PER_ADDRESS = (
    300  # many people may share one address, but one address must leave room for others
)


class Connection(H11Protocol):
    """A connection that is closed when the client keeps the server waiting.

    Plain requests are answered here; all others by the parser of uvicorn, which sees nothing of the plain ones.
    """

    protection: ClassVar[Mapping[str, str]] = {}
    proxies: ClassVar[Sequence[IPv4Network | IPv6Network]] = ()
    address: str = ""  # that connections are counted for; none for a proxy that is trusted
    _deadline: asyncio.TimerHandle | None = None
    _awaited: object = None  # what of a request, by the name of its state
    _reading: asyncio.TimerHandle | None = None
    _plain: asyncio.Task[None] | None = None  # what answers a plain request
    _begun: bytes = b""  # a plain request whose body is not all there, or what came after one
    _is_last: bool = False
    _gone: asyncio.Event | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request, unless there are too many connections."""
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        is_proxy = any(ip_address(host) in network for network in self.proxies)
        self.address = "" if is_proxy or not host else counted_as(host)
        if self._has_room():
            self._watch()
        else:
            self._refuse(503, "The server is busy. Try again in a minute.")

    def _has_room(self) -> bool:
        """Return whether this connection may stay; if need be, close the one that has waited longest for a request."""
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
        if self.transport.is_closing():
            return
        if self._plain is not None:  # the next request waits for the answer to this one
            self._begun += data
            self.flow.pause_reading()
            return
        data = self._begun + data
        self._begun = b""
        request = plain_request(data) if self._is_between_requests() else None
        if request is None:
            super().data_received(data)
            self._watch()
        elif request.missing:
            self._unset_keepalive_if_required()
            self._begun = data
            self._await(h11.SEND_BODY)
        else:
            self._unset_keepalive_if_required()
            self._forget_deadline()
            self._plain = self.loop.create_task(self._answer(request))
            self.tasks.add(self._plain)
            self._plain.add_done_callback(self.tasks.discard)

    def _is_between_requests(self) -> bool:
        """Return whether the parser of uvicorn has nothing of a request."""
        return (
            self.conn.their_state is h11.IDLE
            and self.conn.our_state is h11.IDLE
            and not self.conn.trailing_data[0]
        )

    async def _answer(self, request: PlainRequest) -> None:
        """Let the application answer a plain request, and send what it says at once."""
        self._gone = asyncio.Event()
        scope = {
            "type": "http",
            "asgi": {"version": self.asgi_version, "spec_version": "2.3"},
            "http_version": "1.1",
            "server": self.server,
            "client": self.client,
            "scheme": self.scheme,
            "method": request.method,
            "root_path": self.root_path,
            "path": self.root_path + request.path,
            "raw_path": (self.root_path + request.path).encode(),
            "query_string": b"",
            "headers": request.headers,
            "state": self.app_state.copy(),
        }
        exchange = _Exchange(request.body, self._gone)
        try:
            await self.app(scope, exchange.receive, exchange.send)
        finally:  # whatever happened: the application answers for its errors
            self._plain = None
            self._finish(exchange)

    def _finish(self, exchange: _Exchange) -> None:
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        if not exchange.is_complete:
            self.transport.abort()
            return
        headers = [*self.server_state.default_headers, *exchange.headers]
        self.transport.write(
            plain_response(exchange.status, headers, exchange.body, is_last=self._is_last)
        )
        if self._is_last:
            self.transport.close()
            return
        self.timeout_keep_alive_task = self.loop.call_later(
            self.timeout_keep_alive, self.timeout_keep_alive_handler
        )
        self.flow.resume_reading()
        if self._begun:
            self.data_received(b"")

    def shutdown(self) -> None:
        """End the connection, after the answer to a request that is being made."""
        if self._plain is None:
            super().shutdown()
        else:
            self._is_last = True

    def on_response_complete(self) -> None:
        """Wait for the next request, which may be there in part."""
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._forget_deadline()
        self._forget_reading()
        if self._gone is not None:
            self._gone.set()
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
        else:
            self._await(state)

    def _await(self, state: object) -> None:
        """Begin to count the seconds of this part of a request, unless they are counted already."""
        if state is not self._awaited:
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


class _Exchange:
    """One plain request and what the application says to it, kept until it has said all."""

    def __init__(self, body: bytes, gone: asyncio.Event) -> None:
        self._unread: bytes | None = body
        self._gone = gone
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self.body = b""
        self.is_complete = False

    async def receive(self) -> dict[str, Any]:
        """Give the body, and then say when the client is gone."""
        if self._unread is not None:
            body, self._unread = self._unread, None
            return {"type": "http.request", "body": body, "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        """Take a part of the response."""
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], list(message["headers"])
        else:
            self.body += message.get("body", b"")
            self.is_complete = not message.get("more_body", False)


def counted_as(host: str) -> str:
    """Return what the connections of an address are counted for: the network, if one machine has all of it.

    >>> counted_as("2001:db8:1:2::3"), counted_as("::ffff:192.0.2.1")
    ('2001:db8:1:2::/64', '192.0.2.1')
    """
    address = ip_address(host)
    if not isinstance(address, IPv6Address):
        return host
    return str(address.ipv4_mapped or ip_network((int(address) >> 64 << 64, 64)))


def connection_class(headers: Mapping[str, str], proxies: Sequence[str] = ()) -> type[Connection]:
    """Return the connections of a server whose every response has these headers, behind these proxies."""
    trusted = [ip_network(proxy) for proxy in proxies]
    return type("SiteConnection", (Connection,), {"protection": headers, "proxies": trusted})
