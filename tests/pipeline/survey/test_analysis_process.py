"""The process that analyses a running study."""

from pathlib import Path

from kilter.pipeline.survey.analysis_process import start_analysis

WAIT_SECONDS = 60


def test_the_process_shows_nobody_its_database_and_ends_with_whoever_started_it(
    tmp_path: Path,
) -> None:
    process = start_analysis(tmp_path, "postgresql://anna:secret@localhost/survey", 1.0)
    command = Path(f"/proc/{process.pid}/cmdline").read_bytes()
    assert b"secret" not in command
    assert b"running_analysis" in command
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(timeout=WAIT_SECONDS) == 1
