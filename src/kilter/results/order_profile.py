"""The word order of treebanks in numbers: what `kilter reorder profile` finds."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - fields are looked at when the program runs
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from kilter.core.estimate import Estimate  # noqa: TC001 - as above
from kilter.core.table import NAME, Column, Note, Table
from kilter.results.document import Result

if TYPE_CHECKING:
    from collections.abc import Iterator

MEASURES = ("length", "head final", "entropy", "projective", "crossing arcs", "crossing links")
"""What is measured of a treebank, in the order of tables."""
_SHARES = ("head final", "projective", "crossing arcs", "crossing links")
_SHOWN = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationOrder:
    """How words of a relation stand to their heads: how far, on which side, and how freely."""

    name: str
    words: int
    length: Estimate
    head_final: Estimate
    entropy: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class TreebankOrder:
    """The word order of a treebank."""

    sentences: int
    words: int
    measures: Mapping[str, Estimate]
    relations: tuple[RelationOrder, ...]


@dataclass(frozen=True, kw_only=True)
class OrderProfile(Result):
    """The word order of treebanks, whole and by relation."""

    schema: ClassVar[str] = "kilter.order-profile/1"
    treebanks: Mapping[str, TreebankOrder]

    def data(self) -> Table:
        """Return a row for each number."""
        columns = ("treebank", "relation", "measure", "value", "low", "high", "count")
        return Table("", columns, self._rows())

    def _rows(self) -> Iterator[list[Any]]:
        for name, bank in self.treebanks.items():
            yield [name, None, "sentences", bank.sentences, None, None, None]
            for measure, found in bank.measures.items():
                yield [name, None, measure, *found.triple, found.n]
            for each in bank.relations:
                for measure in ("length", "head_final", "entropy"):
                    found = getattr(each, measure)
                    yield [name, each.name, measure.replace("_", " "), *found.triple, each.words]

    def tables(self) -> list[Table]:
        """Return treebanks, and the most frequent relations of each."""
        known = [
            name
            for name in MEASURES
            if any(bank.measures[name].value is not None for bank in self.treebanks.values())
        ]
        columns = [
            Column("treebank", NAME), Column("sentences"), Column("words"),
            *(Column(name, ".3f±" if name in _SHARES else ".2f±") for name in known),
        ]  # fmt: skip
        rows = [
            [name, bank.sentences, bank.words, *(bank.measures[each] for each in known)]
            for name, bank in self.treebanks.items()
        ]
        found = [Table("word order", columns, rows)]
        for name, bank in self.treebanks.items():
            columns = [
                Column("name", NAME, "relation"), Column("words"), Column("length", ".2f±"),
                Column("head_final", ".3f±", "head final"), Column("entropy", ".2f±"),
            ]  # fmt: skip
            left = len(bank.relations) - _SHOWN
            notes = [f"{left} rarer relations; --format csv lists all"] if left > 0 else []
            found.append(Table.of(columns, bank.relations[:_SHOWN], title=name, notes=notes))
        return [*found[:-1], found[-1].noted(*self._notes())]

    @staticmethod
    def _notes() -> Iterator[Note]:
        yield Note(
            "length: words from a word to its head. head final: share of words that stand before their head. entropy: of "
            "the side of the head, in bits, 0 if a relation always has its head on the same side, 1 if on either alike; of a treebank "
            "the mean over words. Roots and punctuation are left out of these."
        )
        yield Note(
            "projective: share of sentences without crossing arcs. crossing arcs: share of words whose arc crosses another. "
            "crossing links: share of pairs of links that cross."
        )
