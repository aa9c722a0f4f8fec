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
from kilter.core.argument import checked
from kilter.core.choice import chosen
from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError
from kilter.core.link_batch import LinkBatch
from kilter.core.reordering import Reordering
from kilter.core.sequence import shown
from kilter.core.specification import split_specification

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.permutation_batch import PermutationBatch


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
    key: int  # the kernel's number: first, mean, span
    null: NullWords
    ties: Ties


_FIRST, _MEAN, _SPAN = range(3)
_PLANS = {
    LinkRule.BIRCH: _Plan(_FIRST, NullWords.PREVIOUS, Ties.SOURCE),
    LinkRule.TALBOT: _Plan(_FIRST, NullWords.NEXT, Ties.GROUP),
    LinkRule.ONE_TO_ONE: _Plan(_FIRST, NullWords.DROP, Ties.SOURCE),
    LinkRule.MEAN: _Plan(_MEAN, NullWords.DROP, Ties.SOURCE),
    LinkRule.SPAN: _Plan(_SPAN, NullWords.NEXT, Ties.GROUP),
    LinkRule.DROP: _Plan(_FIRST, NullWords.DROP, Ties.SOURCE),
}
_NULL_NUMBERS = {word: number for number, word in enumerate(NullWords)}


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

    >>> from kilter.core.link_batch import LinkBatch
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
        _NULL_NUMBERS[null_words(rule, null)],
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
