"""`kilter reorder profile`: dependency length, head direction, order entropy and crossings of treebanks. Section 22"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.corpus import ragged_ranges, row_offsets
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import InputError, OptionError
from kilter.core.estimate import Estimate
from kilter.core.links import LinkBatch
from kilter.core.settings import checked
from kilter.results.order_profile import OrderProfile, RelationOrder, TreebankOrder
from kilter.stats.ratio import quotient
from kilter.stats.resampling import Resampling, bootstrap_sums, column_sums
from kilter.stats.significance import percentile_intervals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

LEFT_OUT = ("root", "punct")
"""Relations that say nothing of the order of words and their heads."""
_NO_WORD = "no word has a head of such a relation"
_COLUMNS = ("sentences", "projective", "words", "crossing", "link pairs", "crossing links")


@checked
def order_profile(
    treebanks: Mapping[str, DependencyTreeColumn],
    *,
    links: LinkBatch | None = None,
    resampling: Resampling | None = None,
) -> OrderProfile:
    """Return the word order of treebanks, the first parse of each sentence; `links` join the first two, word by word.

    >>> from kilter import DependencyTree
    >>> trees = DependencyTreeColumn.of([DependencyTree(["she", "reads", "books"], [1, -1, 1])])
    >>> found = order_profile({"en": trees}).treebanks["en"].measures
    >>> found["length"].value, found["head final"].value, found["entropy"].value
    (1.0, 0.5, 1.0)
    """
    if not treebanks:
        raise OptionError("there is nothing to measure; give at least one treebank")
    drawn = resampling or Resampling()
    first, *others = treebanks
    if links is not None:
        if not others:
            raise OptionError("links join two treebanks; give both")
        _check_links(links, treebanks[first], treebanks[others[0]])
    return OrderProfile(
        treebanks={
            name: _profile(trees, links if name in (first, *others[:1]) else None, drawn)
            for name, trees in treebanks.items()
        }
    )


def _lengths(trees: DependencyTreeColumn) -> Ints:
    return np.diff(trees.offsets)[trees.parses[:-1]]


def _check_links(
    links: LinkBatch, first: DependencyTreeColumn, second: DependencyTreeColumn
) -> None:
    if not len(links) == len(first) == len(second):
        raise InputError(
            f"there are links for {len(links)} sentences, but the treebanks have {len(first)} and {len(second)}; all need "
            "the same sentences",
            where="links",
        )
    links.check(_lengths(first), _lengths(second))


def _profile(
    trees: DependencyTreeColumn, links: LinkBatch | None, drawn: Resampling
) -> TreebankOrder:
    lengths = _lengths(trees)
    owners = np.repeat(np.arange(len(lengths)), lengths)
    places = ragged_ranges(trees.offsets[trees.parses[:-1]], lengths)
    heads = trees.heads[places].astype(np.int64)
    position = np.arange(len(places)) - np.repeat(row_offsets(lengths)[:-1], lengths)
    words = trees.vocabulary.words
    used, relation = np.unique(trees.labels[places], return_inverse=True)
    names = [words[number] for number in used.tolist()]
    left_out = [k for k, name in enumerate(names) if name in LEFT_OUT]
    kept = np.logical_and(heads >= 0, ~np.isin(relation, left_out))
    # For each relation: words, words before their head, and words to the head; a block of columns each.
    count = len(names)
    sums = np.zeros((len(lengths), 3 * count + len(_COLUMNS)))
    rows, kinds = owners[kept], relation[kept]
    np.add.at(sums, (rows, kinds), 1.0)
    np.add.at(sums, (rows, count + kinds), position[kept] < heads[kept])
    np.add.at(sums, (rows, 2 * count + kinds), np.abs(position - heads)[kept])
    sums[:, 3 * count :] = _sentence_sums(heads, lengths, links)
    sampled, total = bootstrap_sums(sums[np.newaxis], drawn).resampled()[0], column_sums(sums)
    every = np.vstack([total, sampled])

    def ratio(top: Floats, bottom: Floats, missing: str = _NO_WORD) -> Estimate:
        return quotient(
            (top[1:], float(top[0])),
            (bottom[1:], float(bottom[0])),
            level=drawn.level,
            missing=missing,
        )

    amounts, before, far = (every[:, k * count : (k + 1) * count] for k in range(3))
    entropies = _entropy(before, amounts)
    rest = {name: every[:, 3 * count + k] for k, name in enumerate(_COLUMNS)}
    whole = amounts.sum(axis=1)
    measures = {
        "length": ratio(far.sum(axis=1), whole),
        "head final": ratio(before.sum(axis=1), whole),
        "entropy": ratio((amounts * entropies).sum(axis=1), whole),
        "projective": ratio(rest["projective"], rest["sentences"], "no sentence has a word"),
        "crossing arcs": ratio(rest["crossing"], rest["words"], "no sentence has a word"),
        "crossing links": ratio(rest["crossing links"], rest["link pairs"], "no pair of links"),
    }
    order = [k for k in np.argsort(-total[:count], kind="stable").tolist() if total[k] > 0]
    return TreebankOrder(
        sentences=len(lengths),
        words=int(lengths.sum()),
        measures=measures,
        relations=tuple(
            RelationOrder(
                name=names[k],
                words=int(total[k]),
                length=ratio(far[:, k], amounts[:, k]),
                head_final=ratio(before[:, k], amounts[:, k]),
                entropy=_value(entropies[:, k], drawn),
            )
            for k in order
        ),
    )


def _entropy(before: Floats, amounts: Floats) -> Floats:
    """Return the entropy in bits of the side of the head, 0 where there is no word."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(amounts > 0, before / amounts, 0.0)
        parts = [np.where(p > 0, -p * np.log2(p), 0.0) for p in (share, 1.0 - share)]
    return parts[0] + parts[1]


def _value(values: Floats, drawn: Resampling) -> Estimate:
    low, high = percentile_intervals(values[np.newaxis, 1:], level=drawn.level)[0]
    return Estimate(float(values[0]), float(low), float(high))


def _sentence_sums(heads: Ints, lengths: Ints, links: LinkBatch | None) -> Floats:
    """Return what `_COLUMNS` name for each sentence."""
    found = np.zeros((len(lengths), len(_COLUMNS)))
    found[:, 0] = lengths > 0
    found[:, 2] = lengths
    begins = row_offsets(lengths)
    for sentence in np.flatnonzero(lengths > 1).tolist():
        crossing = crossing_arcs(heads[begins[sentence] : begins[sentence + 1]])
        found[sentence, 3] = crossing.sum()
    found[:, 1] = (found[:, 3] == 0) & (lengths > 0)
    if links is not None:
        counts = links.counts
        found[:, 4] = counts * (counts - 1) // 2
        found[:, 5] = links.pair_counts()[:, 1]
    return found


def crossing_arcs(heads: Ints) -> NDArray[np.bool_]:
    """Return for each word of a tree whether the arc from its head crosses another; a root hangs on a place before all.

    >>> crossing_arcs(np.array([2, 3, -1, 2])).tolist()
    [True, True, True, False]
    """
    places = np.arange(len(heads))
    low, high = np.minimum(places, heads), np.maximum(places, heads)
    one, other = low[:, np.newaxis], high[:, np.newaxis]
    inside = (one < low) & (low < other) & (other < high)
    return np.asarray((inside | inside.T).any(axis=1), dtype=np.bool_)
