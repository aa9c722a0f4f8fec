"""Nothing acknowledged is ever lost: the server dies in the middle of its work, again and again."""

import random
import subprocess
import threading
import time

import httpx
import pytest

from tests.cli.command import KILTER
from tests.study.conftest import on_every_database
from tests.study.running import PASSWORD, Person, Server, await_start, free_port
from tests.study.web.test_researcher_pages import table
from tests.thorough import tried


class Stubborn(threading.Thread):
    """Somebody who answers items until told to stop, and writes down what was acknowledged."""

    def __init__(self, person: Person, seed: int) -> None:
        super().__init__(daemon=True)
        self.person = person
        self.token = person.form_token
        self.chance = random.Random(seed)
        self.acknowledged: dict[tuple[int, str], int] = {}
        self.uncertain: dict[tuple[int, str], set[int]] = {}
        self.count = 0
        self.done = threading.Event()

    def run(self) -> None:
        while not self.done.is_set():
            position = self.chance.randint(1, 15)
            question = self.chance.choice(["holistic", "order"])
            value = self.chance.randint(1, 5)
            key = (position, question)
            try:
                response = self.person.save(
                    f"/item/{position}", self.token, **{question: str(value)}
                )
            except httpx.TransportError:
                # Nobody said whether it was saved: either value may be there.
                self.uncertain.setdefault(key, set()).add(value)
                time.sleep(0.02)
                continue
            assert response.json()["saved"] is True
            self.acknowledged[key] = value
            self.uncertain.pop(key, None)
            self.count += 1


@on_every_database
def test_every_acknowledged_answer_survives_sigkill_and_none_is_there_twice(server: Server) -> None:
    count, deaths = tried(6, quick=2), tried(5, quick=3)
    people = []
    for number in range(count):
        person = Person(server.address)
        person.join()
        person.reach_items()
        people.append(Stubborn(person, number))
    for stubborn in people:
        stubborn.start()
    chance = random.Random(1)
    for _ in range(deaths):
        before = sum(stubborn.count for stubborn in people)
        wanted = before + chance.randint(20, tried(60, quick=30))
        while sum(stubborn.count for stubborn in people) < wanted:
            assert all(stubborn.is_alive() for stubborn in people)
            time.sleep(0.002)
        server.kill()
        server.start()
    for stubborn in people:
        stubborn.done.set()
        stubborn.join()
    with Person(server.address) as researcher:
        researcher.login(PASSWORD)
        rows = table(researcher.get("/research/export/judgments.csv").text)
    places = [(row["participant"], row["position"]) for row in rows]
    assert len(places) == len({*places}) == count * 15
    checked = 0
    for stubborn in people:
        for (position, question), value in stubborn.acknowledged.items():
            page = stubborn.person.get(f"/item/{position}").text
            allowed = {value, *stubborn.uncertain.get((position, question), set())}
            assert any(f'name="{question}" value="{one}" checked' in page for one in allowed), (
                position,
                question,
                allowed,
            )
            checked += 1
        stubborn.person.client.close()
    assert checked > count * 15


def test_people_who_answer_at_once_do_not_disturb_one_another(server: Server) -> None:
    failures: list[str] = []

    def take_part(seed: int) -> None:
        chance = random.Random(seed)
        try:
            with Person(server.address) as person:
                person.join()
                person.reach_items()
                given = [(str(chance.randint(1, 5)), str(chance.randint(1, 5))) for _ in range(15)]
                for number, (holistic, order) in enumerate(given, start=1):
                    person.post(f"/item/{number}", holistic=holistic, order=order, action="next")
                for number, (holistic, order) in enumerate(given, start=1):
                    page = person.get(f"/item/{number}").text
                    assert f'name="holistic" value="{holistic}" checked' in page
                    assert f'name="order" value="{order}" checked' in page
        except Exception as error:  # noqa: BLE001 - reported by the test
            failures.append(repr(error))

    threads = [
        threading.Thread(target=take_part, args=(seed,)) for seed in range(tried(20, quick=3))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_two_servers_share_one_study(server: Server) -> None:
    # The second is the installed command, started as a user starts it.
    port = free_port()
    command = [KILTER, "survey", "serve", str(server.folder), "--port", str(port)]
    log = server.log.with_name("second.log")
    with log.open("wb") as said, subprocess.Popen(command, stdout=said, stderr=said) as second:
        try:
            await_start(second, port=port, log=log)
            with Person(server.address) as person, Person(f"http://127.0.0.1:{port}") as other:
                link = person.join()
                person.reach_items()
                person.post("/item/1", holistic="3", order="1", action="next")
                assert other.get(link).url.path == "/item/2"
                other.post("/item/2", holistic="2", order="2", action="next")
                assert 'name="holistic" value="2" checked' in person.get("/item/2").text
        finally:
            second.terminate()
