"""Odd requests to a survey that is served: every route, with whatever bytes a connection can carry."""

from __future__ import annotations

import re
import socket
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import quote_plus

from starlette.routing import Route

from kilter.study.store.running_study import open_study
from kilter.study.web.guard import HEADERS
from kilter.study.web.server import application
from kilter.study.web.site import site_of
from tests.study.running import PASSWORD, Person, Server, example, running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

ROUND = 40  # requests of one participant and one researcher
PUBLIC = "https://survey.example"
_PATIENCE = 60.0  # seconds until a check gives up, far beyond what any answer takes
_MARK = b"kz7"
"""Part of all that people say here, and of many an odd byte: no log may hold it, no page as a tag."""
_ABOUT = {"nationality": "kz7land", "disability": "yes", "disability_text": "kz7 ache", "age": "30"}

_LINE = re.compile(
    rb"[-\d]+ [\d:,]+ (?:"
    rb"(?:GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS|TRACE|unknown) (?:/[-\w./{}:]*|unknown)"
    rb" (?:\d{3} [\d.]+ ms|ended by the client)"
    rb"|Invalid HTTP request received\.|Unsupported upgrade request\."
    rb"|No supported WebSocket library detected\.[ -~]*)"
)
"""A line of the log: method, route, status and time, or what uvicorn says of bytes that it cannot read."""

