"""Resampled sums equal naive ones exactly, whatever the data and the number of threads."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.typing import NDArray

from kilter import _core
from kilter.core.errors import InputError, OptionError
from kilter.stats.resampling import (
    RandomStream,
    ResampledSums,
    Resampling,
    bootstrap_indices,
    bootstrap_sums,
    column_sums,
    stack_statistics,
    subset_sums,
)
from tests.oracles import resampling as oracle
from tests.thorough import examples

STREAMS = (RandomStream.SWAPS, RandomStream.FLIPS)
GOLDEN_INDICES = [[8, 7, 0, 6, 7, 9, 5, 2, 4, 3], [1, 7, 4, 4, 6, 7, 2, 4, 1, 3]]
GOLDEN_LARGE = [1516, 1490, 142, 1196, 1345, 1705]
GOLDEN_SWAPS = [[0, 0, 0, 1, 1, 0, 0, 0], [1, 0, 1, 0, 0, 0, 1, 0]]
VALUES = st.one_of(
    st.floats(-1e6, 1e6, allow_subnormal=False),
    st.sampled_from([0.0, 1.0, 0.5, 1 / 3, 1e-14, 2.0**70, -(2.0**70)]),
)
STATISTICS = arrays(
    np.float64, array_shapes(min_dims=3, max_dims=3, min_side=1, max_side=9), elements=VALUES
)
SEEDS = st.integers(0, 2**64 - 1)


def drawn(
    statistics: NDArray[np.float64], places: list[int], exponents: list[int]
) -> list[list[int]]:
    return [
        [
            sum(oracle.fixed(float(system[place, column]), exponent) for place in places)
            for column, exponent in enumerate(exponents)
        ]
        for system in statistics
    ]


@given(STATISTICS, SEEDS)
def test_bootstrap_sums_equal_the_oracle_s_exactly(
    statistics: NDArray[np.float64], seed: int
) -> None:
    segments, columns = statistics.shape[1:]
    found = bootstrap_sums(statistics, Resampling(resamples=3, seed=seed))
    exponents = [
        oracle.exponent(statistics[:, :, column].ravel().tolist(), segments)
        for column in range(columns)
    ]
    assert found.exponents.tolist() == exponents
    assert found.totals.tolist() == drawn(statistics, list(range(segments)), exponents)
    for resample in range(3):
        places = oracle.indices(segments, seed, resample)
        assert found.sums[:, resample].tolist() == drawn(statistics, places, exponents)


@pytest.mark.parametrize("segments", [2, 3, 8, 70])
def test_sums_of_the_largest_powers_of_two_of_both_signs_are_exact(segments: int) -> None:
    # All bits but the first few are 0.
    statistics = np.array([[[2.0**70 * (-1) ** k] for k in range(segments)]])
    found = bootstrap_sums(statistics, Resampling(resamples=40)).resampled()[0, :, 0]
    places = bootstrap_indices(segments, resamples=40)
    assert found.tolist() == statistics[0, :, 0][places].sum(axis=1).tolist()


@given(STATISTICS, SEEDS, st.sampled_from(STREAMS))
def test_subset_sums_equal_the_oracle_s_exactly(
    statistics: NDArray[np.float64], seed: int, stream: RandomStream
) -> None:
    found = subset_sums(statistics, Resampling(resamples=2, seed=seed), stream=stream)
    for resample in range(2):
        places = oracle.subset(statistics.shape[1], seed, stream, resample)
        expected = drawn(statistics, places, found.exponents.tolist())
        assert found.sums[:, resample].tolist() == expected


@pytest.mark.parametrize(("systems", "columns"), [(1, 1), (3, 2), (12, 1), (5, 7), (4, 10)])
def test_wide_tables_of_many_segments_equal_the_oracle_s(systems: int, columns: int) -> None:
    random = np.random.default_rng(systems)
    statistics = random.normal(size=(systems, 300, columns))
    statistics[:, :, -1] = 1.0
    exponents = bootstrap_sums(statistics, Resampling(resamples=1)).exponents.tolist()
    swaps = subset_sums(statistics, Resampling(resamples=2, seed=5), stream=RandomStream.SWAPS)
    sums = bootstrap_sums(statistics, Resampling(resamples=2, seed=5))
    for resample in range(2):
        places = oracle.indices(300, 5, resample)
        assert sums.sums[:, resample].tolist() == drawn(statistics, places, exponents)
        chosen = oracle.subset(300, 5, RandomStream.SWAPS, resample)
        assert swaps.sums[:, resample].tolist() == drawn(statistics, chosen, exponents)


@pytest.mark.parametrize("jobs", [2, 3, 64])
def test_every_number_of_threads_gives_the_same_bits(jobs: int) -> None:
    statistics = np.random.default_rng(1).normal(size=(5, 211, 4))
    alone = bootstrap_sums(statistics, Resampling(resamples=101, seed=9))
    shared = bootstrap_sums(statistics, Resampling(resamples=101, seed=9, jobs=jobs))
    assert alone.sums.tobytes() == shared.sums.tobytes()
    for stream in STREAMS:
        one = subset_sums(statistics, Resampling(resamples=101, seed=9), stream=stream)
        many = subset_sums(statistics, Resampling(resamples=101, seed=9, jobs=jobs), stream=stream)
        assert one.sums.tobytes() == many.sums.tobytes()


def test_more_resamples_begin_with_the_same_ones() -> None:
    few, many = (bootstrap_indices(57, resamples=count, seed=4) for count in (3, 30))
    assert (few == many[:3]).all()


def test_a_system_is_resampled_alike_alone_and_among_others() -> None:
    statistics = np.random.default_rng(1).random(size=(6, 50, 3))
    together = bootstrap_sums(statistics, Resampling(resamples=20)).resampled()
    alone = bootstrap_sums(statistics[4:5], Resampling(resamples=20)).resampled()
    assert (together[4] == alone[0]).all()


@given(
    st.tuples(*[st.integers(0, 2**64 - 1)] * 4),
    st.integers(0, 2**64 - 1),
)
def test_the_generator_is_philox(counter: tuple[int, int, int, int], seed: int) -> None:
    assert _core.testing.philox(*counter, seed) == oracle.philox(counter, (seed, 0))


@given(st.integers(1, 2**256 - 1), SEEDS)
@examples(30)
def test_the_oracle_s_generator_is_numpy_s(counter: int, seed: int) -> None:
    # numpy steps its counter before it draws.
    words = np.random.Philox(counter=counter - 1, key=seed).random_raw(4).tolist()
    parts = tuple(counter >> shift & (2**64 - 1) for shift in (0, 64, 128, 192))
    assert oracle.philox(parts, (seed, 0)) == tuple(words)  # type: ignore[arg-type]


def test_the_first_indices_of_seed_1_stay_what_they_are() -> None:
    assert bootstrap_indices(10, resamples=2, seed=1).tolist() == GOLDEN_INDICES
    assert bootstrap_indices(1875, resamples=1, seed=1)[0, :6].tolist() == GOLDEN_LARGE
    ones = np.eye(8)[np.newaxis]
    swaps = subset_sums(ones, Resampling(resamples=2, seed=1), stream=RandomStream.SWAPS)
    assert swaps.resampled()[0].astype(int).tolist() == GOLDEN_SWAPS


@pytest.mark.parametrize("segments", [2**30 + 1, 3 * 2**29 + 7, 2**31 - 1])
def test_a_draw_that_would_favour_some_segments_is_drawn_again(segments: int) -> None:
    # Of so many segments up to a quarter of the draws are refused.
    found = _core.resampled_indices(segments, 77, 3, 2)
    for resample in range(2):
        expected = [oracle.index(segments, 3, resample, place) for place in range(77)]
        assert found[resample].tolist() == expected


@given(st.integers(1, 2**31 - 1), st.integers(0, 400), SEEDS)
@examples(20)
def test_drawing_gives_the_oracle_s_indices(segments: int, count: int, seed: int) -> None:
    expected = [oracle.index(segments, seed, 1, place) for place in range(count)]
    assert _core.resampled_indices(segments, count, seed, 2)[1].tolist() == expected


@given(st.data(), st.integers(1, 40), SEEDS, st.integers(1, 3))
@examples(40)
def test_counts_say_how_often_each_segment_of_a_block_is_drawn(
    data: st.DataObject, segments: int, seed: int, jobs: int
) -> None:
    first = data.draw(st.integers(0, segments))
    size = data.draw(st.integers(0, segments - first))
    start = data.draw(st.integers(0, 3))
    places = _core.resampled_indices(segments, segments, seed, start + 3)[start:]
    counts = _core.resampled_counts(
        segments, first, size, seed, _core.Stream.INDICES, start, 3, jobs
    )
    whole = [np.bincount(row, minlength=segments)[first : first + size].tolist() for row in places]
    assert counts.tolist() == whole
    for stream in STREAMS:
        chosen = _core.resampled_counts(
            segments, first, size, seed, _core.Stream[stream.name], start, 3, jobs
        )
        for row in range(3):
            expected = set(oracle.subset(segments, seed, stream, start + row))
            assert chosen[row].tolist() == [k in expected for k in range(first, first + size)]


def test_segments_that_are_not_there_are_not_counted() -> None:
    for first, size in ((-1, 2), (3, 3), (6, 0)):
        with pytest.raises(ValueError, match="are not among 5"):
            _core.resampled_counts(5, first, size, 1, _core.Stream.INDICES, 0, 1, 1)
    with pytest.raises(ValueError, match="start"):
        _core.resampled_counts(5, 0, 5, 1, _core.Stream.INDICES, -1, 1, 1)


@pytest.mark.parametrize("largest", [1, 2**20, 2**39, 2**40, 2**47, 2**60])
def test_sums_over_more_segments_than_are_multiplied_at_once_are_exact(largest: int) -> None:
    # Beyond 2^38 the bits of a number are split between two products.
    random = np.random.default_rng(largest % 7)
    segments = 2 * 4096 + 77
    statistics = random.integers(-largest, largest, (2, segments, 1)).astype(np.float64)
    found = bootstrap_sums(statistics, Resampling(resamples=300))
    (exponent,) = found.exponents.tolist()
    numbers = [
        [oracle.fixed(value, exponent) for value in row] for row in statistics[:, :, 0].tolist()
    ]
    for resample, places in enumerate(bootstrap_indices(segments, resamples=2)):
        expected = [[sum(row[place] for place in places.tolist())] for row in numbers]
        assert found.sums[:, resample].tolist() == expected


@pytest.mark.parametrize("segments", [2, 7, 64, 1000])
def test_indices_are_uniform_over_the_segments(segments: int) -> None:
    draws = bootstrap_indices(segments, resamples=200_000 // segments, seed=12)
    counts = np.bincount(draws.ravel(), minlength=segments)
    expected = draws.size / segments
    chi_square = float(((counts - expected) ** 2 / expected).sum())
    freedom = segments - 1
    # Mean and standard deviation of chi-square: a fixed seed that lies within four of them.
    assert abs(chi_square - freedom) < 4 * (2 * freedom) ** 0.5


def test_places_and_resamples_are_independent_of_their_neighbours() -> None:
    draws = bootstrap_indices(8, resamples=20_000, seed=3).astype(np.int64)
    for left, right in ((draws[:, :-1], draws[:, 1:]), (draws[:-1], draws[1:])):
        counts = np.bincount((8 * left + right).ravel(), minlength=64)
        expected = left.size / 64
        assert abs(float(((counts - expected) ** 2 / expected).sum()) - 63) < 4 * 126**0.5


def test_coins_are_fair() -> None:
    ones = np.eye(200)[np.newaxis]
    for stream in STREAMS:
        chosen = subset_sums(ones, Resampling(resamples=2000, seed=8), stream=stream).resampled()[0]
        assert abs(float(chosen.mean()) - 0.5) < 4 * 0.5 / (200 * 2000) ** 0.5
        assert np.abs(chosen.mean(axis=0) - 0.5).max() < 5 * 0.5 / 2000**0.5


@given(STATISTICS)
def test_swapping_keeps_what_both_systems_have_together(statistics: NDArray[np.float64]) -> None:
    both = np.concatenate([statistics[:1], statistics[-1:]])
    sums = subset_sums(both, Resampling(resamples=3), stream=RandomStream.SWAPS)
    one, other = sums.swapped(0, 1)
    chosen = [oracle.subset(both.shape[1], 1, oracle.SWAPS, r) for r in range(3)]
    for resample, places in enumerate(chosen):
        mixed = both[0].copy()
        mixed[places] = both[1][places]
        expected = drawn(mixed[np.newaxis], list(range(len(mixed))), sums.exponents.tolist())[0]
        scales = [Fraction(2) ** int(e) for e in sums.exponents]
        assert one[resample].tolist() == [
            float(Fraction(total) / scale) for total, scale in zip(expected, scales, strict=True)
        ]
    assert one.shape == other.shape


def test_whole_numbers_are_summed_exactly() -> None:
    counts = np.random.default_rng(0).integers(0, 10_000, size=(2, 90, 3)).astype(np.float64)
    drawn_sums = bootstrap_sums(counts, Resampling(resamples=5, seed=2)).resampled()
    for resample, places in enumerate(bootstrap_indices(90, resamples=5, seed=2)):
        assert (drawn_sums[:, resample] == counts[:, places].sum(axis=1)).all()


def test_one_segment_is_drawn_every_time() -> None:
    found = bootstrap_sums(np.array([[[0.3, 1.0]]]), Resampling(resamples=4))
    assert (found.sums == found.totals[:, np.newaxis]).all()


def test_column_sums_are_correctly_rounded() -> None:
    rows = np.array([[1e16, 0.1], [1.0, 0.2], [-1e16, 0.3]])
    assert column_sums(rows).tolist() == [1.0, 0.6]


def test_what_is_no_number_is_named() -> None:
    rows = np.ones((3, 2))
    rows[1, 0] = np.nan
    with pytest.raises(InputError, match="system 2, segment 2: statistic 1 is nan"):
        bootstrap_sums(stack_statistics([np.ones((3, 2)), rows]))


def test_systems_of_different_sizes_are_refused() -> None:
    with pytest.raises(InputError, match=r"system 2: .*\(4, 2\).*\(3, 2\)"):
        stack_statistics([np.ones((3, 2)), np.ones((4, 2))])
    with pytest.raises(InputError, match="no system"):
        stack_statistics([])
    with pytest.raises(InputError, match="no segment"):
        bootstrap_sums(stack_statistics([np.ones((0, 2))]))


@pytest.mark.parametrize("options", [{"resamples": 0}, {"seed": -1}, {"seed": 2**64}, {"jobs": 0}])
def test_impossible_options_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(OptionError, match=next(iter(options))):
        bootstrap_sums(np.ones((1, 2, 1)), Resampling(**options))


def test_swaps_are_no_bootstrap() -> None:
    with pytest.raises(OptionError, match="SWAPS"):
        subset_sums(np.ones((1, 2, 1)), stream=RandomStream.INDICES)
    assert isinstance(bootstrap_sums(np.ones((1, 2, 1))), ResampledSums)


@pytest.mark.parametrize(
    "draw",
    [
        lambda drawn: bootstrap_sums(np.zeros((40, 2, 50)), drawn),
        lambda drawn: subset_sums(np.zeros((40, 2, 50)), drawn, stream=RandomStream.SWAPS),
        lambda drawn: bootstrap_indices(2000, resamples=drawn.count),
    ],
)
def test_more_resamples_than_one_result_holds_are_refused_with_how_many_it_does(
    draw: Callable[[Resampling], object],
) -> None:
    with pytest.raises(
        OptionError, match=r"resamples is 1000000; .* there is room for 536870; ask"
    ):
        draw(Resampling(resamples=1_000_000))
