"""`kilter permutation`: results, streams, bad input."""

import csv
import gzip
import json
import os
import random
import subprocess
import threading
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from kilter.cli.main import run
from tests.arrays import OneBased
from tests.cli.command import KILTER, installed, kilter
from tests.golden import cases
from tests.oracles import permutation as oracle
from tests.thorough import some
from tests.tolerance import close

Captured = pytest.CaptureFixture[str]
KEYS = [
    "permutation", "n", "kendall", "kendall-sqrt", "spearman", "hamming", "ulam", "fuzzy", "pet-size",
    "pet-count", "max-op", "pef", "pet", "nodes", "max-operator", "trees", "chunks", "primal",
]  # fmt: skip
VECTORS = [tuple(case["pi"]) for case in cases("permutations_1_to_5")]


def text_of(permutations: list[OneBased]) -> str:
    return "".join(" ".join(map(str, pi)) + "\n" for pi in permutations)


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    path = tmp_path / "orders.txt"
    path.write_text("1 2 3\n2 4 5 6 1 3\n[3,2,1]\n", encoding="utf-8")
    return path


def rows_of(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_jsonl_holds_every_score_of_the_vectors(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text(text_of(VECTORS), encoding="utf-8")
    assert run(["permutation", str(path), "--format", "jsonl"]) == 0
    rows = rows_of(capsys.readouterr().out)
    assert all(list(row) == KEYS for row in rows)
    names = {"kendall-sqrt": "kendall_sqrt", "pet-size": "PET_size", "pet-count": "PETs_count",
             "max-op": "MAX_op", "pef": "pef_06_0", "pet": "pet_left_06_0",
             "max-operator": "max_op"}  # fmt: skip
    for row, case in zip(rows, cases("permutations_1_to_5"), strict=True):
        assert row["permutation"] == case["pi"]
        assert row["n"] == len(case["pi"])
        assert row["trees"] == str(case["pets"])
        assert row["primal"] is case["primal"]
        for name in [*KEYS[2:15], "chunks"]:
            assert row[name] == close(case[names.get(name, name)], absolute=1e-15), (name, row)


def test_the_text_table_is_for_people(orders: Path, capsys: Captured) -> None:
    assert run(["permutation", str(orders)]) == 0
    captured = capsys.readouterr()
    header, *rows = [line.split() for line in captured.out.splitlines()]
    assert header[:3] == ["line", "n", "kendall"]
    assert [row[:2] for row in rows] == [["1", "3"], ["2", "6"], ["3", "3"]]
    assert rows[1][header.index("pef")] == "0.4000"
    assert captured.err == ""


def test_every_format_holds_the_same_scores(orders: Path, capsys: Captured) -> None:
    out: dict[str, str] = {}
    for form in ("json", "jsonl", "tsv", "md", "latex", "text"):
        assert run(["permutation", str(orders), "--format", form]) == 0
        out[form] = capsys.readouterr().out
    document, rows = json.loads(out["json"]), rows_of(out["jsonl"])
    assert document["schema"] == "kilter.permutation/1"
    assert document["rows"] == rows
    assert document["metrics"]["pef"]["signature"].startswith("pef|beta:0.6|gamma:0.0|")
    table = list(csv.DictReader(out["tsv"].splitlines(), delimiter="\t"))
    assert [float(row["pef"]) for row in table] == [row["pef"] for row in rows]
    assert [row["permutation"] for row in table] == ["1 2 3", "2 4 5 6 1 3", "3 2 1"]
    assert [row["primal"] for row in table] == ["false"] * 3
    assert out["md"].count("\n") == 5
    assert out["md"].splitlines()[3].split(" | ")[-2] == "0.4000"
    assert out["latex"].startswith("\\begin{tabular}")
    assert "0.4000" in out["text"]


def test_options_reach_the_scores(orders: Path, capsys: Captured) -> None:
    arguments = ["--beta", "0.3", "--gamma", "0.5", "--branching", "right", "--format", "json"]
    assert run(["permutation", str(orders), *arguments]) == 0
    document = json.loads(capsys.readouterr().out)
    options: dict[str, Any] = {"beta": 0.3, "gamma": 0.5}
    assert document["metrics"]["pet"]["signature"].startswith(
        "pet|beta:0.3|gamma:0.5|branching:right"
    )
    for row in document["rows"]:
        assert row["pef"] == close(oracle.pef(row["permutation"], **options))
        assert row["pet"] == close(oracle.pet(row["permutation"], **options, branching="right"))


def test_metrics_may_be_chosen_with_their_options(orders: Path, capsys: Captured) -> None:
    chosen = ["-m", "pef:variant=beer", "-m", "kendall", "-m", "fuzzy:joints=all", "-m", "kendall"]
    assert run(["permutation", str(orders), *chosen, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    row = document["rows"][1]
    assert list(row) == ["permutation", "n", "pef:variant=beer", "kendall", "fuzzy:joints=all"]
    assert row["pef:variant=beer"] == close(oracle.pef_beer(row["permutation"]))
    assert row["fuzzy:joints=all"] == close(oracle.fuzzy(row["permutation"], joints="all"))
    assert document["metrics"]["kendall"]["signature"].startswith("kendall|root:no|")


@pytest.mark.parametrize("source", ["file", "stdin", "dash", "gz", "xz", "pipe"])
def test_any_source_gives_the_same_result(orders: Path, source: str) -> None:
    data = orders.read_bytes()
    expected = kilter("permutation", str(orders), "--format", "jsonl").out
    assert len(rows_of(expected)) == 3
    if source in ("gz", "xz"):
        import lzma

        packed = orders.with_suffix(f".{source}")
        packed.write_bytes((gzip if source == "gz" else lzma).compress(data))
        found = kilter("permutation", str(packed), "--format", "jsonl")
    elif source == "pipe":
        pipe = orders.with_name("pipe")
        os.mkfifo(pipe)
        threading.Thread(target=pipe.write_bytes, args=(data,), daemon=True).start()
        found = kilter("permutation", str(pipe), "--format", "jsonl")
    elif source == "file":
        found = kilter("permutation", "--format", "jsonl", str(orders))
    else:
        name = ["-"] if source == "dash" else []
        found = installed("permutation", *name, "--format", "jsonl", stdin=data)
    assert (found.code, found.out, found.err) == (0, expected, "")


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
    "structure", [["--tree"], ["--forest"], ["--draw"], ["--draw", "svg"], ["--tree", "dot"]]
)
def test_a_bad_line_leaves_no_structure_behind(
    tmp_path: Path, capsys: Captured, structure: list[str]
) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("2 1\n" * 300_000 + "2 2\n", encoding="utf-8")
    assert run(["permutation", str(path), *structure]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"{path}:300001: 2 at position 2" in captured.err


def test_a_bad_line_on_standard_input_is_named() -> None:
    found = installed("permutation", stdin=b"2 1\n" * 400_000 + b"x\n")
    assert (found.code, found.out) == (3, "")
    assert found.err.startswith("kilter: standard input:400001: 'x' in column 1")


def test_missing_files_directories_and_damage_are_named(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.gz"
    damaged.write_bytes(gzip.compress(b"1 2\n" * 5000)[:-20])
    plain = tmp_path / "plain.gz"
    plain.write_bytes(b"1 2\n")
    empty = tmp_path / "empty.txt"
    empty.write_bytes(b"")
    for path, reason in [
        (tmp_path / "missing.txt", "cannot be opened: No such file or directory"),
        (tmp_path, "is a directory; name a file in it"),
        (damaged, "is damaged or not compressed as its name says"),
        (plain, "is damaged or not compressed as its name says"),
        (empty, "holds nothing; write one permutation a line"),
    ]:
        for on_error in ("stop", "skip", "mark"):
            found = kilter("permutation", str(path), "--on-error", on_error)
            assert (found.code, found.out) == (3, "")
            assert found.err.startswith(f"kilter: {path}: {reason}")
            assert found.err.count("\n") == 1


LOCALES = [
    {"LC_ALL": "C"},
    {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0"},
    {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    {"LC_ALL": "C.UTF-8"},
]
"""Of these, Python takes the third at its word that names are ASCII."""


@pytest.mark.parametrize("locale", LOCALES)
def test_a_file_whose_name_is_no_text_is_named_as_well_as_can_be(locale: dict[str, str]) -> None:
    done = named(b"/nowhere/\xff", locale)
    assert done.returncode == 2
    assert b"/nowhere/\\xff is not UTF-8" in done.stderr
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("locale", LOCALES)
def test_a_name_in_utf8_is_text_whatever_the_locale_says(
    locale: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "Wörter").write_text("2 1\n", encoding="utf-8")
    assert b"kendall" in named(str(tmp_path / "Wörter").encode(), locale).stdout
    assert "Wärter: cannot be opened" in named("Wärter".encode(), locale).stderr.decode()


def named(name: bytes, locale: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    """Return what the command says of a file of this name, where the locale is this one."""
    own = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "PYTHONUTF8"))}
    return subprocess.run(
        [KILTER, "permutation", name], capture_output=True, check=False, env={**own, **locale}
    )


def test_standard_input_that_is_closed_is_named() -> None:
    done = subprocess.run(
        ["sh", "-c", f"'{KILTER}' permutation <&-"],  # noqa: S607
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"standard input: is closed; name a file instead" in done.stderr


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


MIXED = "2 1\nx\n1 2 3\n\n[]\n"


def test_bad_lines_may_be_skipped(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "mixed.txt"
    path.write_text(MIXED, encoding="utf-8")
    assert run(["permutation", str(path), "--on-error", "skip", "--format", "jsonl"]) == 0
    captured = capsys.readouterr()
    assert [row["permutation"] for row in rows_of(captured.out)] == [[2, 1], [1, 2, 3], []]
    assert captured.err.startswith(f"kilter: skipped 2 of 5 lines; the first is {path}:2: 'x'")
    assert captured.err.count("\n") == 1
    assert run(["permutation", str(path), "--on-error", "skip"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["line", "1", "3", "5"]


def test_bad_lines_may_be_marked_in_their_place(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "mixed.txt"
    path.write_text(MIXED, encoding="utf-8")
    assert run(["permutation", str(path), "--on-error", "mark", "--format", "jsonl", "-q"]) == 0
    captured = capsys.readouterr()
    rows = rows_of(captured.out)
    assert list(rows[0]) == ["line", *KEYS, "error"]
    assert [row["error"] is None for row in rows] == [True, False, True, False, True]
    assert "'x' in column 1" in rows[1]["error"]
    assert {rows[1][key] for key in KEYS} == {None}
    assert captured.err == ""


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "tsv", "md", "latex"])
def test_marked_lines_keep_every_format_whole(tmp_path: Path, capsys: Captured, form: str) -> None:
    path = tmp_path / "mixed.txt"
    path.write_text(MIXED, encoding="utf-8")
    assert run(["permutation", str(path), "--on-error", "mark", "--format", form]) == 0
    out = capsys.readouterr().out
    assert "'x' in column 1" in out
    expected = {"text": 6, "json": 7, "jsonl": 5, "tsv": 6, "md": 7, "latex": 11}
    assert out.count("\n") == expected[form]


def test_marked_lines_stand_between_structures(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "mixed.txt"
    path.write_text(MIXED, encoding="utf-8")
    assert run(["permutation", str(path), "--tree", "--on-error", "mark", "-q"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "<2,1>[2, 1]"
    assert lines[1].startswith(f"# {path}:2: 'x' in column 1")
    assert lines[2] == "2 x <1,2>[1, 2, 3]"
    assert run(["permutation", str(path), "--forest", "--on-error", "mark", "-q"]) == 0
    rows = rows_of(capsys.readouterr().out)
    assert rows[0]["permutation"] == [2, 1]
    assert (rows[1]["line"], rows[3]["line"]) == (2, 4)
    assert "'x' in column 1" in rows[1]["error"]


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ([], "<2,4,1,3>[2, 2 x <1,2>[4, 5, 6], 1, 3]\n"),
        (["bracketed"], "<2,4,1,3>[2, 2 x <1,2>[4, 5, 6], 1, 3]\n"),
        (["penn"], "(<2,4,1,3> 2 (<1,2> 4 5 6) 1 3)\n"),
        (["penn", "--binary"], "(<2,4,1,3> 2 (<1,2> (<1,2> 4 5) 6) 1 3)\n"),
        (
            ["penn", "--binary", "--branching", "right"],
            "(<2,4,1,3> 2 (<1,2> 4 (<1,2> 5 6)) 1 3)\n",
        ),
    ],
)
def test_trees_are_written_on_request(form: list[str], text: str) -> None:
    found = kilter("permutation", "--tree", *form, stdin=b"2 4 5 6 1 3\n")
    assert (found.code, found.out, found.err) == (0, text, "")


def test_trees_for_latex_and_graphviz_are_written(orders: Path, capsys: Captured) -> None:
    assert run(["permutation", str(orders), "--tree", "qtree"]) == 0
    assert capsys.readouterr().out.count("\\Tree ") == 3
    assert run(["permutation", str(orders), "--tree", "dot"]) == 0
    assert capsys.readouterr().out.count("digraph permutation {") == 3


def test_forests_are_one_chart_a_line(tmp_path: Path, capsys: Captured) -> None:
    rows = cases("forests")
    path = tmp_path / "vectors.txt"
    path.write_text(text_of([tuple(row["pi"]) for row in rows]), encoding="utf-8")
    assert run(["permutation", str(path), "--forest"]) == 0
    found = rows_of(capsys.readouterr().out)
    assert [chart["entries"] for chart in found] == [row["forest"] for row in rows]


def test_drawings_show_tree_and_diagram(orders: Path, capsys: Captured) -> None:
    assert run(["permutation", str(orders), "--draw"]) == 0
    out = capsys.readouterr().out
    assert "2413" in out
    assert out.count("●") == 12


@pytest.mark.parametrize("encoding", some(["ascii", "latin-1", "utf-16"], quick=["utf-16"]))
def test_output_is_utf_8_whatever_the_locale_says(encoding: str) -> None:
    found = installed(
        "permutation", "--draw", stdin=b"2 1\n", environment={"PYTHONIOENCODING": encoding}
    )
    assert (found.code, found.err) == (0, "")
    assert "●" in found.out


def test_svg_holds_one_permutation_and_is_xml() -> None:
    found = kilter("permutation", "--draw", "svg", stdin=b"2 4 5 6 1 3\n")
    assert found.code == 0
    assert ET.fromstring(found.out).tag.endswith("svg")  # noqa: S314 - our own text


def test_svg_of_two_permutations_is_refused_whole() -> None:
    found = kilter("permutation", "--draw", "svg", stdin=b"1 2\n2 1\n")
    assert (found.code, found.out) == (3, "")
    assert found.err.startswith("kilter: standard input:2: an SVG picture holds one permutation")


def test_pairs_are_compared(tmp_path: Path, capsys: Captured) -> None:
    rows = cases("permutation_pairs")
    path = tmp_path / "pairs.txt"
    path.write_text("".join(f"{row['pi']} ||| {row['sigma']}\n" for row in rows), encoding="utf-8")
    assert run(["permutation", str(path), "--pairs", "--format", "jsonl"]) == 0
    found = rows_of(capsys.readouterr().out)
    assert [row["kendall"] for row in found] == close([row["kendall"] for row in rows])
    assert [row["hamming"] for row in found] == close([row["hamming"] for row in rows])
    assert all(list(row) == ["n", "kendall", "hamming", "spearman", "footrule"] for row in found)


def test_a_bad_pair_is_named(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text("1 2 ||| 2 1\n1 2\n", encoding="utf-8")
    assert run(["permutation", str(path), "--pairs"]) == 3
    assert f"{path}:2: only one permutation" in capsys.readouterr().err


def test_permutations_may_count_from_zero(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "zero.txt"
    path.write_text("1 0 2\n", encoding="utf-8")
    assert run(["permutation", str(path), "--zero-based", "--format", "jsonl"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["permutation"], row["kendall"]) == ([1, 0, 2], close(2 / 3))


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


@pytest.mark.parametrize("specification", ["kendall", "pef:penalty=true"])
def test_the_signature_says_that_permutations_know_no_brevity_penalty(
    specification: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "orders"
    path.write_text("2 1 3\n", encoding="utf-8")
    assert run(["permutation", str(path), "-m", specification, "--format", "json"]) == 0
    (described,) = json.loads(capsys.readouterr().out)["metrics"].values()
    assert "|penalty:no|" in described["signature"]