_PLACE = re.compile(r"\{[^}]*\}")
METHODS = [b"GET", b"POST", b"HEAD", b"PUT", b"DELETE", b"PATCH", b"OPTIONS", b"TRACE", b"CONNECT", b"kz7", b"get", b"<kz7>", b""]  # fmt: skip
PARTS = [
    b"1", b"2", b"15", b"0", b"-1", b"9" * 5000, b"0" * 6000 + b"1", b"0000005000", b"9" * 40_000, b"%00",
    b"1%00", b"%", b"%z", b"%ff%fe", b"\xff", b"\x00", b"%D9%A1", b"1%0d%0aset-cookie:%20a=kz7", b"%3Ckz7%3E",
    b"<kz7>", b"..%2f..%2fkeys.json", b"../keys.json", b"..", b".", b"", b"x" * 3000, b"kz7" * 40, b"%2f%2fevil.example",
    b"//evil.example", b"\\evil.example", b"judgments.csv", b"participants.csv", b"items.csv", b"survey.css",
    b"item.js", b"index.html", b"1?visit=kz7", b"1;kz7", b"1#kz7", b"1 kz7", b"%F0%9F%92%A5",
]  # fmt: skip
TARGETS = [
    b"*", b"", b"//", b"//evil.example/", b"//evil.example/..", b"http://evil.example/", b"/%2e%2e/keys.json",
    b"/static/../../keys.json", b"/item/1/", b"/research/", b"/?language=%00", b"/?language=<kz7>&language=de",
    b"/?" + b"a=b&" * 2000, b"/nothing/kz7", b"/%", b"kz7:80", b"/information//", b"/%0d%0akz7: 1",
]  # fmt: skip
VERSIONS = [b"HTTP/1.1"] * 20 + [b"HTTP/1.0", b"HTTP/0.9", b"HTTP/2.0", b"HTTP/kz7", b""]
ADDRESSES = [
    b"null", b"https://evil.example", b"http://survey.example", b"https://survey.example:443", b"https://survey.example:99999",
    b"https://survey.example:x", b"https://[", b"https://[::1", b"https://kz7@survey.example", b"https://survey.example/",
    b"https://survey.example\xff", b"https://survey.example:\xd9\xa3", b"//survey.example", b"kz7", b"", b"https://" + b"a" * 9000,
    b"https://survey.example https://evil.example", b"https://xn--a", b"https://survey.example\x00",
]  # fmt: skip
HOSTS = [
    b"evil.example",
    b"survey.example:99999",
    b"[::1",
    b"",
    b"\xff",
    b"kz7<>",
    b"a" * 5000,
    b"a b",
    b"a\x00",
]
OTHERS = [
    (b"accept", b"application/json"), (b"accept", b"kz7/*;q=x"), (b"accept-language", b"de"),
    (b"accept-language", b";;,,=" * 900), (b"accept-language", b"\xff\xfe,kz7"), (b"content-encoding", b"gzip"),
    (b"content-type", b"application/json"), (b"content-type", b"multipart/form-data; boundary=kz7"),
    (b"content-type", b"multipart/form-data"), (b"content-type", b"\xff/kz7; charset=utf-99"),
    (b"content-type", b"application/x-www-form-urlencoded; charset=utf-16"), (b"expect", b"100-continue"),
    (b"expect", b"kz7"), (b"range", b"bytes=0-5"), (b"range", b"bytes=-"), (b"range", b"bytes=9-1,kz7"),
    (b"range", b"bytes=" + b"0-1," * 900), (b"if-none-match", b"*"), (b"if-modified-since", b"kz7"), (b"if-range", b"kz7"),
    (b"upgrade", b"websocket"), (b"upgrade", b"h2c"), (b"x-forwarded-proto", b"http"), (b"x-forwarded-proto", b"kz7"),
    (b"x-forwarded-host", b"evil.example"), (b"x-forwarded-for", b"kz7"), (b"x-forwarded-for", b",,\xff,"),
    (b"forwarded", b"for=kz7;host=evil.example"), (b"x-http-method-override", b"DELETE"), (b"x-original-url", b"/research"),
    (b"kz7", b"kz7" * 3000), (b"bad name", b"kz7"), (b"x-nul", b"\x00"), (b"x-fold", b"a\r\n kz7"),
]  # fmt: skip
COOKIES = [
    b"kilter_visitor=kz7", b'kilter_visitor="', b'kilter_participant="\\073kz7"', b"kilter_participant=\xff",
    b"kilter_participant=" + b"9" * 9000, b"kilter_researcher=kz7", b"kilter_language=../../kz7", b"kilter_language=de",
    b"kilter_link=<kz7>", b"kilter_link=//evil.example", b"=;=;;", b"kilter_visitor", b"a=b; " * 2000, b"\x00",
]  # fmt: skip
NAMES = [
    "holistic", "order", "action", "visit", "opened", "erase", "age", "languages_1_name", "gender", "takes_part",
    "nationality", "password", "account", "links", "open_places", "paused", "name", "group", "form_token", "kz7", "ä", "",
]  # fmt: skip
VALUES = [
    "", "1", "-1", "0000005000", "9" * 5000, "1e309", "nan", "yes", "no", "next", "save", "all", "personal", "\x00",
    "\ud7ff", "=1+kz7", "' OR 1=1 --kz7", "<kz7>", "kz7" * 1000, "\u202e", "💥", "\u0661", "//evil.example", "2000-13-32",
]  # fmt: skip
BODIES = [
    b"", b"=", b"&&&", b"%", b"a=%ff", b"\xff\xfe", b"a=\x00", b'{"holistic": 1}', b"[" * 9000, b"holistic=1&holistic=2",
    b"a=b&" * 400, b"a=" + b"b" * 70_000, b'--kz7\r\ncontent-disposition: form-data; name="a"\r\n\r\nkz7\r\n--kz7--\r\n',
]  # fmt: skip


@dataclass
class Target:
    """A survey behind a proxy that encrypts, and its routes."""

    server: Server
    routes: list[Route]
    checked: int = 0  # bytes of the log


@dataclass
class Sent:
    """The bytes of a request; one that never ends need not be answered."""

    data: bytes
    is_whole: bool


@contextmanager
def target() -> Iterator[Target]:
    """Serve the example study."""
    with TemporaryDirectory() as name:
        folder = example(Path(name) / "study")
        opened = open_study(folder, database=None)
        app = application(site_of(opened, address=PUBLIC))
        routes = [route for route in app.routes if isinstance(route, Route)]
        opened.store.close()
        # Every request has an address of its own, so that wrong passwords are not answered late.
        options = ["--proxy", "127.0.0.1", "--joins", "1000000"]
        with running(folder, public_url=PUBLIC, options=options) as server:
            yield Target(server, routes)


