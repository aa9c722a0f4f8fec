"""The vectors of meta-evaluation, and the tables of [PEF] and [PC] from their own numbers."""

from fractions import Fraction
from math import nan

import numpy as np
import pytest

from kilter.results.meta_result import Verdict
from kilter.run.meta.agreement import JudgedMetrics
from kilter.run.meta.hypothesis import hypotheses
from kilter.run.meta.language_pairs import count_verdicts, pair_averages, scaled
from kilter.run.meta.pair_count import PairKind, consistency, count_pairs, pair_kinds, tau
from kilter.run.meta.scored_metric import ScoredMetric
from kilter.run.meta.tuning import exact_alpha
from kilter.stats.correlation import pearson, spearman
from kilter.stats.significance import percentile_intervals, share_mark
from tests.golden import Case, cases
from tests.oracles import meta as oracle
from tests.run.meta.samples import judged
from tests.tolerance import close

CASES = cases("metaeval")


def of(kind: str) -> list[Case]:
    return [case for case in CASES if case["kind"] == kind]


def known(value: float | None) -> float:
    return nan if value is None else value


@pytest.mark.parametrize("case", of("pairs"))
def test_tau_and_consistency_are_those_of_the_vectors(case: Case) -> None:
    ranks_a, ranks_b, scores_a, scores_b = (
        np.array(case["pairs"], dtype=np.float64).reshape(-1, 4).T
    )
    preference = np.sign(scores_a - scores_b).astype(np.int8)
    kinds = pair_kinds(preference, np.sign(ranks_b - ranks_a).astype(np.int8))
    (counts,) = count_pairs(kinds, np.zeros(len(kinds), dtype=np.int64), 1)
    assert counts[PairKind.CONCORDANT] == case["concordant"]
    assert counts[PairKind.DISCORDANT] == case["discordant"]
    assert float(tau(counts)) == close(known(case["tau"]), nan_ok=True)
    assert float(consistency(counts)) == close(known(case["consistency"]), nan_ok=True)
    assert oracle.tau(case["pairs"]) == close(known(case["tau"]), nan_ok=True)
    assert oracle.consistency(case["pairs"]) == close(known(case["consistency"]), nan_ok=True)


@pytest.mark.parametrize("case", of("correlation"))
def test_correlations_are_those_of_the_vectors(case: Case) -> None:
    x, y = np.array(case["x"], dtype=np.float64), np.array(case["y"], dtype=np.float64)
    assert float(pearson(x, y)) == close(known(case["pearson"]), nan_ok=True)
    assert float(spearman(x, y)) == close(known(case["spearman"]), nan_ok=True)


@pytest.mark.parametrize("case", of("wins"))
def test_win_ratios_are_those_of_the_vectors(case: Case) -> None:
    names = tuple(sorted(case["ratios"]))
    rows = []
    for number, task in enumerate(case["tasks"]):
        listed = list(task.items())
        for place, (a, rank_a) in enumerate(listed):
            for b, rank_b in listed[place + 1 :]:
                outcome = int(np.sign(rank_b - rank_a))
                rows.append((0, names.index(a), names.index(b), outcome, number))
    assert len(rows) == case["comparisons"]
    metric = ScoredMetric.external("any", np.zeros((len(names), 1)))
    made = JudgedMetrics(judgments=judged(rows, names), segments=1, metrics=(metric,))
    found = dict(zip(names, made.human_scores.tolist(), strict=True))
    for name, ratio in case["ratios"].items():
        assert found[name] == close(known(ratio), nan_ok=True)


def test_averages_of_the_sentence_level_tables_are_table_3() -> None:
    (case,) = of("average_ranks")
    found = pair_averages(case["table"])
    assert {name: each.rank for name, each in found.items()} == close(case["ranks"])
    assert {name: each.score for name, each in found.items()} == close(case["means"])
    plotted = scaled(case["table"])
    for column in range(10):
        values = [row[column] for row in plotted.values()]
        assert (min(values), max(values)) == (0.0, 1.0)


def higher(new: float, baseline: float) -> Verdict:
    if new == baseline:
        return Verdict.DRAW
    return Verdict.NEW if new > baseline else Verdict.BASELINE


def test_comparisons_by_means_bound_the_printed_ones() -> None:
    (case,) = of("nbd")
    equal = 0
    for name, cells in case["by_means"].items():
        for baseline, cell, printed in zip(
            case["baselines"], cells, case["printed"][name], strict=True
        ):
            both = zip(case["table"][name], case["table"][baseline], strict=True)
            found = count_verdicts([higher(new, old) for new, old in both])
            assert str(found) == cell
            new, old, _ = map(int, printed.split("/"))
            assert new <= found.new
            assert old <= found.baseline
            equal += printed == cell
    assert equal == 6


@pytest.mark.parametrize("case", of("tuning"))
def test_the_exact_optimum_is_that_of_the_vectors(case: Case) -> None:
    rows = [
        (a[0] - b[0], a[1] - b[1], int(np.sign(rank_b - rank_a)))
        for rank_a, rank_b, a, b in case["pairs"]
    ]
    order, lexical, outcome = zip(*rows, strict=True)
    best = exact_alpha(np.array(order), np.array(lexical), np.array(outcome, dtype=np.int8))
    assert best.value == close(known(case["best_consistency"]), nan_ok=True)
    if case["best_consistency"] is not None:
        for alpha in (best.alpha, case["one_best_alpha"]):
            reached = oracle.consistency(oracle.interpolated(rows, Fraction(alpha)))
            assert reached == close(case["best_consistency"])


@pytest.mark.parametrize("case", of("mark"))
def test_marks_are_those_of_the_vectors(case: Case) -> None:
    assert str(share_mark(case["share"])) == case["mark"]


@pytest.mark.parametrize("case", [case for case in of("percentile") if case["q"] in (2.5, 97.5)])
def test_intervals_end_at_the_percentiles_of_the_vectors(case: Case) -> None:
    ((low, high),) = percentile_intervals(np.array([case["values"]], dtype=np.float64))
    assert (low if case["q"] == 2.5 else high) == close(case["value"])


@pytest.mark.parametrize("case", of("ranges"))
def test_ranges_compare_as_in_the_vectors(case: Case) -> None:
    rows = {row.id: row for row in hypotheses({"b": case["t"]}, {"b": case["u"]}, {"u": case["u"]})}
    assert rows["EVAL"].supported == case["t_dominates_u"]
    assert rows["ORD"].supported == case["t_at_least_as_accurate"]


@pytest.mark.parametrize("case", of("hypotheses"))
def test_hypotheses_are_those_of_the_vectors(case: Case) -> None:
    found = {row.id: row for row in hypotheses(case["order"], case["holistic"], case["baselines"])}
    expected = dict(case["result"])
    numbers = dict(found["EVAL_CONF"].numbers)
    assert numbers.pop("threshold") == close(expected.pop("threshold"))
    assert max(numbers.values()) == close(expected.pop("spread"))
    assert {name: row.supported for name, row in found.items()} == expected


def test_every_case_of_meta_evaluation_is_tested() -> None:
    tested = {
        "pairs",
        "correlation",
        "wins",
        "average_ranks",
        "nbd",
        "tuning",
        "mark",
        "percentile",
        "ranges",
        "hypotheses",
    }
    assert {case["kind"] for case in CASES} == tested
