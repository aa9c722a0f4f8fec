"""Permutation scores: the fused pass against scipy, nltk and the paper's pseudo-code in Python."""

from __future__ import annotations

import numpy as np
from nltk.translate.ribes_score import kendall_tau as nltk_kendall
from scipy.stats import kendalltau

import kilter
from benchmarks.plain_pef import plain_pef
from benchmarks.shapes import block_moves, identity, shuffled
from benchmarks.timing import best_seconds
from kilter import Permutation, _core

WORDS = 25
MANY = 200_000
FEW = 400


def run() -> None:
    random = np.random.default_rng(1)
    rows = np.array([block_moves(WORDS, random) for _ in range(2000)])
    few = rows[:FEW]
    lists = few.tolist()
    _check(few)

    fused = _rate(rows)
    many = np.tile(rows, (MANY // len(rows), 1))
    table = MANY / best_seconds(lambda: kilter.permutation_scores(many))
    whole = np.arange(WORDS)
    offsets = np.arange(MANY + 1, dtype=np.int64) * WORDS
    alone = MANY / best_seconds(lambda: _core.score_kendall(many.reshape(-1), offsets, 0.0, 1))
    by_scipy = FEW / best_seconds(lambda: [kendalltau(whole, p).statistic for p in lists])
    by_nltk = FEW / best_seconds(lambda: [nltk_kendall(p) for p in lists])
    print(f"{WORDS}-word permutations, three block moves each, one core, sentences per second")
    print(f"  all ten scores, fused kernel            {fused:12,.0f}")
    print(f"  all ten scores, kilter.permutation_scores {table:10,.0f}   (checks the input too)")
    print(
        f"  Kendall alone, scipy.stats.kendalltau   {by_scipy:12,.0f}   all ten in kilter: {fused / by_scipy:,.0f}x"
    )
    print(
        f"  Kendall alone, nltk kendall_tau         {by_nltk:12,.0f}   Kendall alone in kilter: {alone / by_nltk:,.0f}x"
    )
    for words in ([10], [25], [40], [60], list(range(5, 61))):
        _compare_pef(words, random)
    for name, shape in (("identity", identity), ("uniformly random", shuffled)):
        other = np.array([shape(WORDS, random) for _ in range(2000)])
        rate = _rate(other)
        print(f"  all ten scores, {name:24}{rate:12,.0f}")


def _compare_pef(lengths: list[int], random: np.random.Generator) -> None:
    """Print the rate of PEFscore alone beside that of the paper's pseudo-code."""
    rows = [block_moves(length, random) for length in lengths * (2000 // len(lengths))]
    values = np.concatenate(rows * 20)
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows * 20])]).astype(np.int64)
    ours = (len(offsets) - 1) / best_seconds(
        lambda: _core.score_trees(
            values, offsets, 0.6, 0.0, right_branching=False, empty=0.0, jobs=1
        )
    )
    few = [row.tolist() for row in rows[: max(20, len(lengths))]]
    theirs = len(few) / best_seconds(lambda: [plain_pef(p) for p in few], rounds=3)
    words = f"{lengths[0]}" if len(lengths) == 1 else f"{lengths[0]} to {lengths[-1]}"
    print(
        f"  PEF alone at {words:7} words, kernel     {ours:12,.0f}   "
        f"the paper's pseudo-code {theirs:,.0f}: {ours / theirs:,.0f}x"
    )


def _rate(rows: np.ndarray) -> float:
    """Return how many permutations a second the kernel scores, on many copies of these."""
    values = np.tile(rows, (MANY // len(rows), 1)).reshape(-1)
    offsets = np.arange(MANY + 1, dtype=np.int64) * WORDS
    return MANY / best_seconds(
        lambda: _core.score(values, offsets, 0.6, 0.0, right_branching=False, empty=0.0, jobs=1)
    )


def _check(rows: np.ndarray) -> None:
    """Assert that everybody computes the same before anybody is timed."""
    scores = kilter.permutation_scores(rows)
    for row, kendall, pef in zip(rows, scores["kendall"], scores["pef"], strict=True):
        assert abs((kendalltau(np.arange(len(row)), row).statistic + 1) / 2 - kendall) < 1e-12
        assert abs(nltk_kendall(row.tolist()) - kendall) < 1e-12
        assert abs(plain_pef(row.tolist()) - pef) < 1e-12
        assert abs(Permutation(row).pef() - pef) < 1e-12
