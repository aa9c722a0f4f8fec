"""Two permutations of one sentence compared with each other. [LR] section 2"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError
from kilter.core.permutation_batch import PermutationBatch

if TYPE_CHECKING:
    from kilter.core.permutation import Permutation


def pair_score(first: Permutation, second: Permutation, column: str) -> float:
    """Return the kendall, hamming, spearman or footrule similarity of two permutations."""
    if len(first) != len(second):
        raise InputError(
            f"two permutations of one sentence must have the same length, not {len(first)} and "
            f"{len(second)}"
        )
    offsets = np.array([0, len(first)], dtype=np.int64)
    one = PermutationBatch.trusted(first.values, offsets)
    return float(one.pair_scores(PermutationBatch.trusted(second.values, offsets))[column][0])
