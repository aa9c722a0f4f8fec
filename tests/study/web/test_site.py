"""A survey behind ordinary proxies: which forms are its own, and where its pages lead."""

import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from kilter.cli.main import run
from tests.study.behind import Behind
from tests.study.running import Person, Server, asked, example, running

PUBLIC = "https://uni.example"


@pytest.fixture(scope="module")
def prefixed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve a study that participants reach below a path."""
    folder = example(tmp_path_factory.mktemp("prefixed") / "study")
    with running(folder, public_url="HTTPS://uni.example/survey/") as server:
        yield server


@pytest.mark.parametrize("inner", ["", "/survey"])
def test_forms_work_behind_a_proxy_whatever_it_calls_the_host_and_the_path(
    prefixed: Server, inner: str
) -> None:
    person = Behind(prefixed.address, origin=PUBLIC, inner=inner)
    assert person.post("/join").headers["location"] == "/survey/continue"
    assert person.get("/continue").headers["location"] == "/survey/information"
    page = person.get("/information").text
    assert f"{PUBLIC}/survey/p/" in page
    loaded = re.findall(r'(?:src|href|action)="([^"#]+)"', page)
    assert len(loaded) > 4
    assert [link for link in loaded if not link.startswith("/survey/")] == []
    assert person.post("/information").headers["location"] == "/survey/continue"
    assert person.get("/continue").headers["location"] == "/survey/consent"
    assert person.get("/static/survey.css").status_code == 200


def test_a_form_from_elsewhere_is_refused_whatever_the_host_is_called(prefixed: Server) -> None:
    person = Behind(prefixed.address, origin=PUBLIC)
    own_host = prefixed.address
    for origin in ("http://uni.example", own_host, "https://uni.example:444", "null", "http://[", "https://evil.example",
                   "https://uni.example.evil.example", f"{PUBLIC}@evil.example"):  # fmt: skip
        assert person.post("/join", origin=origin).status_code == 403, origin
    for origin in (PUBLIC, "https://uni.example:443", "HTTPS://UNI.EXAMPLE"):
        assert person.post("/join", origin=origin).status_code == 303, origin


def test_two_origins_are_none(prefixed: Server) -> None:
    with socket.create_connection(("127.0.0.1", prefixed.port)) as connection:
        lines = (
            "POST /join HTTP/1.1",
            "host: x",
            f"origin: {PUBLIC}",
            f"origin: {PUBLIC}",
            "content-length: 0",
        )
        connection.sendall("\r\n".join([*lines, "connection: close", "", ""]).encode())
        assert connection.makefile("rb").read().startswith(b"HTTP/1.1 403")


def test_cookies_are_secure_and_stay_below_the_path(prefixed: Server) -> None:
    person = Behind(prefixed.address, origin=PUBLIC)
    person.get("/?language=de")
    person.post("/join")
    person.get("/withdraw")
    person.post("/withdraw", erase="all")
    morsels = [morsel for cookie in person.seen for morsel in cookie.values()]
    assert {morsel.key for morsel in morsels} == {
        "kilter_visitor",
        "kilter_language",
        "kilter_participant",
        "kilter_link",
    }
    assert person.cookies["kilter_participant"] == person.cookies["kilter_link"] == ""
    for morsel in morsels:
        assert morsel["path"] == "/survey"
        assert morsel["secure"]
        assert morsel["httponly"]
        assert morsel["samesite"] == "lax"


def test_an_encrypted_address_is_to_be_used_always(prefixed: Server, shared_server: Server) -> None:
    for path in ("/", "/nothing", "/static/item.js", "/research"):
        answer = asked(prefixed.address + path)
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        assert "strict-transport-security" not in asked(shared_server.address + path).headers


def test_redirects_name_no_host_and_no_scheme(prefixed: Server, shared_server: Server) -> None:
    evil = {"host": "evil.example"}
    for server, root in ((prefixed, "/survey"), (shared_server, "")):
        for path, target in (
            ("/information/", "/information"),
            ("/information/?language=de", "/information?language=de"),
            ("/research///", "/research"),
            ("/p/a%2Fb%20c/", None),
            ("/p/a%20c/", "/p/a%20c"),
            ("/research", "/research/login"),
        ):
            answer = asked(server.address + path, headers=evil)
            assert answer.headers.get("location") == (None if target is None else root + target)
            assert answer.status_code == (
                404 if target is None else 303 if path == "/research" else 307
            )
        for path in ("//evil.example/", "/\\evil.example/"):
            page = asked(f"{server.address}{path}", headers=evil)
            assert page.status_code == 404
            assert re.findall(r'href="(?://|/\\|http)', page.text) == []


def test_a_prefix_that_is_a_page_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = example(tmp_path / "study")
    command = ["survey", "serve", str(folder), "--public-url", "https://uni.example/research"]
    assert run(command) == 2
    assert "/research, which is one of the pages; choose another path" in capsys.readouterr().err


def test_numbers_of_any_length_get_an_answer_of_ours(shared_server: Server) -> None:
    with Person(shared_server.address) as person:
        person.join()
        person.reach_items()
        for number in ("9" * 5000, "0" * 5000, "0" * 5000 + "99", "1_0", "\u0661", "+1", "1.0"):
            assert person.get(f"/item/{number}").status_code == 404, number[:10]
        assert person.get("/item/0001").status_code == 200
        person.login()
        for text, status in (
            ("5000", 422),
            ("0000005000", 422),
            ("0000000002", 200),
            ("9" * 5000, 422),
        ):
            person.get("/research")
            assert person.post("/research/extend", links=text).status_code == status
