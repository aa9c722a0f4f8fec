"""Messages come out whatever happens to standard error; progress is shown where somebody looks."""

import io
import subprocess
import sys

import pytest

from kilter.cli.console import print_message, print_notes, progress_bar


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


def test_a_message_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_message("one\ntwo")
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "kilter: one two\n")


@pytest.mark.parametrize("closed", ["2>&-", "2>/dev/full"])
def test_results_come_out_where_messages_cannot(closed: str) -> None:
    code = (
        "from kilter.cli.console import flush_standard_error, print_message; "
        "print_message('a'); print_message('b'); flush_standard_error(); print('result')"
    )
    done = subprocess.run(
        ["bash", "-c", f'"$0" -c "$1" {closed}', sys.executable, code],  # noqa: S607
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stdout) == (0, "result\n")


def test_notes_are_messages_unless_nobody_wants_them(capsys: pytest.CaptureFixture[str]) -> None:
    print_notes(["one", None, "two"], quiet=False)
    print_notes(["three"], quiet=True)
    assert capsys.readouterr().err == "kilter: one\nkilter: two\n"
