"""Lines of permutations: where they come from, and bad ones."""

import gzip
import io
import json
import lzma
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from kilter.cli.main import run
from kilter.run.engine.run import PartFolder
from tests.cli.command import KILTER, kilter
from tests.cli.permutation.orders import KEYS, MIXED, Captured, rows_of
from tests.thorough import some
from tests.tolerance import close

LOCALES = [
    {"LC_ALL": "C"},
    {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0"},
    {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    {"LC_ALL": "C.UTF-8"},
]
"""Of these, Python takes the third at its word that names are ASCII."""


def named(name: bytes, locale: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    """Return what the command says of a file of this name, where the locale is this one."""
    own = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "PYTHONUTF8"))}
    return subprocess.run(
        [KILTER, "permutation", name], capture_output=True, check=False, env={**own, **locale}
    )


@pytest.mark.parametrize("source", ["file", "stdin", "dash", "gz", "xz", "pipe"])
def test_any_source_gives_the_same_result(orders: Path, source: str) -> None:
    data = orders.read_bytes()
    expected = kilter("permutation", str(orders), "--format", "jsonl").out
    assert len(rows_of(expected)) == 3
    if source in ("gz", "xz"):
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
        found = kilter("permutation", *name, "--format", "jsonl", stdin=data)
    assert (found.code, found.out, found.err) == (0, expected, "")


def test_a_bad_line_on_standard_input_is_named() -> None:
    found = kilter("permutation", stdin=b"2 1\n" * 400_000 + b"x\n")
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


@pytest.mark.parametrize("locale", some(LOCALES, quick=LOCALES[2:3]))
def test_a_file_whose_name_is_no_text_is_named_as_well_as_can_be(locale: dict[str, str]) -> None:
    done = named(b"/nowhere/\xff", locale)
    assert done.returncode == 2
    assert b"/nowhere/\\xff is not UTF-8" in done.stderr
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("locale", some(LOCALES, quick=LOCALES[2:3]))
def test_a_name_in_utf8_is_text_whatever_the_locale_says(
    locale: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "Wörter").write_text("2 1\n", encoding="utf-8")
    assert b"kendall" in named(str(tmp_path / "Wörter").encode(), locale).stdout
    assert "Wärter: cannot be opened" in named("Wärter".encode(), locale).stderr.decode()


