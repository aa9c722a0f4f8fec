"""`kilter.meta` against the same table in plain numpy and scipy: tau, consistency and system correlations.

23 systems x 3000 segments x 128,668 judged pairs x 15 metrics x 1000 resamples of segments, from stored segment
scores. Judgments and scores are made up from a seed, in the sizes of WMT 2013 German-English.
"""

from __future__ import annotations

import resource
import time
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import pearsonr, spearmanr

from kilter.core.judgments import JudgedPairs, Judgments
from kilter.results.meta_result import DEFAULT_MEASURES, AgreementMeasure
from kilter.run.meta.agreement import JudgedMetrics
from kilter.run.meta.metric_test import compare_metrics
from kilter.run.meta.scored_metric import ScoredMetric
from kilter.stats.resampling import Resampling, bootstrap_indices

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SYSTEMS, SEGMENTS, PAIRS, METRICS, RESAMPLES = 23, 3000, 128_668, 15, 1000
PLAIN_RESAMPLES = 20  # of the plain version, which takes seconds for each hundred


def made_up(random: np.random.Generator) -> tuple[Judgments, list[Floats]]:
    quality = np.linspace(0.2, 0.6, SYSTEMS)[:, np.newaxis] + 0.2 * random.random(
        (SYSTEMS, SEGMENTS)
    )
    segment = np.sort(random.integers(0, SEGMENTS, PAIRS))
    first = random.integers(0, SYSTEMS, PAIRS)
    second = (first + random.integers(1, SYSTEMS, PAIRS)) % SYSTEMS
    noise = random.normal(0, 0.3, PAIRS)
    outcome = np.sign(quality[first, segment] - quality[second, segment] + noise).astype(np.int8)
    pairs = JudgedPairs(
        segment=segment,
        first=first,
        second=second,
        outcome=outcome,
        task=np.arange(PAIRS),
        line=np.arange(PAIRS),
    )
    names = tuple(f"system{k}" for k in range(SYSTEMS))
    judgments = Judgments(source="made", systems=names, pairs=pairs, counts={"pairs": PAIRS})
    # Scores in steps, so that there are ties.
    scores = [np.round(quality + random.normal(0, 0.2, quality.shape), 2) for _ in range(METRICS)]
    return judgments, scores


def judged_metrics(judgments: Judgments, scores: list[Floats], resamples: int) -> JudgedMetrics:
    return JudgedMetrics(
        judgments=judgments,
        segments=SEGMENTS,
        metrics=tuple(ScoredMetric.external(f"metric{k}", each) for k, each in enumerate(scores)),
        resampling=Resampling(resamples=resamples),
    )


def plain(
    judgments: Judgments, scores: list[Floats], draws: NDArray[np.uint32]
) -> dict[str, Floats]:
    """Return metrics x resamples of every measure: numpy for counting, scipy for correlations."""
    pairs = judgments.pairs
    order = np.argsort(pairs.segment, kind="stable")
    starts = np.searchsorted(pairs.segment[order], np.arange(SEGMENTS + 1))
    found = {str(measure): np.empty((len(scores), len(draws))) for measure in DEFAULT_MEASURES}
    for column, draw in enumerate(draws):
        rows = np.concatenate([order[starts[s] : starts[s + 1]] for s in draw])
        segment, first, second = pairs.segment[rows], pairs.first[rows], pairs.second[rows]
        outcome = pairs.outcome[rows]
        wins = np.bincount(np.where(outcome > 0, first, second), minlength=SYSTEMS)
        losses = np.bincount(np.where(outcome > 0, second, first), minlength=SYSTEMS)
        human = wins / (wins + losses)
        for place, each in enumerate(scores):
            agree = np.sign(each[first, segment] - each[second, segment]) * outcome
            right, wrong = (agree > 0).sum(), (agree < 0).sum()
            means = each[:, draw].mean(axis=1)
            found["segment_tau"][place, column] = (right - wrong) / (right + wrong)
            found["consistency"][place, column] = 100 * right / len(rows)
            found["system_spearman"][place, column] = spearmanr(human, means).statistic
            found["system_pearson"][place, column] = pearsonr(human, means).statistic
    return found


def run() -> None:
    random = np.random.default_rng(1)
    judgments, scores = made_up(random)

    # The answer first: the same values on the same resamples.
    start = time.process_time()
    draws = bootstrap_indices(SEGMENTS, resamples=RESAMPLES)[:PLAIN_RESAMPLES]
    expected = plain(judgments, scores, draws)
    theirs = (time.process_time() - start) * RESAMPLES / PLAIN_RESAMPLES
    few = judged_metrics(judgments, scores, PLAIN_RESAMPLES)
    for measure in DEFAULT_MEASURES:
        values = few.values(measure).resampled
        assert np.abs(values - expected[str(measure)]).max() < 1e-6, measure

    print(
        f"{SYSTEMS} systems x {SEGMENTS} segments x {PAIRS:,} pairs x {METRICS} metrics x "
        f"{RESAMPLES} resamples, CPU seconds"
    )
    start = time.process_time()
    full = judged_metrics(judgments, scores, RESAMPLES)
    for measure in DEFAULT_MEASURES:
        full.agreement(measure)
    ours = time.process_time() - start
    print(f"  kilter, 4 measures with intervals            {ours:8.2f}")
    print(
        f"  plain numpy and scipy, by {PLAIN_RESAMPLES} resamples        {theirs:8.2f}   ({theirs / ours:.0f}x)"
    )
    start = time.process_time()
    tests = len(compare_metrics(full, AgreementMeasure.SEGMENT_TAU))
    print(f"  kilter, {tests} pairs of metrics tested by tau   {time.process_time() - start:8.2f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  peak memory of both                          {peak:8.0f} MB")


if __name__ == "__main__":
    run()
