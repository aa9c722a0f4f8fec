"""Plain requests: read as a parser of all of HTTP reads them, or left to it."""

import h11
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.study.web.plain_request import plain_request, plain_response
from tests.thorough import examples

_HEADERS = (
    b"Host: x", b"host:x", b"Host : x", b"Accept:  a/b, c ", b"Cookie: a=b; c=d", b"Content-Length: 3",
    b"content-length: 4", b"Content-Length: +3", b"Transfer-Encoding: chunked", b"Connection: keep-alive",
    b"Connection: close", b"Expect: 100-continue", b"X-Odd: \xe4", b" folded: x", b"X_Low: 1", b"Empty:", b"Tab:\tx",
)  # fmt: skip
_PIECES = st.sampled_from(
    [b"\r\n", b"\n", b" ", b"\x00", b"x", b"/", b"%41", b"?q", b":", b"HTTP/1.0"]
)


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    """Return bytes that are nearly a request."""
    method = draw(st.sampled_from([b"GET", b"POST", b"HEAD", b"get"]))
    path = draw(
        st.sampled_from(
            [b"/item/3", b"/a.b/item/12", b"/item/x", b"/item/1?language=de", b"//item/1"]
        )
    )
    lines = [b"Host: x", *draw(st.lists(st.sampled_from(_HEADERS), max_size=4))]
    body = draw(st.sampled_from([b"", b"a=b", b"a=bc", b"GET /item/1 HTTP/1.1\r\nhost: x\r\n\r\n"]))
    whole = b"\r\n".join([b"%s %s HTTP/1.1" % (method, path), *lines, b"", body])
    if draw(st.booleans()):
        place = draw(st.integers(0, len(whole)))
        whole = whole[:place] + draw(_PIECES) + whole[place + draw(st.integers(0, 2)) :]
    return whole


@examples(400)
@given(data=requests())
def test_what_is_plain_is_read_as_a_parser_of_all_requests_reads_it(data: bytes) -> None:
    found = plain_request(data)
    if found is None:
        return
    parser = h11.Connection(h11.SERVER)
    parser.receive_data(data)
    request = parser.next_event()
    assert isinstance(request, h11.Request)
    assert (found.method, found.path) == (request.method.decode(), request.target.decode())
    assert found.headers == list(request.headers)
    body = b""
    event = parser.next_event()
    while isinstance(event, h11.Data):
        body += event.data
        event = parser.next_event()
    assert found.body == body
    assert isinstance(event, h11.EndOfMessage) == (found.missing == 0)
    assert parser.trailing_data[0] == b""


def test_what_browsers_send_for_an_item_and_an_answer_is_plain() -> None:
    page = (
        b"GET /survey/item/3 HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\nCookie: a=b\r\n\r\n"
    )
    found = plain_request(page)
    assert found is not None
    assert (found.method, found.path, found.missing) == ("GET", "/survey/item/3", 0)
    head = b"POST /item/3 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nOrigin: http://x\r\n\r\n"
    for sent in (b"", b"a=", b"a=bcd"):
        found = plain_request(head + sent)
        assert found is not None
        assert (found.body, found.missing) == (sent, 5 - len(sent))


@pytest.mark.parametrize(
    "odd",
    [
        b"Transfer-Encoding: chunked", b"Expect: 100-continue", b"Upgrade: websocket", b"Connection: close",
        b"Host: y", b"Content-Length: 1", b"Content-Length: 65537", b"X: " + b"x" * 17_000,
    ],
)  # fmt: skip
def test_what_could_be_read_in_two_ways_is_left_to_the_parser(odd: bytes) -> None:
    assert plain_request(b"GET /item/3 HTTP/1.1\r\nHost: x\r\n\r\n") is not None
    assert plain_request(b"GET /item/3 HTTP/1.1\r\nHost: x\r\n" + odd + b"\r\n\r\n") is None


def test_no_line_break_gets_into_a_header() -> None:
    headers = [(b"content-length", b"2")]
    said = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n%s\r\nhi"
    assert plain_response(200, headers, b"hi", is_last=False) == said % b""
    assert plain_response(200, headers, b"hi", is_last=True) == said % b"connection: close\r\n"
    for value in (b"a\r\nset-cookie: b", b"a\nb", b"a\rb"):
        with pytest.raises(ValueError, match="line break"):
            plain_response(200, [(b"x", value)], b"", is_last=False)