def test_standard_input_that_is_closed_is_named() -> None:
    done = subprocess.run(
        ["sh", "-c", f"'{KILTER}' permutation <&-"],  # noqa: S607
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"standard input: is closed; name a file instead" in done.stderr


def test_bad_lines_may_be_skipped(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "mixed.txt"
    path.write_text(MIXED, encoding="utf-8")
    assert run(["permutation", str(path), "--on-error", "skip", "--format", "jsonl"]) == 0
    captured = capsys.readouterr()
    assert [row["permutation"] for row in rows_of(captured.out)] == [[2, 1], [1, 2, 3], []]
    assert captured.err.startswith(f"kilter: skipped 2 of 5 lines; the first is {path}:2: 'x'")
    assert captured.err.count("\n") == 1
    assert run(["permutation", str(path), "--on-error", "skip"]) == 0
    table = capsys.readouterr().out.partition("\n\n")[0]
    assert [line.split()[0] for line in table.splitlines()] == ["line", "1", "3", "5"]


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


def test_permutations_may_count_from_zero(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "zero.txt"
    path.write_text("1 0 2\n", encoding="utf-8")
    assert run(["permutation", str(path), "--zero-based", "--format", "jsonl"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["permutation"], row["kendall"]) == ([1, 0, 2], close(2 / 3))


def json_lines(folder: Path, *rows: object, name: str = "orders.jsonl") -> str:
    path = folder / name
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return str(path)


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("name", ["orders.txt", "orders.txt.gz", "orders.jsonl", "orders.jsonl.xz"])
def test_a_terminal_sees_how_many_lines_are_done(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b"[2, 1]\n" * 1000
    if name.endswith(".gz"):
        data = gzip.compress(data)
    elif name.endswith(".xz"):
        data = lzma.compress(data)
    (tmp_path / name).write_bytes(data)
    monkeypatch.setenv("COLUMNS", "120")
    for options, seen in (([], True), (["-q"], False)):
        screen = Screen()
        monkeypatch.setattr(sys, "stderr", screen)
        asked = ["permutation", str(tmp_path / name), "-o", str(tmp_path / "scores.tsv"), *options]
        assert run(asked) == 0
        assert ("100%" in screen.getvalue()) == ("lines per second" in screen.getvalue()) == seen


def test_lines_of_a_pipe_are_counted_and_those_that_are_typed_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    for typed in (False, True):
        screen, lines = Screen(), io.TextIOWrapper(io.BytesIO(b"2 1\n" * 1000))
        monkeypatch.setattr(lines, "isatty", lambda typed=typed: typed)
        monkeypatch.setattr(sys, "stderr", screen)
        monkeypatch.setattr(sys, "stdin", lines)
        assert run(["permutation", "-o", str(tmp_path / "scores.tsv")]) == 0
        assert ("1,000 done, " in screen.getvalue()) is not typed
        assert "100%" not in screen.getvalue()


def test_progress_stays_away_from_scores_on_the_same_terminal(
    orders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, err = Screen(), Screen()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    assert run(["permutation", str(orders), "--format", "tsv"]) == 0
    assert out.getvalue().count("\n") == 4
    assert err.getvalue() == ""


@pytest.mark.parametrize("base", [0, 1])
@pytest.mark.parametrize("name", ["scores.jsonl", "scores.jsonl.gz"])
def test_json_lines_that_were_written_are_read_again(tmp_path: Path, name: str, base: int) -> None:
    lines = tmp_path / "orders.txt"
    rows = [[2, 1, 3], [], [1], [*range(70, 0, -1)]]
    lines.write_text("".join(f"{[n - 1 + base for n in row]}\n" for row in rows), encoding="utf-8")
    counted = [] if base else ["--zero-based"]
    out = tmp_path / name
    assert kilter("permutation", str(lines), "-o", str(out), *counted).code == 0
    expected = kilter("permutation", str(lines), "--format", "jsonl", *counted)
    assert kilter("permutation", str(out), "--format", "jsonl", *counted) == expected
    for options in (["-m", "kendall"], ["--forest"], ["-j", "2", "--workers", "2"]):
        found = kilter("permutation", str(out), *options, *counted)
        assert found == kilter("permutation", str(lines), *options, *counted)
        assert found.code == 0


def test_a_bad_json_line_stops_is_skipped_or_marked(tmp_path: Path) -> None:
    rows = [{"order": [2, 1]}, {"order": [1.5]}, {"order": [1, 2]}, {"id": 3}]
    path = json_lines(tmp_path, *rows)
    stopped = kilter("permutation", path, "--format", "jsonl")
    fault = f"{path}:2: 1.5 at position 1 is not a whole number; permutations are lists of whole numbers\n"
    assert (stopped.code, stopped.out, stopped.err) == (3, "", f"kilter: {fault}")
    asked = ["permutation", path, "-m", "kendall", "--format", "jsonl"]
    skipped = kilter(*asked, "--on-error", "skip")
    assert skipped.err == f"kilter: skipped 2 of 4 lines; the first is {fault}"
    assert [(row["line"], row["kendall"]) for row in rows_of(skipped.out)] == [(1, 0.0), (3, 1.0)]
    marked = kilter(*asked, "--on-error", "mark", "-q")
    assert [row["error"] is None for row in rows_of(marked.out)] == [True, False, True, False]
    again = kilter("permutation", json_lines(tmp_path, *rows_of(marked.out)), *asked[2:], "--on-error", "skip")  # fmt: skip
    assert again.out == skipped.out


def test_the_field_of_json_lines_can_be_chosen(tmp_path: Path) -> None:
    path = json_lines(tmp_path, {"first": [2, 1], "second": [1, 2]})
    asked = ["permutation", path, "-m", "kendall", "--format", "tsv"]
    refused = kilter(*asked)
    assert refused.code == 3
    assert refused.err == (
        f"kilter: {path}:1: has the fields of lists first, second; choose one (--column)\n"
    )
    found = [kilter(*asked, "--column", name).out.split()[-1] for name in ("first", "second")]
    assert found == ["0.0", "1.0"]


def test_json_lines_go_on_after_a_run_that_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kilter.io.stream.CHUNK", 40)
    path = json_lines(tmp_path, *[[2, 1, 3], [1], [3, 1, 2]] * 9)
    out = tmp_path / "scores.parquet"
    asked = ["permutation", path, "-o", str(out), "--resume"]
    assert kilter(*asked[:-1]).code == 0
    expected = out.read_bytes()
    out.unlink()
    with monkeypatch.context() as patch:
        write = PartFolder.write

        def killed(self: PartFolder, place: int, content: bytes, *, rows: int) -> None:
            if place == 2:
                raise KeyboardInterrupt
            write(self, place, content, rows=rows)

        patch.setattr(PartFolder, "write", killed)
        assert kilter(*asked).code == 130
    assert not out.exists()
    found = kilter(*asked)
    assert (found.code, found.err) == (0, "kilter: went on after 2 parts of an earlier run\n")
    assert out.read_bytes() == expected


def test_standard_input_is_json_lines_where_a_field_is_named(tmp_path: Path) -> None:
    path = json_lines(tmp_path, {"id": 1, "order": [2, 1, 3]}, {"id": 2, "order": [1]})
    data = Path(path).read_bytes()
    expected = kilter("permutation", path, "--column", "order", "--format", "tsv")
    assert expected.out.count("\n") == 3
    assert kilter("permutation", "--column", "order", "--format", "tsv", stdin=data) == expected
    unnamed = kilter("permutation", stdin=data)
    assert unnamed.code == 3
    assert "standard input:1: '{' in column 1 begins an object of JSON" in unnamed.err
    assert "--column NAME" in unnamed.err


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_compressed_standard_input_is_told(pack: Callable[[bytes], bytes]) -> None:
    found = kilter("permutation", stdin=pack(b"2 1 3\n"))
    assert found.code == 3
    assert "standard input:1: begins as a compressed file does; unpack it" in found.err
