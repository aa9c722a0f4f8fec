"""Nothing acknowledged is ever lost: the server dies while annotators save, again and again."""

import random
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from kilter.study.annotation.creation import create_project
from kilter.study.annotation.store.annotation_store import open_project
from tests.study.annotation.projects import texts
from tests.study.running import authorities, running
from tests.thorough import tried

_TOKEN = re.compile(r"\b[0-9a-f]{64}\b")


class Stubborn(threading.Thread):
    """An annotator who saves one sentence until told to stop, and remembers what was acknowledged."""

    def __init__(self, address: str, link: str, number: int) -> None:
        super().__init__(daemon=True)
        self.client = httpx.Client(
            base_url=address, verify=authorities(), follow_redirects=True, timeout=60
        )
        page = self.client.get(link)
        found = _TOKEN.search(self.client.get(f"/sentence/{number}").text)
        assert found is not None, page.text
        self.token = found[0]
        self.number = number
        self.version = 0
        self.acknowledged = ""
        self.uncertain: set[str] = set()
        self.count = 0
        self.faults: list[str] = []
        self.done = threading.Event()

    def run(self) -> None:
        for attempt in range(100_000):
            if self.done.is_set():
                return
            comment = f"{self.number} {attempt}"
            try:
                response = self.client.post(
                    f"/sentence/{self.number}/save",
                    json=self.form(comment),
                    headers={"accept": "application/json"},
                )
            except httpx.TransportError:
                # Nobody said whether it was saved: either may be there.
                self.uncertain.add(comment)
                time.sleep(0.02)
                continue
            answer = response.json()
            if response.status_code == 409:
                if answer["comment"] not in self.uncertain:
                    self.faults.append(f"{answer['comment']} was never sent without an answer")
                self.version = answer["version"]
                continue
            if not answer["saved"] or answer["version"] != self.version + 1:
                self.faults.append(str(answer))
            self.version = answer["version"]
            self.acknowledged = comment
            self.uncertain.clear()
            self.count += 1

    def form(self, comment: str) -> dict[str, Any]:
        return {
            "form_token": self.token,
            "version": self.version,
            "translation": "x y",
            "target": ["x", "y"],
            "links": [{"source": 0, "target": 0, "sure": True}],
            "comment": comment,
            "bookmark": False,
            "done": False,
            "seconds": 0,
        }


def test_every_acknowledged_save_survives_sigkill(
    tmp_path: Path, database: Callable[[], str | None]
) -> None:
    create_project(tmp_path / "project", texts(tmp_path))
    address = database()
    opened = open_project(tmp_path / "project", database=address, new=True)
    links = [f"/a/{opened.store.people.token(name)}" for name in ("A", "B")]
    opened.store.close()
    chance = random.Random(1)
    with running(tmp_path / "project", group="annotate", database=address) as server:
        people = [
            Stubborn(server.address, links[place % 2], place // 2 + 1)
            for place in range(tried(6, quick=2))
        ]
        for person in people:
            person.start()
        for _ in range(tried(12, quick=5)):
            wanted = sum(person.count for person in people) + chance.randint(5, 25)
            while sum(person.count for person in people) < wanted:
                assert all(person.is_alive() for person in people)
                time.sleep(0.002)
            server.kill()
            server.start()
        for person in people:
            person.done.set()
            person.join()
            person.client.close()
    opened = open_project(tmp_path / "project", database=address)
    for place, person in enumerate(people):
        assert person.faults == []
        stored = opened.store.annotations.find("AB"[place % 2], person.number)
        assert stored is not None
        assert stored.comment in {person.acknowledged, *person.uncertain}
        assert stored.version >= person.version
        assert person.count > 0
    opened.store.close()
