"""Ray gives what this machine alone gives."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kilter.engine.ray import RayEngine
from tests.cli.judged_sample import TEXTS
from tests.cli.sample import PATHS, REFERENCE

NEEDS_RAY = pytest.mark.skipif(
    find_spec("ray") is None, reason="needs ray; `make test-ray` installs it and runs this"
)
ROOT = Path(__file__).parents[2]
SOURCE, LINKS = (
    str(ROOT / "examples" / name) for name in ("source.tok.de", "gold.source-reference.links")
)
# A process of its own: Ray stays in the one that started it. Batches are small, and the worker of one is killed.
RUN = """
import sys
from kilter.cli.main import run
from kilter.cli.permutation import score_table
from kilter.formats import permutation_table
from tests.engine import tasks
permutation_table._MOST_ROWS = 100
if sys.argv[1]:
    score_table.PermutationTask = tasks.killing(sys.argv[1])
sys.exit(run(sys.argv[2:]))
"""

ALONE = """
from kilter.engine.ray import RayEngine
from tests.engine.tasks import batches, doubled
with RayEngine(workers=1) as engine:
    print(*engine.map(doubled, batches(3)))
    import ray
    print(*(node["NodeManagerAddress"] for node in ray.nodes()))
"""


def command(*arguments: str, killed: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command in a process that reads few rows at a time."""
    return python(RUN, killed, *arguments)


def python(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a process of its own, which finds what this one finds."""
    path = os.pathsep.join([str(ROOT), *sys.path])
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": path},
        timeout=300,
    )


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    """Return a file of orders, two of which are none."""
    drawn = np.random.default_rng(1)
    rows = [(drawn.permutation(int(drawn.integers(0, 40))) + 1).tolist() for _ in range(1500)]
    rows[750] = [1, 1]
    rows[751] = None
    path = tmp_path / "orders.parquet"
    pq.write_table(pa.table({"order": pa.array(rows, pa.list_(pa.int32()))}), path)
    return path


def test_an_address_is_the_one_given_or_the_one_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kilter.engine.ray.find_spec", lambda name: name)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    assert RayEngine().address == "local"
    monkeypatch.setenv("RAY_ADDRESS", "auto")
    assert RayEngine().address == "auto"
    assert RayEngine("ray://head:10001").address == "ray://head:10001"


@NEEDS_RAY
def test_ray_leaves_the_same_file_also_when_a_worker_is_killed(
    orders: Path, tmp_path: Path
) -> None:
    asked = ["permutation", str(orders), "--on-error", "mark"]
    local = command(*asked, "-o", str(tmp_path / "local.parquet"))
    assert local.returncode == 0, local.stderr
    on_ray = [*asked, "--engine", "ray", "--workers", "2", "-o", str(tmp_path / "ray.parquet")]
    found = command(*on_ray, "--resume", killed=str(tmp_path / "seen"))
    assert (found.returncode, found.stdout) == (0, ""), found.stderr
    assert (tmp_path / "seen").exists()
    died = "kilter: rows 701 to 800: the worker was killed; another one begins anew\n"
    assert found.stderr == died + local.stderr
    expected = (tmp_path / "local.parquet").read_bytes()
    assert (tmp_path / "ray.parquet").read_bytes() == expected


OTHERS = {
    "score": ["score", "-r", REFERENCE, *PATHS, "-m", "all", "--resamples", "20"],
    "meta": ["meta", *TEXTS, "-m", "all", "--resamples", "20"],
    "statistics": ["reorder", "statistics", "-s", SOURCE, "-a", LINKS],
}


@NEEDS_RAY
@pytest.mark.parametrize("name", OTHERS)
def test_other_commands_say_the_same_on_ray(name: str) -> None:
    asked = [*OTHERS[name], "--format", "json", "-q"]
    local, found = command(*asked), command(*asked, "--engine", "ray", "--workers", "2")
    assert (local.returncode, local.stderr) == (found.returncode, found.stderr) == (0, "")
    assert len(local.stdout) > 1000
    assert found.stdout == local.stdout


@NEEDS_RAY
def test_a_bad_row_is_named(orders: Path, tmp_path: Path) -> None:
    asked = ["permutation", str(orders), "-o", str(tmp_path / "out.parquet")]
    found = command(*asked, "--engine", "ray", "--workers", "1")
    assert found.returncode == 3
    assert f"{orders}:751: 1 at position 2 stands already at position 1" in found.stderr
    assert not (tmp_path / "out.parquet").exists()


@NEEDS_RAY
def test_an_address_where_nobody_answers_is_said_at_once(orders: Path, tmp_path: Path) -> None:
    for address in ("127.0.0.1:1", "//127.0.0.1:1", "auto"):
        asked = ["permutation", str(orders), "-o", str(tmp_path / "out.parquet")]
        found = command(*asked, "--on-error", "skip", "--engine", f"ray:{address}")
        assert found.returncode == 3
        assert "127.0.0.1:1: no Ray answers there: " in found.stderr or address == "auto"
        assert "no Ray answers there" in found.stderr
        assert found.stderr.count("\n") == 1


@NEEDS_RAY
def test_a_ray_of_our_own_listens_to_this_machine_alone() -> None:
    found = python(ALONE)
    assert (found.returncode, found.stdout) == (0, "0 2 4\n127.0.0.1\n"), found.stderr
