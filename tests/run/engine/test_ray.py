"""Ray gives what this machine alone gives."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kilter.core.errors import InputError
from kilter.run.engine.ray import RayEngine
from tests.cli.judged_sample import TEXTS
from tests.cli.sample import PATHS, REFERENCE
from tests.run.engine.tasks import batches, doubled

NEEDS_RAY = pytest.mark.skipif(
    find_spec("ray") is None, reason="needs ray; `make test-ray` installs it and runs this"
)
ROOT = Path(__file__).parents[3]
SOURCE, TARGET, LINKS = (
    str(ROOT / "examples" / name)
    for name in ("source.tok.de", "reference.tok.en", "gold.source-reference.links")
)
JSON = ["--format", "json"]
# A process of its own: Ray stays in the one that started it. Batches are small, and the worker of one is killed.
RUN = """
import sys
from kilter.cli.main import run
from kilter.run.engine.ray import RayEngine
from kilter.io import permutation as permutation_table
from kilter.run import latency
from tests.run.engine.tasks import Killing
permutation_table._MOST_ROWS = 100
latency.PAIRS = 10
seen, row, *arguments = sys.argv[1:]
begin = RayEngine.begin
if seen:
    RayEngine.begin = lambda self, task: begin(self, Killing(task, seen, int(row)))
sys.exit(run(arguments))
"""

ALONE = """
from kilter.run.engine.ray import RayEngine
from tests.run.engine.tasks import batches, doubled
with RayEngine(workers=1) as engine:
    print(*engine.map(doubled, batches(3)))
    import ray
    print(*(node["NodeManagerAddress"] for node in ray.nodes()))
"""

# Whatever else runs on this machine is none of the test's business.
GONE = """
import os, sys
from unittest.mock import patch
os.environ["RAY_TMPDIR"] = sys.argv[1]
from kilter.run.engine.ray import RayEngine
from kilter.core.errors import InputError
from tests.run.engine.tasks import batches, doubled
with patch("ray._private.services.find_gcs_addresses", set), RayEngine("auto") as engine:
    try:
        print(*engine.map(doubled, batches(3)))
    except InputError as error:
        print(error)
"""

# Two machines, as far as Ray knows: the second comes late, and is lost as soon as it works.
CHANGING = """
import os, sys, time
from pathlib import Path
os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
from ray.cluster_utils import Cluster
from kilter.run.engine.ray import RayEngine
from tests.run.engine.tasks import Watched, batches
folder = Path(sys.argv[1])
own = {"num_cpus": 1, "node_ip_address": "127.0.0.1"}
cluster = Cluster(initialize_head=True, head_node_args={**own, "include_dashboard": False})
def changing():
    some = iter(batches(100))
    yield from (next(some), next(some))
    second = cluster.add_node(**own)
    for batch in some:
        yield batch
        begun = [path.stat().st_mtime for path in folder.glob(f"{second.node_id}*")]
        if begun and time.time() - max(begun) < 1:
            break
    print("workers:", engine.workers)
    cluster.remove_node(second, allow_graceful=False)
    yield next(some)
with RayEngine(cluster.address) as engine:
    found = list(engine.map(Watched(folder), changing()))
    print("all there:", found == [2 * place for place in range(len(found))], len(found) < 100)
