"""What is said on standard error."""

import subprocess
import sys

import pytest

from kilter.cli.talk.standard_error import say


def test_a_message_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    say("one\ntwo")
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "kilter: one two\n")


@pytest.mark.parametrize("closed", ["2>&-", "2>/dev/full"])
def test_results_come_out_where_messages_cannot(closed: str) -> None:
    code = (
        "from kilter.cli.talk.standard_error import flush_standard_error, say; "
        "say('a'); say('b'); flush_standard_error(); print('result')"
    )
    done = subprocess.run(
        ["bash", "-c", f'"$0" -c "$1" {closed}', sys.executable, code],  # noqa: S607
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stdout) == (0, "result\n")
