"""Resampling against sacreBLEU's paired bootstrap, in one run on the same statistics."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest

from kilter.stats.resampling import Resampling, bootstrap_indices, bootstrap_sums

SYSTEMS = 12
SEGMENTS = 1875
RESAMPLES = 1000
WORDS = 25


def synthetic(random: np.random.Generator) -> tuple[list[list[str]], list[str]]:
    vocabulary = np.array([f"word{k}" for k in range(5000)])
    frequency = 1 / np.arange(1, 5001)
    drawn = random.choice(5000, size=(SEGMENTS, WORDS), p=frequency / frequency.sum())
    lengths = random.integers(WORDS - 8, WORDS + 1, SEGMENTS)
    rows = zip(vocabulary[drawn], lengths, strict=True)
    references = [" ".join(row[:length]) for row, length in rows]
    systems = []
    for system in range(SYSTEMS):
        noise = random.random(drawn.shape) < 0.2 + 0.01 * system
        words = np.where(noise, random.integers(0, 5000, drawn.shape), drawn)
        lengths = random.integers(WORDS - 8, WORDS + 1, SEGMENTS)
        rows = zip(vocabulary[words], lengths, strict=True)
        systems.append([" ".join(row[:length]) for row, length in rows])
    return systems, references


def bleu(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return BLEU from [hypothesis length, reference length, 4 matches, 4 totals] without zeros."""
    precision = np.log(sums[..., 2:6] / sums[..., 6:10]).mean(axis=-1)
    short = np.minimum(0.0, 1.0 - sums[..., 1] / sums[..., 0])
    return np.asarray(100.0 * np.exp(precision + short))


def seconds(
    work: Callable[[], object], *, repeat: int, clock: Callable[[], float] = time.process_time
) -> list[float]:
    """Return the seconds of every round, of the processor unless another clock is given."""
    taken = []
    for _ in range(repeat):
        start = clock()
        work()
        taken.append(clock() - start)
    return taken


def paired_bootstrap(metric: BLEU, systems: list[list[str]]) -> object:
    named: list[tuple[str, Sequence[str]]] = [(f"system{k}", s) for k, s in enumerate(systems)]
    return PairedTest(named, {"BLEU": metric}, None, test_type="bs", n_samples=RESAMPLES)()


def show(name: str, taken: list[float]) -> None:
    print(f"  {name:<58} best {1e3 * min(taken):9.2f} ms   median {1e3 * median(taken):9.2f} ms")


@dataclass(frozen=True, kw_only=True)
class Times:
    """Seconds of each round, of the processor except with threads; sacreBLEU has one round."""

    one_column: list[float]
    bleu: list[float]
    bleu_threads: list[float]
    paired_test: float
    extraction: float

    @property
    def ratio(self) -> float:
        """How much longer sacreBLEU resamples than Kilter's median, with statistics taken off."""
        return (self.paired_test - self.extraction) / median(self.bleu)


def times() -> Times:
    """Return what one run measures, after asserting that both find the same scores."""
    random = np.random.default_rng(1)
    systems, references = synthetic(random)
    metric = BLEU(references=[references])
    statistics = np.array(
        [metric._extract_corpus_statistics(each, None) for each in systems],  # noqa: SLF001
        dtype=np.float64,
    )

    # The answer first: on our indices, sacreBLEU's own scoring of the sums gives our scores.
    places = bootstrap_indices(SEGMENTS, resamples=5)
    ours = bleu(bootstrap_sums(statistics, Resampling(resamples=5)).resampled())
    for system in range(SYSTEMS):
        for resample in range(5):
            sums = statistics[system, places[resample]].sum(axis=0).astype(int).tolist()
            theirs = metric._compute_score_from_stats(sums).score  # noqa: SLF001
            assert abs(theirs - ours[system, resample]) < 1e-9

    one = random.random((SYSTEMS, SEGMENTS, 1))
    threads = Resampling(jobs=os.cpu_count() or 1)
    # PairedTest extracts statistics again; that part is measured and taken off.
    (extraction,) = seconds(
        lambda: [metric._extract_corpus_statistics(each, None) for each in systems],  # noqa: SLF001
        repeat=1,
    )
    (paired_test,) = seconds(lambda: paired_bootstrap(metric, systems), repeat=1)
    return Times(
        one_column=seconds(lambda: bootstrap_sums(one), repeat=50),
        bleu=seconds(lambda: bleu(bootstrap_sums(statistics).resampled()), repeat=20),
        bleu_threads=seconds(
            lambda: bleu(bootstrap_sums(statistics, threads).resampled()),
            repeat=20,
            clock=time.perf_counter,
        ),
        paired_test=paired_test,
        extraction=extraction,
    )


def run() -> None:
    taken = times()
    print(f"{SYSTEMS} systems x {SEGMENTS} segments x {RESAMPLES} resamples")
    show("one column of scores, one thread", taken.one_column)
    show("ten columns of BLEU, scores of all resamples, one thread", taken.bleu)
    show(f"the same, {os.cpu_count() or 1} threads, time that passes", taken.bleu_threads)
    show("sacreBLEU's PairedTest, BLEU", [taken.paired_test])
    show("of which extracting statistics", [taken.extraction])
    print(f"  ratio, resampling alone, median against one run: {taken.ratio:.0f}x")


if __name__ == "__main__":
    run()
