"""Runs that were scored apart are compared as if they were scored together."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import kilter
from kilter.core.errors import InputError
from kilter.run.explanation.report import report_texts
from kilter.run.scoring.saved import compare_results, saved_texts, text_digest
from tests.cli.sample import PATHS, REFERENCE

LINES = {Path(path).name: Path(path).read_text("utf-8").splitlines() for path in PATHS[:3]}
TARGET = Path(REFERENCE).read_text("utf-8").splitlines()
METRICS = ("kilter", "order", "bleu", "pef:beta=0.5", "meteor", "ter", "chrf")


def runs(**options: Any) -> dict[str, kilter.ScoreResult]:
    return {
        name: kilter.score({name: lines}, TARGET, **{"metrics": METRICS, **options})
        for name, lines in LINES.items()
    }


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"aligner": ("match", "ribes"), "metrics": ("kendall", "bleu")},
        {"language": "en", "metrics": ("kendall", "coverage"), "lowercase": True},
    ],
)
def test_a_comparison_of_saved_runs_is_that_of_their_texts(
    options: dict[str, Any], tmp_path: Path
) -> None:
    for name, each in runs(**options).items():
        each.save(tmp_path / f"{name}.kilter.json")
    loaded = {name: kilter.load(tmp_path / f"{name}.kilter.json") for name in LINES}
    together = kilter.compare(LINES, TARGET, **{"metrics": METRICS, **options})
    found = compare_results(loaded)
    assert found.to_dict() == together.to_dict()
    assert [str(each) for each in found.tables()] == [str(each) for each in together.tables()]
    assert set(found.notes) <= set(together.notes)


def test_a_report_on_saved_runs_is_that_on_their_texts() -> None:
    texts, settings = saved_texts(runs(metrics=("order", "bleu")))
    found = report_texts(texts, settings)
    expected = kilter.report(LINES, TARGET, metrics=("order", "bleu"))
    assert found.to_dict() == expected.to_dict()


def test_another_reference_is_refused_with_both_digests() -> None:
    one = kilter.score(["a b c"], ["a b c"], metrics="order")
    other = kilter.score(["a b c"], ["a b d"], metrics="order")
    with pytest.raises(InputError, match="was scored against another reference") as caught:
        compare_results({"one": one, "other": other})
    for line in ("a b c", "a b d"):
        assert text_digest([line])[:16] in str(caught.value)
    assert caught.value.where == "other"
    several = kilter.score(["a b c"], [["a b c", "a c b"]], metrics="order")
    with pytest.raises(InputError, match="against 2 references, one against 1"):
        compare_results({"one": one, "other": several})


def test_other_settings_are_refused_with_both_digests() -> None:
    one = kilter.score(["a b c"], ["a b c"], metrics=("order", "bleu"))
    other = kilter.score(["a b c"], ["a b c"], metrics=("order", "bleu"), lowercase=True)
    with pytest.raises(InputError) as caught:
        compare_results({"one": one, "other": other})
    assert "other: was scored under other settings (case:lower instead of nothing): sha256 " in str(
        caught.value
    )
    with pytest.raises(InputError, match="other settings"):
        saved_texts({"one": one, "other": kilter.score(["a"], ["a b c"], metrics="order")})


def test_another_source_is_refused() -> None:
    one, other = (
        kilter.score(["a b c"], ["a b c"], source=[line], metrics="bleu") for line in "xy"
    )
    with pytest.raises(InputError, match="with another source: sha256"):
        compare_results({"one": one, "other": other})
    without = kilter.score(["a b c"], ["a b c"], metrics="bleu")
    assert compare_results({"one": one, "other": without}).systems == ("one", "other")


def test_metrics_that_only_one_run_has_are_left_out_with_a_note() -> None:
    one = kilter.score({"a": ["a b c"]}, ["a b c"], metrics=("order", "bleu"))
    other = kilter.score({"b": ["a c b"]}, ["a b c"], metrics=("bleu", "chrf"))
    found = compare_results({"one": one, "other": other})
    assert [each.name for each in found.metrics] == ["bleu"]
    assert found.notes[:2] == (
        "order: not in all of one, other, and left out",
        "chrf: not in all of one, other, and left out",
    )
    with pytest.raises(InputError, match="no metric in common"):
        compare_results({"one": one, "c": kilter.score(["x"], ["a b c"], metrics="chrf")})
    with pytest.raises(InputError, match="hold no scores"):
        compare_results({})


def test_systems_keep_their_names_unless_two_have_the_same() -> None:
    both = kilter.score({"a": ["a b"], "b": ["b a"]}, ["a b"], metrics="bleu")
    alone = kilter.score({"c": ["b b"]}, ["a b"], metrics="bleu")
    same = kilter.score({"a": ["b b"]}, ["a b"], metrics="bleu")
    assert compare_results({"one": both, "other": alone}).systems == ("a", "b", "c")
    names = ("one/a", "one/b", "other/a")
    assert compare_results({"one": both, "other": same}).systems == names
    assert compare_results({"one": same, "other": same}).systems == ("one", "other")


def test_a_result_without_its_texts_is_refused() -> None:
    one = replace(kilter.score(["a b"], ["a b"], metrics="bleu"), texts=None)
    with pytest.raises(InputError, match="does not hold the texts"):
        compare_results({"one": one, "other": one})


def test_a_report_wants_texts_without_links_or_trees_of_files() -> None:
    links = kilter.align(["a b"], ["a b"])
    given = kilter.score(["a b"], ["a b"], links=links, metrics="kendall")
    with pytest.raises(InputError, match="with links of files, which it does not hold"):
        saved_texts({"one": given})
