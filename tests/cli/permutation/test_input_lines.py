"""Lines of permutations: where they come from, and bad ones."""

import gzip
import json
import os
import subprocess
import threading
from pathlib import Path

import pytest

from kilter.cli.main import run
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


def test_permutations_may_count_from_zero(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "zero.txt"
    path.write_text("1 0 2\n", encoding="utf-8")
    assert run(["permutation", str(path), "--zero-based", "--format", "jsonl"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["permutation"], row["kendall"]) == ([1, 0, 2], close(2 / 3))
