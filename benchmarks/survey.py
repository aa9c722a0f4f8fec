"""The web survey under load: 200 participants answer at once, and nothing is lost."""

from __future__ import annotations

import asyncio
import os
import random
import re
import tempfile
import time
from pathlib import Path

import httpx

from tests.survey.running import Person, example, running

PEOPLE = 200
ITEMS = 15
THINK_SECONDS = 5.0  # on average between two answers: faster than anybody reads
_TOKEN = re.compile(r'name="form_token" value="([0-9a-f]+)"')


async def _take_part(client: httpx.AsyncClient, link: str, seed: int) -> list[float]:
    chance = random.Random(seed)
    spent = []

    async def form(path: str, fields: dict[str, str], page: str) -> httpx.Response:
        token = _TOKEN.search(page)
        assert token is not None, page
        return await client.post(path, data={"form_token": token[1], **fields})

    page = (await client.get(link)).text
    page = (await form("/information", {}, page)).text
    names = set(re.findall(r'type="radio" name="(\w+)"', page))
    page = (await form("/consent", dict.fromkeys(names, "yes"), page)).text
    page = (await form("/about", {}, page)).text
    page = (await form("/sample", {}, page)).text
    await asyncio.sleep(chance.uniform(0, THINK_SECONDS))
    for number in range(1, ITEMS + 1):
        token = _TOKEN.search(page)
        assert token is not None, page
        for question in ("holistic", "order"):
            await asyncio.sleep(chance.expovariate(1 / THINK_SECONDS))
            fields = {question: str(chance.randint(1, 5)), "action": "save", "form_token": token[1]}
            began = time.perf_counter()
            response = await client.post(
                f"/item/{number}", data=fields, headers={"accept": "application/json"}
            )
            spent.append(time.perf_counter() - began)
            assert response.json()["saved"] is True
        page = (await client.get(f"/item/{min(number + 1, ITEMS)}")).text
    return spent


async def _load(address: str, links: list[str]) -> list[float]:
    async def one(link: str, seed: int) -> list[float]:
        async with httpx.AsyncClient(base_url=address, follow_redirects=True, timeout=60) as client:
            return await _take_part(client, link, seed)

    found = await asyncio.gather(*(one(link, seed) for seed, link in enumerate(links)))
    return sorted(second for spent in found for second in spent)


def run() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(
            0, range(os.cpu_count() or 1)
        )  # the server and its users need their own
    with tempfile.TemporaryDirectory() as folder:
        study = example(Path(folder) / "study")
        with running(study) as server, Person(server.address) as researcher:
            researcher.login()
            researcher.post("/research/extend", links=str(PEOPLE - 4))
            links = re.findall(r"/p/[\w-]+", researcher.page.text)
            assert len(links) == PEOPLE
            began = time.perf_counter()
            spent = asyncio.run(_load(server.address, links))
            seconds = time.perf_counter() - began
            table = researcher.get("/research/export/judgments.csv").text.splitlines()
    answered = sum(
        bool(cells[6]) + bool(cells[7]) for cells in (line.split(",") for line in table[1:])
    )
    assert answered == len(spent) == PEOPLE * ITEMS * 2
    print(
        f"{PEOPLE} participants at once, {len(spent):,} answers in {seconds:.0f} s, SQLite, none lost"
    )
    for share in (0.5, 0.95, 0.99):
        print(
            f"  p{100 * share:.0f}: {1000 * spent[int(share * len(spent))]:6.0f} ms until an answer is acknowledged"
        )
