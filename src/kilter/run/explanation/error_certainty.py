"""How far to trust an order error: what is not linked casts doubt on what is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.run.explanation.located_error import LocatedError
    from kilter.run.explanation.ordered_word import OrderedWords

SHORT_WAY = 3
"""Linked words that a block must pass over to be far from its place."""
LOOSE_DOUBT, NEAR_DOUBT = 5.0, 2.0
"""How much faster doubt grows for words that are short or repeated, and for a short way."""


def error_certainty(
    words: OrderedWords,
    starts: NDArray[np.int64],
    errors: Sequence[LocatedError],
    segments: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return a number from 0 to 1 for each error: how far to trust that it is one.

    It is the certainty of the least certain link of the words that move, times 1 - d (1 + 5 loose + 2 near), at least
    0. d is the share of words without a link in the sentence; `loose` is 1 where every moved word has fewer than four
    letters or occurs twice in a sentence, and `near` where they pass over fewer than three linked words. So all is
    certain where every word is linked. Chosen on outputs of WMT 2012 that were read.
    """
    missing = 1.0 - words.linked_shares[segments]
    links, loose = np.ones(len(errors)), np.zeros(len(errors))
    for row, error in enumerate(errors):
        slots = starts[row] + np.array(error.moved, dtype=np.int64)
        links[row] = words.trust[slots].min()
        loose[row] = bool(words.loose[slots].all())
    near = np.array([abs(error.way) < SHORT_WAY for error in errors], dtype=np.float64)
    certainty: NDArray[np.float64] = links * np.maximum(
        1.0 - missing * (1.0 + LOOSE_DOUBT * loose + NEAR_DOUBT * near), 0.0
    )
    return certainty
