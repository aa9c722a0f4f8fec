"""People who answer a web survey, many in one process: the least that browsers do, and what they see."""

from __future__ import annotations

import asyncio
import itertools
import random
import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.study.running import Server

ITEMS = 15
_PATIENCE = 30.0
_QUESTIONS = ("holistic", "order")
_END = b"\r\n\r\n"
_TOKEN = re.compile(rb'name="form_token" value="([0-9a-f]+)"')
_VISIT = re.compile(rb'name="visit" value="(\w+)"')
_OPENED = re.compile(rb'name="opened" value="([0-9.]+)"')
_COOKIE = re.compile(rb"set-cookie: ([^=]+)=([^;]*)", re.IGNORECASE)
_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


class Browser(asyncio.Protocol):
    """One connection, cookies and forms, with so little work of its own that it hardly slows the server down."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._transport: asyncio.Transport | None = None
        self._cookies: dict[bytes, bytes] = {}
        self._received = b""
        self._answer: asyncio.Future[tuple[int, bytes]] | None = None

    async def get(self, path: str) -> tuple[int, bytes]:
        """Return status and body of a page."""
        return await self._send(b"GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n" % path.encode(), b"")

    async def post(self, path: str, form: bytes) -> tuple[int, bytes]:
        """Return status and body of what a script is told about a form."""
        head = (
            b"POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n"
            b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n"
        )
        return await self._send(head % (path.encode(), len(form)), form)

    async def _send(self, head: bytes, body: bytes) -> tuple[int, bytes]:
        """Send a request, on a new connection if the server has closed the one that nobody used."""
        cookies = b"; ".join(b"%s=%s" % pair for pair in self._cookies.items())
        request = b"%sCookie: %s%s%s" % (head, cookies, _END, body)
        loop = asyncio.get_running_loop()
        had_one = self._transport is not None
        async with asyncio.timeout(_PATIENCE):
            try:
                return await self._exchange(loop, request)
            except ConnectionError:
                if not had_one:
                    raise
                return await self._exchange(loop, request)

    async def _exchange(self, loop: asyncio.AbstractEventLoop, request: bytes) -> tuple[int, bytes]:
        if self._transport is None:
            self._transport, _ = await loop.create_connection(lambda: self, "127.0.0.1", self._port)
        self._received = b""
        self._answer = loop.create_future()
        self._transport.write(request)
        return await self._answer

    def data_received(self, data: bytes) -> None:
        """Take in a part of a response."""
        self._received += data
        end = self._received.find(_END)
        if end < 0 or self._answer is None or self._answer.done():
            return
        head = self._received[:end]
        length = _LENGTH.search(head)
        body = self._received[end + len(_END) :]
        if len(body) >= (int(length[1]) if length else 0):
            if b"et-" in head:
                self._cookies.update(_COOKIE.findall(head))
            self._answer.set_result((int(head[9:12]), body))

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._transport = None
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(ConnectionResetError(str(exc or "closed by the server")))

    def close(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.close()


@dataclass
class Load:
    """What participants see: seconds until an answer is acknowledged, errors, what was acknowledged."""

    seconds: list[float] = field(default_factory=list)
    pages: int = 0
    errors: list[str] = field(default_factory=list)
    acknowledged: dict[tuple[int, int, str], int] = field(default_factory=dict)
    unsure: set[tuple[int, int, str]] = field(default_factory=set)

    async def take_part(
        self, server: Server, link: int, token: str, *, think: float, end: float
    ) -> None:
        """Answer items, the first again after the last, until time is up."""
        chance = random.Random(link)
        browser = Browser(server.port)
        try:
            await asyncio.sleep(chance.uniform(0, think))
            await browser.get(f"/p/{token}")
            for place in itertools.count():
                number = place % ITEMS + 1
                hidden = await self._page(browser, link, number)
                for question in _QUESTIONS:
                    pause = chance.expovariate(1 / think) if think else 0
                    if time.monotonic() + pause > end:
                        return
                    await asyncio.sleep(pause)
                    await self._answer(browser, (link, number, question), chance, hidden)
        except (OSError, TimeoutError) as error:
            self.errors.append(f"{type(error).__name__} {error}")
        finally:
            browser.close()

    async def _page(self, browser: Browser, link: int, number: int) -> bytes:
        """Open an item, look whether the page shows what was saved, and return the hidden part of its form."""
        status, page = await browser.get(f"/item/{number}")
        self.pages += 1
        found = [pattern.search(page) for pattern in (_TOKEN, _VISIT, _OPENED)]
        if status != 200 or None in found:
            raise ConnectionError(f"item {number} has status {status}")
        if not self._is_right(page, link, number):
            self.errors.append("a page does not show what was saved")
        return b"form_token=%s&visit=%s&opened=%s&action=save&" % tuple(
            match[1] for match in found if match is not None
        )

    def _is_right(self, page: bytes, link: int, number: int) -> bool:
        """Return whether a page is that of the item, counts the answered ones, and shows what was answered here."""
        if self.unsure and any(key[0] == link for key in self.unsure):
            return True
        keys = [(link, place, _QUESTIONS[0]) for place in range(1, ITEMS + 1)]
        done = sum(key in self.acknowledged for key in keys)
        here = {name: self.acknowledged.get((link, number, name)) for name in _QUESTIONS}
        return (
            b'<progress id="progress" value="%d" max="%d">' % (done, ITEMS) in page
            and b'action="/item/%d"' % number in page
            and page.count(b" checked>") == len(here)
            and all(
                b'name="%s" value="%s" checked>'
                % (name.encode(), b"" if value is None else b"%d" % value)
                in page
                for name, value in here.items()
            )
        )

    async def _answer(
        self, browser: Browser, key: tuple[int, int, str], chance: random.Random, hidden: bytes
    ) -> None:
        link, number, question = key
        value = chance.randint(1, 5)
        # As the page does: both questions, of which one has no answer yet.
        shown = {name: self.acknowledged.get((link, number, name)) for name in _QUESTIONS}
        shown[question] = value
        fields = "&".join(f"{name}={'' if said is None else said}" for name, said in shown.items())
        self.unsure.add(key)
        began = time.perf_counter()
        status, body = await browser.post(f"/item/{number}", hidden + fields.encode())
        self.seconds.append(time.perf_counter() - began)
        if status == 200 and b'"saved":true' in body:
            self.acknowledged[key] = value
            self.unsure.discard(key)
        else:
            self.errors.append(f"status {status}")

    def report(self, name: str, spent: float) -> None:
        """Print how long answers took, how many there were, and what went wrong."""
        ordered = sorted(self.seconds)
        shares = (
            ordered[min(int(share * len(ordered)), len(ordered) - 1)] for share in (0.5, 0.95, 0.99)
        )
        said = ", ".join(
            f"{label} {1000 * value:.0f} ms"
            for label, value in zip(("p50", "p95", "p99"), shares, strict=True)
        )
        print(
            f"  {name}: {said}; {len(ordered):,} answers, {len(ordered) / spent:.0f} a second, "
            f"{self.pages:,} pages, {len(self.errors)} errors"
        )
        for error in sorted({*self.errors})[:5]:
            print(f"    {error}")

    def check_nothing_is_lost(self, kept: Mapping[tuple[int, int, str], int]) -> None:
        """Compare what was acknowledged with what the database holds."""
        lost = [
            key
            for key, value in self.acknowledged.items()
            if key not in self.unsure and kept.get(key) != value
        ]
        assert lost == []


async def everybody(
    load: Load, server: Server, tokens: dict[int, str], *, think: float, seconds: float
) -> float:
    """Let everybody with a token take part for some seconds, and return how long it took."""
    began = time.monotonic()
    end = began + seconds
    tasks = [
        load.take_part(server, link, token, think=think, end=end) for link, token in tokens.items()
    ]
    await asyncio.gather(*tasks)
    return time.monotonic() - began
