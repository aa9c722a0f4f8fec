"""The fixture `kilter_check`, in a run of pytest of its own."""

import os
import subprocess
import sys
from pathlib import Path

CONFTEST = 'pytest_plugins = ["kilter.adapters.pytest_plugin"]\n'
TEST = """
TARGET = [f"{k} the cat sat on the mat and looked at two birds" for k in range(40)]

def system():
    lines = open(__file__.replace("test_it.py", "system.txt")).read().splitlines()
    return lines

def test_order(kilter_check):
    assert kilter_check(system(), TARGET, metrics=("order", "bleu"), floors={"order": 0.2}).passed

def test_good(kilter_check):
    assert kilter_check(TARGET, TARGET, metrics="order").passed
"""


def ran(folder: Path, *arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=folder,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def test_a_test_passes_fails_on_a_loss_and_is_updated(tmp_path: Path) -> None:
    lines = [f"{k} the cat sat on the mat and looked at two birds" for k in range(40)]
    worse = [" ".join(line.split()[5:] + line.split()[:5]) for line in lines]
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (tmp_path / "test_it.py").write_text(TEST, encoding="utf-8")
    system = tmp_path / "system.txt"
    system.write_text("\n".join(lines) + "\n", encoding="utf-8")
    code, out = ran(tmp_path)
    assert (code, "pytest --kilter-update writes it" in out) == (1, True)
    assert ran(tmp_path, "--kilter-update")[0] == 0
    names = sorted(path.name for path in (tmp_path / "baselines").iterdir())
    assert names == ["test_good.kilter.json", "test_order.kilter.json"]
    system.write_text("\n".join(worse) + "\n", encoding="utf-8")
    code, out = ran(tmp_path)
    assert (code, "1 failed, 1 passed" in out) == (1, True)
    assert "system: order is 0." in out
    assert "belongs before" in out
