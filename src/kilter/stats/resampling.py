"""Sums of statistics over resampled segments: seeded, exact, the same bits everywhere. [FRS]"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from math import fsum, ldexp
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from kilter import _core
from kilter.core.errors import InputError, OptionError
from kilter.core.once import MATRIX_PRODUCTS
from kilter.core.settings import BOUNDS, Group, check_fields, setting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESAMPLES = 1000
RESAMPLES_PER_COMPARISON = 150
"""With so many, the smallest Holm-corrected p-value is .0067, clearly below .01."""
MOST_BY_DEFAULT = 50_000
"""Enough for p < .01 with 32 systems and for p < .05 with 71; more would take minutes."""
SEED = 1
_LISTED = 1 << 14
"""Numbers of which Python makes a list at once."""
_MOST_NUMBERS = 2**30
"""As many as a kernel puts into one result."""
_TOGETHER = 1 << 12
"""Segments of a product, so that its factors stay in the cache."""
_COUNTS = 1 << 21
"""Bytes of counts at once, one for each segment of a resample, ..."""
_LEAST_ROWS, _MOST_ROWS = 24, 256
"""... but so many resamples for each thread, and no more than so many together."""
_SUM_BITS, _LARGEST_EXPONENT, _EXACT_BITS = 62, 40, 52


@dataclass(frozen=True, kw_only=True)
class Resampling:
    """How chance is drawn: the same for every system and metric of one comparison."""

    resamples: int | None = setting(
        "--resamples",
        default=None,
        description="Bootstrap samples.  [default: 1000, more for many comparisons]",
        group=Group.ADVANCED,
    )
    seed: int = setting("--seed", default=SEED, description="Random seed.", group=Group.ADVANCED)
    level: float = 0.95
    jobs: int = setting(
        "-j",
        "--jobs",
        default=1,
        description="Number of threads.",
        group=Group.ADVANCED,
    )

    def __post_init__(self) -> None:
        check_fields(self)
        if not 0.0 < self.level < 1.0:
            raise OptionError(f"level is {self.level!r}; it must lie between 0 and 1")

    @property
    def count(self) -> int:
        """The number of resamples: as given, else 1000."""
        return RESAMPLES if self.resamples is None else self.resamples

    def for_comparisons(self, comparisons: int) -> Resampling:
        """Return the same, with enough resamples for so many comparisons if no number was given.

        >>> [Resampling().for_comparisons(n).count for n in (6, 10, 253, 2485)]
        [1000, 1500, 37950, 50000]
        >>> Resampling(resamples=1000).for_comparisons(253).count
        1000
        """
        if self.resamples is not None:
            return self
        return replace(self, resamples=min(recommended(comparisons), MOST_BY_DEFAULT))


def recommended(comparisons: int) -> int:
    """Return the number of resamples with which so many comparisons can be significant. Section 14.5"""
    return min(max(RESAMPLES, RESAMPLES_PER_COMPARISON * comparisons), BOUNDS["resamples"][1])


USUAL = Resampling()
"""How chance is drawn where nobody says otherwise."""


class RandomStream(IntEnum):
    """What random numbers are drawn for; one seed serves all, and no number serves twice."""

    INDICES = 0
    SWAPS = 1
    FLIPS = 2


class Shaped(Protocol):
    """Numbers that know how many they are."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows, and columns."""


