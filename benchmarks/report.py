"""`kilter report` on ten systems of 3,000 segments: CPU seconds of the command, and the size of the page."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.systems import systems_text

SYSTEMS = 10


def run() -> None:
    name, reference, systems = systems_text(SYSTEMS)
    with tempfile.TemporaryDirectory() as given:
        folder = Path(given)
        files = {title: folder / f"{title}.txt" for title in ("reference", *systems)}
        for title, lines in {"reference": reference, **systems}.items():
            files[title].write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        page = folder / "report.html"
        command = [str(Path(sys.executable).parent / "kilter"), "report", "-q", "-o", str(page)]
        command += ["-r", *(str(path) for path in files.values())]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        text = page.read_text(encoding="utf-8")
        assert all(title in text for title in systems)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"{name}: kilter report of {len(systems)} systems x {len(reference)} segments")
        print(f"  CPU seconds of the command  {seconds:8.1f}")
        print(f"  megabytes of the page       {len(text.encode()) / 1e6:8.1f}")
