"""Order errors of systems as the page of a report carries them.

Positions are written as steps from the one before; costs are rounded to 4 decimals and shares to a tenth of
a percent; states of words take two bits.
"""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

import numpy as np

from kilter.render.page.packed_number import packed, packed_signed, steps
from kilter.results.order_error import ErrorKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.results.order_error import OrderErrors

COSTS = 10_000
"""Costs are whole numbers of this part of a score."""
SHARES = 1_000
"""Shares are whole numbers of this part of a loss."""


def error_data(systems: Sequence[OrderErrors]) -> dict[str, object] | None:
    """Return the errors of all systems for the page's scripts; none where there are none."""
    if not systems:
        return None
    return {
        "kinds": [str(kind) for kind in ErrorKind],
        "metrics": list(systems[0].metrics),
        "parts": {"cost": COSTS, "share": SHARES},
        "systems": [_system(errors) for errors in systems],
    }


def _system(errors: OrderErrors) -> dict[str, object]:
    return {
        "counts": packed(errors.counts),
        "kinds": packed(errors.kinds),
        "directions": packed(errors.directions),
        "distances": packed(errors.distances),
        "before": packed(errors.belongs_before),
        "words": _positions(errors.words, errors.word_offsets),
        "moved": _positions(errors.moved_words, errors.moved_offsets),
        "shares": packed_signed(np.rint(errors.shares * SHARES)),
        "costs": [packed_signed(np.rint(column * COSTS)) for column in errors.costs.T],
        "losses": [
            packed_signed(np.rint(column * COSTS))
            for column in (errors.losses, errors.crossed_losses, errors.missing_losses)
        ],
        "references": packed(errors.references),
        "hypothesis_states": packed_states(errors.hypothesis_states),
        "reference_states": packed_states(errors.reference_states),
        "reference_lengths": packed(np.diff(errors.reference_offsets)),
    }


def _positions(words: NDArray[np.int32], offsets: NDArray[np.int64]) -> dict[str, str]:
    starts = np.zeros(len(words), dtype=bool)
    counts = np.diff(offsets)
    starts[offsets[:-1][counts > 0]] = True
    return {
        "counts": packed(counts),
        "places": packed_signed(steps(words.astype(np.int64), starts)),
    }


def packed_states(states: NDArray[np.int8]) -> str:
    """Return numbers from 0 to 3 in base64, four a byte, the first in the lowest bits.

    >>> packed_states(np.array([1, 2, 0, 3, 1], dtype=np.int8))
    'yQE='
    """
    padded = np.zeros(-(-len(states) // 4) * 4, dtype=np.uint8)
    padded[: len(states)] = states
    four = padded.reshape(-1, 4) << np.array([0, 2, 4, 6], dtype=np.uint8)
    return b64encode(np.bitwise_or.reduce(four, axis=1).astype(np.uint8).tobytes()).decode()
