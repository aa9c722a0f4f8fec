"""`kilter permutation`: streams and sizes."""

import os
import random
import subprocess
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kilter.cli.main import run
from kilter.run.engine.local import ThreadEngine
from tests.cli.command import KILTER, installed, kilter
from tests.cli.permutation.orders import Captured, text_of
from tests.thorough import some


@pytest.mark.parametrize("jobs", ["2", "3", "100000"])
def test_jobs_change_no_byte(tmp_path: Path, jobs: str) -> None:
    chance = random.Random(3)
    path = tmp_path / "many.txt"
    path.write_text(
        text_of([tuple(chance.sample(range(1, n + 1), n)) for n in range(1, 90) for _ in range(9)]),
        encoding="utf-8",
    )
    alone = kilter("permutation", str(path), "--format", "tsv")
    shared = kilter("permutation", str(path), "--format", "tsv", "--jobs", jobs)
    assert (alone.code, shared.code, shared.err) == (0, 0, "")
    assert alone.out == shared.out
    assert alone.out.count("\n") == 89 * 9 + 1


@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="needs the peaks that Linux counts"
)
def test_a_million_lines_stream_through_little_memory(tmp_path: Path) -> None:
    path, out = tmp_path / "million.txt", tmp_path / "scores.tsv"
    path.write_bytes(b"2 4 5 6 1 3\n3 1 2\n" * 500_000)
    code = (
        "import sys\n"
        "from kilter.cli.main import run\n"
        "code = run(['permutation', sys.argv[1], '-m', 'pef', '--format', 'tsv'])\n"
        # Not ru_maxrss, which also counts the process that this one was forked from.
        "peak = [l for l in open('/proc/self/status') if l.startswith('VmHWM')][0]\n"
        "print(peak.split()[1], file=sys.stderr)\n"
        "sys.exit(code)\n"
    )
    python = str(Path(KILTER).with_name("python"))
    with out.open("wb") as stream:
        done = subprocess.run(
            [python, "-c", code, str(path)], stdout=stream, stderr=subprocess.PIPE, check=True
        )
    with out.open(encoding="utf-8") as lines:
        header, first, second = (next(lines) for _ in range(3))
        assert sum(1 for _ in lines) == 999_998
    assert header == "permutation\tn\tpef\n"
    assert (first, second) == ("2 4 5 6 1 3\t6\t0.4\n", "3 1 2\t3\t0.4\n")
    # All of it at once would take several times as much; a sanitizer takes more for itself.
    if "LD_PRELOAD" not in os.environ:
        assert int(done.stderr) < 250_000


@pytest.mark.parametrize(
    ("data", "line", "reason"),
    [
        (b"1 2\n1 1\n", 2, "1 at position 2 stands already at position 1"),
        (b"1 2\n1 3\n", 2, "3 at position 2 is out of range while 2 is missing"),
        (b"0 1\n", 1, "0 at position 1: permutations count from 1"),
        (b"1\n1 b\n", 2, "'b' in column 3"),
        (b"1\n\n1\n", 2, "the line is empty"),
        (b"\x7fELF\x02\x01\x01\x00\x00", 1, "byte 0x7f in column 1"),
        (b"1\n" + "ä".encode(), 2, "'ä' in column 1"),
        (b"1 " * 100_000, 1, "1 at position 2 stands already at position 1"),
    ],
)
@pytest.mark.parametrize("form", ["text", "json", "jsonl", "tsv", "md", "latex"])
def test_a_bad_line_is_one_clear_line_and_leaves_nothing_behind(
    tmp_path: Path, capsys: Captured, data: bytes, line: int, reason: str, form: str
) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(data)
    assert run(["permutation", str(path), "--format", form]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"kilter: {path}:{line}: ")
    assert reason in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    some(
        [["--format", "jsonl"], ["--tree"], ["--forest"], ["--draw"], ["-m", "pef"]],
        quick=[["--format", "jsonl"], ["--draw"]],
    ),
)
def test_a_closed_pipe_is_silent_and_no_error(tmp_path: Path, arguments: list[str]) -> None:
    path = tmp_path / "many.txt"
    path.write_bytes(b"2 4 5 6 1 3\n" * 20_000)
    with subprocess.Popen(
        [KILTER, "permutation", str(path), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


@pytest.mark.parametrize("encoding", some(["ascii", "latin-1", "utf-16"], quick=["utf-16"]))
def test_output_is_utf_8_whatever_the_locale_says(encoding: str) -> None:
    found = installed(
        "permutation", "--draw", stdin=b"2 1\n", environment={"PYTHONIOENCODING": encoding}
    )
    assert (found.code, found.err) == (0, "")
    assert "●" in found.out


def test_a_line_of_a_million_numbers_is_scored(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text(" ".join(map(str, range(1_000_000, 0, -1))) + "\n", encoding="utf-8")
    found = kilter("permutation", str(path), "--format", "text")
    assert (found.code, found.err) == (0, "")
    assert found.out.splitlines()[1].split()[:3] == ["1", "1000000", "0.0000"]


def test_a_line_of_ten_million_numbers_is_answered() -> None:
    found = kilter("permutation", stdin=b"7 " * 10_000_000)
    assert (found.code, found.out) == (3, "")
    assert found.err == "kilter: standard input:1: 7 at position 2 stands already at position 1\n"


def test_any_number_of_workers_leaves_the_same_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kilter.io.permutation._MOST_ROWS", 4)
    orders = tmp_path / "orders.parquet"
    pq.write_table(pa.table({"order": [[2, 1, 3], [1], [3, 1, 2]] * 9 + [[1, 1]]}), orders)
    asked = ["permutation", str(orders), "--on-error", "mark", "-o"]
    used: list[int] = []
    begin = ThreadEngine.begin

    def watched(engine: ThreadEngine, task: Any) -> None:
        used.append(engine.workers)
        begin(engine, task)

    monkeypatch.setattr(ThreadEngine, "begin", watched)
    written = []
    for workers in ("1", "2", "3"):
        out = tmp_path / f"{workers}.parquet"
        assert kilter(*asked, str(out), "--workers", workers).code == 0
        written.append(out.read_bytes())
    assert used == [2, 3]
    assert written[0] == written[1] == written[2]
