"""Small projects, and people who use their pages without a browser."""

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from kilter.study.annotation.creation import NewProject, create_project
from kilter.study.annotation.drawn_link import DrawnLink
from kilter.study.annotation.project import Project, ProjectSentence
from kilter.study.annotation.store.annotation_store import RunningProject, open_project
from kilter.study.annotation.web.server import application
from kilter.study.annotation.web.site import site_of

SOURCE = ["I read books", "She sleeps here", "we sing"]
TARGET = ["私 は 本 を 読む", "彼女 は ここ で 寝る", "私たち は 歌う"]
ADDRESS = "http://127.0.0.1:8000"
_DATA = re.compile(r'id="sentence-data"[^>]*>(.*?)</script>', re.DOTALL)
_TOKEN = re.compile(r"\b[0-9a-f]{64}\b")


def sentence(number: int = 1, *, annotators: tuple[str, ...] = ("A", "B")) -> ProjectSentence:
    """Return one of the sentences, with a proposed link between its first words."""
    return ProjectSentence(
        number=number,
        source=SOURCE[number - 1],
        words=tuple(SOURCE[number - 1].split()),
        translation=TARGET[number - 1],
        proposals=(DrawnLink(0, 0, proposed=True, certainty=0.5),),
        annotators=annotators,
    )


def project(**settings: Any) -> Project:
    """Return a project of all sentences, which is on no disk."""
    values: dict[str, Any] = {
        "folder": Path("nowhere"),
        "title": "Links",
        "source_language": "en",
        "target_language": "ja",
        "annotators": ("A", "B"),
        "adjudicators": ("judge",),
        "sentences": tuple(sentence(number) for number in (1, 2, 3)),
    }
    return Project(**values | settings)


def texts(folder: Path, *, source: list[str] = SOURCE, target: list[str] = TARGET) -> NewProject:
    """Write texts into a folder, and return a project to be made of them, for A and B."""
    for name, lines in (("source", source), ("target", target)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return NewProject(
        source=str(folder / "source"),
        target=str(folder / "target"),
        annotators=("A", "B"),
        source_language="en",
        target_language="ja",
    )


@contextmanager
def created(
    folder: Path, new: NewProject | None = None, *, database: str | None = None
) -> Iterator[RunningProject]:
    """Make a project in a folder, and give it with its database."""
    create_project(folder / "project", new or texts(folder))
    running = open_project(folder / "project", database=database, new=True)
    try:
        yield running
    finally:
        running.store.close()


class Visitor:
    """Somebody who opens a personal link and sends what the editor sends; no server listens."""

    def __init__(self, running: RunningProject, name: str, **site: Any) -> None:
        self.site = site_of(running, **{"address": ADDRESS} | site)
        self.application = application(self.site)
        self.cookies = httpx.Cookies()
        self.opened = self.get(f"/a/{running.store.people.token(name)}")

    def ask(self, method: str, path: str, **request: Any) -> httpx.Response:
        """Return the answer to a request, as a browser with these cookies has it."""

        async def answer() -> httpx.Response:
            transport = httpx.ASGITransport(self.application)
            async with httpx.AsyncClient(
                transport=transport,
                base_url=self.site.address.origin,
                cookies=self.cookies,
                follow_redirects=True,
            ) as client:
                response = await client.request(method, path, **request)
                self.cookies = client.cookies
                return response

        return asyncio.run(answer())

    def get(self, path: str) -> httpx.Response:
        """Return a page."""
        return self.ask("GET", path)

    @property
    def token(self) -> str:
        """What forms carry to show that they come from a page of ours."""
        found = _TOKEN.search(self.get("/guidelines").text)
        assert found is not None
        return found[0]

    def post(self, path: str, **form: Any) -> httpx.Response:
        """Send JSON as a script does."""
        body = {"form_token": self.token, **form}
        return self.ask("POST", path, json=body, headers={"Accept": "application/json"})

    def data(self, path: str) -> dict[str, Any]:
        """Return what the page of an editor holds of its sentence."""
        found = _DATA.search(self.get(path).text)
        assert found is not None, path
        held: dict[str, Any] = json.loads(found[1])
        return held

    def save(self, path: str, **changes: Any) -> httpx.Response:
        """Save a sentence: a translation of two words with one link, unless changed."""
        form = {
            "version": 0,
            "translation": "x y",
            "target": ["x", "y"],
            "links": [{"source": 0, "target": 1, "sure": True}],
            "comment": "",
            "bookmark": False,
            "done": True,
            "seconds": 1.5,
        }
        return self.post(f"{path}/save", **form | changes)
