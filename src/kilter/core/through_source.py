"""Hypothesis and reference compared through the source that both are linked to. [PEF] [LR]"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.argument import checked
from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError
from kilter.core.link_batch import LinkBatch
from kilter.core.link_origin import HYPOTHESIS_REFERENCE, LinkOrigin
from kilter.core.link_rule import LinkRule, NullWords, null_words, reorder
from kilter.core.permutation_batch import PermutationBatch

if TYPE_CHECKING:
    from numpy.typing import NDArray  # noqa: TC004 - checked arguments know what stands for it

    from kilter.core.link import Link


@dataclass(frozen=True, slots=True)
class JoinedOrigin(LinkOrigin):
    """Two kinds of source links, joined."""

    parts: tuple[LinkOrigin, LinkOrigin] = (LinkOrigin(), LinkOrigin())

    def where(self, segment: int, link: Link | None = None) -> str:  # noqa: ARG002 - of neither part
        """Return the places of both kinds of links of a segment."""
        return " joined with ".join(part.where(segment) for part in self.parts)


@checked
def joined_links(source_hypothesis: LinkBatch, source_reference: LinkBatch) -> LinkBatch:
    """Return hypothesis-reference links: pairs of words that are linked to one source word.

    >>> joined_links(LinkBatch.of([[(0, 1), (1, 0)]]), LinkBatch.of([[(0, 0), (1, 2), (1, 3)]])).segment(0)
    [(0, 2), (0, 3), (1, 0)]
    """
    _check_segments(source_hypothesis, source_reference)
    width = 1 + max(
        int(links.links[:, 0].max(initial=0)) for links in (source_hypothesis, source_reference)
    )
    sources = _source_numbers(source_hypothesis, width)
    others = _source_numbers(source_reference, width)
    begins = np.searchsorted(others, sources, side="left")
    counts = np.searchsorted(others, sources, side="right") - begins
    # The k-th partner of a link is row begins + k of the other side.
    starts = np.cumsum(counts) - counts
    partners = np.arange(int(counts.sum())) - np.repeat(starts - begins, counts)
    pairs = np.column_stack(
        [
            np.repeat(source_hypothesis.links[:, 1], counts),
            source_reference.links[partners, 1],
        ]
    )
    owners = np.repeat(source_hypothesis.segments(), counts)
    origin = JoinedOrigin(
        sides=HYPOTHESIS_REFERENCE, parts=(source_hypothesis.origin, source_reference.origin)
    )
    return LinkBatch.collected(owners, pairs, len(source_hypothesis), origin=origin)


@checked
def source_permutations(
    source_hypothesis: LinkBatch,
    source_reference: LinkBatch,
    lengths: NDArray[np.int64],
    *,
    rule: LinkRule | str = LinkRule.BIRCH,
    null: NullWords | str | None = None,
    jobs: int = 1,
) -> tuple[PermutationBatch, PermutationBatch]:
    """Return the ranks of all source words in the hypothesis and in the reference.

    `first.pair_scores(second)` compares them (2.2). The rule is `birch` or `talbot`, or another with a
    `null` that keeps every word, because two orders of one sentence have one length.

    >>> links = LinkBatch.of([[(0, 1), (1, 0)]]), LinkBatch.of([[(0, 0), (1, 1)]])
    >>> first, second = source_permutations(*links, np.array([2]))
    >>> first.pair_scores(second)["kendall"].tolist()
    [0.0]
    """
    _check_segments(source_hypothesis, source_reference)
    if null_words(rule, null) is NullWords.DROP:
        raise OptionError(
            f"the rule {rule} drops words without link, and two orders of one sentence need all of its "
            "words; take birch or talbot, or null=previous or null=next"
        )
    first, second = (
        reorder(links, lengths, rule=rule, null=null, jobs=jobs).ranks()
        for links in (source_hypothesis, source_reference)
    )
    return first, second


def _source_numbers(links: LinkBatch, width: int) -> NDArray[np.int64]:
    """Return the number of each link's source word in the whole text; they never fall."""
    return links.segments() * width + links.links[:, 0]


def _check_segments(first: LinkBatch, second: LinkBatch) -> None:
    if len(first) != len(second):
        raise InputError(
            f"there are source-hypothesis links of {counted(len(first), 'segment')} and source-reference links of "
            f"{len(second)}; both need the same number"
        )
