"""`kilter demo`."""

from pathlib import Path

import pytest

from kilter.cli.main import run
from kilter.run.demo import SYSTEMS
from kilter.run.scoring.settings import DEFAULT_METRICS
from tests.cli.command import kilter

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the demo where its report is in nobody's way."""
    monkeypatch.chdir(tmp_path)


def test_the_demo_scores_the_sample_from_any_folder() -> None:
    found = kilter("demo")
    assert found.code == 0
    header, *rows = found.out.split("\n\n", maxsplit=1)[0].splitlines()
    assert header.split()[0] == "system"
    assert [row.split()[0] for row in rows] == list(SYSTEMS)
    assert "48 segments" in found.out
    assert header.split() == ["system", *DEFAULT_METRICS]


def test_order_and_coverage_tell_what_is_wrong(capsys: Captured) -> None:
    assert run(["demo"]) == 0
    bands = capsys.readouterr().out.split("\n\n")
    found: dict[str, dict[str, float]] = {name: {} for name in SYSTEMS}
    for band in bands:
        lines = band.splitlines()
        if not lines[0].startswith("system"):
            continue
        names = lines[0].split()[1:]
        for line in lines[1:]:
            system, *cells = line.split()
            found[system].update(zip(names, map(float, cells[::2]), strict=True))
    assert list(found["local"]) == list(DEFAULT_METRICS)
    coverage = {name: scores["coverage"] for name, scores in found.items()}
    order = {name: scores["order"] for name, scores in found.items()}
    assert coverage.pop("lexical") < 0.9 < min(coverage.values())
    assert order.pop("lexical") == 1.0 > max(order.values())


def test_the_demo_can_compare(capsys: Captured) -> None:
    assert run(["demo"]) == 0
    plain = capsys.readouterr().out
    assert run(["demo", "--compare"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(plain)
    assert "paired bootstrap" in out[len(plain) :]


def test_the_demo_writes_a_report_and_says_where(tmp_path: Path, capsys: Captured) -> None:
    assert run(["demo"]) == 0
    assert "the report is kilter-demo.html" in capsys.readouterr().err
    page = (tmp_path / "kilter-demo.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert all(f">{name}</th>" in page for name in SYSTEMS)
    assert run(["demo", "--report", "other.html"]) == 0
    assert "the report is other.html" in capsys.readouterr().err
    assert (tmp_path / "other.html").read_text(encoding="utf-8") == page


def test_where_no_report_can_be_written_the_demo_says_so_and_goes_on(
    tmp_path: Path, capsys: Captured
) -> None:
    (tmp_path / "kilter-demo.html").mkdir()
    assert run(["demo"]) == 0
    said = capsys.readouterr()
    assert "48 segments" in said.out
    assert "there is no report" in said.err
    assert run(["demo", "--report", "nowhere/report.html"]) == 3
