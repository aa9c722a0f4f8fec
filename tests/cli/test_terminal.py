"""Tables are as wide as the terminal that shows them."""

import fcntl
import os
import pty
import struct
import subprocess
import termios
from pathlib import Path

import pytest

from kilter.core.markup import text_width
from tests.cli.command import KILTER, kilter
from tests.cli.sample import PATHS, REFERENCE, VERB, written
from tests.thorough import some


def shown(*arguments: str, columns: int) -> str:
    """Return what the command shows on a terminal of so many columns."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    with subprocess.Popen(
        [KILTER, *arguments], stdout=follower, stderr=subprocess.PIPE, env=environment
    ) as process:
        os.close(follower)
        data = b""
        while piece := _read(leader):
            data += piece
        assert process.stderr is not None
        assert process.stderr.read() == b""
    os.close(leader)
    assert process.returncode == 0
    return data.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # how a terminal says that nobody holds its other end any more
        return b""


@pytest.fixture
def many(tmp_path: Path) -> list[str]:
    """Return the paths of 23 systems, some with long, wide and odd names."""
    odd = ["a" * 60, "a|b", "a_b", "$5", "a\\b", "a\nb", "日本語のとても長いシステムの名前"]
    names = [*odd, *(f"system-{number}" for number in range(8, 24))]
    return [written(tmp_path, name, Path(VERB).read_bytes()) for name in names]


@pytest.mark.parametrize("command", some(["score", "compare"], quick=["compare"]))
@pytest.mark.parametrize("columns", some([80, 200], quick=[80]))
def test_23_systems_fit_the_terminal(command: str, columns: int, many: list[str]) -> None:
    asked = [command, "-r", REFERENCE, "--resamples", "20", "-m", "kendall", "-m", "bleu"]
    text = shown(*asked, *many, columns=columns)
    notes = ("|beta", "|root:", "|order:", "…")
    lines = [line for line in text.splitlines() if not any(note in line for note in notes)]
    assert max(map(text_width, lines)) <= columns
    assert any(line.startswith(("a\\nb ", " 6 a\\nb ")) for line in lines)


def test_a_wide_terminal_needs_fewer_bands() -> None:
    asked = ["score", "-r", REFERENCE, "--resamples", "20", "--details", *PATHS]
    narrow, wide = (shown(*asked, columns=columns) for columns in (80, 200))
    # Scores, and below them the parts of scores.
    assert (narrow.count("\nsystem"), wide.count("\nsystem")) == (2, 1)


def test_away_from_a_terminal_the_page_is_always_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ["compare", "-r", REFERENCE, "--resamples", "20", "-m", "pef", *PATHS[:2]]
    monkeypatch.setenv("COLUMNS", "40")
    found = kilter(*asked)
    monkeypatch.setenv("COLUMNS", "200")
    assert found.out == kilter(*asked).out
    assert found.out == shown(*asked, columns=100)
