"""A survey behind nginx with TLS, as the page on deployment says."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.study import browsing
from tests.study.nginx import nginx, program, written_server
from tests.study.running import Person, Server, example, free_port, running

pytestmark = pytest.mark.skipif(
    program() is None, reason="nginx is not installed; 'make system-tools' installs it as root"
)
_ITEMS = 2

PATHS: dict[str, Callable[[str], str]] = {
    "": lambda server: server,
    # Below a path, which the proxy leaves or takes away.
    "/survey": lambda server: server.replace("location / {", "location /survey/ {"),
    "/survey/": lambda server: re.sub(
        r"location / \{(\s+proxy_pass http://127\.0\.0\.1:8000)", r"location /survey/ {\1/", server
    ),
}


@pytest.mark.parametrize("path", PATHS)
def test_a_participant_and_a_researcher_work_behind_nginx(tmp_path: Path, path: str) -> None:
    port, folder = free_port(), example(tmp_path / "study")
    (tmp_path / "nginx").mkdir()
    prefix = path.rstrip("/")
    origin = f"https://127.0.0.1:{port}"
    options = ["--proxy", "127.0.0.1", "--joins", "1"]
    with (
        running(folder, public_url=origin + prefix, options=options) as server,
        nginx(
            tmp_path / "nginx", PATHS[path](written_server()), port=port, backend=server.port
        ) as trusts,
        Person(origin + prefix, trusts=trusts) as person,
    ):
        assert person.page.status_code == 200
        assert "max-age" in person.page.headers["strict-transport-security"]
        person.client.headers["origin"] = origin
        assert person.post("/join").url.path == f"{prefix}/information"
        assert f"{origin}{prefix}/p/" in person.page.text
        assert person.post("/information").url.path == f"{prefix}/consent"
        assert person.get("/static/survey.css").status_code == 200
        assert person.get("/information/").url.path == f"{prefix}/information"
        assert person.get("/metrics").status_code == 404
        assert person.login().url.path == f"{prefix}/research"
        person.get("/withdraw")
        token = person.form_token
        person.client.headers["origin"] = (
            f"http://127.0.0.1:{port}"  # the same host without encryption
        )
        refused = person.client.post("/withdraw", data={"form_token": token, "erase": "all"})
        assert refused.status_code == 403


@dataclass
class Reached(Server):
    """A server as its users reach it: by the address of the proxy before it."""

    @property
    def address(self) -> str:
        assert self.public_url is not None
        return self.public_url


@pytest.mark.skipif(browsing.chromium() is None, reason=browsing.MISSING)
def test_people_with_a_browser_work_behind_nginx_with_tls_below_a_path(
    tmp_path: Path, chromium: Browser
) -> None:
    port, folder = free_port(), example(tmp_path / "study", items=_ITEMS)
    (tmp_path / "nginx").mkdir()
    public = f"https://127.0.0.1:{port}/survey"
    problems: list[str] = []
    # Nobody but this test knows who has signed the certificate.
    context = chromium.new_context(locale="en", ignore_https_errors=True)
    context.set_default_timeout(30_000)
    context.on(
        "request",
        lambda sent: None if sent.url.startswith(public) else problems.append(sent.url),
    )
    context.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    with (
        running(folder, public_url=public, options=["--proxy", "127.0.0.1"]) as server,
        nginx(
            tmp_path / "nginx", PATHS["/survey"](written_server()), port=port, backend=server.port
        ),
    ):
        reached = Reached(folder, None, server.port, server.log, public)
        page = context.new_page()
        assert browsing.reach_items(page, reached).startswith(f"{public}/p/")
        for number in range(1, _ITEMS + 1):
            page.locator('input[name="holistic"][value="2"]').check()
            expect(page.get_by_role("status")).to_have_text("Saved.")
            page.locator('input[name="order"][value="3"]').check()
            page.get_by_role("button", name="Next").click()
            page.wait_for_url(f"{public}/{'review' if number == _ITEMS else f'item/{number + 1}'}")
        page.get_by_role("button", name="Submit my answers").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Thank you")
        assert page.url == f"{public}/thanks"
        browsing.login(page, reached)
        assert page.url == f"{public}/research"
        with page.expect_download() as started:
            page.locator('a[href$="/export/judgments.csv"]').first.click()
        assert Path(started.value.path()).read_text(encoding="utf-8-sig").count("\n") == 1 + _ITEMS
        cookies = context.cookies()
        assert cookies
        assert all(each["secure"] and each["httpOnly"] for each in cookies), cookies
        assert {each["path"] for each in cookies} == {"/survey"}
        context.close()
    assert problems == []
