"""Agreement as mt-metrics-eval computes it: its own numbers on made-up matrices with ties and missing scores."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kilter.stats.wmt_correlation import (
    Grouping,
    SoftPairwiseAccuracy,
    grouped_correlation,
    kendall,
    kendall_like,
    pair_permutation_p_value,
    pairwise_accuracy,
    pairwise_difference_pearson,
    pearson,
    permutation_p_value,
    significance_ranks,
    spearman,
    tie_calibrated,
)
from tests.thorough import tried

Floats = NDArray[np.float64]

if TYPE_CHECKING:
    from collections.abc import Callable


def document(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(__file__).with_name(name).read_text())
    return found


def matrix(rows: list[list[float | None]]) -> Any:
    return np.array(rows, dtype=np.float64)


def computed(key: str, gold: Any, metric: Any, given: dict[str, Any]) -> tuple[float, ...] | None:  # noqa: PLR0911
    """Return what a key of the vectors is called here; None for p-values of correlations and the like."""
    kind, _, rest = key.partition(".")
    by = Grouping(rest.split(".")[0]) if rest.split(".")[0] in [*Grouping] else Grouping.NONE
    sides = [matrix(given[f"{side}_sys"]) for side in ("gold", "metric")]
    of: dict[str, Callable[[Floats, Floats], float]] = {
        "pearson": pearson,
        "spearman": spearman,
        "kendall_b": kendall("b"),
        "kendall_c": kendall("c"),
    }
    if kind in of:
        return grouped_correlation(gold, metric, of[kind], by, zeros="nan0" in key)
    if kind.startswith("variants"):
        coefficient = kendall(kind.split("_")[1], epsilon=float(key.partition(".eps")[2]))
        return grouped_correlation(gold, metric, coefficient, by)
    if kind == "kendall_like":
        return kendall_like(gold, metric, by, threshold=float(key.partition(".thresh")[2]))
    if kind.startswith("ties_opt"):
        return tie_calibrated(gold, metric, by, variant=kind.rpartition("_")[2])
    if kind == "pdp":
        return (pairwise_difference_pearson(gold, metric),)
    if key in ("spa.default", "spa.perm20000"):
        permutations = 1000 if key == "spa.default" else 20_000
        return (SoftPairwiseAccuracy(gold, permutations=permutations).of(metric),)
    if key == "sys_pairwise_accuracy":
        return (pairwise_accuracy(*sides).value,)
    if key in ("sys_pearson", "sys_spearman", "sys_kendall_b"):
        return (of[key.removeprefix("sys_")](*sides),)
    return None


def test_every_number_is_that_of_the_tool() -> None:
    count = 0
    for case in document("mtme_correlations.json")["cases"][: tried(28, quick=3)]:
        given, output = case["input"], case["output"]
        gold, metric = matrix(given["gold"]), matrix(given["metric"])
        for key, value in output.items():
            found = computed(key, gold, metric, given)
            if found is None:
                continue
            wanted = value if isinstance(value, list) else [value]
            numbers = [np.nan if each is None else each for each in wanted]
            # A triple is the value, a p-value, and how many groups it is the mean of.
            kept = [numbers[0], numbers[2]] if len(numbers) == 3 and len(found) == 2 else numbers
            pairs = zip(found, kept, strict=False)
            assert all(a == pytest.approx(b, abs=1e-12, nan_ok=True) for a, b in pairs), (
                case["id"],
                key,
            )
            count += 1
    assert count > tried(2000, quick=200)


def test_ranks_are_those_of_the_tool() -> None:
    for case in document("mtme_ranks.json")["assign_ranks_cases"]:
        given = case["input"]
        assert significance_ranks(matrix(given["sig_matrix"]), level=given["pval"]) == case["output"]["ranks"]  # fmt: skip


RANKED = document("mtme_ranks.json")["cases"]


@pytest.mark.parametrize("case", RANKED, ids=[each["id"] for each in RANKED])
def test_p_values_are_those_of_the_tool_for_the_same_seed(case: dict[str, Any]) -> None:
    given, wanted = case["input"], case["output"]
    by = Grouping(given["average_by"])
    gold = matrix(given["gold"])
    metrics = {name: matrix(rows) for name, rows in given["metrics"].items()}
    if gold.ndim == 1:
        gold = gold[:, np.newaxis]
        metrics = {name: rows[:, np.newaxis] for name, rows in metrics.items()}
    soft = SoftPairwiseAccuracy(gold)
    variant = given["kwargs"].get("variant", "b")
    coefficient: Callable[[Floats, Floats], float] = {
        "pearsonr": lambda x, y: grouped_correlation(x, y, pearson, by).value,
        "KendallVariants": lambda x, y: grouped_correlation(x, y, kendall(variant), by).value,
        "KendallWithTiesOpt": lambda x, y: tie_calibrated(x, y, by).value,
        "pce": lambda _, y: soft.of(y),
    }[given["corr_fcn"]]
    values = {name: coefficient(gold, rows) for name, rows in metrics.items()}
    order = sorted(values, key=lambda name: (-values[name], name))
    assert order == wanted["order"]
    assert [values[name] for name in order] == pytest.approx(
        [wanted["corr_and_rank"][name][0] for name in order], abs=1e-12
    )
    rng = np.random.RandomState(given["np_random_seed_before_call"])
    found = np.zeros((len(order), len(order)))
    rows = tried(len(order), quick=1)
    for one in range(rows):
        for other in range(one + 1, len(order)):
            sides = gold, metrics[order[one]], metrics[order[other]]
            found[one, other] = (
                pair_permutation_p_value(*sides, by, rng=rng, permutations=given["k"])
                if given["perm_test"] == "pairs"
                else permutation_p_value(*sides, coefficient, by, rng=rng, permutations=given["k"])
            )
    assert found[:rows].tolist() == matrix(wanted["sig_matrix"])[:rows].tolist()
    if rows == len(order):
        assert significance_ranks(found) == [wanted["corr_and_rank"][name][1] for name in order]
