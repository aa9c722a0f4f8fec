"""The words that permutations of a system are made of, against the reference that suits each segment best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.metrics.metric import brevity_penalty
from kilter.structures.link.link_batch import LinkBatch
from kilter.structures.text.token_column import ragged_ranges, row_offsets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.metrics.permutation_metric import PermutationMetric
    from kilter.structures.evaluation import Evaluation
    from kilter.structures.permutation.permutation_batch import PermutationBatch


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
    penalties: NDArray[np.float64]
    """The brevity penalty of each segment."""
    heads: NDArray[np.int32] | None
    """The head of each word of all hypotheses, where there are trees."""
    hypothesis_offsets: NDArray[np.int64]

    @classmethod
    def of(cls, evaluation: Evaluation, metric: PermutationMetric) -> OrderedWords:
        """Return the linked words of each segment and the reference that suits it best."""
        places = range(len(evaluation.references))
        if len(places) == 1:
            best = np.zeros(len(evaluation), dtype=np.int32)
            links = evaluation.links[0]
            permutations = evaluation.permutations(0)
            lengths = evaluation.references[0].tokens.lengths
        else:
            scores = np.stack([metric.reference_scores(evaluation, place) for place in places])
            best = np.argmax(scores, axis=0).astype(np.int32)
            links = _chosen_links(evaluation.links, best)
            own = evaluation.hypothesis.tokens.lengths
            permutations = evaluation.rule.permutations(links, own, jobs=evaluation.jobs)
            every = np.stack([each.tokens.lengths for each in evaluation.references])
            lengths = every[best, np.arange(len(best))]
        tokens = evaluation.hypothesis.tokens
        positions = _positions(links, permutations, tokens.lengths)
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
            penalties=brevity_penalty(linked, lengths),
            heads=heads,
            hypothesis_offsets=tokens.offsets,
        )


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
