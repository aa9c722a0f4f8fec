"""How far the words of a text move on the way to its translation: what `kilter reorder statistics` finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from kilter import __version__
from kilter.core.counted import counted
from kilter.core.estimate import MISSING, Estimate
from kilter.core.table import Column, Note, Table
from kilter.results.document import Document, Result, document, fields_document
from kilter.stats.significance import evidence_note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SHOWN = ("kendall", "fuzzy", "pef", "crossings", "anticipation")
"""The scores that tables by length show to people."""
_LEGEND = (
    "crossings: share of pairs of links that do not cross (1: none crosses); anticipation: share of links ahead, 0 for "
    "none; of the other scores 1 is the order of the source."
)


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
        return {"counts": fields_document(self), "shares": self.shares()}


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthStatistics:
    """Sentence pairs whose source has so many words, `most` None for any number from `least` on."""

    least: int
    most: int | None
    counts: OrderCounts
    means: Mapping[str, Estimate]

    @property
    def label(self) -> str:
        """The numbers of words as tables show them."""
        return range_label(self.least, self.most)

    def to_dict(self) -> Document:
        """Return the row as `--format json` prints it."""
        means = _means(self.means)
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


@dataclass(frozen=True, kw_only=True)
class ReorderingStatistics(Result):
    """The order of source words against that of their translation, over all sentence pairs of a text."""

    schema: ClassVar[str] = "kilter.reordering-statistics/1"
    rule: str
    """How links became an order."""
    ahead: int
    """From how many places on a link counts as one that lies ahead."""
    counts: OrderCounts
    means: Mapping[str, Estimate]
    lengths: tuple[LengthStatistics, ...]
    distances: tuple[DistanceStatistics, ...]

    def to_dict(self) -> Document:
        """Return the result as `--format json` prints it."""
        return {
            "schema": self.schema,
            "version": __version__,
            "rule": self.rule,
            "ahead": self.ahead,
            **self.counts.to_dict(),
            "means": _means(self.means),
            "lengths": [each.to_dict() for each in self.lengths],
            "distances": document(self.distances),
        }

    def data(self) -> Table:
        """Return a row for every number: of all pairs, by length and by distance."""
        return Table("", ("by", "range", "measure", "value", "low", "high", "count"), self._rows())

    def _rows(self) -> Iterator[list[object]]:
        yield from _measured("all", "", self.counts, self.means)
        for each in self.lengths:
            yield from _measured("length", each.label, each.counts, each.means)
        for distance, row in self._distance_shares():
            for name, (count, share) in row.items():
                yield ["distance", distance.label, name, share, None, None, count]

    def _distance_shares(
        self,
    ) -> Iterator[tuple[DistanceStatistics, dict[str, tuple[int, float | None]]]]:
        """Yield each range of distances with counts and shares of steps, and of words."""
        words = sum(each.words for each in self.distances)
        steps = self.counts.jumps
        for each in self.distances:
            counts = {
                "steps forward": (each.forward, steps),
                "steps backward": (each.backward, steps),
                "words moved": (each.words, words),
            }
            yield each, {name: (part, _share(part, of)) for name, (part, of) in counts.items()}

    def tables(self) -> list[Table]:
        """Return means and shares of all pairs, by length and by distance."""
        means = [[name, mean, mean] for name, mean in self.means.items()]
        lengths = [
            [
                each.label,
                each.counts.pairs,
                *(
                    each.counts.shares()[name]
                    for name in ("monotone pairs", "unaligned source words")
                ),
                *(each.means[name] for name in SHOWN),
            ]
            for each in self.lengths
        ]
        distances = [
            [each.label, *(share for _, share in row.values())]
            for each, row in self._distance_shares()
        ]
        moves = (
            Column(name, _percent) for name in ("steps forward", "steps backward", "words moved")
        )
        shares = (Column("monotone", _percent), Column("unaligned", _percent))
        scores = [Column(name, ".4f") for name in SHOWN]
        return [
            Table(notes=[self._answer()]),
            Table("shares", ["what", Column("share", _percent)], self.counts.shares().items()),
            Table(
                "scores of the source order against that of the translation",
                ["score", Column("mean", ".4f"), Column("interval of 95%", "[].4f")],
                means,
                [_LEGEND],
            ),
            Table(
                "by words of the source",
                [*map(Column, ("words", "pairs")), *shares, *scores],
                lengths,
            ),
            Table("by distance", [Column("words"), *moves], distances, self._notes()),
        ]

    def _answer(self) -> str:
        """Return how far the two orders are apart, in a sentence."""
        shares = self.counts.shares()
        kendall = self.means["kendall"].value
        tau = (
            ""
            if kendall is None
            else f", and {kendall:.1%} of word pairs are in the order of the source"
        )
        return f"{shares['monotone pairs'] or 0.0:.1%} of sentence pairs keep the order of the source{tau}."

    def _notes(self) -> Iterator[Note]:
        counts = self.counts
        alone = counts.pairs - counts.linked
        yield Note(
            f"{counted(counts.pairs, 'sentence pair')} with {counted(counts.source_words, 'source word')} and "
            f"{counted(counts.links, 'link')}; "
            + (
                f"of {counted(alone, 'pair')} without any link only the words are counted."
                if alone
                else "every pair has a link."
            )
        )
        yield Note(
            "Shares of words, steps and links are over all of them, scores are means over linked pairs. A step leads "
            "from a word to the next in the order of the translation, and its distance is the number of source words "
            f"between; links lie ahead by {counted(self.ahead, 'word')} or more."
        )
        few = evidence_note(counts.linked, noun="sentence pair")
        if few is not None:
            yield Note(f"{few}.")
        yield Note("", f"order:{self.rule}")


def _measured(
    by: str, label: str, counts: OrderCounts, means: Mapping[str, Estimate]
) -> Iterator[list[object]]:
    held = counts.to_dict()
    for name, count in held["counts"].items():
        yield [by, label, name.replace("_", " "), None, None, None, count]
    for name, share in held["shares"].items():
        yield [by, label, name, share, None, None, None]
    for name, mean in means.items():
        yield [by, label, name, *mean.triple, mean.n]


def _means(means: Mapping[str, Estimate]) -> Document:
    return {name: mean.to_dict() | {"pairs": mean.n} for name, mean in means.items()}


def _percent(share: float | None) -> str:
    return MISSING if share is None else f"{100 * share:.2f}%"


def range_label(least: int, most: int | None) -> str:
    """Return a range of whole numbers for people.

    >>> range_label(3, 3), range_label(5, 6), range_label(20, None)
    ('3', '5-6', '20+')
    """
    if most is None:
        return f"{least}+"
    return str(least) if least == most else f"{least}-{most}"
