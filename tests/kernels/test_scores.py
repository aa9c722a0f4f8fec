"""All scores of the kernels against the oracles, on both of their paths."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter import _core
from kilter.core.permutation_batch import COUNT_COLUMNS, SCORE_COLUMNS
from tests import shapes, strategies
from tests.arrays import OneBased, all_up_to, flat, one_based, zero_based
from tests.oracles import permutation as oracle
from tests.oracles.chart import Chart, OperatorScore, published
from tests.thorough import examples, some, tried
from tests.tolerance import close


def scored_by(flat_score: Callable[[OneBased], object]) -> OperatorScore:
    return lambda operator: float(flat_score(operator))  # type: ignore[arg-type]


FLAT_OPERATORS = tuple(
    map(
        scored_by,
        (
            oracle.kendall,
            oracle.kendall_sqrt,
            oracle.spearman,
            oracle.hamming,
            oracle.ulam,
            oracle.fuzzy,
        ),
    )
)
"""Scores of operators in the order of the kernel's numbers."""
LITERAL: dict[str, Callable[[OneBased], object]] = {
    "kendall": oracle.kendall,
    "kendall-sqrt": oracle.kendall_sqrt,
    "spearman": oracle.spearman,
    "hamming": oracle.hamming,
    "ulam": oracle.ulam,
    "fuzzy": oracle.fuzzy,
    "pet-size": oracle.pet_size,
    "pet-count": oracle.pet_count,
    "max-op": oracle.max_op,
    "pef": oracle.pef,
    "pet": oracle.pet,
    "nodes": oracle.node_count,
    "max-operator": oracle.longest_operator,
    "chunks": oracle.chunks,
    "primal": oracle.is_primal,
    "trees": oracle.tree_count,
}
EVERY = all_up_to(tried(7, quick=5))


def columns(
    permutations: Sequence[OneBased],
    *,
    beta: float = 0.6,
    gamma: float = 0.0,
    right: bool = False,
    empty: float = 0.0,
    jobs: int = 1,
) -> dict[str, Any]:
    values, offsets = flat(map(zero_based, permutations))
    scores, counts, trees = _core.score(values, offsets, beta, gamma, right, empty, jobs)
    table: dict[str, Any] = dict(zip(SCORE_COLUMNS, scores, strict=True))
    table.update(zip(COUNT_COLUMNS, counts, strict=True))
    return {**table, "trees": trees}


def from_chart(pi: OneBased, *, beta: float, gamma: float, right: bool) -> dict[str, Any]:
    """Return what the literal oracle would say, where it takes too long."""
    chart = Chart(pi)
    n, trees, operators = len(pi), chart.tree_count(), chart.tree_operators()
    longest = max(map(len, operators), default=0)
    most = oracle.catalan(n - 1)
    flat_scores = {name: LITERAL[name](pi) for name in SCORE_COLUMNS[:6]}
    return flat_scores | {
        "pet-size": Fraction(len(operators) - 1, n - 2) if n > 2 else 1,
        "pet-count": Fraction(trees - 1, most - 1) if n > 2 else 1,
        "max-op": Fraction(n - longest, n - 2) if n > 2 else 1,
        "pef": chart.pef(beta, published(gamma)),
        "pet": chart.pet(beta, published(gamma), right=right),
        "nodes": len(operators),
        "max-operator": longest,
        "chunks": oracle.chunks(pi),
        "primal": len(operators) == 1,
        "trees": trees if n <= 37 else 0,
    }


@cache
def every_chart() -> list[Chart]:
    return [Chart(pi) for pi in EVERY]


@pytest.mark.parametrize("name", LITERAL)
def test_every_short_permutation_scores_what_the_oracle_says(name: str) -> None:
    found = columns(EVERY)[name]
    expected = [LITERAL[name](pi) for pi in EVERY]
    assert found.astype(float) == close(expected, absolute=1e-15)


