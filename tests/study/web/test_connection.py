"""Connections that keep the server waiting, or ask for nothing that it understands."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path

import pytest
import uvicorn

from kilter.study.store.running_study import open_study
from kilter.study.web import connection
from kilter.study.web.guard import HEADERS
from kilter.study.web.server import application
from kilter.study.web.service import server_config
from kilter.study.web.site import site_of
from tests.study.running import example, free_port

_PATIENCE = 30.0  # seconds until a test gives up: far beyond every limit that it sets
_WHOLE = b"GET /static/icon.svg HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"

Talk = Callable[[int], Awaitable[bytes]]


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every wait be over soon."""
    for name in ("HEADER_SECONDS", "BODY_SECONDS", "READING_SECONDS"):
        monkeypatch.setattr(connection, name, 0.5)


def talked(folder: Path, talk: Talk, *, proxies: Sequence[str] = ()) -> bytes:
    """Return what a client makes of a server in this process."""
    running = open_study(example(folder / "study"), database=None)
    port = free_port()
    site = site_of(running, address="http://127.0.0.1")
    config = server_config(lambda: application(site), site.headers, proxies=proxies)
    config.host, config.port = "127.0.0.1", port
    server = uvicorn.Server(config)

    async def live() -> bytes:
        task = asyncio.create_task(server.serve())
        while not server.started:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
        try:
            return await asyncio.wait_for(talk(port), _PATIENCE)
        finally:
            server.should_exit = True
            await task

    return asyncio.run(live())


@contextlib.asynccontextmanager
async def connected(
    port: int, *, address: str = "127.0.0.1"
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Give a connection to the server, from one of this machine's addresses."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    try:
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def answered(port: int, sent: bytes, *, address: str = "127.0.0.1") -> bytes:
    """Return all that the server sends before it closes the connection."""
    async with connected(port, address=address) as (reader, writer):
        writer.write(sent)
        with contextlib.suppress(ConnectionResetError):
            return await reader.read()
    return b""


async def answered_beside(port: int, sent: bytes, *, others: int) -> bytes:
    """Return what the server sends while others have connections and say nothing."""
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(others):
            await stack.enter_async_context(connected(port))
        return await answered(port, sent)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nhost: x\r\n",
        b"POST /join HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nform_token=",
    ],
)
def test_a_request_that_never_ends_ends_its_connection(tmp_path: Path, sent: bytes) -> None:
    assert talked(tmp_path, lambda port: answered(port, sent)) == b""


@pytest.mark.usefixtures("short")
def test_a_second_request_on_a_connection_is_awaited_no_longer(tmp_path: Path) -> None:
    async def talk(port: int) -> bytes:
        return await answered(port, _WHOLE.replace(b"close", b"keep-alive") + b"GET / HT")

    assert talked(tmp_path, talk).startswith(b"HTTP/1.1 200")


@pytest.mark.usefixtures("short")
def test_bytes_that_trickle_in_do_not_win_time(tmp_path: Path) -> None:
    async def talk(port: int) -> bytes:
        async with connected(port) as (reader, writer):
            while not reader.at_eof():
                writer.write(b"x")
                with contextlib.suppress(ConnectionError):
                    await writer.drain()
                await asyncio.sleep(0.02)
                with contextlib.suppress(TimeoutError, ConnectionError):
                    await asyncio.wait_for(reader.read(1), 0.01)
        return b"ended"

    assert talked(tmp_path, talk) == b"ended"


@pytest.mark.usefixtures("short")
def test_a_whole_request_is_answered_whatever_others_do(tmp_path: Path) -> None:
    async def talk(port: int) -> bytes:
        return await answered_beside(port, _WHOLE, others=50)

    assert talked(tmp_path, talk).startswith(b"HTTP/1.1 200")


def has_headers(said: bytes) -> bool:
    """Return whether every protective header is there."""
    head = said.partition(b"\r\n\r\n")[0].lower()
    return all(f"\r\n{name.lower()}: ".encode() in head for name in HEADERS)


def test_what_is_no_request_is_refused_with_the_protective_headers(tmp_path: Path) -> None:
    said = talked(tmp_path, lambda port: answered(port, b"no request at all\r\n\r\n"))
    assert said.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert has_headers(said)


def test_more_connections_than_there_may_be_are_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "MOST_CONNECTIONS", 3)

    said = talked(tmp_path, lambda port: answered_beside(port, b"", others=3))
    assert said.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
    assert has_headers(said)


_KEPT = _WHOLE.replace(b"close", b"keep-alive")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be ten connections, five of them for one address."""
    monkeypatch.setattr(connection, "MOST_CONNECTIONS", 10)
    monkeypatch.setattr(connection, "MOST_PER_ADDRESS", 5, raising=False)


async def hold(stack: contextlib.AsyncExitStack, port: int, sent: bytes, count: int) -> None:
    """Open connections of one address that stay as they are after these bytes."""
    for _ in range(count):
        reader, writer = await stack.enter_async_context(connected(port))
        writer.write(sent)
        if sent.endswith(b"\r\n\r\n"):
            await reader.read(1)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nhost: x\r\n", _KEPT])
def test_connections_of_one_address_shut_out_nobody_else(tmp_path: Path, sent: bytes) -> None:
    async def talk(port: int) -> bytes:
        async with contextlib.AsyncExitStack() as stack:
            await hold(stack, port, sent, 20)
            return await answered(port, _WHOLE, address="127.0.0.2")

    assert talked(tmp_path, talk).startswith(b"HTTP/1.1 200")


@pytest.mark.usefixtures("few")
def test_an_address_with_too_many_connections_is_told_so(tmp_path: Path) -> None:
    async def talk(port: int) -> bytes:
        async with contextlib.AsyncExitStack() as stack:
            await hold(stack, port, b"GET / HT", 5)
            return await answered(port, b"")

    said = talked(tmp_path, talk)
    assert said.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
    assert has_headers(said)


@pytest.mark.usefixtures("few")
def test_people_behind_one_address_go_on_while_others_of_them_only_read(tmp_path: Path) -> None:
    async def talk(port: int) -> bytes:
        async with contextlib.AsyncExitStack() as stack:
            await hold(stack, port, _KEPT, 12)
            return await answered(port, _WHOLE)

    assert talked(tmp_path, talk).startswith(b"HTTP/1.1 200")


@pytest.mark.usefixtures("few")
def test_a_trusted_proxy_has_as_many_connections_as_there_are(tmp_path: Path) -> None:
    async def talk(port: int) -> bytes:
        async with contextlib.AsyncExitStack() as stack:
            await hold(stack, port, b"GET / HT", 9)
            return await answered(port, _WHOLE)

    assert talked(tmp_path, talk, proxies=["127.0.0.0/8"]).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("2001:db8:1:2::3", "2001:db8:1:2:ffff::4", True),
        ("2001:db8:1:2::3", "2001:db8:1:3::3", False),
    ],
)
def test_addresses_of_one_network_of_ipv6_count_as_one(
    first: str, second: str, *, same: bool
) -> None:
    assert (connection.counted_as(first) == connection.counted_as(second)) is same
