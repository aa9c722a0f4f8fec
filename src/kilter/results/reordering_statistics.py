"""How far the words of a text move on the way to its translation: what `kilter reorder statistics` finds."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from kilter import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kilter.results.document import Document

SCHEMA = "kilter.reordering-statistics/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanScore:
    """The mean of a score over sentence pairs, with the ends of its interval of 95%.

    Without any pair there is no mean, and without two of them no interval.
    """

    value: float | None
    low: float | None
    high: float | None
    pairs: int

    def to_dict(self) -> Document:
        """Return the mean as `--format json` prints it."""
        return {"value": self.value, "low": self.low, "high": self.high, "pairs": self.pairs}


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderCounts:
    """What is counted in sentence pairs; all of it adds up over texts."""

    pairs: int
    linked: int
    """Pairs with a link, which alone say something about order: what means are taken over."""
    monotone: int
    """Linked pairs whose source words all keep their order."""
    source_words: int
    linked_source_words: int
    target_words: int | None
    """None where no target text was given; so are those with a link."""
    linked_target_words: int | None
    links: int
    link_pairs: int
    """Pairs of links of one sentence pair."""
    crossing: int
    """Pairs of links that cross."""
    links_ahead: int
    """Links whose source word lies k or more places ahead."""
    jumps: int
    """Steps from a word to the next one in the order of the translation."""
    straight: int
    """Steps to the very next source word."""

    def shares(self) -> dict[str, float | None]:
        """Return the counts as shares; None where there is nothing to share."""
        targets, linked_targets = self.target_words, self.linked_target_words
        return {
            "monotone pairs": _share(self.monotone, self.linked),
            "monotone steps": _share(self.straight, self.jumps),
            "unaligned source words": _share(
                self.source_words - self.linked_source_words, self.source_words
            ),
            "unaligned target words": None
            if targets is None or linked_targets is None
            else _share(targets - linked_targets, targets),
            "crossing pairs of links": _share(self.crossing, self.link_pairs),
            "links ahead": _share(self.links_ahead, self.links),
        }

    def to_dict(self) -> Document:
        """Return counts and shares as `--format json` prints them."""
        counts = {each.name: getattr(self, each.name) for each in fields(self)}
        return {"counts": counts, "shares": self.shares()}


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthStatistics:
    """Sentence pairs whose source has so many words, `most` None for any number from `least` on."""

    least: int
    most: int | None
    counts: OrderCounts
    means: Mapping[str, MeanScore]

    @property
    def label(self) -> str:
        """The numbers of words as tables show them."""
        return range_label(self.least, self.most)

    def to_dict(self) -> Document:
        """Return the row as `--format json` prints it."""
        means = {name: mean.to_dict() for name, mean in self.means.items()}
        return {"least": self.least, "most": self.most, **self.counts.to_dict(), "means": means}


@dataclass(frozen=True, slots=True, kw_only=True)
class DistanceStatistics:
    """How many steps pass over so many words, and how many words stand so far from their place."""

    least: int
    most: int | None
    forward: int
    backward: int
    words: int

    @property
    def label(self) -> str:
        """The distances as tables show them."""
        return range_label(self.least, self.most)

    def to_dict(self) -> Document:
        """Return the row as `--format json` prints it."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReorderingStatistics:
    """The order of source words against that of their translation, over all sentence pairs of a text."""

    rule: str
    """How links became an order."""
    ahead: int
    """From how many places on a link counts as one that lies ahead."""
    counts: OrderCounts
    means: Mapping[str, MeanScore]
    lengths: tuple[LengthStatistics, ...]
    distances: tuple[DistanceStatistics, ...]

    def to_dict(self) -> Document:
        """Return the result as `--format json` prints it."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "rule": self.rule,
            "ahead": self.ahead,
            **self.counts.to_dict(),
            "means": {name: mean.to_dict() for name, mean in self.means.items()},
            "lengths": [each.to_dict() for each in self.lengths],
            "distances": [each.to_dict() for each in self.distances],
        }


def range_label(least: int, most: int | None) -> str:
    """Return a range of whole numbers for people.

    >>> range_label(3, 3), range_label(5, 6), range_label(20, None)
    ('3', '5-6', '20+')
    """
    if most is None:
        return f"{least}+"
    return str(least) if least == most else f"{least}-{most}"
