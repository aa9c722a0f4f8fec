"""The data of a report as its page carries it: numbers as bytes in base64, words once.

Scores of segments are 32-bit floating point numbers, little-endian: rounded to 24 bits, which is
7 digits. Of order errors, costs and shares are rounded,
see `error_data`; nothing else is.
"""

from __future__ import annotations

from base64 import b64encode
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from kilter.render.page.error_data import error_data
from kilter.render.page.packed_number import packed, packed_signed, steps
from kilter.render.page.word_joint import joined_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.core.corpus import TextColumn
    from kilter.core.dependency_tree_column import DependencyTreeColumn
    from kilter.core.link_batch import LinkBatch
    from kilter.results.reported_systems import ReportedSystems


def report_data(report: ReportedSystems) -> dict[str, object]:
    """Return what the page's scripts need, as a document of numbers, texts and base64."""
    corpus = report.corpus
    texts = [*corpus.references, *corpus.systems, *([corpus.source] if corpus.source else [])]
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
        "source": corpus.source is not None,
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
