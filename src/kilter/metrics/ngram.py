"""N-gram matches with the references, counted once for all metrics of an evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter import _core

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation

MAXIMUM_ORDER = 4


def ngram_counts(evaluation: Evaluation, reference: int | None = None) -> NDArray[np.int64]:
    """Return per segment: its length, the closest reference length, 4 numbers of matches, 4 totals.

    A match is clipped by the largest count of the n-gram in any one reference; of two reference lengths
    equally close the shorter one counts. With `reference`, only that one is looked at.
    """
    references = evaluation.references
    if reference is None and len(references) == 1:
        reference = 0
    key = ("ngrams", reference)
    if key not in evaluation.kept:
        chosen = references if reference is None else (references[reference],)
        hypothesis = evaluation.hypothesis.tokens
        evaluation.kept[key] = _core.count_ngrams(
            hypothesis.ids,
            hypothesis.offsets,
            [column.tokens.ids for column in chosen],
            [column.tokens.offsets for column in chosen],
            evaluation.jobs,
        )
    counts: NDArray[np.int64] = evaluation.kept[key]
    return counts
