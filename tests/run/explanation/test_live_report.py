"""A page that follows its files, and the server that shows it."""

import json
import threading
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from kilter.core.errors import InputError, OptionError
from kilter.run.explanation.live_report import LivePage, follow, serving


def page_of(path: Path) -> LivePage:
    def make() -> str:
        text = path.read_text(encoding="utf-8")
        if "broken" in text:
            raise InputError("is broken", where=str(path))
        return f"<p>{text}</p>"

    return LivePage(make, [str(path)])


def answer(address: str, path: str, host: str | None = None) -> tuple[int, str]:
    parts = urlsplit(address)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=20)
    connection.request("GET", path, headers={"Host": host or parts.netloc})
    response = connection.getresponse()
    body = response.read().decode()
    connection.close()
    return response.status, body


def test_a_page_is_made_again_when_its_file_changes_and_only_then(tmp_path: Path) -> None:
    path = tmp_path / "system.txt"
    path.write_text("one", encoding="utf-8")
    page = page_of(path)
    page.follow()
    assert (page.version, page.html) == (1, "<p>one</p>")
    path.write_text("second", encoding="utf-8")
    page.follow()
    assert (page.version, page.html) == (2, "<p>second</p>")


def test_a_broken_file_leaves_the_last_page_and_says_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "system.txt"
    path.write_text("one", encoding="utf-8")
    page = page_of(path)
    path.write_text("broken now", encoding="utf-8")
    page.follow()
    assert (page.version, page.html) == (1, "<p>one</p>")
    assert page.problem is not None
    assert "is broken" in page.problem
    path.write_text("mended again", encoding="utf-8")
    page.follow()
    assert page.version == 2
    assert json.loads(json.dumps(page.problem)) is None


def test_a_file_that_is_gone_for_a_while_is_followed_when_it_is_back(tmp_path: Path) -> None:
    path, other = tmp_path / "system.txt", tmp_path / "other.txt"
    path.write_text("one", encoding="utf-8")
    other.write_text("x", encoding="utf-8")
    page = LivePage(lambda: path.read_text(encoding="utf-8"), [str(path), str(other)])
    other.unlink()
    page.follow()
    assert page.version == 2
    other.write_text("x", encoding="utf-8")
    page.follow()
    assert page.version == 3


def test_the_server_gives_the_newest_page_and_its_version(tmp_path: Path) -> None:
    path = tmp_path / "system.txt"
    path.write_text("one", encoding="utf-8")
    page = page_of(path)
    with serving(page, 0) as address:
        assert address.startswith("http://127.0.0.1:")
        assert answer(address, "/") == (200, "<p>one</p>")
        path.write_text("second", encoding="utf-8")
        page.follow()
        assert answer(address, "/") == (200, "<p>second</p>")
        status, told = answer(address, "/version")
        assert (status, json.loads(told)) == (200, {"version": 2, "problem": None})
        assert answer(address, "/etc/passwd")[0] == 404


def test_a_request_by_another_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "system.txt"
    path.write_text("secret", encoding="utf-8")
    with serving(page_of(path), 0) as address:
        status, text = answer(address, "/", host="evil.example:80")
        assert status == 403
        assert "secret" not in text
        port = urlsplit(address).port
        assert answer(address, "/", host=f"localhost:{port}")[0] == 200


def test_a_port_that_is_taken_is_an_error_that_says_so(tmp_path: Path) -> None:
    path = tmp_path / "system.txt"
    path.write_text("one", encoding="utf-8")
    page = page_of(path)
    with serving(page, 0) as address:
        port = urlsplit(address).port
        assert port is not None
        with pytest.raises(OptionError, match=f"port {port} cannot be used"), serving(page, port):
            raise AssertionError("two servers listen on one port")


def test_following_ends_when_it_is_told_to(tmp_path: Path) -> None:
    path = tmp_path / "system.txt"
    path.write_text("one", encoding="utf-8")
    stop = threading.Event()
    thread = threading.Thread(target=follow, args=(page_of(path), stop))
    thread.start()
    stop.set()
    thread.join(20)
    assert not thread.is_alive()
