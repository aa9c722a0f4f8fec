"""Small C++ programs on top of kernels, for what no call from Python brings about."""

import shutil
import subprocess
from pathlib import Path

import pytest

KERNELS = Path(__file__).parents[2] / "kernels"


def run(source: str, folder: Path, *kernels: str, flags: tuple[str, ...] = ()) -> tuple[int, str]:
    """Return the exit code of a program and what it printed, errors included."""
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    (folder / "main.cpp").write_text(source, encoding="utf-8")
    files = [folder / "main.cpp", *(KERNELS / name for name in kernels)]
    options = ["-std=c++20", f"-I{KERNELS}", "-pthread", *flags]
    subprocess.run([compiler, *files, *options, "-o", folder / "program"], check=True)
    found = subprocess.run(
        [folder / "program"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return found.returncode, found.stdout
