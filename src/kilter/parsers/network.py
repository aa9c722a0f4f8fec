"""Trees of a learned network, which the core computes [DM] [SRU]."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter import _core
from kilter.core.once import loaded_once
from kilter.parsers.model_file import NETWORK_WEIGHTS
from kilter.parsers.parser import ROOT_LABEL, Parses, named_labels, parses
from kilter.parsers.perceptron_tables import word_parts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.corpus import TokenColumn, Vocabulary
    from kilter.parsers.network_file import ParserNetwork
    from kilter.parsers.parser import Progress

    Answers = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]

BLOCK = 2000
"""Segments that are parsed at once: many enough that words come again, for whose input is computed once a block."""


def network_parses(
    network: ParserNetwork,
    words: TokenColumn,
    vocabulary: Vocabulary,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Parses:
    """Return the tree and the tags of every segment; progress is called with (done, total)."""
    used, places = np.unique(words.ids, return_inverse=True)
    names = vocabulary.words
    spelled = (names[number] for number in used.tolist())
    parts = word_parts(spelled, lowercase=network.lowercase)
    found = _answers(network, parts, places, words.offsets, jobs=jobs, progress=progress)
    tags, heads, labels = found
    return parses(
        words,
        vocabulary,
        heads,
        labels=named_labels(network.label_names, vocabulary, heads, labels),
        tags=vocabulary.numbers(tag for tag, _ in network.tag_names)[tags],
        language_tags=vocabulary.numbers(tag for _, tag in network.tag_names)[tags],
    )


def network_trees(
    network: ParserNetwork, parts: NDArray[np.uint32], offsets: NDArray[np.int64]
) -> Answers:
    """Return tag, head and label of each word of sentences, as numbers, by the parts of their words.

    Heads are zero-based in their sentence, -1 for the root.
    """
    used, places = np.unique(parts, axis=0, return_inverse=True)
    return _answers(network, used, places.ravel(), offsets)


def _answers(
    network: ParserNetwork,
    parts: NDArray[np.uint32],
    places: NDArray[np.int64],
    offsets: NDArray[np.int64],
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Answers:
    """Return the answers for words whose parts are rows, at these places."""
    rows = network.rows(parts)
    words, pieces = (np.ascontiguousarray(each, dtype=np.int32) for each in rows)
    core = core_network(network)

    def answered(begin: int) -> Answers:
        own = offsets[begin : begin + BLOCK + 1]
        used, ids = np.unique(places[own[0] : own[-1]], return_inverse=True)
        return core.parse(words[used], pieces[used], ids.astype(np.int32), own - own[0])

    from concurrent.futures import ThreadPoolExecutor

    segments = len(offsets) - 1
    starts = range(0, segments, BLOCK)
    nothing = np.zeros(0, dtype=np.int32)
    blocks: list[Answers] = [(nothing, nothing, nothing)]
    with ThreadPoolExecutor(jobs) as pool:
        for begin, block in zip(starts, pool.map(answered, starts), strict=True):
            blocks.append(block)
            if progress is not None:
                progress(min(begin + BLOCK, segments), segments)
    tags, heads, labels = (np.concatenate(each) for each in zip(*blocks, strict=True))
    return tags, heads, labels


@loaded_once(2)
def core_network(network: ParserNetwork) -> _core.ParserNetwork:
    """Return what computes a network; made once."""
    names = network.label_names
    return _core.ParserNetwork(
        words=network.words.astype(np.float32),
        pieces=network.pieces.astype(np.float32),
        **{name: np.ascontiguousarray(getattr(network, name)) for name in NETWORK_WEIGHTS},
        root=names.index(ROOT_LABEL) if ROOT_LABEL in names else -1,
    )