@pytest.mark.parametrize(
    ("beta", "gamma", "right"),
    [(0.6, 0.0, True), (0.6, 0.5, False), (0.3, 1.0, True), (0.0, 0.25, False), (1.0, 0.5, True)],
)
def test_every_short_permutation_follows_beta_gamma_and_branching(
    beta: float,
    gamma: float,
    right: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    found = columns(EVERY, beta=beta, gamma=gamma, right=right)
    charts = every_chart()
    score = published(gamma)
    assert found["pef"] == close([chart.pef(beta, score) for chart in charts])
    assert found["pet"] == close([chart.pet(beta, score, right=right) for chart in charts])
    untouched = columns(EVERY)
    for name in set(LITERAL) - {"pef", "pet"}:
        assert np.array_equal(found[name], untouched[name])


@pytest.mark.parametrize("measure", range(len(FLAT_OPERATORS)))
def test_every_short_permutation_follows_flat_scores_of_operators(measure: int) -> None:
    values, offsets = flat(map(zero_based, EVERY))
    charts, score = every_chart(), FLAT_OPERATORS[measure]
    for right in (False, True):
        found = _core.score_flat_operators(
            values, offsets, [*_core.FlatMeasure][measure], 0.6, right, 0.0, 1
        )
        assert found[:, 0] == close([chart.pef(0.6, score) for chart in charts])
        assert found[:, 1] == close([chart.pet(0.6, score, right=right) for chart in charts])


@pytest.mark.parametrize("beta", [0.6, 0.05, 1.0])
def test_every_short_permutation_scores_as_beer_does(beta: float) -> None:
    values, offsets = flat(map(zero_based, EVERY))
    found = _core.score_beer(values, offsets, beta, 0.0, 1)
    assert found == close([chart.beer(beta) for chart in every_chart()])


@examples(120)
@given(
    strategies.permutations(1, 64),
    st.floats(0, 1),
    st.floats(0, 1),
    st.booleans(),
)
def test_short_permutations_score_what_the_oracle_says(
    values: list[int],
    beta: float,
    gamma: float,
    right: bool,  # noqa: FBT001 - drawn
) -> None:
    compare([one_based(values)], beta=beta, gamma=gamma, right=right)


@examples(40)
@given(strategies.permutations(65, 100), st.floats(0, 1), st.floats(0, 1), st.booleans())
def test_long_permutations_score_what_the_oracle_says(
    values: list[int],
    beta: float,
    gamma: float,
    right: bool,  # noqa: FBT001 - drawn
) -> None:
    compare([one_based(values)], beta=beta, gamma=gamma, right=right)


@pytest.mark.parametrize(
    "length",
    some([1, 2, 3, 15, 16, 17, 31, 32, 33, 37, 38, 63, 64, 65, 66], quick=[1, 2, 17, 38, 65]),
)
def test_the_borders_between_paths_leave_no_mark(length: int) -> None:
    compare(
        [one_based(shape(length)) for shape in shapes.SHAPES.values()],
        beta=0.6,
        gamma=0.25,
        right=length % 2 == 0,
    )


def compare(permutations: list[OneBased], *, beta: float, gamma: float, right: bool) -> None:
    found = columns(permutations, beta=beta, gamma=gamma, right=right)
    for segment, pi in enumerate(permutations):
        expected = from_chart(pi, beta=beta, gamma=gamma, right=right)
        assert expected.keys() == found.keys()
        for name, value in expected.items():
            absolute = 1e-15 if name == "pet-count" else 1e-12
            assert float(found[name][segment]) == close(value, absolute=absolute), (name, pi)


@examples(40)
@given(
    strategies.permutations(1, 90),
    st.floats(0.01, 1),
    st.booleans(),
    st.sampled_from(range(len(FLAT_OPERATORS))),
)
def test_flat_operators_and_beer_agree_with_the_oracle_at_any_length(
    values: list[int],
    beta: float,
    right: bool,  # noqa: FBT001 - drawn
    measure: int,
) -> None:
    arrays, chart = flat([values]), Chart(one_based(values))
    score = FLAT_OPERATORS[measure]
    found = _core.score_flat_operators(*arrays, [*_core.FlatMeasure][measure], beta, right, 0.0, 1)
    assert found[0, 0] == close(chart.pef(beta, score))
    assert found[0, 1] == close(chart.pet(beta, score, right=right))
    assert _core.score_beer(*arrays, beta, 0.0, 1)[0] == close(chart.beer(beta), absolute=1e-9)


def test_no_words_score_what_is_said_for_them_on_every_path() -> None:
    mixed: list[OneBased] = [(), (2, 1), (), one_based(shapes.reversal(80)), ()]
    values, offsets = flat(map(zero_based, mixed))
    found = columns(mixed, empty=0.25)
    for name in SCORE_COLUMNS:
        assert found[name][[0, 2, 4]].tolist() == [0.25] * 3
    for name in (*COUNT_COLUMNS, "trees"):
        assert found[name][[0, 2, 4]].tolist() == [0] * 3
    assert found["hamming"][[1, 3]].tolist() == [0.0, 0.0]
    assert _core.score_beer(values, offsets, 0.6, 0.25, 1)[::2].tolist() == [0.25] * 3
    kendall = _core.FlatMeasure.KENDALL
    by_kendall = _core.score_flat_operators(values, offsets, kendall, 0.6, False, 0.25, 1)  # noqa: FBT003
    assert by_kendall[::2].tolist() == [[0.25, 0.25]] * 3


def test_a_batch_of_nothing_has_no_rows() -> None:
    found = columns([])
    assert {len(column) for column in found.values()} == {0}


def test_exact_tree_counts_reach_to_length_37() -> None:
    found = columns([one_based(shapes.identity(n)) for n in range(1, 40)])["trees"].tolist()
    assert found == [oracle.catalan(n - 1) for n in range(1, 38)] + [0, 0]


@pytest.mark.parametrize("length", [65, 100, 521, 1000, 20000])
def test_the_number_of_trees_keeps_its_precision_beyond_the_range_of_doubles(length: int) -> None:
    half = length // 2
    pi = [*range(half, 0, -1), *range(half + 1, length + 1)]  # a falling block, then rising words
    trees = oracle.catalan(half - 1) * oracle.catalan(length - half)
    expected = Fraction(trees - 1, oracle.catalan(length - 1) - 1)
    found = columns([tuple(pi)])["pet-count"][0]
    assert found == close(expected, absolute=0.0)
    assert columns([oracle.identity(length)])["pet-count"][0] == 1.0


@pytest.mark.parametrize("most", [1, 3, 16, 17, 32, 64, 70])
@pytest.mark.parametrize("right", [False, True])
def test_what_stands_beside_a_permutation_changes_no_bit_of_it(
    most: int,
    right: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    rng = np.random.default_rng(most)
    rows = [[], [0]] * 70  # more than are scored side by side, and more without words than with
    for length in rng.integers(0, most + 1, 150).tolist():
        rows += [moved(length, rng), list(range(length))[::-1], rng.permutation(length).tolist()]
    together: tuple[Any, ...] = _core.score(*flat(rows), 0.6, 0.25, right, 0.5, 1)
    trees = _core.score_trees(*flat(rows), 0.6, 0.25, right, 0.5, 1)
    for segment, row in enumerate(rows):
        alone: tuple[Any, ...] = _core.score(*flat([row]), 0.6, 0.25, right, 0.5, 1)
        for columns_together, columns_alone in zip(together, alone, strict=True):
            assert columns_together[..., segment].tolist() == columns_alone[..., 0].tolist()
        assert trees[segment].tolist() == alone[0][-2:, 0].tolist()


def moved(length: int, rng: np.random.Generator) -> list[int]:
    """Return the identity after some moves of blocks, one of them turned round."""
    values = list(range(length))
    for step in range(4):
        start, middle, end = sorted(rng.integers(0, length + 1, 3).tolist())
        block = values[start:middle]
        values[start:end] = values[middle:end] + (block[::-1] if step == 0 else block)
    return values


@pytest.mark.parametrize("jobs", [2, 3, 7, 100_000])
def test_the_number_of_jobs_changes_no_bit(jobs: int) -> None:
    rng = np.random.default_rng(5)
    lengths = [*rng.integers(0, 90, 400).tolist(), 3000, 0, 1]
    values, offsets = flat(rng.permutation(n).tolist() for n in lengths)
    arrays, hamming = (values, offsets), _core.FlatMeasure.HAMMING
    calls: list[Callable[[int], tuple[Any, ...]]] = [
        lambda n: _core.score(values, offsets, 0.6, 0.3, True, 0.5, n),  # noqa: FBT003
        lambda n: (_core.score_beer(values, offsets, 0.6, 0.5, n),),
        lambda n: (_core.score_flat_operators(*arrays, hamming, 0.6, False, 0.5, n),),  # noqa: FBT003
        lambda n: (_core.score_pairs(values, offsets, values[::1].copy(), offsets, 0.5, n),),
    ]
    for call in calls:
        for alone, shared in zip(call(1), call(jobs), strict=True):
            assert np.array_equal(alone, shared)
