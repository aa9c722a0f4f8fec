"""Permutation scores: the fused pass against scipy, nltk and the paper's pseudo-code in Python."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True, kw_only=True)
class Rates:
    """Permutations of 25 words a CPU second: all ten scores, or Kendall alone where the name says so."""

    kernel: float
    checked: float
    kendall: float
    scipy_kendall: float
    nltk_kendall: float


def rates() -> Rates:
    """Return what one run measures, after asserting that everybody computes the same."""
    rows = _rows()
    few = rows[:FEW]
    lists = few.tolist()
    _check(few)
    many = np.tile(rows, (MANY // len(rows), 1))
    whole = np.arange(WORDS)
    offsets = np.arange(MANY + 1, dtype=np.int64) * WORDS
    return Rates(
        kernel=_rate(rows),
        checked=MANY / best_seconds(lambda: kilter.permutation_scores(many)),
        kendall=MANY / best_seconds(lambda: _core.score_kendall(many.reshape(-1), offsets, 0.0, 1)),
        scipy_kendall=FEW / best_seconds(lambda: [kendalltau(whole, p).statistic for p in lists]),
        nltk_kendall=FEW / best_seconds(lambda: [nltk_kendall(p) for p in lists]),
    )


def run() -> None:
    found = rates()
    print(f"{WORDS}-word permutations, three block moves each, one core, sentences per second")
    print(f"  all ten scores, fused kernel            {found.kernel:12,.0f}")
    print(
        f"  all ten scores, kilter.permutation_scores {found.checked:10,.0f}   (checks the input too)"
    )
    print(
        f"  Kendall alone, scipy.stats.kendalltau   {found.scipy_kendall:12,.0f}   "
        f"all ten in kilter: {found.kernel / found.scipy_kendall:,.0f}x"
    )
    print(
        f"  Kendall alone, nltk kendall_tau         {found.nltk_kendall:12,.0f}   "
        f"Kendall alone in kilter: {found.kendall / found.nltk_kendall:,.0f}x"
    )
    random = np.random.default_rng(1)
    for lengths in ([10], [25], [40], [60], list(range(5, 61))):
        ours, theirs = pef_rates(lengths)
        words = f"{lengths[0]}" if len(lengths) == 1 else f"{lengths[0]} to {lengths[-1]}"
        print(
            f"  PEF alone at {words:7} words, kernel     {ours:12,.0f}   "
            f"the paper's pseudo-code {theirs:,.0f}: {ours / theirs:,.0f}x"
        )
    for name, shape in (("identity", identity), ("uniformly random", shuffled)):
        other = np.array([shape(WORDS, random) for _ in range(2000)])
        print(f"  all ten scores, {name:24}{_rate(other):12,.0f}")


def _rows() -> np.ndarray:
    random = np.random.default_rng(1)
    return np.array([block_moves(WORDS, random) for _ in range(2000)])


def pef_rates(lengths: list[int]) -> tuple[float, float]:
    """Return the rate of PEFscore alone and that of the paper's pseudo-code."""
    random = np.random.default_rng(1)
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
    return ours, theirs


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
