"""A web server that encrypts connections and hands them on, as one stands before the survey."""

import asyncio
import ssl
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import trustme


@contextmanager
def encrypting(port: int, backend: int) -> Iterator[ssl.SSLContext]:
    """Listen on a port and hand on to another; give what a browser needs to trust the certificate."""
    authority = trustme.CA()
    serves, trusts = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    authority.issue_cert("127.0.0.1").configure_cert(serves)
    authority.configure_trust(trusts)
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(
        asyncio.start_server(_handing_on(backend), "127.0.0.1", port, ssl=serves)
    )
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield trusts
    finally:
        asyncio.run_coroutine_threadsafe(_ended(server), loop).result(timeout=30)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def _handing_on(
    backend: int,
) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        behind, before = await asyncio.open_connection("127.0.0.1", backend)
        await asyncio.gather(_pipe(reader, before), _pipe(behind, writer))

    return handle


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except (ConnectionError, ssl.SSLError):
        pass  # one side has gone, and so will the other
    finally:
        writer.close()


async def _ended(server: asyncio.Server) -> None:
    server.close()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
