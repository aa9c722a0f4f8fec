"""`kilter metrics`."""

import json
import re

import pytest

from kilter.cli.main import run
from kilter.metrics.citation import PUBLICATIONS
from kilter.metrics.registry import metric, metric_class, metric_names

Captured = pytest.CaptureFixture[str]


def test_it_lists_every_metric_with_a_summary(capsys: Captured) -> None:
    assert run(["metrics"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == metric_names()
    for line in lines:
        name, summary = line.split(None, 1)
        assert summary == metric_class(name).summary


@pytest.mark.parametrize("name", metric_names())
def test_it_describes_a_metric_in_full(name: str, capsys: Captured) -> None:
    assert run(["metrics", name]) == 0
    out = capsys.readouterr().out
    found = metric_class(name)
    direction = f"{'higher' if found.higher_is_better else 'lower'} is better"
    for part in (found.summary, found.formula, metric(name).signature(), direction):
        assert part in out
    for option in metric(name).options():
        assert f"    {option}=" in out
    for key in found.citations:
        assert f"{{{key}," in out


def test_it_says_what_weights_were_fitted_on(capsys: Captured) -> None:
    assert run(["metrics", "kilter"]) == 0
    assert "\n  fitted on  version 3: rankings of WMT 2012" in capsys.readouterr().out
    assert run(["metrics", "kendall"]) == 0
    assert "fitted on" not in capsys.readouterr().out


def test_json_describes_every_metric(capsys: Captured) -> None:
    assert run(["metrics", "--format", "json"]) == 0
    listed = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert list(listed) == metric_names()
    assert listed["pef"]["range"] == [0.0, 1.0]
    assert listed["pef"]["needs"] == ["links"]
    options = {row["name"]: row for row in listed["pef"]["options"]}
    assert options["beta"]["range"] == [0.0, 1.0]
    assert options["beta"]["default"] == "0.6"
    assert options["variant"]["values"] == ["paper", "beer"]
    kendall = {row["name"]: row for row in listed["kendall"]["options"]}
    assert kendall["root"]["values"] == ["true", "false"]


def test_citations_are_written_once_each(capsys: Captured) -> None:
    assert run(["metrics", "--cite"]) == 0
    out = capsys.readouterr().out
    assert len(re.findall(r"^@\w+\{", out, re.MULTILINE)) == len(PUBLICATIONS)
    for entry in PUBLICATIONS.values():
        assert out.count(entry) == 1
    assert run(["metrics", "--cite", "pef"]) == 0
    assert capsys.readouterr().out.strip() == PUBLICATIONS["stanojevic-simaan-2014"]


def test_an_unknown_name_is_answered_with_a_close_one(capsys: Captured) -> None:
    assert run(["metrics", "kendal"]) == 2
    assert "did you mean kendall?" in capsys.readouterr().err


def test_metrics_are_tried_for_tightness(capsys: Captured) -> None:
    assert (
        run(["metrics", "--check", "tight", "pet-size", "max-op:empty=1", "--max-length", "5"]) == 0
    )
    out = capsys.readouterr().out
    assert "pet-size: a weak factorization costs minus the number of its nodes" in out
    assert out.count("  tight       yes\n  semi-tight  yes\n") == 1
    assert "max-op:empty=1.0: a weak factorization costs the length of its longest operator" in out
    assert run(["metrics", "--check", "tight", "pef", "--max-length", "3", "--format", "json"]) == 0
    (document,) = json.loads(capsys.readouterr().out)
    assert (document["metric"], document["longest"], document["permutations"]) == ("pef", 3, 6)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (["--check", "tight"], "name a metric"),
        (["--check", "tight", "pef", "--cite"], "--cite and --check cannot be combined"),
        (["pef", "--max-length", "4"], "--max-length goes with --check"),
        (["--check", "tight", "bleu"], "bleu looks at words"),
        (["--check", "tight", "pef", "--max-length", "9"], "longest is 9"),
    ],
)
def test_checks_that_cannot_be_are_refused(
    asked: list[str], message: str, capsys: Captured
) -> None:
    assert run(["metrics", *asked]) == 2
    assert message in capsys.readouterr().err
