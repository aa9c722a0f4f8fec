"""An interrupt ends a command, also where Python loses it or makes another error of it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kilter.core import interrupt
from kilter.io.output import write_file, written
from tests.cli.command import kilter


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Return what was heard, which nobody hears of after the test."""
    found: list[int] = []
    monkeypatch.setattr(interrupt, "_pending", found)
    yield found
    found.clear()


def test_an_interrupt_that_was_lost_is_raised_where_it_is_heeded(heard: list[int]) -> None:
    interrupt.raise_if_pending()
    assert not interrupt.pending()
    heard.append(signal.SIGINT)
    assert interrupt.pending()
    with pytest.raises(KeyboardInterrupt):
        interrupt.raise_if_pending()


def test_no_file_appears_after_a_lost_interrupt(heard: list[int], tmp_path: Path) -> None:
    def written_after_it() -> None:
        with written(tmp_path / "out") as stream:
            stream.write(b"whole")
            heard.append(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        written_after_it()
    assert list(tmp_path.iterdir()) == []
    heard.clear()
    write_file(tmp_path / "out", "whole")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_command_that_lost_its_interrupt_ends_as_others_do(
    heard: list[int], tmp_path: Path
) -> None:
    heard.append(signal.SIGINT)
    (tmp_path / "orders.txt").write_text("2 1\n", encoding="utf-8")
    found = kilter("permutation", str(tmp_path / "orders.txt"), "-o", str(tmp_path / "out.tsv"))
    assert (found.code, found.out, found.err.strip()) == (130, "", "")
    assert not (tmp_path / "out.tsv").exists()


def test_what_is_done_together_is_not_interrupted() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    done = []

    def disturbed() -> None:
        with interrupt.deferred():
            os.kill(os.getpid(), signal.SIGINT)
            done.append("all of it")

    try:
        with pytest.raises(KeyboardInterrupt):
            disturbed()
    finally:
        signal.signal(signal.SIGINT, before)
    assert done == ["all of it"]


LOADING = """
import os, signal, sys
from kilter.cli import start

class Wrapped:
    def __set_name__(self, owner, name):
        os.kill(os.getpid(), signal.SIGINT)

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "kilter.cli.main":
            type("Made", (), {"field": Wrapped()})

sys.meta_path.insert(0, Finder())
sys.argv = ["kilter", "--version"]
start.main()
"""


def test_an_interrupt_in_the_making_of_a_class_is_no_bug() -> None:
    """Python 3.11 raises a RuntimeError in its place."""
    done = subprocess.run(
        [sys.executable, "-c", LOADING], capture_output=True, check=False, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
