"""The data of a report as its page carries it: numbers as bytes in base64, words once.

Scores of segments are 32-bit floating point numbers, little-endian: rounded to 24 bits, which is
7 digits. Of order errors, costs and shares are rounded,
see `error_data`; nothing else is.
"""

from __future__ import annotations

from base64 import b64encode
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from kilter.results.explanation import ErrorKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from kilter.core.corpus import TextColumn
    from kilter.core.dependency_tree_column import DependencyTreeColumn
    from kilter.core.links import LinkBatch
    from kilter.results.explanation import OrderErrors
    from kilter.results.reported_systems import ReportedSystems

_BITS = 7


def packed(values: ArrayLike) -> str:
    """Return whole numbers from 0 as variable-length bytes in base64.

    >>> packed(np.array([1, 300]))
    'AawC'
    """
    left = np.asarray(values, dtype=np.uint64)
    sizes = np.ones(len(left), dtype=np.int64)
    for step in range(1, 10):
        sizes += left >= np.uint64(1) << np.uint64(_BITS * step)
    ends = np.cumsum(sizes)
    out = np.zeros(int(ends[-1]) if ends.size else 0, dtype=np.uint8)
    for step in range(int(sizes.max(initial=0))):
        own = sizes > step
        more = (sizes[own] > step + 1).astype(np.uint8) << np.uint8(_BITS)
        digits = (left[own] >> np.uint64(_BITS * step)) & np.uint64(0x7F)
        out[(ends - sizes)[own] + step] = digits.astype(np.uint8) | more
    return b64encode(out.tobytes()).decode()


def packed_signed(values: ArrayLike) -> str:
    """Return whole numbers of either sign: 0, -1, 1, -2 are written as 0, 1, 2, 3.

    >>> packed_signed([0, -1, 1]) == packed([0, 1, 2])
    True
    """
    whole = np.asarray(values).astype(np.int64)
    return packed(np.where(whole < 0, -2 * whole - 1, 2 * whole))


def steps(values: NDArray[np.int64], starts: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return how far each value lies from the one before; from 0 where one starts."""
    found = np.diff(values, prepend=0)
    found[starts] = values[starts]
    return found


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


def joined_words(text: TextColumn, words: Sequence[str]) -> NDArray[np.int64]:
    """Return 1 for each word that follows the one before it without a blank in its line, else 0.

    A tokeniser may write a word otherwise than the line does (`&amp;` as `&`): from there to the end of
    the line all words count as apart.
    """
    joined = np.zeros(len(text.tokens.ids), dtype=np.int64)
    spelled = [words[number] for number in text.tokens.ids.tolist()]
    for line, (begin, end) in zip(text.lines, pairwise(text.tokens.offsets.tolist()), strict=True):
        if len(line.split()) == end - begin:  # split at blanks alone
            continue
        place, length = 0, len(line)
        for number in range(begin, end):
            start = place
            while place < length and line[place].isspace():
                place += 1
            word = spelled[number]
            if not line.startswith(word, place):
                break
            if place == start and number > begin:
                joined[number] = 1
            place += len(word)
    return joined


def report_data(report: ReportedSystems) -> dict[str, object]:
    """Return what the page's scripts need, as a document of numbers, texts and base64."""
    corpus = report.corpus
    beside = [corpus.source] if corpus.source and not report.of_source else []
    texts = [*corpus.references, *corpus.systems, *beside]
    words, numbers = _by_frequency(texts, corpus.vocabulary.words)
    return {
        "count": report.count,
        "systems": list(report.systems),
        "pair": None
        if report.pair is None
        else [report.systems.index(name) for name in report.pair],
        "metrics": [
            {
                "name": name,
                "higher": facts.higher_is_better,
                "range": [bound if np.isfinite(bound) else None for bound in facts.range],
            }
            for name, facts in report.metrics.items()
        ],
        "words": words,
        "texts": [
            {
                "name": PurePath(text.name).name,  # where files lie is nobody else's business
                "lengths": packed(text.tokens.lengths),
                # The lowest bit says whether a word is joined to the one before it.
                "words": packed(
                    2 * numbers[text.tokens.ids] + joined_words(text, corpus.vocabulary.words)
                ),
            }
            for text in texts
        ],
        "references": len(corpus.references),
        "source": bool(beside),
        "against": "source" if report.of_source else "reference",
        "links": [packed_links(links) for links in report.links],
        "errors": error_data(report.errors),
        "trees": _trees(report.trees),
        "scores": [
            [packed_scores(report.scores[name, system]) for system in report.systems]
            for name in report.metrics
        ],
    }


def packed_links(links: LinkBatch) -> dict[str, str]:
    """Return links, segment by segment: how many, and for each how far its two words lie from the last.

    The first segment's first link counts from 0; first words never go back, second words may: 0, -1, 1, -2
    are written as 0, 1, 2, 3.
    """
    starts = np.zeros(len(links.links), dtype=bool)
    starts[links.offsets[:-1][links.counts > 0]] = True
    first, second = (steps(links.links[:, side].astype(np.int64), starts) for side in (0, 1))
    return {
        "counts": packed(links.counts),
        "first": packed(first),
        "second": packed_signed(second),
    }


def _trees(columns: Sequence[DependencyTreeColumn | None]) -> dict[str, object] | None:
    """Return heads, counted from 1 with 0 for the root, labels and tags of texts with trees; none without any."""
    if all(column is None for column in columns):
        return None
    labels: dict[str, int] = {}
    tags: dict[str, int] = {}
    texts = [
        None if column is None else {
            "heads": packed(column.heads + 1),
            "labels": packed(_renumbered(column.labels, column.vocabulary.words, labels)),
            "tags": packed(_renumbered(column.tags, column.vocabulary.words, tags)),
        }
        for column in columns
    ]  # fmt: skip
    return {"labels": list(labels), "tags": list(tags), "texts": texts}


def _renumbered(
    names: NDArray[np.int32], words: Sequence[str], numbers: dict[str, int]
) -> NDArray[np.int64]:
    """Return names, given as numbers of words, by the numbers that all texts have for them; new ones are added."""
    used, places = np.unique(names, return_inverse=True)
    own = [numbers.setdefault(words[number], len(numbers)) for number in used.tolist()]
    found: NDArray[np.int64] = np.array(own, dtype=np.int64)[places.reshape(-1)]
    return found


def packed_scores(scores: NDArray[np.float64]) -> str:
    """Return segment scores as 32-bit numbers in base64."""
    return b64encode(scores.astype("<f4").tobytes()).decode()


def _by_frequency(
    texts: Sequence[TextColumn], words: Sequence[str]
) -> tuple[list[str], NDArray[np.int64]]:
    """Return the words of texts, the most frequent first, and the new number of each word."""
    counts = np.zeros(len(words), dtype=np.int64)
    for text in texts:
        counts += np.bincount(text.tokens.ids, minlength=len(words))
    order = np.argsort(-counts, kind="stable")[: int(np.count_nonzero(counts))]
    numbers = np.zeros(len(words), dtype=np.int64)
    numbers[order] = np.arange(len(order))
    return [words[number] for number in order.tolist()], numbers
