"""What docs/survey/security.md promises, line by line."""

import asyncio
import hashlib
import json
import random
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from kilter.cli.main import run
from kilter.study.design.creation import create, read_keys, write_example
from kilter.study.store.running_study import open_study
from kilter.study.web.guard import HEADERS, login_delay
from kilter.study.web.server import application
from kilter.study.web.site import site_of
from tests.study.conftest import on_every_database
from tests.study.encrypting import encrypting
from tests.study.running import PASSWORD, Person, Server, asked, example, free_port, running
from tests.thorough import tried

PAGES = [
    "/",
    "/information",
    "/item/1",
    "/research/login",
    "/research",
    "/nothing",
    "/static/survey.css",
]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve a study whose sentences and title are hostile."""
    folder = example(tmp_path_factory.mktemp("hostile") / "study")
    items = folder / "items.jsonl"
    lines = [json.loads(line) for line in items.read_text(encoding="utf-8").split("\n") if line]
    for line in lines:
        line["hypothesis"] = "</bdi><script>alert(1)</script>\u202e{{ 7 * 7 }} '\"&"
        line["reference"] = '<img src=x onerror="alert(2)">'
    items.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    study = folder / "study.toml"
    text = study.read_text(encoding="utf-8")
    text = text.replace("Reading translated sentences", "Reading <b>bold</b> sentences")
    study.write_text(text, encoding="utf-8")
    with running(folder) as server:
        yield server


@pytest.mark.parametrize("path", PAGES)
def test_every_response_has_the_protective_headers(shared_server: Server, path: str) -> None:
    response = asked(shared_server.address + path)
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["x-frame-options"] == "DENY"
    assert "server" not in response.headers


def test_pages_load_nothing_from_elsewhere_and_have_no_inline_script(shared_server: Server) -> None:
    with Person(shared_server.address) as person:
        person.join()
        person.reach_items()
        for path in ("/", "/item/1", "/review", "/about", "/withdraw", "/research/login"):
            text = person.get(path).text
            loaded = re.findall(r'(?:src|href|action)="([^"#]*)"', text)
            assert [link for link in loaded if not link.startswith("/")] == []
            assert re.findall(r"<script(?![^>]*src=)", text) == []
            assert re.findall(r"\son\w+=", text) == []
            assert "style=" not in text


def test_sentences_and_titles_are_shown_as_text_whatever_they_hold(hostile: Server) -> None:
    with Person(hostile.address) as person:
        person.join()
        person.reach_items(
            nationality="<script>alert(3)</script>", disability="yes", disability_text="'\"><b>"
        )
        assert "&lt;script&gt;alert(1)" in person.page.text
        assert "<script>alert" not in person.page.text
        assert "<img" not in person.page.text
        assert "<b>bold</b>" not in person.page.text
        assert "{{ 7 * 7 }}" in person.page.text
        about = person.get("/about").text
        assert "<script>alert" not in about
        assert "&lt;b&gt;" in about


def test_a_form_without_its_token_or_with_another_s_is_refused(shared_server: Server) -> None:
    with Person(shared_server.address) as person, Person(shared_server.address) as other:
        person.join()
        person.reach_items()
        for token in ("", "0" * 64, other.form_token, "ä"):
            data = {"form_token": token, "holistic": "1"}
            assert person.client.post("/item/1", data=data).status_code == 403
        other.client.cookies.clear()
        assert other.client.post("/join", data={"form_token": "x"}).status_code == 403
        assert 'name="holistic" value="" checked' in person.get("/item/1").text


def test_a_form_sent_from_another_site_is_refused(shared_server: Server) -> None:
    with Person(shared_server.address) as person:
        for origin in ("https://evil.example", "null", "http://127.0.0.1:1"):
            response = person.client.post(
                "/join", data={"form_token": person.form_token}, headers={"origin": origin}
            )
            assert response.status_code == 403
        response = person.client.post(
            "/join",
            data={"form_token": person.form_token},
            headers={"origin": shared_server.address},
        )
        assert response.url.path == "/information"


def test_one_participant_never_sees_or_changes_another_s_answers(shared_server: Server) -> None:
    with Person(shared_server.address) as first, Person(shared_server.address) as second:
        first.join()
        first.reach_items(nationality="Atlantean")
        first.post("/item/1", holistic="4", order="2", action="next")
        second.join()
        second.reach_items()
        assert 'name="holistic" value="" checked' in second.get("/item/1").text
        assert "Atlantean" not in second.get("/about").text
        second.get("/item/1")
        second.post("/item/1", holistic="1", order="1", action="next", participant="1", id="1")
        assert 'name="holistic" value="4" checked' in first.get("/item/1").text


def test_nobody_without_a_token_sees_a_participant_s_page(shared_server: Server) -> None:
    for path in (
        "/continue",
        "/information",
        "/consent",
        "/about",
        "/item/1",
        "/review",
        "/thanks",
    ):
        assert asked(shared_server.address + path).status_code == 404
        forged = {"kilter_participant": "guess"}
        assert asked(shared_server.address + path, cookies=forged).status_code == 404


def test_nobody_without_a_session_sees_the_researcher_s_pages(shared_server: Server) -> None:
    for path in (
        "/research",
        "/research/links",
        "/research/actions",
        "/research/analysis",
        "/research/export/judgments.csv",
    ):
        for cookies in ({}, {"kilter_researcher": "guess"}):
            response = asked(shared_server.address + path, cookies=cookies)
            assert response.headers["location"] == "/research/login"
    with Person(shared_server.address) as person:
        for path in ("/research/pause", "/research/extend"):
            person.get("/")
            assert person.post(path, paused="yes", links="5").url.path == "/research/login"
        assert "You can take part now" in person.get("/").text


def test_wrong_passwords_are_answered_late_and_the_right_one_at_once(tmp_path: Path) -> None:
    folder = example(tmp_path / "study")
    with running(folder) as server, Person(server.address) as person:
        began = time.monotonic()
        for _ in range(5):
            assert person.login("wrong").status_code == 403
        assert time.monotonic() - began >= sum(map(login_delay, range(5))) == 3
        assert person.login(PASSWORD).url.path == "/research"


def test_wrong_links_are_limited(tmp_path: Path) -> None:
    with running(example(tmp_path / "study")) as server, Person(server.address) as person:
        codes = [person.get(f"/p/guess{number}").status_code for number in range(31)]
        assert codes == [404] * 30 + [429]


@on_every_database
def test_limits_are_shared_by_all_processes(
    tmp_path: Path, database: Callable[[], str | None]
) -> None:
    folder, address = example(tmp_path / "study"), database()
    with (
        running(folder, database=address) as first,
        running(folder, database=address) as second,
        Person(first.address) as one,
        Person(second.address) as other,
    ):
        codes = [
            person.get(f"/p/guess{number}").status_code
            for number in range(16)
            for person in (one, other)
        ]
        assert codes == [404] * 30 + [429] * 2


def test_joins_of_one_address_are_limited(tmp_path: Path) -> None:
    with running(example(tmp_path / "study"), options=["--joins", "2"]) as server:
        codes = []
        for _ in range(3):
            with Person(server.address) as person:
                codes.append(person.post("/join").status_code)
        assert codes == [200, 200, 429]


def test_a_right_link_leads_on_whatever_others_at_the_address_have_tried(tmp_path: Path) -> None:
    with running(example(tmp_path / "study")) as server, Person(server.address) as person:
        link = person.join()
        codes = [person.get(f"/p/guess{number}").status_code for number in range(31)]
        assert codes[-1] == 429
        assert person.get(link).status_code == 200
        assert person.path == "/information"


@pytest.mark.parametrize("proxy", [False, True])
def test_addresses_that_headers_name_count_if_a_known_proxy_writes_them(
    tmp_path: Path, *, proxy: bool
) -> None:
    options = ["--joins", "2", *(["--proxy", "127.0.0.1"] if proxy else [])]
    with running(example(tmp_path / "study"), options=options) as server:
        codes = []
        for number in range(3):
            with Person(server.address) as person:
                # The first is what a client wrote, the last what the proxy saw.
                person.client.headers["x-forwarded-for"] = f"10.0.1.{number}, 10.0.0.{number}"
                codes.append(person.post("/join").status_code)
        assert codes == [200, 200, 200 if proxy else 429]
        with Person(server.address) as person:
            person.client.headers["x-forwarded-for"] = "10.0.0.0"
            codes = []
            for number in range(2):
                person.client.headers["x-forwarded-for"] = f"10.9.9.{number}, 10.0.0.0"
                person.client.cookies.clear()
                person.get("/")
                codes.append(person.post("/join").status_code)
            assert codes == ([200, 429] if proxy else [429, 429])


def test_large_and_broken_forms_are_refused(shared_server: Server) -> None:
    with Person(shared_server.address) as person:
        token = person.form_token
        large = person.client.post("/join", data={"form_token": token, "x": "y" * 70_000})
        assert large.status_code == 413
        many = {f"field{number}": "x" for number in range(400)}
        assert person.client.post("/join", data={"form_token": token, **many}).status_code == 400
        for twice in (f"form_token={token}&x=1&x=2", f"form_token={token}&x=%00"):
            assert person.client.post("/join", content=twice).status_code == 422
        broken = person.client.post("/join", content=b"form_token=%ff%fe")
        assert broken.status_code == 400


@pytest.mark.parametrize(
    "path",
    ["/static/..%2fserver.py", "/static/%2e%2e/server.py", "/static/item.js%00", "/research/export/..%2fkeys.json", "/p/..%2f..%2fkeys.json"],
)  # fmt: skip
def test_paths_lead_to_nothing_but_pages(shared_server: Server, path: str) -> None:
    with Person(shared_server.address) as person:
        person.login()
        response = person.get(path)
        assert response.status_code == 404
        assert "secret" not in response.text


@on_every_database
def test_a_path_with_a_zero_byte_is_no_page(server: Server) -> None:
    with Person(server.address) as person:
        person.login()
        for path in (
            "",
            "item/",
            "p/",
            "static/",
            "research/",
            "research/export/",
            "research/analysis/",
        ):
            assert person.get(f"/{path}%00").status_code == 404, path
            assert {*person.page.headers} >= {name.lower() for name in HEADERS}


def test_methods_that_no_page_has_are_refused(shared_server: Server) -> None:
    for method in ("PUT", "DELETE", "PATCH", "TRACE", "OPTIONS"):
        assert asked(f"{shared_server.address}/item/1", method=method).status_code == 405
    assert asked(f"{shared_server.address}/nothing", method="POST").status_code == 404


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(tmp_path: Path) -> None:
    folder = example(tmp_path / "study")
    with running(folder) as server, Person(server.address) as person:
        response = person.client.get("/")
        person.client.cookies.clear()
        response = person.client.get("/")
        (cookie,) = response.headers.get_list("set-cookie")
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie


def test_behind_an_encrypting_server_every_cookie_is_secure(tmp_path: Path) -> None:
    folder = example(tmp_path / "study")
    port = free_port()
    address = f"https://127.0.0.1:{port}"
    with (
        running(folder, public_url=address) as server,
        encrypting(port, server.port) as trusts,
        Person(address, trusts=trusts) as person,
    ):
        seen = set()

        def look(response: httpx.Response) -> None:
            for cookie in response.headers.get_list("set-cookie"):
                seen.add(cookie.partition("=")[0])
                assert "; Secure" in cookie
                assert "HttpOnly" in cookie

        person.client.event_hooks = {"response": [look]}
        person.client.cookies.clear()
        person.get("/?language=de")
        person.join()
        assert address in person.page.text  # the personal link, as participants reach it
        person.reach_items()
        person.post("/item/1", holistic="4", order="2")
        assert person.path == "/item/2"
        assert person.login().url.path == "/research"
        names = ("visitor", "participant", "link", "language", "researcher")
        assert seen == {f"kilter_{name}" for name in names}
        left = {cookie.name for cookie in person.client.cookies.jar if cookie.secure}
        assert left == seen - {"kilter_link"}  # which goes with the information sheet


def test_the_database_and_the_log_hold_no_token_and_no_password(tmp_path: Path) -> None:
    folder = example(tmp_path / "study")
    with running(folder) as server, Person(server.address) as person:
        link = person.join()
        token = link.removeprefix("/p/")
        person.reach_items(nationality="Atlantean")
        person.get(link)
        person.get("/p/a-wrong-token")
        with Person(server.address) as researcher:
            researcher.login("a wrong password")
            researcher.login()
            session = researcher.client.cookies["kilter_researcher"]
        server.stop()
        log = server.log.read_text(encoding="utf-8")
        stored = b"".join(path.read_bytes() for path in folder.glob("answers.db*"))
    for secret in (token, session, PASSWORD, "a-wrong-token", "a wrong password"):
        assert secret not in log
        assert secret.encode() not in stored
    assert "Atlantean" not in log
    assert "127.0.0.1" not in log.split("\n", 2)[2]
    assert hashlib.sha256(token.encode()).hexdigest().encode() in stored
    assert "GET /p/{token} 303" in log


def test_what_was_erased_is_not_left_in_the_file(tmp_path: Path) -> None:
    folder = example(tmp_path / "study")
    with running(folder) as server, Person(server.address) as person:
        person.join()
        person.reach_items(nationality="Atlantean")
        assert b"Atlantean" in stored(folder)
        person.get("/withdraw")
        person.post("/withdraw", erase="all")
        assert "Everything you gave us is erased." in person.page.text
        assert "log of the database" not in person.page.text
        assert b"Atlantean" not in stored(folder)


def test_what_is_erased_by_command_is_gone_while_the_server_runs(tmp_path: Path) -> None:
    folder = example(tmp_path / "study")
    with running(folder) as server, Person(server.address) as person:
        link = person.join()
        person.reach_items(nationality="Atlantean")
        assert run(["survey", "erase", str(folder), link, "--judgments"]) == 0
        assert b"Atlantean" not in stored(folder)


def test_a_reader_who_keeps_what_was_erased_is_spoken_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kilter.study.store.erasure._SETTLE_SECONDS", 0.3)
    folder = example(tmp_path / "study")
    with (
        running(folder) as server,
        Person(server.address) as first,
        Person(server.address) as second,
    ):
        link = first.join()
        first.reach_items(nationality="Atlantean")
        second.join()
        reader = sqlite3.connect(folder / "answers.db", isolation_level=None)
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM participant").fetchone() == (6,)
        assert run(["survey", "erase", str(folder), link]) == 0
        assert "left: a copy in the write-ahead log (-wal)" in capsys.readouterr().out
        second.get("/withdraw")
        second.post("/withdraw", erase="personal")
        assert "One copy is still in a log of the database" in second.page.text
        assert b"Atlantean" in stored(folder)
        reader.close()
        assert run(["survey", "status", str(folder)]) == 0
        assert b"Atlantean" not in stored(folder)


def test_the_file_is_completed_regularly_and_when_the_server_ends(tmp_path: Path) -> None:
    folder = example(tmp_path / "study")
    log = folder / "answers.db-wal"
    opened = open_study(folder, database=None)
    app = application(site_of(opened, address="http://127.0.0.1"), settle_seconds=0.05)

    def is_empty() -> bool:
        return log.stat().st_size == 0

    async def live() -> None:
        async with app.router.lifespan_context(app):
            opened.store.participants.join()
            while not is_empty():  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.02)

    asyncio.run(asyncio.wait_for(live(), timeout=30))
    with running(folder) as server, Person(server.address) as person:
        person.join()
        person.reach_items(nationality="Atlantean")
        assert b"Atlantean" not in (folder / "answers.db").read_bytes()
        server.stop()
        assert b"Atlantean" in (folder / "answers.db").read_bytes()
        assert not log.exists()


def stored(folder: Path) -> bytes:
    """Return all that is on disk of the database."""
    return b"".join(path.read_bytes() for path in folder.glob("answers.db*"))


def test_the_keys_of_a_study_are_for_their_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    write_example(folder)
    create(folder, password=PASSWORD)
    assert (folder / "keys.json").stat().st_mode & 0o777 == 0o600
    assert PASSWORD not in (folder / "keys.json").read_text(encoding="utf-8")
    assert read_keys(folder).accounts["researcher"].startswith("scrypt$65536$8$1$")


def test_the_answers_are_for_their_owner_only(tmp_path: Path) -> None:
    folder = example(tmp_path / "study")
    opened = open_study(folder, database=None)
    opened.store.participants.join()
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.glob("answers.db*")}
    opened.store.close()
    assert modes == {f"answers.db{end}": 0o600 for end in ("", "-wal", "-shm")}


def test_whatever_is_sent_the_server_answers_and_never_fails(tmp_path: Path) -> None:
    chance = random.Random(7)
    paths = ["/", "/join", "/continue", "/information", "/consent", "/about", "/sample", "/item/1", "/item/0",
             "/item/99999999999999999999", "/item/-1", "/item/x", "/review", "/submit", "/thanks", "/withdraw",
             "/research", "/research/login", "/research/links", "/research/pause", "/research/extend",
             "/research/export/items.csv", "/research/close", "/research/analysis",
             "/research/analysis/x", "/static/item.js", "/p/", "/p/x"]  # fmt: skip
    names = ["holistic", "order", "action", "visit", "opened", "erase", "age", "languages_1_name", "gender",
             "takes_part", "password", "links", "open_places", "paused", "form_token", "\x00", "ä"]  # fmt: skip
    values = ["", "1", "-1", "9" * 400, "1e309", "nan", "yes", "next", "\x00", "\ud7ff", "=1", "' OR 1=1 --",
              "<script>", "x" * 3000, "\u202e", "💥", "all", "\u0661"]  # fmt: skip
    with running(example(tmp_path / "study")) as server, Person(server.address) as person:
        person.join()
        person.reach_items()
        token = person.form_token
        for _ in range(tried(400, quick=100)):
            fields = {
                chance.choice(names): chance.choice(values) for _ in range(chance.randint(0, 6))
            }
            headers = {"accept": chance.choice(["*/*", "application/json", "text/html"])}
            headers["accept-language"] = chance.choice(["en", "de", "x" * 500, ";;,,", "zz"])
            path = chance.choice([path for path in paths if path not in ("/submit", "/withdraw")])
            if chance.random() < 0.5:
                response = person.client.get(path, params=fields, headers=headers)
            else:
                data = {**fields, "form_token": token}
                response = person.client.post(path, data=data, headers=headers)
            assert response.status_code < 500, (path, fields, response.text)
        assert "Traceback" not in server.log.read_text(encoding="utf-8")
