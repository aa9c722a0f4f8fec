"""How translations of one source vary: what `kilter variation` finds."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - fields are looked at when the program runs
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from kilter import __version__
from kilter.core.table import NAME, Column, Note, P, Table
from kilter.results.document import Document, Result, document
from kilter.results.score_result import ScoreTable
from kilter.stats.significance import evidence_note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kilter.core.estimate import Estimate
    from kilter.stats.ratio import SystemDifference

SYSTEM_MEASURES = (
    "literality", "cross", "unaligned", "crossings", "sacr", "same words", "same order"
)  # fmt: skip
"""What is measured of each translation, in the order of tables."""
WORD_MEASURES = ("HTra", "HCross", "AltT", "cross", "unaligned")
"""What is measured of source words over all translations."""
PEOPLE = "people"
"""What people among themselves are called, beside what others share with them."""
_SHARES = ("literality", "unaligned", "crossings", "same words", "same order")
_SHOWN = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslationPair:
    """How alike two translations are: shares of source words rendered by the same words, and with the same Cross."""

    first: str
    second: str
    same_words: Estimate
    same_order: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class VaryingConstruction:
    """How source words of a kind vary over all translations."""

    by: str
    name: str
    words: int
    measures: Mapping[str, Estimate]


@dataclass(frozen=True, kw_only=True, eq=False)
class VariationResult(Result):
    """Variation over all translations, of each, of every two, and of constructions."""

    schema: ClassVar[str] = "kilter.variation/1"
    segments: int
    words: int
    measures: Mapping[str, Estimate]
    """Over all source words and translations."""
    systems: Mapping[str, Mapping[str, Estimate]]
    pairs: tuple[TranslationPair, ...] = ()
    agreement: Mapping[str, Mapping[str, Estimate]] = field(default_factory=dict)
    """What people share with one another, which is the ceiling, and each other translation with them."""
    differences: tuple[SystemDifference, ...] = ()
    constructions: tuple[VaryingConstruction, ...] = ()
    segment_arrays: Mapping[tuple[str, str], NDArray[np.float64]] = field(default_factory=dict)
    word_columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    """A row for each translation and source word, as in tables of TPR-DB."""

    def to_dict(self) -> Document:
        """Return the result as `--format json` prints it."""
        names = (
            "segments",
            "words",
            "measures",
            "systems",
            "pairs",
            "agreement",
            "differences",
            "constructions",
        )
        head = {"schema": self.schema, "version": __version__}
        return head | {name: document(getattr(self, name)) for name in names}

    def data(self) -> Table:
        """Return a row for each number."""
        columns = ("what", "first", "second", "measure", "value", "low", "high", "p", "count")
        return Table("", columns, self._rows())

    def _rows(self) -> Iterator[list[Any]]:
        groups: list[tuple[str, Mapping[Any, Mapping[str, Estimate]]]] = [
            ("all", {None: self.measures}),
            ("system", self.systems),
            ("with people", self.agreement),
        ]
        for what, named in groups:
            for name, measures in named.items():
                for measure, found in measures.items():
                    yield [what, name, None, measure, *found.triple, None, found.n]
        for pair in self.pairs:
            for measure, found in (
                ("same words", pair.same_words),
                ("same order", pair.same_order),
            ):
                yield ["pair", pair.first, pair.second, measure, *found.triple, None, found.n]
        for each in self.differences:
            found = each.difference
            yield [
                "difference",
                each.first,
                each.second,
                each.measure,
                *found.triple,
                each.p,
                found.n,
            ]
        for one in self.constructions:
            for measure, found in one.measures.items():
                yield [one.by, one.name, None, measure, *found.triple, None, one.words]

    def tables(self) -> list[Table]:
        """Return translations, most literal first, all together, the most unlike pairs, tests and constructions."""
        known = [
            name
            for name in SYSTEM_MEASURES
            if any(each[name].value is not None for each in self.systems.values())
        ]
        columns = [
            Column("translation", NAME),
            *(Column(name, ".3f±" if name in _SHARES else ".2f±") for name in known),
        ]
        order = sorted(
            self.systems, key=lambda name: -(self.systems[name]["literality"].value or 0.0)
        )
        rows = [[name, *(self.systems[name][each] for each in known)] for name in order]
        found = [Table("translations, most literal first", columns, rows)]
        if len(self.systems) > 1:
            whole = [[name, value, value] for name, value in self.measures.items()]
            found.append(
                Table(
                    "source words, over all translations",
                    [Column("measure"), Column("mean", ".3f"), Column("interval of 95%", "[].3f")],
                    whole,
                )
            )
            found += self._pair_tables()
        if self.agreement:
            columns = [
                Column("translation", NAME),
                *(Column(n, ".3f[]") for n in ("same words", "same order")),
            ]
            rows = [[name, *each.values()] for name, each in self.agreement.items()]
            note = "people: shared by every two people, the ceiling for what another translation shares with them."
            found.append(Table("agreement with people", columns, rows, [note]))
        for by in dict.fromkeys(each.by for each in self.constructions):
            some = [each for each in self.constructions if each.by == by]
            notes = (
                [f"{len(some) - _SHOWN} more with less; --format tsv lists all"]
                if len(some) > _SHOWN
                else []
            )
            columns = [
                Column(by, NAME),
                Column("words"),
                *(Column(n, ".2f±") for n in WORD_MEASURES),
            ]
            rows = [
                [each.name, each.words, *(each.measures[n] for n in WORD_MEASURES)]
                for each in some[:_SHOWN]
            ]
            found.append(Table(f"what varies, by {by}", columns, rows, notes))
        return [*found[:-1], found[-1].noted(*self._notes())]

    def _pair_tables(self) -> Iterator[Table]:
        columns = [
            Column("first", NAME), Column("second", NAME),
            Column("same words", ".3f[]"), Column("same order", ".3f[]"),
        ]  # fmt: skip
        alike = sorted(self.pairs, key=lambda each: -(each.same_words.value or 0.0))
        rows = [[each.first, each.second, each.same_words, each.same_order] for each in alike]
        notes = []
        if len(rows) > _SHOWN:
            half = _SHOWN // 2
            notes = [f"{len(rows) - _SHOWN} pairs between these; --format tsv lists all"]
            rows = [*rows[:half], *rows[-half:]]
        yield Table("pairs, most alike first", columns, rows, notes, left=2)
        told = [each for each in self.differences if each.measure == "literality"]
        rows = [[each.first, each.second, each.difference, each.p] for each in told[:_SHOWN]]
        notes = (
            [f"{len(told) - _SHOWN} more pairs; --format tsv lists all"]
            if len(told) > _SHOWN
            else []
        )
        columns = [
            Column("first", NAME), Column("second", NAME),
            Column("difference", "+.3f[]"), Column("p", P),
        ]  # fmt: skip
        yield Table("literality: second minus first", columns, rows, notes, left=2)

    def _notes(self) -> Iterator[Note]:
        yield Note(
            "literality: share of source words rendered by one word of their own, a step of 1 after the word before. cross: "
            "mean |Cross| of linked words, 1 is monotone. unaligned: share of source words without a link."
        )
        if any(each["crossings"].value is not None for each in self.systems.values()):
            yield Note(
                "crossings: share of pairs of links that cross. sacr: crossing pairs of syntactic groups, per segment."
            )
        if len(self.systems) > 1:
            yield Note(
                "same words, same order: share of source words rendered as in another translation. HTra and HCross: entropy "
                "of renderings and of Cross, in bits; AltT: different renderings. p: random swaps of segments, corrected for "
                "all pairs (Holm)."
            )
        few = evidence_note(self.segments)
        if few is not None:
            yield Note(f"{few}.")

    def segment_table(self) -> ScoreTable:
        """Return a row for each translation, measure and segment."""
        rows = list(self.segment_arrays.items())
        return ScoreTable(
            {
                "system": np.repeat(np.array([key[0] for key, _ in rows], object), self.segments),
                "segment": np.tile(np.arange(1, self.segments + 1), len(rows)),
                "measure": np.repeat(np.array([key[1] for key, _ in rows], object), self.segments),
                "value": np.concatenate([values for _, values in rows]),
            }
        )

    def word_table(self) -> ScoreTable:
        """Return a row for each translation and source word, with the columns of TPR-DB."""
        return ScoreTable(self.word_columns)