@dataclass(frozen=True, eq=False)
class ResampledSums:
    """Sums of statistics in whole multiples of 2 ** -exponent, one exponent per column.

    `sums` holds systems x resamples x columns, `totals` systems x columns: all segments once. Both
    are exact sums of statistics that were rounded once, to at least 2 ** -40 of the column's unit or
    as fine as sums of so many segments allow.
    """

    sums: NDArray[np.int64]
    totals: NDArray[np.int64]
    exponents: NDArray[np.int32]

    def resampled(self) -> NDArray[np.float64]:
        """Return the sums of each resample as floating point numbers."""
        return self._scaled(self.sums)

    def total(self) -> NDArray[np.float64]:
        """Return the sums over all segments, rounded as those of the resamples are."""
        return self._scaled(self.totals)

    def swapped(self, first: int, second: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return both systems' sums after they exchange the segments of each resample."""
        gain = self.sums[second] - self.sums[first]
        return self._scaled(self.totals[first] + gain), self._scaled(self.totals[second] - gain)

    @classmethod
    def beside(cls, parts: Sequence[ResampledSums]) -> ResampledSums:
        """Return the sums of all columns of several, of the same systems and resamples."""
        if len(parts) == 1:
            return parts[0]
        return cls(
            np.concatenate([each.sums for each in parts], axis=-1),
            np.concatenate([each.totals for each in parts], axis=-1),
            np.concatenate([each.exponents for each in parts]),
        )

    def columns(self, places: Sequence[int]) -> ResampledSums:
        """Return the sums of some columns, which depend on no others."""
        if [*places] == [*range(len(self.exponents))]:
            return self
        some = [*places]
        return ResampledSums(self.sums[..., some], self.totals[..., some], self.exponents[some])

    def _scaled(self, sums: NDArray[np.int64]) -> NDArray[np.float64]:
        return sums.astype(np.float64) * np.ldexp(1.0, -self.exponents)


class ResampledSumsBuilder:
    """Adds up blocks of consecutive segments over the segments that resamples draw.

    How often segments are drawn, times their statistics as whole numbers, is a product of matrices, which numpy
    computes in double precision. A column whose sums may pass 53 bits is split in two, so that every product is exact.

    `largest` holds for every column the largest absolute value in any segment of any system.
    """

    def __init__(
        self,
        *,
        segments: int,
        systems: int,
        largest: NDArray[np.float64],
        resampling: Resampling,
        stream: RandomStream = RandomStream.INDICES,
    ) -> None:
        columns = len(largest)
        check_size(systems * columns, resampling)
        self._shape = (systems, columns)
        self._segments = segments
        self._resampling = resampling
        self._stream = stream
        # |value| <= largest < 2^k and segments < 2^b give a sum below 2^(exponent + k + b).
        room = _SUM_BITS - np.frexp(largest)[1] - segments.bit_length()
        self._exponents = np.minimum(_LARGEST_EXPONENT, room).astype(np.int32)
        self._piece_bits = _EXACT_BITS - segments.bit_length()
        self._totals = np.zeros(systems * columns, np.int64)
        self._sums = np.zeros((resampling.count, systems * columns), np.int64)

    def add(self, first: int, columns: Iterable[NDArray[np.float64]]) -> None:
        """Add the segments from `first` on: all columns of the first system, then those of the next."""
        pieces: list[_ColumnPiece] = []
        size = 0
        for source, values in enumerate(columns):
            size = len(values)
            exponent = int(self._exponents[source % len(self._exponents)])
            numbers = np.rint(values * ldexp(1.0, exponent)).astype(np.int64)
            self._totals[source] += numbers.sum()
            pieces += _pieces(source, numbers, self._piece_bits) if size else ()
        if not pieces or not size:
            return
        # The last piece of every column comes first: a column has no more than one other.
        pieces.sort(key=lambda piece: (not piece.last, piece.source))
        shifts = np.array([piece.shift for piece in pieces])
        whole = len(self._totals)
        split = [piece.source for piece in pieces[whole:]]
        drawn = self._resampling
        together = max(_LEAST_ROWS * drawn.jobs, min(_MOST_ROWS, _COUNTS // size))
        stream = _core.Stream[self._stream.name]
        for start in range(0, drawn.count, together):
            rows = min(together, drawn.count - start)
            counts = _core.resampled_counts(
                self._segments, first, size, drawn.seed, stream, start, rows, drawn.jobs
            )
            found = _products(counts, pieces) << shifts
            sums = self._sums[start : start + rows]
            sums += found[:, :whole]
            sums[:, split] += found[:, whole:]

    def sums(self) -> ResampledSums:
        """Return the sums over the blocks that have been added."""
        sums = self._sums.reshape(len(self._sums), *self._shape).transpose(1, 0, 2)
        return ResampledSums(
            np.ascontiguousarray(sums), self._totals.reshape(self._shape), self._exponents
        )


@dataclass(frozen=True, kw_only=True, eq=False, slots=True)
class _ColumnPiece:
    """Some bits of a column of whole numbers, which are worth 2 ** shift."""

    source: int
    numbers: NDArray[np.signedinteger[Any]]
    shift: int
    last: bool


def _pieces(source: int, numbers: NDArray[np.int64], bits: int) -> Iterator[_ColumnPiece]:
    """Yield a column in pieces of so many bits, which together are its numbers."""
    used = int(np.bitwise_or.reduce(numbers))
    shift = (used & -used).bit_length() - 1 if used else 0
    rest = numbers >> shift
    while np.abs(rest).max() >= 1 << bits:
        low = _narrowed(rest & ((1 << bits) - 1))
        yield _ColumnPiece(source=source, numbers=low, shift=shift, last=False)
        rest = rest >> bits
        shift += bits
    yield _ColumnPiece(source=source, numbers=_narrowed(rest), shift=shift, last=True)


def _narrowed(numbers: NDArray[np.int64]) -> NDArray[np.signedinteger[Any]]:
    """Return the same numbers in as few bytes as hold them."""
    kind = np.result_type(np.min_scalar_type(numbers.min()), np.min_scalar_type(numbers.max()))
    return numbers.astype(kind)


def _products(counts: NDArray[np.uint8], pieces: Sequence[_ColumnPiece]) -> NDArray[np.int64]:
    """Return for each row of counts the sum of every piece over what was drawn."""
    segments = counts.shape[1]
    sums = np.zeros((len(counts), len(pieces)))
    for start in range(0, segments, _TOGETHER):
        end = min(start + _TOGETHER, segments)
        columns = np.empty((len(pieces), end - start))
        for column, piece in zip(columns, pieces, strict=True):
            column[:] = piece.numbers[start:end]
        drawn = counts[:, start:end].astype(np.float64)
        with MATRIX_PRODUCTS:
            sums += drawn @ columns.T
    return sums.astype(np.int64)


def bootstrap_sums(
    statistics: NDArray[np.float64], resampling: Resampling = USUAL
) -> ResampledSums:
    """Return the sums over as many segments as there are, drawn with replacement.

    `statistics` holds systems x segments x columns. Which segments a resample draws depends on the
    seed, its number and how many segments there are: systems and metrics of one comparison are
    resampled alike.

    >>> import numpy as np
    >>> drawn = bootstrap_sums(np.full((1, 4, 1), 0.5), Resampling(resamples=2))
    >>> drawn.resampled().tolist()
    [[[2.0], [2.0]]]
    """
    return _sums(statistics, resampling, RandomStream.INDICES)


def subset_sums(
    statistics: NDArray[np.float64], resampling: Resampling = USUAL, *, stream: RandomStream
) -> ResampledSums:
    """Return the sums over the segments that a fair coin chooses: those to swap or to flip."""
    if stream == RandomStream.INDICES:
        raise OptionError("subsets are drawn from the streams SWAPS and FLIPS")
    return _sums(statistics, resampling, stream)


def bootstrap_indices(
    segments: int, *, resamples: int = RESAMPLES, seed: int = SEED
) -> NDArray[np.uint32]:
    """Return the segments (zero-based) that each resample of `bootstrap_sums` draws, row by row."""
    drawn = Resampling(resamples=resamples, seed=seed)
    check_size(segments, drawn)
    return _core.resampled_indices(segments, segments, drawn.seed, drawn.count)


def stack_statistics(statistics: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return systems x segments x columns from one array of segments x columns per system."""
    check_alike(statistics)
    return np.stack(statistics).astype(np.float64, copy=False)


def check_alike(statistics: Sequence[Shaped]) -> None:
    """Raise an `InputError` unless all systems have statistics, segments x columns, of the same shape."""
    if not statistics:
        raise InputError("there is no system to resample")
    shapes = [tuple(rows.shape) for rows in statistics]
    for system, shape in enumerate(shapes):
        if len(shape) != 2 or shape != shapes[0]:
            raise InputError(
                f"the statistics have the shape {shape}; "
                f"those of the first system have {shapes[0]}, segments x columns",
                where=f"system {system + 1}",
            )


def column_sums(statistics: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the correctly rounded sum of each column: the same for any order of the segments.

    >>> import numpy as np
    >>> column_sums(np.array([[0.1, 1.0]] * 10)).tolist()
    [1.0, 10.0]
    """
    starts = range(0, len(statistics), _LISTED)
    return np.array(
        [exact_sum(column[start : start + _LISTED] for start in starts) for column in statistics.T]
    )


def exact_sum(blocks: Iterable[NDArray[np.float64]]) -> float:
    """Return the sum of all numbers of all blocks, rounded once."""
    return fsum(each for block in blocks for each in _terms(block))


def _terms(values: NDArray[np.float64]) -> list[float]:
    """Return numbers with exactly the same sum."""
    # Sums of whole numbers are exact in any order, and most statistics are counts.
    if (values == np.rint(values)).all() and np.abs(values).sum() < 2.0**53:
        return [float(values.sum())]
    listed: list[float] = values.tolist()
    return listed


def _sums(
    statistics: NDArray[np.float64], drawn: Resampling, stream: RandomStream
) -> ResampledSums:
    systems, segments, columns = _checked(statistics).shape
    builder = ResampledSumsBuilder(
        segments=segments,
        systems=systems,
        largest=np.abs(statistics).max(axis=(0, 1), initial=0.0),
        resampling=drawn,
        stream=stream,
    )
    builder.add(0, (statistics[k, :, c] for k in range(systems) for c in range(columns)))
    return builder.sums()


def check_size(numbers: int, drawn: Resampling) -> None:
    """Raise an `OptionError` if so many numbers for every resample are more than one result holds."""
    most = _MOST_NUMBERS // max(1, numbers)
    if drawn.count > most:
        raise OptionError(
            f"resamples is {drawn.count}; each holds {numbers} numbers of these systems and segments, "
            f"so that there is room for {most}; ask for no more"
        )


def _checked(statistics: NDArray[np.float64]) -> NDArray[np.float64]:
    if statistics.ndim != 3:
        raise InputError(
            f"statistics are systems x segments x columns, not {statistics.ndim} dimensions"
        )
    if statistics.shape[1] == 0:
        raise InputError("there is no segment to resample")
    if not np.isfinite(statistics).all():
        system, segment, column = (int(k) + 1 for k in np.argwhere(~np.isfinite(statistics))[0])
        value = float(statistics[system - 1, segment - 1, column - 1])
        raise not_finite(value, system=system, segment=segment, column=column)
    return statistics


def not_finite(value: float, *, system: int, segment: int, column: int) -> InputError:
    """Return what is said of a statistic that cannot be resampled; its place is counted from 1."""
    return InputError(
        f"statistic {column} is {value}; what is resampled must be a finite number",
        where=f"system {system}, segment {segment}",
    )


_MEMORY = 32 << 20
"""Bytes that a block may take: so many, and as many again for each system."""
_LEAST_SEGMENTS = 1 << 14
"""A block is no smaller: for each, all segments of the corpus are drawn anew."""
_ROWS = 24
"""Resamples whose draws a thread counts at once, in a byte for each segment, ..."""
_DIGITS = 8
"""... and bytes of a statistic: 1 or 2 of a count, 8 of a fraction or 10 at most, and room beside them."""


def bootstrap_blocks(
    read: Callable[[int, int, int, int], Floats],
    *,
    systems: int,
    segments: int,
    largest: Floats,
    resampling: Resampling = USUAL,
    progress: Callable[[int], None] | None = None,
) -> ResampledSums:
    """Return what `bootstrap_sums` returns of the same statistics, to the last bit.

    `read(system, column, start, end)` returns a column of a system's statistics from one segment to another,
    `largest` holds for every column the largest absolute value in any segment of any system, and
    `progress` is called with the number of segments that are done.

    >>> import numpy as np
    >>> column = np.full(4, 0.5)
    >>> sums = bootstrap_blocks(
    ...     lambda system, place, start, end: column[start:end],
    ...     systems=1,
    ...     segments=4,
    ...     largest=np.array([0.5]),
    ... )
    >>> sums.resampled()[0, :2].tolist()
    [[2.0], [2.0]]
    """
    columns = len(largest)
    builder = ResampledSumsBuilder(
        segments=segments, systems=systems, largest=largest, resampling=resampling
    )
    size = _block_size(systems, columns, resampling.jobs)
    for start in range(0, segments, size):
        end = min(start + size, segments)
        builder.add(start, _columns(read, systems, columns, start, end))
        if progress is not None:
            progress(end)
    return builder.sums()


def _columns(
    read: Callable[[int, int, int, int], Floats], systems: int, columns: int, start: int, end: int
) -> Iterator[Floats]:
    for system in range(systems):
        for column in range(columns):
            yield read(system, column, start, end)


def _block_size(systems: int, columns: int, jobs: int) -> int:
    """Return how many segments a block has."""
    room = _MEMORY * (1 + systems)
    return max(_LEAST_SEGMENTS, room // (_ROWS * jobs + _DIGITS * systems * columns))
