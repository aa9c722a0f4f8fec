"""Agreement of two sets of links: precision, recall, F1, AER [ON], kappa, FRS of what they imply."""

# [ON] Och & Ney 2003, A systematic comparison of various statistical alignment models.

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.aligners.agreement import link_counts
from kilter.core.link_rule import LinkRule, reorder
from kilter.core.order_match import OrderMatch
from kilter.core.token_column import TokenColumn
from kilter.metrics.frs import Frs
from kilter.results.link_comparison import MEASURES, IntervalValue, LinkComparison
from kilter.stats.resampling import bootstrap_sums, column_sums
from kilter.stats.significance import LEAST_SEGMENTS, percentile_intervals
from kilter.stats.undefined import Undefined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.link_batch import LinkBatch
    from kilter.stats.resampling import Resampling
    from kilter.stats.undefined import Number

_LINKS, _SURE, _SURE_FOUND, _POSSIBLE_FOUND, _OTHERS, _COMMON, _CELLS, _FRS, _ORDERS = range(9)
_REASONS = {
    "precision": "the first has no link",
    "recall": "the second has no sure link",
    "f1": "precision or recall is undefined",
    "aer": "there is neither a link nor a sure link",
    "kappa": "chance alone would agree on every pair of words",
    "frs": "there is no sentence with a link that makes an order",
}
_NONE_ALIKE = "there is no sentence whose words are the same on both sides"
_NO_TEXT = {
    "kappa": "the pairs of words are counted in both texts; give source and target",
    "frs": "an order is one of source words; give the source",
}


class GradedLinks(NamedTuple):
    """Sure links of many sentences, and all links, those that are only possible among them."""

    sure: LinkBatch
    every: LinkBatch


class TextLengths(NamedTuple):
    """The number of words of each sentence; None where no text is known."""

    source: NDArray[np.int64] | None
    target: NDArray[np.int64] | None


def compare_links(
    names: tuple[str, str],
    first: GradedLinks,
    second: GradedLinks,
    *,
    lengths: TextLengths,
    same: NDArray[np.bool_] | None = None,
    possible: bool = False,
    resampling: Resampling | None = None,
) -> LinkComparison:
    """Return how well the links of the first agree with those of the second.

    Precision is the share of the first's links that the second has at least as possible ones, recall the
    share of the second's sure links that the first has; AER = 1 - (|A and S| + |A and P|) / (|A| + |S|).
    Kappa is Cohen's over all pairs of a source and a target word: linked by each of them, or not. FRS is
    that of the order which the first's links imply against the second's, word by place, averaged over
    sentences; sure links make orders, with `possible` all. A sentence in which only one of them has such links
    counts 0, one without any does not count.

    `same` says in which sentences both have the same target words: links are compared in these alone. With
    `resampling`, every measure has an interval over resampled sentences, if there are two or more.
    """
    rows = _rows(first, second, lengths, same, possible=possible)
    sums = column_sums(rows) if len(rows) else np.zeros(_ORDERS + 1)
    observed = _measures(sums)
    compared = len(rows) if same is None else int(np.count_nonzero(same))
    missing = _missing(lengths) if compared else dict.fromkeys(MEASURES[:-1], _NONE_ALIKE)
    ends: dict[str, tuple[float | None, float | None]] = {}
    if resampling is not None and len(rows) >= LEAST_SEGMENTS:
        drawn = bootstrap_sums(rows[np.newaxis], resampling)
        spread = percentile_intervals(_measures(drawn.resampled()[0]), level=resampling.level)
        ends = {
            name: (_known(low), _known(high))
            for name, (low, high) in zip(MEASURES, spread.tolist(), strict=True)
        }

    def measure(place: int, name: str) -> IntervalValue:
        value = _value(float(observed[place]), missing.get(name) or _REASONS[name])
        low, high = ends.get(name, (None, None))
        is_known = not isinstance(value, Undefined)
        return IntervalValue(value, low if is_known else None, high if is_known else None)

    return LinkComparison(
        first=names[0],
        second=names[1],
        sentences=len(rows),
        compared=compared,
        links=int(sums[_LINKS]),
        sure=int(sums[_SURE]),
        common=int(sums[_COMMON]),
        **{name: measure(place, name) for place, name in enumerate(MEASURES)},
    )


def _missing(lengths: TextLengths) -> dict[str, str]:
    found = {}
    if lengths.source is None:
        found["frs"] = _NO_TEXT["frs"]
    if lengths.source is None or lengths.target is None:
        found["kappa"] = _NO_TEXT["kappa"]
    return found


def _rows(
    first: GradedLinks,
    second: GradedLinks,
    lengths: TextLengths,
    same: NDArray[np.bool_] | None,
    *,
    possible: bool,
) -> NDArray[np.float64]:
    """Return what adds up over sentences, a row for each."""
    counts = link_counts(first.every, second.sure, second.every)
    shared = link_counts(first.every, second.every)
    rows = np.zeros((len(first.every), _ORDERS + 1))
    rows[:, _LINKS:_OTHERS] = counts
    rows[:, _OTHERS] = shared[:, 1]
    rows[:, _COMMON] = shared[:, 2]
    if lengths.source is not None and lengths.target is not None:
        rows[:, _CELLS] = lengths.source * lengths.target
    if same is not None:
        rows[~same] = 0.0
    if lengths.source is not None:
        one, other = ((side.every if possible else side.sure) for side in (first, second))
        has_one, has_other = (np.asarray(side.counts) > 0 for side in (one, other))
        scores = _order_scores(one, other, lengths.source)
        # Links that only one of them has are disagreement; without any, there is no order to agree on.
        rows[:, _FRS] = np.where(has_one & has_other, scores, 0.0)
        rows[:, _ORDERS] = has_one | has_other
    return rows


def _order_scores(
    first: LinkBatch, second: LinkBatch, lengths: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the fuzzy reordering score of each sentence, source words matched by their places."""
    ours, theirs = (reorder(each, lengths, rule=LinkRule.TALBOT) for each in (first, second))
    match = OrderMatch.of(
        TokenColumn(ours.order, ours.offsets),
        TokenColumn(theirs.order, theirs.offsets),
        theirs.group,
    )
    return Frs().match_scores(match)


def _measures(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return all measures of sums, one row each; NaN where there is nothing to divide by."""
    links, sure, others, common = (sums[..., k] for k in (_LINKS, _SURE, _OTHERS, _COMMON))
    found, cells = sums[..., _POSSIBLE_FOUND], sums[..., _CELLS]
    precision, recall = _share(found, links), _share(sums[..., _SURE_FOUND], sure)
    total = precision + recall
    f1 = np.where(total == 0, 0.0, _share(2 * precision * recall, total))
    aer = 1 - _share(sums[..., _SURE_FOUND] + found, links + sure)
    agree = cells - links - others + 2 * common
    chance = links * others + (cells - links) * (cells - others)
    kappa = _share(cells * agree - chance, cells * cells - chance)
    return np.stack(
        [precision, recall, f1, aer, kappa, _share(sums[..., _FRS], sums[..., _ORDERS])]
    )


def _share(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = np.full(np.shape(part), np.nan)
    np.divide(part, whole, out=shares, where=np.asarray(whole) > 0)
    return shares


def _value(value: float, reason: str) -> Number:
    return Undefined(reason) if np.isnan(value) else value


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value
