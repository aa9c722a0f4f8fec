"""What each part of a metric contributes to the differences of systems, with intervals and tests. Section 6.9"""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING

import numpy as np

from kilter.results.comparison import PartDifference, SignificanceTest
from kilter.run.scoring.resampled import intervals_of, known
from kilter.stats.resampling import RandomStream, bootstrap_sums, column_sums, subset_sums
from kilter.stats.significance import (
    bootstrap_p_values,
    holm,
    permutation_tests,
    randomisation_p_values,
)
from kilter.stats.split import adding_up

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.core.estimate import Estimate
    from kilter.results.measure import ScoreParts
    from kilter.run.scoring.measured import Measured
    from kilter.run.scoring.resampled import Resampled

    Floats = NDArray[np.float64]

_MOST_VALUES = 1 << 22
_MOST_RESAMPLED = 1 << 23
"""More than values: resamples are drawn anew for every few pairs."""


def difference_parts(
    measured: Measured,
    resampled: Resampled,
    places: list[tuple[int, int]],
    tests: tuple[SignificanceTest, ...],
    *,
    against: int,
) -> list[tuple[PartDifference, ...]]:
    """Return the parts of each pair's difference, by the same resamples and tests as the difference.

    None for a metric without parts, or if systems weigh segments differently: then no exact split exists.
    The first `against` pairs are those with the baseline.
    """
    sizes = _common_sizes(measured.parts)
    if sizes is not None:
        names = [*measured.parts[0][0].names]
        drawn = resampled.resampling.count
        step = max(1, min(_MOST_VALUES // len(sizes), _MOST_RESAMPLED // drawn) // len(names))
        # A few pairs at a time: the parts of all on every segment could fill the memory.
        found = [
            part
            for start in range(0, len(places), step)
            for part in _tested(measured, resampled, places[start : start + step], sizes, tests)
        ]
    elif names := measured.corpus_part_names():
        found = [*_tested_sums(measured, resampled, places, tests)]
    else:
        return [()] * len(places)
    p_values = {
        (test, part): [each.p[test][part] for each in found]
        for test in tests
        for part in range(len(names))
    }
    corrected = {key: holm(values) for key, values in p_values.items()}
    baseline = {key: holm(values[:against]) for key, values in p_values.items()}
    return [
        tuple(
            PartDifference(
                name=name,
                difference=each.differences[part],
                low=each.intervals[part].low,
                high=each.intervals[part].high,
                p={test: each.p[test][part] for test in tests},
                holm={test: corrected[test, part][pair] for test in tests},
                holm_baseline={test: baseline[test, part][pair] for test in tests}
                if pair < against
                else None,
            )
            for part, name in enumerate(names)
        )
        for pair, each in enumerate(found)
    ]


def corpus_parts(parts: Sequence[ScoreParts]) -> dict[str, float | None]:
    """Return the mean of each part in a corpus, of several configurations the mean of theirs."""
    if not parts or not parts[0].shown:
        return {}
    means = [each.means() for each in parts]
    return {name: _mean([each[name] for each in means]) for name in means[0]}


def _mean(values: list[float | None]) -> float | None:
    some = [value for value in values if value is not None]
    return fsum(some) / len(some) if some else None


def _common_sizes(parts: Sequence[Sequence[ScoreParts]]) -> Floats | None:
    """Return how much segments weigh, if that is the same in all systems and configurations."""
    every = [np.asarray(each.sizes) for configurations in parts for each in configurations]
    if not every or any(not np.array_equal(every[0], sizes) for sizes in every):
        return None
    return every[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tested:
    """The parts of one pair: differences that add up, intervals, and p-values by test."""

    differences: list[float]
    intervals: list[Estimate]
    p: dict[SignificanceTest, list[float | None]]


def _tested(
    measured: Measured,
    resampled: Resampled,
    places: list[tuple[int, int]],
    sizes: Floats,
    tests: tuple[SignificanceTest, ...],
) -> Iterator[_Tested]:
    """Yield the parts of each pair."""
    drawn = resampled.resampling
    split = np.stack([_split(measured.parts[one], measured.parts[other]) for one, other in places])
    many = split.shape[-1]
    weighted = split * sizes[:, np.newaxis]
    size = fsum(sizes.tolist())
    observed = np.array(
        [_quotient(fsum(column), size) for rows in weighted for column in rows.T.tolist()]
    )
    sums = bootstrap_sums(weighted, drawn)
    drawn_sizes = bootstrap_sums(sizes[np.newaxis, :, np.newaxis], drawn).resampled()[0]
    # One row for each part of each pair, as differences have one for each pair.
    rounded = _quotients(sums.total(), np.array(size)).reshape(-1)
    rows = _rows(_quotients(sums.resampled(), drawn_sizes))
    if not resampled.is_evidence:
        rows = rows[:, :0]
    intervals = intervals_of(rows, observed, rounded, drawn.level)
    p_values: dict[SignificanceTest, list[float | None]] = {}
    for test in tests:
        if not resampled.is_evidence:
            p_values[test] = [None] * len(observed)
        elif test is SignificanceTest.BOOTSTRAP:
            p_values[test] = _plain(
                bootstrap_p_values(rows, rounded, least=resampled.least_p, tie=resampled.tie)
            )
        elif test is SignificanceTest.RANDOMISATION:
            # To exchange two systems in a segment turns the signs of its parts.
            swaps = subset_sums(weighted, drawn, stream=RandomStream.SWAPS)
            turned = swaps.total()[:, np.newaxis] - 2.0 * swaps.resampled()
            swapped = _rows(_quotients(turned, np.array(size)))
            p_values[test] = _plain(randomisation_p_values(swapped, rounded, tie=resampled.tie))
        elif resampled.is_mean:
            columns = np.ascontiguousarray(split.transpose(1, 0, 2).reshape(len(sizes), -1))
            p_values[test] = [each.p for each in permutation_tests(columns, drawn)]
        else:
            p_values[test] = [None] * len(observed)
    for pair, (one, other) in enumerate(places):
        mine = slice(pair * many, (pair + 1) * many)
        difference = float(resampled.scores[other] - resampled.scores[one])
        yield _Tested(
            differences=adding_up(difference, observed[mine].tolist()),
            intervals=intervals[mine],
            p={test: values[mine] for test, values in p_values.items()},
        )


def _tested_sums(
    measured: Measured,
    resampled: Resampled,
    places: list[tuple[int, int]],
    tests: tuple[SignificanceTest, ...],
) -> Iterator[_Tested]:
    """Yield the parts of each pair, of a corpus score that is not a mean over segments: parts of sums."""
    drawn = resampled.resampling
    sums = bootstrap_sums(resampled.statistics, drawn)
    exact = np.stack([column_sums(rows) for rows in resampled.statistics])
    swaps = subset_sums(resampled.statistics, drawn, stream=RandomStream.SWAPS)
    every = sums.resampled()
    for one, other in places:
        observed = measured.corpus_shares(exact[one], exact[other])
        rounded = measured.corpus_shares(sums.total()[one], sums.total()[other])
        rows = measured.corpus_shares(every[one], every[other])
        if not resampled.is_evidence:
            rows = rows[:, :0]
        p_values: dict[SignificanceTest, list[float | None]] = {}
        for test in tests:
            p_values[test] = [None] * len(observed)
            if resampled.is_evidence and test is SignificanceTest.BOOTSTRAP:
                p_values[test] = _plain(
                    bootstrap_p_values(rows, rounded, least=resampled.least_p, tie=resampled.tie)
                )
            elif resampled.is_evidence and test is SignificanceTest.RANDOMISATION:
                swapped = measured.corpus_shares(*swaps.swapped(one, other))
                p_values[test] = _plain(randomisation_p_values(swapped, rounded, tie=resampled.tie))
        difference = float(resampled.scores[other] - resampled.scores[one])
        yield _Tested(
            differences=adding_up(difference, observed.tolist()),
            intervals=intervals_of(rows, observed, rounded, drawn.level),
            p=p_values,
        )


def _split(first: Sequence[ScoreParts], second: Sequence[ScoreParts]) -> Floats:
    """Return segments x parts: what each contributes to the difference, the mean of all configurations."""
    shares = [
        np.column_stack(list(one.difference(other).values()))
        for one, other in zip(first, second, strict=True)
    ]
    return np.asarray(np.mean(shares, axis=0))


def _rows(values: Floats) -> Floats:
    """Return pairs x resamples x parts with one row for each part of each pair."""
    return np.ascontiguousarray(values.transpose(0, 2, 1).reshape(-1, values.shape[1]))


def _quotients(sums: Floats, sizes: Floats) -> Floats:
    return np.divide(sums, sizes, out=np.zeros_like(sums), where=sizes > 0.0)


def _quotient(total: float, size: float) -> float:
    return total / size if size > 0.0 else 0.0


def _plain(values: Floats) -> list[float | None]:
    return [known(p) for p in values.tolist()]
