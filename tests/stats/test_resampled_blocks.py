"""Statistics that come block by block have the resampled sums that they have in memory, to the last bit."""

from collections.abc import Callable
from math import fsum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.typing import NDArray

from kilter.core.errors import OptionError
from kilter.stats import resampling as resampled_blocks
from kilter.stats.resampling import (
    ResampledSums,
    ResampledSumsBuilder,
    Resampling,
    bootstrap_blocks,
    bootstrap_indices,
    bootstrap_sums,
    exact_sum,
)

Floats = NDArray[np.float64]
VALUES = st.one_of(
    st.floats(-1e6, 1e6, allow_subnormal=False),
    st.sampled_from([0.0, 1.0, 0.5, 1 / 3, 1e-14, 5e-324, 2.0**70, -(2.0**70), 1e300]),
)
STATISTICS = arrays(
    np.float64, array_shapes(min_dims=3, max_dims=3, min_side=1, max_side=9), elements=VALUES
)
SEEDS = st.integers(0, 2**64 - 1)


def in_blocks(statistics: Floats, sizes: list[int], drawn: Resampling) -> ResampledSums:
    """Return the sums of blocks of these sizes, and of one with the rest."""
    systems, segments, columns = statistics.shape
    largest = np.abs(statistics).max(axis=(0, 1))
    builder = ResampledSumsBuilder(
        segments=segments, systems=systems, largest=largest, resampling=drawn
    )
    start = 0
    for size in [*sizes, segments]:
        block = statistics[:, start : start + size]
        if block.size:
            builder.add(start, (block[s, :, c] for s in range(systems) for c in range(columns)))
        start += size
    return builder.sums()


def assert_same(one: ResampledSums, other: ResampledSums) -> None:
    assert one.sums.tobytes() == other.sums.tobytes()
    assert one.totals.tobytes() == other.totals.tobytes()
    assert one.exponents.tolist() == other.exponents.tolist()
    assert one.sums.shape == other.sums.shape


@given(STATISTICS, SEEDS, st.lists(st.integers(1, 5), max_size=4))
def test_any_blocks_have_the_sums_of_the_whole(
    statistics: Floats, seed: int, sizes: list[int]
) -> None:
    drawn = Resampling(resamples=3, seed=seed)
    assert_same(in_blocks(statistics, sizes, drawn), bootstrap_sums(statistics, drawn))


def mixed(segments: int) -> Floats:
    """Return statistics of three systems: fractions, counts, one that never varies, and one that seldom does."""
    random = np.random.default_rng(segments)
    statistics = random.normal(size=(3, segments, 4))
    statistics[:, :, 1] = random.integers(-90, 9000, (3, segments))
    statistics[:, :, 2] = 1.0
    statistics[:, :, 3] = np.arange(segments) == 5
    return statistics


@pytest.mark.parametrize("size", [1, 7, 64, 300])
@pytest.mark.parametrize("jobs", [1, 3])
def test_blocks_of_every_size_and_threads_have_the_sums_of_the_whole(size: int, jobs: int) -> None:
    statistics = mixed(300)
    found = in_blocks(statistics, [size] * (300 // size), Resampling(resamples=50, jobs=jobs))
    assert_same(found, bootstrap_sums(statistics, Resampling(resamples=50)))


def test_segments_beyond_those_that_are_drawn_at_a_time_are_drawn_as_ever() -> None:
    segments = 3 * 8192 + 77
    statistics = np.random.default_rng(2).integers(0, 50, (1, segments, 2)).astype(np.float64)
    places = bootstrap_indices(segments, resamples=3)
    expected = statistics[0][places].sum(axis=1).tolist()
    for sizes in ([], [8192], [10_001, 9999]):
        found = in_blocks(statistics, sizes, Resampling(resamples=3))
        assert found.resampled()[0].tolist() == expected


def reader(statistics: Floats) -> Callable[[int, int, int, int], Floats]:
    return lambda system, column, start, end: statistics[system, start:end, column].copy()


def test_a_corpus_is_cut_by_what_memory_may_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    statistics = mixed(100)
    monkeypatch.setattr(resampled_blocks, "_LEAST_SEGMENTS", 1)
    monkeypatch.setattr(resampled_blocks, "_MEMORY", 30 * (24 * 2 + 8 * 12) // 4)
    drawn = Resampling(resamples=30, jobs=2)
    done: list[int] = []
    found = bootstrap_blocks(
        reader(statistics),
        systems=3,
        segments=100,
        largest=np.abs(statistics).max(axis=(0, 1)),
        resampling=drawn,
        progress=done.append,
    )
    assert done == [30, 60, 90, 100]
    assert_same(found, bootstrap_sums(statistics, drawn))


def test_more_resamples_than_one_result_holds_are_refused() -> None:
    with pytest.raises(
        OptionError, match=r"resamples is 1000000; .* there is room for 536870; ask"
    ):
        bootstrap_blocks(
            reader(np.zeros((40, 2, 50))),
            systems=40,
            segments=2,
            largest=np.zeros(50),
            resampling=Resampling(resamples=1_000_000),
        )


@given(st.lists(arrays(np.float64, st.integers(0, 5), elements=st.floats(-1e15, 1e15))))
def test_sums_of_blocks_are_rounded_once(blocks: list[Floats]) -> None:
    assert exact_sum(blocks) == fsum(each for block in blocks for each in block.tolist())


def test_whole_numbers_beside_fractions_are_summed_exactly() -> None:
    assert (
        exact_sum([np.array([2.0**52, 1.0]), np.array([0.1]), np.array([-(2.0**52), -1.0])]) == 0.1
    )
