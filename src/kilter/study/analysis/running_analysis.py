"""The analysis of a running study, as a process of its own.

`python -m kilter.study.analysis.running_analysis` reads on standard input what to do, as one line of JSON: on a
command line everybody could read the password of a database. It ends when its input does, with whoever started it.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
from pathlib import Path

from kilter.core.errors import KilterError
from kilter.study.analysis.report_folder import analyse_study, scored, write_analysis
from kilter.study.analysis.settings import AnalysisSettings
from kilter.study.judgments.collected_study import study_of
from kilter.study.store.fault import fault
from kilter.study.store.running_study import RunningStudy, open_study

_NICE = 10


def run_analysis(running: RunningStudy, began_at: float) -> None:
    """Analyse what a study has collected and keep the result; what is wrong with the data is kept as the reason."""
    store = running.store.analyses
    try:
        files = analysis_files(running)
    except KilterError as error:
        store.fail(began_at, str(error))
    except Exception as error:
        store.fail(began_at, fault(error))  # its message may hold what participants said
        raise
    else:
        store.finish(began_at, files)


def analysis_files(running: RunningStudy) -> dict[str, bytes]:
    """Return the files of the analysis of what a study has collected so far, by their paths."""
    settings = AnalysisSettings()
    study = scored(study_of(running.collected(), secret=running.keys.secret), settings)
    analysis = analyse_study(study, settings)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "analysis"
        write_analysis(analysis, folder, png=False)
        return {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }


def _end_with_input() -> None:
    # Not through sys.stdin: at its end, Python aborts if a thread is still reading there.
    while os.read(0, 1):
        pass
    os._exit(1)


def main() -> None:
    """Do what standard input says."""
    order = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_input, daemon=True).start()
    os.nice(_NICE)
    running = open_study(Path(order["folder"]), database=order["database"], connections=4)
    try:
        run_analysis(running, order["began_at"])
    finally:
        running.store.close()


if __name__ == "__main__":
    main()
