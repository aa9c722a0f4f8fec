"""Verdicts and rankings: what a comparison says in a sentence."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import kilter
from kilter.results.comparison import Comparison
from kilter.results.verdict import ranked, verdicts
from kilter.stats.resampling import Resampling
from tests.cli.sample import PATHS
from tests.cli.sample import REFERENCE as REFERENCE_FILE


def lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()


REFERENCE = lines(REFERENCE_FILE)
SYSTEMS = {Path(path).stem: lines(path) for path in PATHS}
FEW = Resampling(resamples=200)


def compared(*names: str, **options: Any) -> Comparison:
    texts = {name: SYSTEMS[name] for name in names}
    return kilter.compare(texts, REFERENCE, resampling=FEW, **options)


def test_a_better_order_with_fewer_words_is_said_in_two_sentences() -> None:
    (verdict,) = verdicts(compared("local", "lexical"))
    order, overall = verdict.split(" Overall ")
    assert order.startswith(
        "lexical orders words better than local: order 1.00 against 0.74, +0.26 ["
    )
    assert order.endswith("; the coverage of lexical is lower (0.84 against 1.00).")
    assert overall.startswith("lexical is worse: kilter 0.80 against 0.87, -0.07 [")


def test_a_difference_that_may_be_chance_is_called_no_significant_difference() -> None:
    (verdict,) = verdicts(compared("local", "phrase"))
    assert verdict.startswith(
        "The word order of phrase and local does not differ significantly: order "
    )
    assert "their coverage is about the same (0.998 against 1.000)" in verdict


def test_other_metrics_have_a_sentence_each_and_lower_may_be_better() -> None:
    (verdict,) = verdicts(compared("local", "lexical", metrics=["kendall", "ter"]))
    assert verdict.startswith("lexical is worse than local in kendall: ")
    assert " in ter: " in verdict


def test_percent_changes_the_numbers_and_nothing_else() -> None:
    found = compared("local", "lexical")
    (plain,), (percent,) = verdicts(found), verdicts(replace(found, percent=True))
    assert "order 1.00 against 0.74, +0.26 [" in plain
    assert "order 100.0 against 73.9, +26.1 [" in percent
    assert found.to_dict() == replace(found, percent=True).to_dict()


def test_too_few_segments_and_missing_scores_are_said() -> None:
    few = kilter.compare({"a": ["b a c d e"] * 3, "b": ["a b c d e"] * 3}, ["a b c d e"] * 3)
    (verdict,) = verdicts(few)
    assert verdict.startswith(
        "There are too few segments to tell whether b and a differ in order: order 1.00 "
    )
    none = kilter.compare({"a": ["x"] * 3, "b": ["y"] * 3}, ["a b c d e"] * 3)
    (verdict,) = verdicts(none)
    assert verdict.startswith("The order of b and a cannot be compared: b has none (")


def test_systems_of_a_ranking_are_grouped_where_all_above_are_significantly_better() -> None:
    found = compared(*SYSTEMS)
    rows = ranked(found, found.metrics[0])
    assert [name for name, _, _ in rows] == ["phrase", "verb", "local", "lexical"]
    assert [group for _, group, _ in rows] == [1, 1, 1, 2]
    assert [ranks for _, _, ranks in rows] == ["1-3", "1-3", "1-3", "4"]


@pytest.mark.parametrize("metric", ["ter", "kendall"])
def test_the_best_system_of_a_ranking_comes_first(metric: str) -> None:
    found = compared(*SYSTEMS, metrics=metric)
    (compared_metric,) = found.metrics
    scores = (each.value or 0.0 for each in compared_metric.intervals)
    values = dict(zip(found.systems, scores, strict=True))
    ordered = [values[name] for name, _, _ in ranked(found, compared_metric)]
    assert ordered == sorted(ordered, reverse=metric == "kendall")


def test_many_systems_have_a_ranking_and_a_matrix_but_no_sentence_each() -> None:
    texts = {f"s{number}": SYSTEMS["verb"] for number in range(6)}
    found = kilter.compare(texts, REFERENCE, metrics="kendall", resampling=FEW)
    assert [*verdicts(found)] == []
    leader, ranking, matrix = found.tables()
    assert str(leader).startswith("Fewer than two systems") or "is best in kendall" in str(leader)
    assert len(ranking.rows) == len(matrix.rows) == 6
    signs = ["".join(row[2:]) for row in matrix.rows]
    assert [sign.index(".") for sign in signs] == [*range(6)]
    assert all(set(sign) == {".", "?"} or set(sign) == {".", "0"} for sign in signs)
    assert len(str(found).splitlines()) < 35


def test_a_result_prints_as_its_table_and_a_notebook_shows_the_same() -> None:
    found = compared("local", "lexical")
    assert str(found).startswith("lexical orders words better than local")
    assert len(str(found).splitlines()) <= 20
    assert "<p>lexical orders words better than local" in found._repr_html_()


def test_numbers_of_systems_above_a_matrix_are_apart() -> None:
    texts = {f"s{number}": SYSTEMS["verb"] for number in range(12)}
    found = kilter.compare(texts, REFERENCE, metrics="kendall", resampling=FEW)
    heading = next(line for line in str(found).splitlines() if line.startswith("no."))
    assert heading.split() == ["no.", "system", *map(str, range(1, 13))]


def test_the_footer_says_what_intervals_are_and_whether_they_are_corrected() -> None:
    two, three = (
        " ".join(str(compared(*names, metrics="order")).split())
        for names in (("local", "verb"), ("local", "verb", "phrase"))
    )
    assert "; 95% intervals; p: paired bootstrap test" in two
    assert "; 95% intervals, not corrected for several comparisons; p: paired" in three


def test_links_by_meaning_are_said_with_and_without_the_overall_score() -> None:
    for metric in ("order", "kilter"):
        assert "Links also by meaning (English model)." in str(
            compared("local", "verb", metrics=metric, language="en")
        )
        assert "by meaning" not in str(compared("local", "verb", metrics=metric))
    scored = kilter.score(SYSTEMS["local"][:3], REFERENCE[:3], metrics="order", language="en")
    assert "links also by meaning (English model)" in str(scored)
