"""Resampled sums of statistics that are read block by block, of which memory holds one block. [FRS]"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter import _core
from kilter.stats.resampling import USUAL, ResampledSums, check_size

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from kilter.stats.resampling import Resampling

    Floats = NDArray[np.float64]

_MEMORY = 32 << 20
"""Bytes that a block may take: so many, and as many again for each system."""
_LEAST_SEGMENTS = 1 << 14
"""A block is no smaller: for each, all segments of the corpus are drawn anew."""
_ROWS = 24
"""Resamples whose draws a thread counts at once, in a byte for each segment, ..."""
_DIGITS = 8
"""... and bytes of a statistic: 1 or 2 of a count, 6 of a fraction or 9 at most, and room beside them."""


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
    check_size(systems * columns, resampling)
    blocks = _core.ResampledBlocks(
        segments, systems, largest, resampling.seed, resampling.count, resampling.jobs
    )
    size = _block_size(systems, columns, resampling.jobs)
    for start in range(0, segments, size):
        end = min(start + size, segments)
        for system in range(systems):
            for column in range(columns):
                blocks.add(read(system, column, start, end))
        blocks.draw()
        if progress is not None:
            progress(end)
    return ResampledSums(*blocks.sums())


def _block_size(systems: int, columns: int, jobs: int) -> int:
    """Return how many segments a block has."""
    room = _MEMORY * (1 + systems)
    return max(_LEAST_SEGMENTS, room // (_ROWS * jobs + _DIGITS * systems * columns))
