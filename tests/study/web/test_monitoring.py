"""Whether the server works, and its numbers."""

import sqlite3
from pathlib import Path

from tests.study.running import Person, asked, example, running


def numbers(text: str) -> dict[str, int]:
    """Return the numbers of a page by their names; what is not a number fails."""
    lines = [line for line in text.split("\n") if line and not line.startswith("#")]
    return {name: int(number) for name, _, number in (line.rpartition(" ") for line in lines)}


def test_the_server_says_what_it_has_done_and_names_nobody(tmp_path: Path) -> None:
    with running(example(tmp_path / "study")) as server, Person(server.address) as person:
        codes = [200, 200]  # the first page, and the next
        person.client.event_hooks = {"response": [lambda answer: codes.append(answer.status_code)]}
        health = asked(f"{server.address}/health")
        assert (health.status_code, health.json()) == (200, {"status": "ok"})
        assert "set-cookie" not in health.headers
        person.join()
        person.reach_items(nationality="Atlantean")
        person.post("/item/1", holistic="4", order="2")
        assert person.get("/nothing").status_code == 404
        page = asked(f"{server.address}/metrics")
    assert "Atlantean" not in page.text
    found = numbers(page.text)
    assert found["kilter_participants"] == 5
    assert found["kilter_participants_informed"] == found["kilter_participants_sampled"] == 1
    assert found["kilter_participants_submitted"] == found["kilter_participants_withdrawn"] == 0
    assert found["kilter_answers"] == 2
    assert found["kilter_processes"] == 1
    assert found["kilter_errors_total"] == 0
    for first in range(1, 6):
        expected = sum(code // 100 == first for code in codes)
        assert found[f'kilter_responses_total{{status="{first}xx"}}'] == expected


def test_a_database_that_fails_is_bad_health_and_counted(tmp_path: Path) -> None:
    folder = example(tmp_path / "study")
    with running(folder) as server:
        with sqlite3.connect(folder / "answers.db") as connection:
            connection.execute("ALTER TABLE state RENAME TO gone")
        connection.close()
        health = asked(f"{server.address}/health")
        assert (health.status_code, health.json()["status"]) == (
            503,
            "the database does not answer",
        )
        assert asked(server.address).status_code == 500
        found = numbers(asked(f"{server.address}/metrics").text)
        assert found["kilter_errors_total"] == 1
        assert found['kilter_responses_total{status="5xx"}'] == 2


def test_numbers_are_for_this_side_of_the_proxy(tmp_path: Path) -> None:
    public = "https://uni.example/survey"
    with running(example(tmp_path / "study"), public_url=public) as server:
        for path, header, status in (
            ("/metrics", {}, 200),
            ("/survey/metrics", {}, 404),
            ("/metrics", {"X-Forwarded-For": "192.0.2.1"}, 404),
            ("/metrics", {"Forwarded": "for=192.0.2.1"}, 404),
            ("/metrics", {"Via": "1.1 proxy"}, 404),
            ("/survey/health", {"X-Forwarded-For": "192.0.2.1"}, 200),
        ):
            answer = asked(server.address + path, headers=header)
            assert answer.status_code == status, (path, header)
            assert ("kilter_participants" in answer.text) is (status == 200 and "metrics" in path)
