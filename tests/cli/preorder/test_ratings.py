"""`kilter preorder ratings`."""

import json
from pathlib import Path

import pytest

from kilter.cli.main import run

Captured = pytest.CaptureFixture[str]


def test_ratings_are_read_beside_orders_and_scores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [f"{k},x,{name},{k + 2 * (name == 'two')}" for name in ("one", "two") for k in (1, 2, 3)]
    Path("ratings.csv").write_text("\n".join(["segment,rater,system,rating", *rows, ""]), "utf-8")
    for name, line in (("one.txt", "a b c"), ("two.txt", "a c b"), ("manual.txt", "a c b")):
        Path(name).write_text(f"{line}\n" * 3, encoding="utf-8")
    given = ["preorder", "ratings", "ratings.csv", "--format", "json"]
    assert run([*given, "-R", "manual.txt", "one.txt", "two.txt"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [system["scores"]["frs"] for system in found["systems"]] == [0.0, 1.0]
    assert found["pairs"][0]["difference"] == 2.0
    assert run([*given, "one.txt", "two.txt"]) == 2
    assert "give both SYSTEMS and -R, or neither" in capsys.readouterr().err
