"""What the server answers where no page does."""

import asyncio
import logging
from pathlib import Path

import httpx
import pytest

from kilter.survey.store.running_study import open_study
from kilter.survey.web import participant_pages
from kilter.survey.web.server import application
from kilter.survey.web.site import site_of
from tests.survey.running import example


def answered(folder: Path, path: str, *, method: str = "GET") -> httpx.Response:
    """Return what the application of a study answers, without a server around it."""
    running = open_study(folder, database=None)

    async def ask() -> httpx.Response:
        app = application(site_of(running, address="http://survey.test"))
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://survey.test") as client:
            return await client.request(method, path)

    try:
        return asyncio.run(ask())
    finally:
        running.store.close()


def test_a_bug_is_written_down_and_nothing_of_it_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: object) -> None:
        raise RuntimeError("a secret of the server")

    monkeypatch.setattr(participant_pages, "welcome", broken)
    with caplog.at_level(logging.ERROR, logger="kilter.survey"):
        answer = answered(example(tmp_path / "study"), "/")
    assert answer.status_code == 500
    assert answer.text == "Something went wrong. What was saved before is still there."
    (record,) = caplog.records
    assert record.getMessage() == "bug in /"
    assert record.exc_info
    assert "a secret of the server" in str(record.exc_info[1])


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nowhere", 404),
        ("POST", "/nowhere", 404),
        ("GET", "/join", 405),
        ("POST", "/", 405),
    ],
)
def test_what_is_no_page_is_said_with_its_status(
    method: str, path: str, status: int, tmp_path: Path
) -> None:
    answer = answered(example(tmp_path / "study"), path, method=method)
    assert answer.status_code == status
    if method == "POST":
        assert answer.text == "There is no such page."
    else:
        assert "<h1>" in answer.text
