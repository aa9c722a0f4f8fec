"""Tables over language pairs: average ranks and scores, scaled scores, N/B/D. Sections 14.5 and 14.6"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError
from kilter.core.settings import checked
from kilter.results.meta_result import NewBaselineDraw, PairAverage, Verdict
from kilter.stats.correlation import average_ranks

if TYPE_CHECKING:
    from numpy.typing import NDArray


@checked
def pair_averages(table: Mapping[str, Sequence[object]]) -> dict[str, PairAverage]:
    """Return the mean rank and score of each metric over the language pairs of a table.

    Equal scores share the mean of their ranks. [PEF] table 3

    >>> pair_averages({"a": [0.5, 0.5], "b": [0.25, 0.5]})
    {'a': PairAverage(rank=1.25, score=0.5), 'b': PairAverage(rank=1.75, score=0.375)}
    """
    scores = _rows(table)
    ranks = average_ranks(-scores.T).T
    return {
        name: PairAverage(float(np.mean(ranks[place])), float(np.mean(scores[place])))
        for place, name in enumerate(table)
    }


def scaled(table: Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
    """Return (score - worst) / (best - worst) on each language pair; 1 where all are equal. [PEF] figures

    >>> scaled({"a": [0.5, 0.3], "b": [0.25, 0.3], "c": [0.375, 0.3]})
    {'a': [1.0, 1.0], 'b': [0.0, 1.0], 'c': [0.5, 1.0]}
    """
    scores = _rows(table)
    worst, best = scores.min(axis=0), scores.max(axis=0)
    shares = np.ones(scores.shape)
    np.divide(scores - worst, best - worst, out=shares, where=best > worst)
    return {name: row.tolist() for name, row in zip(table, shares, strict=True)}


def count_verdicts(verdicts: Sequence[Verdict]) -> NewBaselineDraw:
    """Return how often each verdict was given.

    >>> str(count_verdicts([Verdict.NEW, Verdict.DRAW, Verdict.NEW]))
    '2/0/1'
    """
    return NewBaselineDraw(*(verdicts.count(verdict) for verdict in Verdict))


def _rows(table: Mapping[str, Sequence[object]]) -> NDArray[np.float64]:
    widths = {len(row) for row in table.values()}
    if len(widths) != 1 or widths == {0}:
        raise InputError("every metric needs a score on every language pair, at least one")
    try:
        scores = np.array(list(table.values()), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"scores of metrics must be numbers: {error}") from error
    if np.isnan(scores).any():
        place = int(np.argwhere(np.isnan(scores))[0][0])
        raise InputError(f"{list(table)[place]} has no score on some language pair")
    return scores