@contextmanager
def _person(server: Server) -> Iterator[Person]:
    """Give somebody whose cookies go back although the proxy, which encrypts, is not there."""
    with Person(server.address) as person:
        for cookie in person.client.cookies.jar:
            cookie.secure = False
        person.client.event_hooks["response"] = [lambda _: _unsecured(person)]
        person.client.headers["origin"] = PUBLIC
        yield person


def _unsecured(person: Person) -> None:
    for cookie in person.client.cookies.jar:
        cookie.secure = False


def check(chance: Random, on: Target) -> None:
    """Let two people use the survey and send odd requests as one of them; look at answers and the log."""
    people = [_researcher(on.server), _participant(on.server, is_at_items=chance.random() < 0.8)]
    for _ in range(ROUND):
        cookies, token = chance.choice(people)
        sent = drawn(chance, on, cookies=cookies, token=token)
        _check_answer(sent, _answer(on.server.port, sent))
    _check_log(on)


def check_parts(on: Target, path: str) -> None:
    """Ask for every odd end of a path, as the one who may see it, with nothing else that is odd."""
    is_research = path.startswith("/research")
    person = _researcher(on.server) if is_research else _participant(on.server, is_at_items=True)
    cookies = "; ".join(f"{name}={value}" for name, value in person[0].items())
    for part in PARTS:
        place = part.join(piece.encode() for piece in _PLACE.split(path))
        head = f"HTTP/1.1\r\nhost: survey.example\r\ncookie: {cookies}\r\nconnection: close\r\n\r\n"
        sent = Sent(b"GET %b %b" % (place, head.encode()), is_whole=True)
        _check_answer(sent, _answer(on.server.port, sent))
    _check_log(on)


def _researcher(server: Server) -> tuple[dict[str, str], str]:
    """Log in and undo what was done before; return cookies and the token of forms."""
    with _person(server) as person:
        person.login()
        person.post("/research/pause", paused="no")
        person.post("/research/extend", open_places="1")
        assert "kilter_researcher" in person.client.cookies, person.page.text
        return dict(person.client.cookies), person.form_token


def _participant(server: Server, *, is_at_items: bool) -> tuple[dict[str, str], str]:
    """Take part; return cookies and the token of forms."""
    with _person(server) as person:
        person.join()
        if is_at_items:
            person.reach_items(**_ABOUT)
        return dict(person.client.cookies), person.form_token


def drawn(chance: Random, on: Target, *, cookies: dict[str, str], token: str) -> Sent:
    """Return a request to some route, odd in some places."""
    route = chance.choice(on.routes)
    method = chance.choice(sorted(route.methods or ["GET"])).encode()
    if chance.random() < 0.2:
        method = chance.choice(METHODS)
    place = chance.choice(PARTS).join(piece.encode() for piece in _PLACE.split(route.path))
    if chance.random() < 0.15:
        place = chance.choice(TARGETS)
    if route.path == "/research/analysis" and method == b"POST":
        cookies = {}  # a chapter takes a minute, and is made by a process of its own
    body, length = _body(chance, token)
    lines = [
        b" ".join([method, place, chance.choice(VERSIONS)]),
        *_headers(chance, cookies),
        b"connection: close",
    ]
    is_whole = True
    match chance.randrange(30):
        case 0:
            lines.append(b"transfer-encoding: chunked")
            is_whole = chance.random() < 0.5
            body = b"%x\r\n%b\r\n" % (len(body), body) if body else b""
            body += b"0\r\n\r\n" if is_whole else b"5\r\nkz7"
        case 1:
            lines.append(
                b"content-length: " + chance.choice([b"-1", b"1e3", b"kz7", b"", b"9" * 50])
            )
            is_whole = False
        case 2:
            lines += [b"content-length: %d" % length, b"content-length: %d" % (length + 1)]
            is_whole = False
        case 3:
            lines.append(b"content-length: %d" % (length + chance.randrange(1, 100)))
            is_whole = False
        case 4:
            pass
        case _:
            lines.append(b"content-length: %d" % length)
    return Sent(b"\r\n".join([*lines, b"", b""]) + body, is_whole)


