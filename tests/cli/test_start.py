"""Where the command begins."""

import os
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]


def started(*arguments: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    places = [*([str(path)] if path else []), *filter(None, sys.path)]
    return subprocess.run(
        [sys.executable, "-c", "from kilter.cli.start import main; main()", *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(places)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_interrupt_while_libraries_are_loaded_is_quiet(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    done = started("--version", path=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_what_is_loaded_is_the_command() -> None:
    done = started("--version")
    assert (done.returncode, done.stdout.split()[:1], done.stderr) == (0, ["kilter"], "")
    assert started("no-such-command").returncode == 2


def test_the_installed_script_starts_here() -> None:
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    module, _, name = document["project"]["scripts"]["kilter"].partition(":")
    assert module == "kilter.cli.start"
    assert callable(getattr(import_module(module), name))
