"""Progress is shown where somebody looks."""

import io
import sys

import pytest

from kilter.cli.talk.progress import progress_bar


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_how_far_a_run_is(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with progress_bar("measuring", quiet=False) as moved:
        assert moved is not None
        moved(1, 4)
        moved(2, 4)
    assert "measuring" in screen.getvalue()
    assert "50%" in screen.getvalue()


def test_a_bar_with_a_unit_says_how_many_are_done_in_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", "120")
    with progress_bar("measuring", quiet=False, unit="rows") as moved:
        assert moved is not None
        moved(2, 4)
    assert "rows per second" in screen.getvalue()
    assert "done" not in screen.getvalue()
    with progress_bar("measuring", quiet=False, unit="rows") as moved:
        assert moved is not None
        moved(1234, None)
    assert "1,234 done, " in screen.getvalue()
    assert "rows per second" in screen.getvalue().rpartition("done")[2]


def test_a_result_goes_to_its_file_while_a_bar_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, file = Screen(), io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(sys, "stdout", file)
    with progress_bar("measuring", quiet=False) as moved:
        assert moved is not None
        sys.stdout.write("a result\n")
        moved(1, 1)
    assert file.getvalue() == "a result\n"
    assert "a result" not in screen.getvalue()
    monkeypatch.setattr(sys, "stdout", None)
    with progress_bar("measuring", quiet=False) as moved:
        assert moved is not None


def test_nothing_is_drawn_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, quiet in ((Screen(), True), (io.StringIO(), False), (None, False)):
        monkeypatch.setattr(sys, "stderr", stream)
        with progress_bar("measuring", quiet=quiet) as moved:
            assert moved is None
        if stream is not None:
            assert stream.getvalue() == ""