def _headers(chance: Random, cookies: dict[str, str]) -> list[bytes]:
    address = b".".join(b"%d" % chance.randrange(256) for _ in range(4))
    headers = [(b"x-forwarded-for", address)]
    headers.append((b"host", chance.choice(HOSTS) if chance.random() < 0.15 else b"survey.example"))
    if chance.random() < 0.03:
        headers.append((b"host", b"evil.example"))
    if chance.random() < 0.3:
        headers.append((b"origin", chance.choice(ADDRESSES)))
    if chance.random() < 0.8:
        headers.append((b"origin", PUBLIC.encode()))
    own = "; ".join(f"{name}={value}" for name, value in cookies.items()).encode()
    given = [own] if chance.random() < 0.85 else []
    if chance.random() < 0.2:
        given.insert(chance.randrange(2), chance.choice(COOKIES))
    if given:
        headers.append((b"cookie", b"; ".join(given)))
    if chance.random() < 0.1:
        headers.append((b"referer", chance.choice(ADDRESSES)))
    headers += chance.sample(OTHERS, chance.choice([0, 0, 0, 1, 2]))
    chance.shuffle(headers)
    return [name + b": " + value for name, value in headers]


def _body(chance: Random, token: str) -> tuple[bytes, int]:
    """Return a form, most of them with the token that lets it in, and its length."""
    fields = [(chance.choice(NAMES), chance.choice(VALUES)) for _ in range(chance.randrange(5))]
    if chance.random() < 0.9:
        fields.append(("form_token", token))
    body = "&".join(f"{quote_plus(name)}={quote_plus(value)}" for name, value in fields).encode()
    if chance.random() < 0.2:
        body = chance.choice([b"", f"form_token={token}&".encode()]) + chance.choice(BODIES)
    return body, len(body)


def _answer(port: int, sent: Sent) -> bytes:
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE) as connection:
        try:
            connection.sendall(sent.data)
            if not sent.is_whole:
                connection.shutdown(socket.SHUT_WR)
            while piece := connection.recv(65536):
                received += piece
        except ConnectionError:  # answered, and closed, before all of the request had come
            pass
    return received


def _check_answer(sent: Sent, answer: bytes) -> None:
    """Check that an answer is one of ours: no error, all protective headers, nothing that was sent as a tag."""
    shown = sent.data[:600], answer[:1200]
    while answer.startswith(b"HTTP/1.1 100 "):
        answer = answer.partition(b"\r\n\r\n")[2]
    if not answer:
        assert not sent.is_whole or len(sent.data) > 60_000, shown
        return
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    status = int(first.split(b" ")[1])
    assert 200 <= status < 500, shown
    headers = {
        name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines)
    }
    for name, value in HEADERS.items():
        found = headers.get(name.lower().encode())
        assert found is not None, (name, shown)
        assert found == value.encode() or name == "Cache-Control", (name, shown)
    assert b"max-age" in headers[b"strict-transport-security"], shown
    assert b"server" not in headers, shown
    assert b"kz7" not in headers, shown
    where = headers.get(b"location", b"/")
    assert re.match(rb"/(?![/\\])", where), shown
    for line in lines:
        if line.lower().startswith(b"set-cookie:"):
            assert line.lower().startswith(b"set-cookie: kilter_"), shown
            assert all(word in line for word in (b"HttpOnly", b"SameSite=lax", b"Secure")), shown
    assert b"Traceback" not in body, shown
    if headers.get(b"content-type", b"").startswith(b"text/html"):
        assert b"<" + _MARK not in body, shown
        assert b'"//evil' not in body, shown


def _check_log(on: Target) -> None:
    """Check that every line of the log is one of those there may be: none has room for anything else."""
    written = on.server.log.read_bytes()
    if on.checked == 0:
        # What the command says where it listens comes first.
        on.checked = re.search(rb"^[-\d]+ [\d:,]+ ", written, re.MULTILINE).start()  # type: ignore[union-attr]
    lines = written[on.checked :].split(b"\n")
    on.checked = len(written) - len(lines[-1])
    for line in lines[:-1]:
        assert _LINE.fullmatch(line), line
        assert _MARK not in line, line
        assert PASSWORD.encode() not in line, line
