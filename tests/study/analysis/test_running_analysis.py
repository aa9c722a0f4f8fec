"""The analysis of a running study, in the place of its process, and as one."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.study.analysis import running_analysis
from kilter.study.store.running_study import RunningStudy, open_study
from tests.study.running import example


def test_what_is_wrong_with_the_data_is_kept_and_of_a_bug_only_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = open_study(example(tmp_path / "study"), database=None)
    analyses = study.store.analyses

    def problem_after(error: Exception) -> str | None:
        def broken(_running: RunningStudy) -> dict[str, bytes]:
            raise error

        monkeypatch.setattr(running_analysis, "analysis_files", broken)
        began = analyses.begin()
        assert began is not None
        try:
            running_analysis.run_analysis(study, began)
        except ValueError:
            assert isinstance(error, ValueError)
        last = analyses.last()
        assert last is not None
        assert not last.is_running
        return last.problem

    assert problem_after(InputError("there are no judgments")) == "there are no judgments"
    said = problem_after(ValueError("Atlantean"))
    assert said is not None
    assert said.startswith("ValueError")
    assert "Atlantean" not in said
    monkeypatch.undo()
    monkeypatch.setattr(running_analysis, "analysis_files", lambda _running: {"index.html": b"x"})
    began = analyses.begin()
    assert began is not None
    running_analysis.run_analysis(study, began)
    assert analyses.file("index.html") == b"x"
    study.store.close()


def test_a_process_that_has_done_its_work_ends_well_while_its_input_is_open(
    tmp_path: Path,
) -> None:
    folder = example(tmp_path / "study")
    study = open_study(folder, database=None)
    began = study.store.analyses.begin()
    order = {"folder": str(folder), "database": None, "began_at": began}
    with subprocess.Popen(
        [sys.executable, "-m", "kilter.study.analysis.running_analysis"], stdin=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps(order).encode() + b"\n")
        process.stdin.flush()
        assert process.wait(timeout=120) == 0
    last = study.store.analyses.last()
    study.store.close()
    assert last is not None
    assert last.problem, "nobody has answered"
