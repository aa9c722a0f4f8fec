"""A study served by several processes."""

import asyncio
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from tests.study.conftest import on_every_database
from tests.study.running import ITEMS, Person, Server, authorities, example, running
from tests.thorough import tried

Address = Callable[[], str | None]
MANY = tried(200, quick=50)  # requests
_PATIENCE = 180.0  # a busy machine takes many seconds to start a process


def workers(server: Server) -> set[int]:
    """Return the numbers of the processes that serve; one more keeps account of them."""
    assert server.process is not None
    pid = server.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    return {int(child) for child in children if b"spawn_main" in _command(child)}


def _command(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return b""


def awaited(what: Callable[[], object]) -> None:
    """Return as soon as something is so."""
    end = time.monotonic() + _PATIENCE
    while not what():
        assert time.monotonic() < end
        time.sleep(0.05)


@on_every_database
def test_many_requests_at_once_are_all_answered(tmp_path: Path, database: Address) -> None:
    folder = example(tmp_path / "study")
    options = ["--workers", "4"]
    with (
        running(folder, database=database(), options=options) as server,
        Person(server.address) as person,
    ):
        awaited(lambda: len(workers(server)) == 4)
        person.join()
        person.reach_items()
        token, cookies = person.form_token, person.client.cookies

        async def ask(client: httpx.AsyncClient, number: int) -> int:
            if number % 2:
                return (await client.get("/")).status_code
            answer = {"form_token": token, "action": "save", "holistic": str(number % 5 + 1)}
            path = f"/item/{number % ITEMS + 1}"
            headers = {"accept": "application/json"}
            saved = await client.post(path, data=answer, headers=headers)
            return 200 if saved.json() == {"saved": True, "next": path} else 0

        async def all_at_once() -> list[int]:
            limits = httpx.Limits(max_connections=None)
            async with httpx.AsyncClient(
                base_url=server.address,
                cookies=cookies,
                limits=limits,
                timeout=_PATIENCE,
                verify=authorities(),
            ) as client:
                return await asyncio.gather(*(ask(client, number) for number in range(MANY)))

        assert asyncio.run(all_at_once()) == [200] * MANY
        metrics = person.get("/metrics").text
        assert "kilter_errors_total 0\n" in metrics
        assert "kilter_processes 4\n" in metrics
        assert f"kilter_answers {ITEMS}\n" in metrics


def test_a_process_that_ends_is_replaced_and_a_signal_ends_all(tmp_path: Path) -> None:
    with running(example(tmp_path / "study"), options=["--workers", "2"]) as server:
        awaited(lambda: len(workers(server)) == 2)
        first = workers(server)
        os.kill(min(first), signal.SIGKILL)
        awaited(lambda: len(workers(server) - {min(first)}) == 2)
        second = workers(server)
        with Person(server.address) as person:
            assert person.join()
        server.stop()
        assert server.process is not None
        assert server.process.wait() == 0
        assert not any(Path(f"/proc/{pid}").exists() for pid in first | second)
        log = server.log.read_text(encoding="utf-8")
    assert f"Child process [{min(first)}] died" in log
    assert "Traceback" not in log


def test_processes_do_not_outlive_the_one_that_started_them(tmp_path: Path) -> None:
    with running(example(tmp_path / "study"), options=["--workers", "2"]) as server:
        awaited(lambda: len(workers(server)) == 2)
        started = workers(server)
        server.kill()
        awaited(lambda: not any(_is_alive(pid) for pid in started))


def _is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_processes_that_cannot_begin_are_not_started_for_ever(tmp_path: Path) -> None:
    folder = example(tmp_path / "study")
    with running(folder, options=["--workers", "2"]) as server:
        awaited(lambda: len(workers(server)) == 2)
        (folder / "items.jsonl").unlink()
        for pid in workers(server):
            os.kill(pid, signal.SIGKILL)
        assert server.process is not None
        awaited(lambda: server.process is None or server.process.poll() is not None)
        assert server.process.wait() == 1
        log = server.log.read_text(encoding="utf-8")
    assert "items.jsonl: cannot be read" in log
    assert "a process cannot start" in log
    assert "Traceback" not in log


def test_processes_that_are_killed_again_and_again_are_started_again(tmp_path: Path) -> None:
    with running(example(tmp_path / "study"), options=["--workers", "2"]) as server:
        assert server.process is not None
        for _ in range(tried(15, quick=4)):
            awaited(lambda: len(workers(server)) == 2)
            os.kill(min(workers(server)), signal.SIGKILL)
            time.sleep(0.02)
        with Person(server.address) as person:
            assert person.join()
        assert server.process.poll() is None
