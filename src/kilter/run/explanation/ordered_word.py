"""The words that permutations of a system are made of, against the reference that suits each segment best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.corpus import ragged_ranges, row_offsets
from kilter.core.links import LinkBatch
from kilter.metrics.metric import brevity_penalty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.core.corpus import Vocabulary
    from kilter.core.evaluation import Evaluation
    from kilter.core.permutation_batch import PermutationBatch
    from kilter.metrics.permutation_metric import OrderMetric


SHORT = 4
"""Letters from which on a word is not short."""
_EAST_ASIA = "\u2e80"
"""Where scripts begin that write words with one or two characters."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OrderedWords:
    """The words that permutations are made of: slots, one after another over all segments."""

    links: LinkBatch
    references: NDArray[np.int32]
    reference_lengths: NDArray[np.int64]
    permutations: PermutationBatch
    positions: NDArray[np.int32]
    """Where the word of each slot stands in its hypothesis."""
    hypothesis_lengths: NDArray[np.int64]
    keys: NDArray[np.int32]
    """The word of each slot, as a number; equal for words that differ in case alone."""
    letters: NDArray[np.int32]
    loose: NDArray[np.bool_]
    """Whether the word of each slot has fewer than four letters, as most function words do, or is not the only one of
    its form in its hypothesis or reference: its link may well be another's."""
    marks: NDArray[np.bool_]
    """Whether the word of each slot has neither letter nor digit; the metric order has no such words."""
    trust: NDArray[np.float64]
    """How certain the link of each slot is; 1 where nobody says."""
    linked_shares: NDArray[np.float64]
    """Ordered words as a share of the words of the hypothesis or of the reference, whichever has more."""
    penalties: NDArray[np.float64]
    """The brevity penalty of each segment."""
    heads: NDArray[np.int32] | None
    """The head of each word of all hypotheses, where there are trees."""
    hypothesis_offsets: NDArray[np.int64]

    @classmethod
    def of(cls, evaluation: Evaluation, metric: OrderMetric) -> OrderedWords:
        """Return the words that a metric puts in an order, and the reference that suits each segment best."""
        places = range(len(evaluation.references))
        if len(places) == 1:
            best = np.zeros(len(evaluation), dtype=np.int32)
            links = evaluation.links[0]
            ordered = evaluation.word_links(0) if metric.words_only else links
            permutations = (
                evaluation.word_permutations(0) if metric.words_only else evaluation.permutations(0)
            )
            lengths = evaluation.references[0].tokens.lengths
        else:
            scores = np.stack([metric.reference_scores(evaluation, place) for place in places])
            best = np.argmax(np.nan_to_num(scores, nan=-1.0), axis=0).astype(np.int32)
            links = ordered = _chosen_links(evaluation.links, best)
            if metric.words_only:
                ordered = _chosen_links([evaluation.word_links(place) for place in places], best)
            own = evaluation.hypothesis.tokens.lengths
            permutations = evaluation.rule.permutations(ordered, own, jobs=evaluation.jobs)
            every = np.stack([each.tokens.lengths for each in evaluation.references])
            lengths = every[best, np.arange(len(best))]
        tokens = evaluation.hypothesis.tokens
        positions = _positions(ordered, permutations, tokens.lengths)
        starts = np.repeat(tokens.offsets[:-1], permutations.lengths)
        numbers = tokens.ids[starts + positions]
        linked = links.linked_words(jobs=evaluation.jobs)[:, 0]
        heads = None
        if evaluation.trees is not None:
            heads = evaluation.trees_of(evaluation.hypothesis).first_parses().heads
        return cls(
            links=links,
            references=best,
            reference_lengths=lengths,
            permutations=permutations,
            positions=positions,
            hypothesis_lengths=tokens.lengths,
            keys=evaluation.vocabulary.lowercase()[numbers],
            letters=evaluation.vocabulary.letters()[numbers],
            loose=short_words(evaluation.vocabulary)[numbers]
            | _repeated(
                evaluation, best, np.repeat(np.arange(len(best)), permutations.lengths), numbers
            ),
            marks=~evaluation.vocabulary.alphanumeric()[numbers],
            trust=_trust(ordered, permutations),
            linked_shares=_linked_shares(evaluation, best, permutations),
            penalties=brevity_penalty(linked, lengths),
            heads=heads,
            hypothesis_offsets=tokens.offsets,
        )


