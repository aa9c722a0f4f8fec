"""`kilter cache`, and `--cache` of the commands that make links and trees."""

import json
import os
import time
from pathlib import Path

import pytest

from kilter.cli.main import run
from tests.cli.sample import written

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def texts(tmp_path: Path) -> tuple[str, str]:
    first = written(tmp_path, "system", "a cat sleeps\ndogs bark\na cat sleeps\n")
    return first, written(tmp_path, "reference", "cats sleep\nthe dogs are barking\ncats sleep\n")


def said(capsys: Captured, *arguments: str) -> tuple[str, str]:
    assert run([*arguments]) == 0
    captured = capsys.readouterr()
    return captured.out, captured.err


def filled(texts: tuple[str, str], cache: Path, capsys: Captured) -> None:
    system, reference = texts
    said(capsys, "align", system, "-r", reference, "--aligner", "embedding", "--cache", str(cache))
    said(capsys, "parse", system, "--parser", "perceptron", "--cache", str(cache))


def makers(cache: Path, capsys: Captured, *more: str) -> list[tuple[str, str, int]]:
    out, _ = said(capsys, "cache", str(cache), "--format", "json", *more)
    return [
        (row["kind"], row["maker"].partition("(")[0], row["entries"]) for row in json.loads(out)
    ]


def test_a_cache_is_shown_and_cleared(
    texts: tuple[str, str], tmp_path: Path, capsys: Captured
) -> None:
    cache = tmp_path / "kept"
    filled(texts, cache, capsys)
    assert makers(cache, capsys) == [("links", "embedding", 2), ("parses", "perceptron", 2)]
    out, err = said(capsys, "cache", str(cache), "--clear")
    assert out.split() == ["kind", "maker", "entries", "files", "bytes", "days"]
    assert err == f"kilter: 2 files removed from {cache}\n"
    assert [*cache.iterdir()] == []


def test_one_maker_is_cleared(texts: tuple[str, str], tmp_path: Path, capsys: Captured) -> None:
    cache = tmp_path / "kept"
    filled(texts, cache, capsys)
    left = makers(cache, capsys, "--clear", "--maker", "embedding")
    assert left == [("parses", "perceptron", 2)]


def test_what_is_old_is_cleared(texts: tuple[str, str], tmp_path: Path, capsys: Captured) -> None:
    cache = tmp_path / "kept"
    filled(texts, cache, capsys)
    (old,) = cache.glob("links-*/*.kept")
    os.utime(old, (time.time() - 3 * 86_400,) * 2)
    left = makers(cache, capsys, "--clear", "--older-than", "2")
    assert left == [("parses", "perceptron", 2)]


def test_a_part_to_clear_needs_clear(tmp_path: Path, capsys: Captured) -> None:
    assert run(["cache", str(tmp_path), "--maker", "model"]) == 2
    assert "add --clear" in capsys.readouterr().err


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path, capsys: Captured) -> None:
    assert run(["cache", str(tmp_path / "none")]) == 3
    assert "there is no such folder" in capsys.readouterr().err


def test_scores_are_the_same_without_and_with_a_cache_cold_and_warm(
    texts: tuple[str, str], tmp_path: Path, capsys: Captured
) -> None:
    system, reference = texts
    asked = ["score", system, "-r", reference, "-m", "kendall", "-m", "dted", "--format", "json"]
    asked += ["--aligner", "embedding", "--parser", "perceptron"]
    alone = said(capsys, *asked)
    for _ in range(2):
        assert said(capsys, *asked, "--cache", str(tmp_path / "kept")) == alone
    assert {entry[:2] for entry in makers(tmp_path / "kept", capsys)} == {
        ("links", "embedding"),
        ("parses", "perceptron"),
    }


def test_a_damaged_cache_stops_the_run_and_names_the_file(
    texts: tuple[str, str], tmp_path: Path, capsys: Captured
) -> None:
    cache = tmp_path / "kept"
    filled(texts, cache, capsys)
    (path,) = cache.glob("parses-*/*.kept")
    path.write_bytes(path.read_bytes()[:100])
    assert run(["parse", texts[0], "--parser", "perceptron", "--cache", str(cache)]) == 3
    assert f"{path}: this file of the cache is damaged" in capsys.readouterr().err


def _kept_alike(capsys: Captured, cache: Path, *asked: str) -> None:
    alone = said(capsys, *asked)
    for _ in range(2):
        assert said(capsys, *asked, "--cache", str(cache)) == alone
    assert [entry[:2] for entry in makers(cache, capsys)] == [("parses", "perceptron")]


def test_perturbed_sentences_are_the_same_from_kept_parses(
    texts: tuple[str, str], tmp_path: Path, capsys: Captured
) -> None:
    asked = ["perturb", texts[0], "-t", "phrase", "-d", "2", "--parser", "perceptron"]
    _kept_alike(capsys, tmp_path / "kept", *asked)


@pytest.mark.parametrize("command", ["evaluate", "analyse"])
def test_preordering_is_the_same_from_kept_parses(
    command: str, texts: tuple[str, str], tmp_path: Path, capsys: Captured
) -> None:
    lines = [line.split() for line in Path(texts[0]).read_text("utf-8").splitlines()]
    reference = tmp_path / "orders.txt"
    reference.write_text("".join(" ".join(line[::-1]) + "\n" for line in lines), encoding="utf-8")
    asked = ["preorder", command, "-r", "r1", "-R", str(reference), "-s", texts[0]]
    _kept_alike(capsys, tmp_path / "kept", *asked, "--parser", "perceptron", "-q")
