"""The requests that come most often, as browsers write them, read without a general parser.

Opening an item and saving an answer are nearly all that a survey is asked. Such requests are a small part of what HTTP
allows; whatever is written in another way is no `PlainRequest`, and left to a parser that knows all of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_HEAD = 16 * 1024
LONGEST_BODY = 64 * 1024
# No escapes, no query, no byte beyond ASCII: nothing that could be read in two ways.
_HEAD = re.compile(
    rb"(GET|POST) ((?:/[A-Za-z0-9._~-]+)*/item/[0-9]{1,6}) HTTP/1\.1\r\n"
    rb"((?:[A-Za-z0-9-]+: [\x20-\x7e]*\r\n)+)\r\n"
)
_LINE = re.compile(rb"([A-Za-z0-9-]+): *([^\r]*?) *\r\n")
_DIGITS = re.compile(rb"[0-9]{1,5}")
_ELSEWHERE = frozenset({b"transfer-encoding", b"expect", b"upgrade", b"te", b"trailer"})
_ONCE = (b"host", b"content-length", b"connection")
_PHRASES = {status.value: status.phrase.encode() for status in HTTPStatus}


@dataclass(frozen=True, slots=True)
class PlainRequest:
    """A request as it was sent; `missing` bytes of its body are still to come."""

    method: str
    path: str
    headers: list[tuple[bytes, bytes]]
    body: bytes
    missing: int


def plain_request(data: bytes) -> PlainRequest | None:
    r"""Return the request that bytes begin with and end with, or None for everything that is not plain.

    >>> plain_request(b"GET /item/3 HTTP/1.1\r\nHost: x\r\n\r\n").path
    '/item/3'
    """
    found = _HEAD.match(data)
    if found is None or found.end() > LONGEST_HEAD:
        return None
    method, path, lines = found.groups()
    headers = [(name.lower(), value) for name, value in _LINE.findall(lines)]
    length = _body_length(method, headers)
    body = data[found.end() :]
    if length is None or length < len(body):
        return None
    return PlainRequest(method.decode(), path.decode(), headers, body, length - len(body))


def _body_length(method: bytes, headers: list[tuple[bytes, bytes]]) -> int | None:
    """Return how long the body of a request is, or None if its headers are not plain."""
    names = [name for name, _ in headers]
    given = dict(headers)
    length = given.get(b"content-length", b"0")
    is_plain = (
        b"host" in given
        and _ELSEWHERE.isdisjoint(names)
        and all(names.count(name) <= 1 for name in _ONCE)
        and given.get(b"connection", b"keep-alive").lower() == b"keep-alive"
        and _DIGITS.fullmatch(length) is not None
        and int(length) <= (LONGEST_BODY if method == b"POST" else 0)
    )
    return int(length) if is_plain else None


def plain_response(
    status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes, *, is_last: bool
) -> bytes:
    """Return the bytes of a response; the last one on a connection says so."""
    lines = [b"HTTP/1.1 %d %s" % (status, _PHRASES[status])]
    lines += [b"%s: %s" % pair for pair in headers]
    if is_last:
        lines.append(b"connection: close")
    head = b"\r\n".join(lines)
    if head.count(b"\n") != len(lines) - 1 or head.count(b"\r") != len(lines) - 1:
        raise ValueError("a header has a line break")
    return b"%s\r\n\r\n%s" % (head, body)