cluster.shutdown()
"""


def command(
    *arguments: str, killed: Path | None = None, row: int = 1
) -> subprocess.CompletedProcess[str]:
    """Run a command in a process that reads few rows at a time.

    `killed` is a file that is left by the worker of the batch from `row` on, which is killed once.
    """
    return python(RUN, str(killed or ""), str(row), *arguments)


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
    monkeypatch.setattr("kilter.run.engine.ray.find_spec", lambda name: name)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    assert RayEngine().address == "local"
    monkeypatch.setenv("RAY_ADDRESS", "auto")
    assert RayEngine().address == "auto"
    assert RayEngine("ray://head:10001").address == "ray://head:10001"


def test_a_ray_that_does_not_start_is_said_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object, **__: object) -> None:
        raise Exception("The node timed out.\nThis could happen.")  # noqa: TRY002 - as Ray does

    ray = SimpleNamespace(is_initialized=lambda: False, init=late)
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.setattr("kilter.run.engine.ray.find_spec", lambda name: name)
    monkeypatch.setattr(os, "environ", dict(os.environ))
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    with pytest.raises(InputError, match=r"^local: Ray does not start: The node timed out\.; try"):
        list(RayEngine().map(doubled, batches(1)))


@NEEDS_RAY
def test_ray_leaves_the_same_file_also_when_a_worker_is_killed(
    orders: Path, tmp_path: Path
) -> None:
    asked = ["permutation", str(orders), "--on-error", "mark"]
    local = command(*asked, "-o", str(tmp_path / "local.parquet"))
    assert local.returncode == 0, local.stderr
    on_ray = [*asked, "--engine", "ray", "--workers", "2", "-o", str(tmp_path / "ray.parquet")]
    found = command(*on_ray, "--resume", killed=tmp_path / "seen", row=701)
    assert (found.returncode, found.stdout) == (0, ""), found.stderr
    assert (tmp_path / "seen").exists()
    died = "kilter: rows 701 to 800: the worker was killed; another one begins anew\n"
    assert found.stderr == died + local.stderr
    expected = (tmp_path / "local.parquet").read_bytes()
    assert (tmp_path / "ray.parquet").read_bytes() == expected


METRICS = ("kilter", "order", "coverage", "pef", "kendall", "bleu", "chrf", "ter")
OTHERS = {
    # Not all metrics: `nist` needs the whole text at once, which no engine holds.
    "score": [
        *("score", "-r", REFERENCE, *PATHS, "--resamples", "20", *JSON),
        *(each for name in METRICS for each in ("-m", name)),
    ],
    "meta": ["meta", *TEXTS, "-m", "all", "--resamples", "20", *JSON],
    "statistics": ["reorder", "statistics", "-s", SOURCE, "-a", LINKS, *JSON],
    "latency": ["latency", "-s", SOURCE, "-a", LINKS, TARGET, *JSON],
    "align": ["align", "-r", REFERENCE, PATHS[0]],
    "parse": ["parse", REFERENCE],
}


@NEEDS_RAY
@pytest.mark.parametrize("name", OTHERS)
def test_other_commands_say_the_same_on_ray_also_when_a_worker_is_killed(
    name: str, tmp_path: Path
) -> None:
    on_ray = [*OTHERS[name], "--engine", "ray", "--workers", "2"]
    local, found = command(*OTHERS[name]), command(*on_ray, killed=tmp_path / "seen")
    assert local.returncode == found.returncode == 0, found.stderr
    died, *others = found.stderr.splitlines()
    assert died.endswith(": the worker was killed; another one begins anew")
    assert others == local.stderr.splitlines()
    assert len(local.stdout) > 100
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
    for address in ("127.0.0.1:1", "//127.0.0.1:1"):
        asked = ["permutation", str(orders), "-o", str(tmp_path / "out.parquet")]
        found = command(*asked, "--on-error", "skip", "--engine", f"ray:{address}")
        assert found.returncode == 3
        assert "127.0.0.1:1: no Ray answers there: " in found.stderr
        assert found.stderr.count("\n") == 1


@NEEDS_RAY
def test_a_ray_that_is_gone_or_was_never_there_is_not_waited_for(tmp_path: Path) -> None:
    left = tmp_path / "ray" / "ray_current_cluster"
    left.parent.mkdir()
    for address, said in (("127.0.0.1:1", "Connection refused"), ("", "Could not find any")):
        left.write_text(address) if address else left.unlink()
        found = python(GONE, str(tmp_path))
        assert (found.returncode, found.stderr) == (0, ""), found.stderr
        assert found.stdout.startswith("auto: no Ray answers there: ")
        assert said in found.stdout


@NEEDS_RAY
def test_a_machine_that_joins_is_used_and_one_that_is_lost_costs_no_result(
    tmp_path: Path,
) -> None:
    found = python(CHANGING, str(tmp_path))
    assert found.returncode == 0, found.stderr
    # Ray itself says on standard output what became of the machine.
    said = found.stdout.splitlines()
    assert "workers: 2" in said
    assert "all there: True True" in said
    assert "the worker was killed; another one begins anew" in found.stderr


@NEEDS_RAY
def test_a_ray_of_our_own_listens_to_this_machine_alone() -> None:
    found = python(ALONE)
    assert (found.returncode, found.stdout) == (0, "0 2 4\n127.0.0.1\n"), found.stderr
