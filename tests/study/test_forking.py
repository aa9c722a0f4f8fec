"""The servers of tests: how an earlier process ended says nothing of a new one, and ports are nobody else's."""

import io
import json

import pytest

from tests.study import forking
from tests.study.running import free_port


def test_the_number_of_a_process_that_ended_may_come_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run: dict[str, object] = {"run": ["version"], "log": "log"}
    questions = [run, {"wait": 7}, run, {"poll": 7}]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(map(json.dumps, questions))))
    answers = io.StringIO()
    monkeypatch.setattr("sys.stdout", answers)
    monkeypatch.setattr("gc.freeze", lambda: None)
    monkeypatch.setattr(forking, "_forked", lambda *_: 7)
    waited = iter([(7, 256), (0, 0)])
    monkeypatch.setattr("os.waitpid", lambda *_: next(waited))
    forking.main()
    assert answers.getvalue().split() == ["7", "1", "7", "null"]


def test_ports_follow_one_another_and_are_those_of_one_process() -> None:
    first, second = free_port(), free_port()
    assert first != second
    assert (first - second) % 50 == 0
