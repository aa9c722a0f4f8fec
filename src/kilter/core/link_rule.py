"""Rules that turn links into an order of the source words. [LR] [FRS] [PC] [PEF]

| rule | a linked word is sorted by | `null` | `ties` | as in |
| --- | --- | --- | --- | --- |
| `birch` | its first target position | `previous` | `source` | [LR]; Moses' LRscore |
| `talbot` | its first target position | `next` | `group` | [FRS] |
| `one-to-one` | its only target position | `drop` | `source` | [PC] [PEF]; BEER, METEOR |
| `mean` | the mean of its target positions | `drop` | `source` | ReorderingGrammar |
| `span` | the span of its target positions | `next` | `group` | lader |
| `drop` | its first target position | `drop` | `source` | topdown-btg-preordering, BEER |
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter import _core
from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError
from kilter.core.links import HYPOTHESIS_REFERENCE, LinkBatch, LinkOrigin
from kilter.core.permutation_batch import PermutationBatch
from kilter.core.registry import split_specification
from kilter.core.reordering import Reordering
from kilter.core.settings import checked, chosen, shown

if TYPE_CHECKING:
    from numpy.typing import NDArray  # noqa: TC004 - checked arguments know what stands for it

    from kilter.core.links import Link


class LinkRule(StrEnum):
    """By what the linked source words are sorted, and what the other options are by default."""

    BIRCH = "birch"
    TALBOT = "talbot"
    ONE_TO_ONE = "one-to-one"
    MEAN = "mean"
    SPAN = "span"
    DROP = "drop"


class NullWords(StrEnum):
    """Where a source word without link goes: behind the previous word, before the next, nowhere."""

    PREVIOUS = "previous"
    NEXT = "next"
    DROP = "drop"


class Ties(StrEnum):
    """What becomes of words that sort alike: they keep their source order, or form a tied group."""

    SOURCE = "source"
    GROUP = "group"


class _Plan(NamedTuple):
    key: _core.LinkKey
    null: NullWords
    ties: Ties


_PLANS = {
    LinkRule.BIRCH: _Plan(_core.LinkKey.FIRST, NullWords.PREVIOUS, Ties.SOURCE),
    LinkRule.TALBOT: _Plan(_core.LinkKey.FIRST, NullWords.NEXT, Ties.GROUP),
    LinkRule.ONE_TO_ONE: _Plan(_core.LinkKey.FIRST, NullWords.DROP, Ties.SOURCE),
    LinkRule.MEAN: _Plan(_core.LinkKey.MEAN, NullWords.DROP, Ties.SOURCE),
    LinkRule.SPAN: _Plan(_core.LinkKey.SPAN, NullWords.NEXT, Ties.GROUP),
    LinkRule.DROP: _Plan(_core.LinkKey.FIRST, NullWords.DROP, Ties.SOURCE),
}


@checked
def reorder(
    links: LinkBatch,
    lengths: object,
    *,
    rule: LinkRule | str = LinkRule.BIRCH,
    null: NullWords | str | None = None,
    ties: Ties | str | None = None,
    jobs: int = 1,
) -> Reordering:
    """Return the source words of each segment in the order that their links ask for.

    `links` are (source, target); `lengths` count the source words. `null` and `ties` are the rule's own
    (see the table above) unless given. Equal target positions sort by source position.

    A word without link that has no neighbour on the asked side stands at that end of the sentence:
    before everything with `previous` (A3), after everything with `next`. In a group of tied words it is
    a member between two members, and outside before the first and after the last of them (A6). Nothing
    linked: source order. The rule `span` ties such a word with its neighbour instead, or, where there
    is none, with the nearest linked word; nothing linked: all words tied. It also ties words whose
    target spans overlap, directly or through others. (lader ties the source words between them, too.)

    `one-to-one` takes neither option, and a word in two links is an `InputError`, as is a link outside
    its sentence.

    >>> from kilter.core.links import LinkBatch
    >>> links = LinkBatch.of([[(0, 2), (2, 0)]])
    >>> (reorder(links, np.array([3])).ranks()[0] + 1).tolist()
    [2, 3, 1]
    >>> reorder(links, np.array([3]), rule="talbot").groups(0)
    [[1], [2], [0]]
    """
    rule = chosen(LinkRule, rule, "rule")
    plan = _PLANS[rule]
    if rule is LinkRule.ONE_TO_ONE:
        if (null or plan.null) != plan.null or (ties or plan.ties) != plan.ties:
            raise OptionError("the one-to-one rule drops words without link and knows no ties")
        links.check_one_to_one()
    lengths = _whole_numbers(lengths)
    _check(links, lengths)
    order, group, places, offsets = _core.reorder(
        links.links,
        links.offsets,
        lengths,
        plan.key,
        _core.NullWord[null_words(rule, null).name],
        (plan.ties if ties is None else chosen(Ties, ties, "ties")) is Ties.GROUP,
        jobs,
    )
    return Reordering(order, group, places, offsets, jobs)


@dataclass(frozen=True, slots=True)
class OrderRule:
    """How links of hypothesis and reference become an order: a rule, and where words without link go.

    A permutation has no ties: words that sort alike keep their order, whatever `ties` of the rule says.

    >>> OrderRule.parse("mean:null=previous").signature()
    'mean(null:previous)'
    """

    rule: LinkRule = LinkRule.ONE_TO_ONE
    null: NullWords = NullWords.DROP

    @classmethod
    def parse(cls, specification: str) -> OrderRule:
        """Return the rule of a specification such as `birch` or `mean:null=previous`."""
        name, options = split_specification(specification, "rule")
        rule = chosen(LinkRule, name, "rule")
        for option in options:
            if option != "null":
                raise OptionError(f"the rule {rule} has no option {option!r}; it has null")
        null = null_words(rule, options.get("null"))
        if rule is LinkRule.ONE_TO_ONE and null is not NullWords.DROP:
            raise OptionError("the one-to-one rule drops words without link; leave null out")
        return cls(rule, null)

    def signature(self) -> str:
        """Return the rule with its option, as signatures show it."""
        return f"{self.rule}(null:{self.null})"

    def permutations(
        self, links: LinkBatch, lengths: NDArray[np.int64], *, jobs: int = 1
    ) -> PermutationBatch:
        """Return the places of the hypothesis words in the order of the reference.

        `lengths` count the words of the hypothesis. One-to-one links give the same permutation under
        every rule that drops words without link.
        """
        if self.rule is LinkRule.ONE_TO_ONE:
            return links.permutations(jobs=jobs)
        return reorder(links, lengths, rule=self.rule, null=self.null, jobs=jobs).ranks()


def null_words(rule: LinkRule | str, null: NullWords | str | None = None) -> NullWords:
    """Return where words without link go: as asked for, or else by the rule itself."""
    own = _PLANS[chosen(LinkRule, rule, "rule")].null
    return own if null is None else chosen(NullWords, null, "null")


def _whole_numbers(lengths: object) -> NDArray[np.int64]:
    try:
        array = np.asarray(lengths)
    except (TypeError, ValueError):
        array = np.zeros((0, 0))
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise InputError(f"lengths are {shown(lengths)}; they must be a row of whole numbers")
    return np.ascontiguousarray(array, dtype=np.int64)


def _check(links: LinkBatch, lengths: NDArray[np.int64]) -> None:
    if len(lengths) != len(links):
        raise InputError(
            f"there are links of {counted(len(links), 'segment')} and lengths of {len(lengths)}; "
            "both need the same number"
        )
    bad = _core.link_outside(links.links, links.offsets, lengths, None)
    if bad >= 0:
        segment = int(np.searchsorted(links.offsets, bad, side="right")) - 1
        first, second = links.links[bad].tolist()
        words = int(lengths[segment])
        raise InputError(
            links.origin.outside((first, second), (words, second + 1)),
            where=links.origin.where(segment, (first, second)),
        )


# [ON] Och & Ney 2003, A systematic comparison of various statistical alignment models.
# [KOM] Koehn, Och & Marcu 2003, Statistical phrase-based translation.


class Symmetrization(StrEnum):
    """How the links of both directions become one set."""

    FORWARD = "forward"
    REVERSE = "reverse"
    INTERSECTION = "intersection"
    UNION = "union"
    GROW_DIAG = "grow-diag"
    GROW_DIAG_FINAL = "grow-diag-final"
    GROW_DIAG_FINAL_AND = "grow-diag-final-and"


def symmetrize(forward: LinkBatch, reverse: LinkBatch, *, rule: Symmetrization) -> LinkBatch:
    """Return the links that a rule makes of two directions, both written (source, target).

    Forward links have at most one source word per target word where an aligner made them, reverse
    links one target word per source word; any links will do.

    * `grow-diag`: the intersection; then, until nothing changes, each neighbour (also diagonal) of a
      chosen link that is in the union and whose source or target word is still free. Links are
      visited by target word, then source word, and an added link counts at once.
    * `grow-diag-final`: then forward links, then reverse links, whose source or target word is free.
    * `grow-diag-final-and`: the same where source and target word are both free.

    >>> forward = LinkBatch.of([[(0, 0), (1, 1), (1, 2)]])
    >>> reverse = LinkBatch.of([[(0, 0), (1, 1), (3, 3)]])
    >>> symmetrize(forward, reverse, rule=Symmetrization.GROW_DIAG).segment(0)
    [(0, 0), (1, 1), (1, 2)]
    >>> symmetrize(forward, reverse, rule=Symmetrization.GROW_DIAG_FINAL_AND).segment(0)
    [(0, 0), (1, 1), (1, 2), (3, 3)]
    """
    if len(forward) != len(reverse):
        raise InputError(
            f"the forward links have {counted(len(forward), 'segment')}, the reverse links {len(reverse)}; "
            "both need the same number"
        )
    links, offsets = _core.symmetrize(
        forward.links,
        forward.offsets,
        reverse.links,
        reverse.offsets,
        _core.Symmetrization[rule.name],
    )
    bounded = tuple(sorted({*forward.bounded, *reverse.bounded}))
    return LinkBatch(links.reshape(-1, 2), offsets, bounded)


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
