"""The last analysis of a study: one at a time, and gone with whoever withdraws."""

import pytest

from kilter.study.store.running_study import RunningStudy
from tests.study.conftest import on_every_database
from tests.study.stored import Clock, joined


@on_every_database
def test_one_analysis_is_made_at_a_time_and_its_files_replace_those_before(
    running_study: RunningStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, analyses = Clock(monkeypatch, 1e9), running_study.store.analyses
    assert analyses.last() is None
    first = analyses.begin()
    assert first is not None
    assert analyses.begin() is None, "one is running"
    last = analyses.last()
    assert last is not None
    assert last.is_running
    assert analyses.finish(first, {"index.html": b"one", "a/table.csv": bytes(range(256))})
    assert analyses.file("a/table.csv") == bytes(range(256))
    clock.now += 1
    second = analyses.begin()
    assert second is not None
    assert analyses.file("index.html") == b"one", "until there is another"
    assert not analyses.finish(first, {"index.html": b"late"})
    assert analyses.finish(second, {"index.html": b"two"})
    assert (analyses.file("index.html"), analyses.file("a/table.csv")) == (b"two", None)
    analyses.fail(second, "it has ended before")
    last = analyses.last()
    assert last is not None
    assert (last.is_running, last.problem) == (False, None)
    clock.now += 1
    third = analyses.begin()
    clock.now += 3601  # lost: its process was killed with the server
    fourth = analyses.begin()
    assert third is not None
    assert fourth is not None
    analyses.fail(fourth, "no answers")
    last = analyses.last()
    assert last is not None
    assert (last.is_running, last.problem) == (False, "no answers")


@on_every_database
def test_whoever_withdraws_takes_the_analysis_along_also_one_that_is_being_made(
    running_study: RunningStudy,
) -> None:
    store = running_study.store
    began = store.analyses.begin()
    assert began is not None
    assert store.analyses.finish(began, {"index.html": b"with everybody"})
    again = store.analyses.begin()
    assert again is not None
    store.erase(joined(running_study).id, judgments=False)
    assert store.analyses.last() is None
    assert store.analyses.file("index.html") is None
    assert not store.analyses.finish(again, {"index.html": b"with everybody"})
    assert store.analyses.file("index.html") is None
