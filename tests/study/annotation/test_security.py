"""The pages of annotators keep what docs/survey/security.md promises of a survey's."""

import json
import stat
from collections.abc import Iterator
from typing import Any

import pytest

from kilter.study.annotation.project import KEY_FILE
from kilter.study.annotation.store.annotation_store import DATABASE_FILE, RunningProject
from kilter.study.annotation.web.request import LONGEST_BODY
from kilter.study.web.guard import HEADERS
from tests.study.annotation.projects import Visitor, created, texts

JSON = {"Accept": "application/json", "Content-Type": "application/json"}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningProject]:
    folder = tmp_path_factory.mktemp("security")
    source = ["</script><script>alert(1)</script> {{ 7 * 7 }}", "'\"><img src=x onerror=alert(2)>"]
    with created(folder, texts(folder, source=source, target=["x y z", "<!-- x"])) as made:
        yield made


@pytest.mark.parametrize(
    "path",
    ["/", "/sentences", "/sentence/1", "/nothing", "/static/annotate.css", "/health"],
)
def test_every_response_has_the_protective_headers(running: RunningProject, path: str) -> None:
    response = Visitor(running, "A").get(path)
    assert {name: response.headers[name] for name in HEADERS if name != "Cache-Control"} == {
        name: value for name, value in HEADERS.items() if name != "Cache-Control"
    }
    secure = Visitor(running, "A", address="https://links.example", is_public=True).get(path)
    assert "max-age" in secure.headers["Strict-Transport-Security"]


def test_nothing_of_a_text_becomes_a_tag_or_a_script(running: RunningProject) -> None:
    visitor = Visitor(running, "A")
    visitor.save(
        "/sentence/1",
        comment="</script><script>alert(3)",
        translation="<b>x y",
        done=False,
        version=0,
    )
    for path in ("/sentences", "/sentence/1", "/sentence/2"):
        page = visitor.get(path).text
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert "49" not in page.partition("sentence-data")[0].partition("<main")[2]
    assert visitor.data("/sentence/1")["source"][0] == "</script><script>alert(1)</script>"


def test_cookies_are_for_this_site_and_no_script(running: RunningProject) -> None:
    visitor = Visitor(running, "A", address="https://links.example/en-ja", is_public=True)
    token = running.store.people.token("A")
    cookies = visitor.opened.history[0].headers.get_list("set-cookie")
    assert len(cookies) == 2
    for cookie in cookies:
        assert {"HttpOnly", "Secure", "SameSite=lax", "Path=/en-ja"} <= {*cookie.split("; ")}
        assert token not in cookie


@pytest.mark.parametrize(
    "change",
    [
        {"form_token": "0" * 64},
        {"form_token": None},
        {"form_token": ["x"]},
        {"form_token": ""},
    ],
)
def test_a_form_without_its_token_is_refused(
    running: RunningProject, change: dict[str, Any]
) -> None:
    answer = Visitor(running, "B").save("/sentence/1", **change)
    assert (answer.status_code, answer.json()["reason"]) == (403, "forbidden")
    assert running.store.annotations.find("B", 1) is None


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:9"])
def test_a_form_of_another_origin_is_refused(running: RunningProject, origin: str) -> None:
    visitor = Visitor(running, "B")
    body = {"form_token": visitor.token, "translation": "x", "links": []}
    headers = {**JSON, "Origin": origin}
    assert visitor.ask("POST", "/sentence/1/look", json=body, headers=headers).status_code == 403
    own = {**JSON, "Origin": "http://127.0.0.1:8000"}
    assert visitor.ask("POST", "/sentence/1/look", json=body, headers=own).status_code == 200


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"\xff", 400),
        (b"[" * 100_000, 400),
        (b"NaN", 400),
        (b'{"seconds": Infinity}', 400),
        (b"[]", 422),
        (b"3", 422),
        (b"{}", 403),
        (b'{"form_token": "x"}', 403),
        (b" " * (LONGEST_BODY + 1), 413),
        (b"x" * 1_000_000, 413),
    ],
)
def test_a_body_that_is_no_form_is_refused(
    running: RunningProject, body: bytes, status: int
) -> None:
    visitor = Visitor(running, "B")
    answer = visitor.ask("POST", "/sentence/1/save", content=body, headers=JSON)
    assert answer.status_code == status
    assert answer.json()["saved"] is False
    assert answer.json()["message"]


def test_a_form_of_a_page_is_refused_as_well_as_json(running: RunningProject) -> None:
    visitor = Visitor(running, "B")
    for data in ({"form_token": visitor.token}, {"form_token": "x"}):
        answer = visitor.ask("POST", "/sentence/1/save", data=data)
        assert 400 <= answer.status_code < 500
    twice = visitor.ask(
        "POST",
        "/leave",
        content=b"form_token=a&form_token=b",
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )
    assert twice.status_code == 422


def test_nobody_without_a_visit_sees_or_saves_anything(running: RunningProject) -> None:
    visitor = Visitor(running, "A")
    token = visitor.token
    visitor.cookies.delete("kilter_annotator")
    for path in ("/sentences", "/sentence/1", "/guidelines", "/adjudicate", "/agreement"):
        assert visitor.get(path).status_code == 404
    answer = visitor.ask(
        "POST", "/sentence/1/save", content=json.dumps({"form_token": token}), headers=JSON
    )
    assert (answer.status_code, answer.json()["reason"]) == (404, "no_visit")


def test_wrong_links_of_one_address_are_limited_and_right_ones_are_not(
    running: RunningProject,
) -> None:
    visitor = Visitor(running, "A")
    statuses = [visitor.get(f"/a/wrong-{place}").status_code for place in range(31)]
    assert statuses == [404] * 30 + [429]
    assert Visitor(running, "A").opened.url.path == "/sentences"


def test_secrets_are_their_owners_alone(running: RunningProject) -> None:
    folder = running.project.folder
    for name in (KEY_FILE, DATABASE_FILE):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "path", ["/%00", "/a/%00", "/sentence/%00", "/guidelines/%00", "/static/%00"]
)
def test_a_path_with_a_zero_byte_is_no_page(running: RunningProject, path: str) -> None:
    assert Visitor(running, "A").get(path).status_code == 404