def short_words(vocabulary: Vocabulary) -> NDArray[np.bool_]:
    """Return which words have fewer than four letters, but for numbers and scripts of East Asia."""
    return np.fromiter(
        (
            len(word) < SHORT and max(word) < _EAST_ASIA and not any(map(str.isdigit, word))
            for word in vocabulary.words
        ),
        dtype=np.bool_,
        count=len(vocabulary.words),
    )


def _repeated(
    evaluation: Evaluation,
    best: NDArray[np.int32],
    segments: NDArray[np.int64],
    numbers: NDArray[np.int32],
) -> NDArray[np.bool_]:
    """Return whether the word of each slot occurs twice in its hypothesis or its reference, in any case."""
    keys = evaluation.vocabulary.lowercase().astype(np.int64)
    size = len(keys)
    wanted = segments * size + keys[numbers]
    repeated = np.zeros(len(wanted), dtype=np.bool_)
    for number, text in enumerate((evaluation.hypothesis, *evaluation.references)):
        tokens = text.tokens
        owner = np.repeat(np.arange(len(tokens)), tokens.lengths)
        own = np.ones(len(owner), dtype=np.bool_) if number == 0 else (best == number - 1)[owner]
        found, counts = np.unique(owner[own] * size + keys[tokens.ids[own]], return_counts=True)
        repeated |= np.isin(wanted, found[counts > 1])
    return repeated


def _trust(links: LinkBatch, permutations: PermutationBatch) -> NDArray[np.float64]:
    """Return the certainty of the link of each slot; 1 where links do not tell, or a rule orders other words."""
    if links.certainty is None or len(links.certainty) != len(permutations.values):
        return np.ones(len(permutations.values))
    return links.certainty


def _linked_shares(
    evaluation: Evaluation, best: NDArray[np.int32], permutations: PermutationBatch
) -> NDArray[np.float64]:
    """Return how many of the words of both sides are in an order."""
    places = range(len(evaluation.references))
    words = np.stack([evaluation.reference_words(place) for place in places])
    tokens = evaluation.hypothesis.tokens
    before = np.zeros(len(tokens.ids) + 1, dtype=np.int64)
    np.cumsum(evaluation.vocabulary.alphanumeric()[tokens.ids], out=before[1:])
    own = np.diff(before[tokens.offsets])
    most = np.maximum(np.maximum(own, words[best, np.arange(len(best))]), 1)
    return np.minimum(permutations.lengths / most, 1.0)


def _chosen_links(batches: Sequence[LinkBatch], best: NDArray[np.int32]) -> LinkBatch:
    """Return the links of each segment with the reference that was chosen for it."""
    segments = np.arange(len(best))
    bases = np.cumsum([0, *(len(each.links) for each in batches[:-1])])
    begins = np.stack([each.offsets[:-1] for each in batches])[best, segments] + bases[best]
    counts = np.stack([each.counts for each in batches])[best, segments]
    rows = ragged_ranges(begins, counts)
    known = [each.certainty for each in batches if each.certainty is not None]
    return LinkBatch(
        np.concatenate([each.links for each in batches])[rows],
        row_offsets(counts),
        certainty=np.concatenate(known)[rows] if len(known) == len(batches) else None,
    )


def _positions(
    links: LinkBatch, permutations: PermutationBatch, lengths: NDArray[np.int64]
) -> NDArray[np.int32]:
    """Return where the words of permutations stand: all words of a hypothesis, or those with a link."""
    if np.array_equal(permutations.lengths, lengths):
        starts = np.repeat(permutations.offsets[:-1], permutations.lengths)
        return (np.arange(len(permutations.values)) - starts).astype(np.int32)
    owner, first = links.segments(), links.links[:, 0]
    new = np.ones(len(first), dtype=bool)
    new[1:] = (np.diff(first) != 0) | (np.diff(owner) != 0)
    return np.ascontiguousarray(first[new])
