"""The process that analyses a running study."""

import os
from pathlib import Path

from kilter.study.analysis.analysis_process import start_analysis

WAIT_SECONDS = 60


def test_the_process_shows_nobody_its_database_and_ends_with_whoever_started_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "study.toml").write_text("", encoding="utf-8")
    os.mkfifo(tmp_path / "keys.json")  # which nobody writes into: the process waits for ever
    with start_analysis(tmp_path, "postgresql://anna:secret@localhost/survey", 1.0) as process:
        assert isinstance(process.args, list)
        assert process.args[1:] == ["-m", "kilter.study.analysis.running_analysis"]
        assert process.poll() is None
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(timeout=WAIT_SECONDS) == 1
