"""The analysis of a study so far, one click from its dashboard."""

import asyncio
import re
import time
from pathlib import Path
from typing import NoReturn

import httpx

from kilter.cli.main import run
from kilter.study.store.running_study import RunningStudy, open_study
from kilter.study.web.request import RESEARCHER
from kilter.study.web.server import application
from kilter.study.web.site import site_of
from tests.study.running import Person, Server, example, running

PATIENCE = 120.0


def typed(folder: Path, people: int) -> None:
    """Add answers on paper, which take no time."""
    file = folder.parent / "typed.csv"
    rows = [
        f"p{person},{1 + person % 4},{place},{1 + (place + person) % 5},{1 + place % 5}"
        for person in range(people)
        for place in range(1, 16)
    ]
    head = "participant,questionnaire,position,holistic,order"
    file.write_text("\n".join([head, *rows, ""]), encoding="utf-8")
    assert run(["survey", "import", str(folder), str(file), "-q"]) == 0


def awaited(researcher: Person) -> str:
    """Wait as the script does, and return the page that follows."""
    end = time.monotonic() + PATIENCE
    headers = {"accept": "application/json"}
    while researcher.client.get("/research/analysis", headers=headers).json()["running"]:
        assert time.monotonic() < end, "the analysis has not ended"
        time.sleep(0.1)
    return researcher.get("/research/analysis").text


def test_a_click_leads_to_the_chapter_and_its_files_or_says_why_there_is_none(
    tmp_path: Path,
) -> None:
    folder = example(tmp_path / "study")
    with running(folder) as server, Person(server.address) as researcher:
        researcher.login()
        assert "Analyse the answers so far" in researcher.page.text
        researcher.post("/research/analysis")
        assert researcher.path == "/research/analysis"
        assert "are being analysed" in researcher.page.text
        assert "There is no result: " in awaited(researcher)
        typed(folder, 4)
        researcher.get("/research")
        researcher.post("/research/analysis")
        chapter = awaited(researcher)
        assert researcher.path == "/research/analysis/index.html"
        assert "<h1" in chapter
        policy = researcher.page.headers["content-security-policy"]
        assert "script-src" not in policy
        assert re.search(r"default-src 'none'; style-src 'sha256-[\w+/]+=*'; img-src data:", policy)
        files = [href for href in re.findall(r'href="([^"#]+)"', chapter) if "/" in href]
        assert len(files) > 20
        for href in files[:20:5]:
            answer = researcher.client.get(f"/research/analysis/{href}")
            assert answer.status_code == 200, href
            assert answer.content
        assert "Analysis of 2" in researcher.get("/research").text
        assert "analysed the answers" in researcher.get("/research/actions").text
        for path in ("../keys.json", "..%2Fkeys.json", "nothing.html"):
            assert researcher.get(f"/research/analysis/{path}").status_code == 404
        with Person(server.address) as stranger:
            for path in ("", "/index.html"):
                assert stranger.get(f"/research/analysis{path}").url.path == "/research/login"


def test_one_analysis_is_made_at_a_time_whoever_asks_for_another(shared_server: Server) -> None:
    store = open_study(shared_server.folder, database=None).store
    began = store.analyses.begin()
    assert began is not None
    with Person(shared_server.address) as researcher:
        researcher.login()
        researcher.post("/research/analysis")
        assert "are being analysed" in researcher.page.text
        last = store.analyses.last()
        assert last is not None
        assert last.began_at == began
        store.analyses.fail(began, "the analysis ended with -9")
        assert "the analysis ended with -9" in researcher.get("/research/analysis").text
    store.close()


def test_an_analysis_that_cannot_be_started_is_not_waited_for(running_study: RunningStudy) -> None:
    def start(_began: float) -> NoReturn:
        raise BlockingIOError(11, "no more processes")

    app = application(site_of(running_study, address="http://x", analyse=start))

    async def click() -> tuple[str, str]:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(
            transport=transport, base_url="http://x", follow_redirects=True
        ) as client:
            client.cookies.set(RESEARCHER, running_study.store.sessions.begin("researcher"))
            token = re.findall(
                r'name="form_token" value="(\w+)"', (await client.get("/research")).text
            )
            page = await client.post("/research/analysis", data={"form_token": token[0]})
            return str(page.url), page.text

    address, page = asyncio.run(click())
    assert address == "http://x/research/analysis"
    assert "the analysis could not be started" in page
    last = running_study.store.analyses.last()
    assert last is not None
    assert not last.is_running
