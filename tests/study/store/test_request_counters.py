"""How many responses a server has sent, over its processes and starts."""

from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest

from kilter.study.store.database import Database, open_database
from kilter.study.store.request_counters import RequestCounters
from tests.study.conftest import on_every_database

Address = Callable[[], str | None]


@on_every_database
def test_processes_add_up_what_they_have_counted(tmp_path: Path, database: Address) -> None:
    address = database()
    opened = [open_database(address, tmp_path) for _ in range(2)]
    first, second = map(RequestCounters, opened)
    for counters, statuses in ((first, (200, 204, 404)), (second, (200, 303))):
        for status in statuses:
            counters.count_response(status)
    second.count_error()
    second.flush()
    totals = {"1xx": 0, "2xx": 3, "3xx": 1, "4xx": 1, "5xx": 0}
    assert first.totals() == (totals, 1)
    for each in opened:
        each.close()
    again = open_database(address, tmp_path)
    assert RequestCounters(again).totals() == (totals, 1), "a new start goes on counting"
    again.close()


def test_what_cannot_be_written_is_counted_the_next_time(tmp_path: Path) -> None:
    database = open_database(None, tmp_path)
    counters = RequestCounters(database)
    counters.count_response(200)
    with patch.object(Database, "writing", side_effect=OSError), pytest.raises(OSError):  # noqa: PT011
        counters.flush()
    counters.count_response(200)
    assert counters.totals()[0]["2xx"] == 2
    database.close()
