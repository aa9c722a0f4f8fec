"""Latency of translations word by word, and what of it the order of words forces: what `kilter latency` finds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from kilter import __version__
from kilter.core.estimate import MISSING
from kilter.core.table import NAME, Column, Note, P, Table
from kilter.results.document import Document, Result, document
from kilter.results.score_result import ScoreTable
from kilter.stats.latency import PUBLISHED
from kilter.stats.significance import evidence_note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from kilter.core.estimate import Estimate
    from kilter.core.links import LinkBatch
    from kilter.stats.ratio import SystemDifference

LAGS = ("lag", "forced", "avoidable", "anticipated", "guessed", "least lag", "least LAAL", "linked")
"""What only links tell, in the order of tables."""
SHARES = ("AP", "guessed", "linked")
"""Measures that are no delays but shares."""
_SHOWN = 12
"""So many constructions are printed for people."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WordLatency:
    """The words of a translation, one after another, and what each waits for; NaN where it is not known.

    `own` is when the last source word it is linked to is heard, `needed` when all is heard that it or a word before
    it is linked to. Words without a link have no `own` and no lag.
    """

    words: tuple[tuple[str, ...], ...]
    offsets: NDArray[np.int64]
    delays: NDArray[np.float64]
    own: NDArray[np.float64]
    needed: NDArray[np.float64]
    lag: NDArray[np.float64]
    forced: NDArray[np.float64]
    avoidable: NDArray[np.float64]
    anticipated: NDArray[np.float64]
    source: tuple[tuple[str, ...], ...] | None = None
    """The words of the source; None where nobody gave it."""
    heard: NDArray[np.float64] | None = None
    """When each source word ends, one after another."""
    links: LinkBatch | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemLatency:
    """The measures of a system: means over segments of the published ones, over linked words of the others."""

    segments: int
    words: int
    measures: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForcingConstruction:
    """How much lag source words of a kind force: on how many words, per word of the kind, and of all forced lag."""

    system: str
    by: str
    name: str
    words: int
    per_word: Estimate
    share: Estimate


@dataclass(frozen=True, kw_only=True, eq=False)
class LatencyResult(Result):
    """Latencies of systems, their differences, and what the order of words forces."""

    schema: ClassVar[str] = "kilter.latency/1"
    unit: str
    elapsed: bool
    """Whether delays include the time of computing."""
    cut: bool
    """Whether recordings were cut into segments."""
    evenly: bool
    """Whether source words were taken to be evenly spread, as no times were given."""
    systems: Mapping[str, SystemLatency]
    differences: tuple[SystemDifference, ...] = ()
    constructions: tuple[ForcingConstruction, ...] = ()
    segment_arrays: Mapping[tuple[str, str], NDArray[np.float64]] = field(default_factory=dict)
    """Values of segments by system and measure."""
    words: Mapping[str, WordLatency] = field(default_factory=dict)
    """Values of words by system, where they were asked for."""

    def to_dict(self) -> Document:
        """Return the result as `--format json` prints it."""
        return {
            "schema": self.schema,
            "version": __version__,
            "unit": self.unit,
            "elapsed": self.elapsed,
            "cut": self.cut,
            "evenly": self.evenly,
            "systems": document(self.systems),
            "differences": document(self.differences),
            "constructions": document(self.constructions),
        }

    @property
    def measures(self) -> list[str]:
        """The measures that some system has a value of."""
        return [
            name
            for name in (*PUBLISHED, *LAGS)
            if any(each.measures[name].value is not None for each in self.systems.values())
        ]

    def data(self) -> Table:
        """Return a row for each system and measure, each difference and each construction."""
        columns = ("what", "first", "second", "measure", "value", "low", "high", "p", "count")
        return Table("", columns, self._rows())

    def _rows(self) -> Iterator[list[Any]]:
        for name, system in self.systems.items():
            for measure in self.measures:
                found = system.measures[measure]
                yield ["system", name, None, measure, *found.triple, None, found.n]
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
            for measure, found in (
                ("forced per word", one.per_word),
                ("share of forced", one.share),
            ):
                yield [one.by, one.system, one.name, measure, *found.triple, None, one.words]

    def tables(self) -> list[Table]:
        """Return published measures, what links tell, differences and constructions."""
        digits = 0 if self.unit == "ms" else 2
        found = []
        for title, names in (
            (f"latency in {self.unit}", [n for n in PUBLISHED if n in self.measures]),
            (f"lag in {self.unit} per linked word", [n for n in LAGS if n in self.measures]),
        ):
            if names:
                columns = [Column("system", NAME), *(_column(name, digits) for name in names)]
                rows = [
                    [name, *(system.measures[each] for each in names)]
                    for name, system in self.systems.items()
                ]
                found.append(Table(title, columns, rows))
        if self.differences:
            found.append(self._difference_table(digits))
        found += self._construction_tables()
        if not found:
            found.append(
                Table("latency", [Column("system", NAME)], [[name] for name in self.systems])
            )
        return [*found[:-1], found[-1].noted(*self._notes())]

    def _difference_table(self, digits: int) -> Table:
        columns = [
            Column("first", NAME),
            Column("second", NAME),
            Column("measure"),
            Column("difference", f"+.{max(digits, 2)}f[]"),
            Column("p", P),
        ]
        rows = [
            [each.first, each.second, each.measure, each.difference, each.p]
            for each in self.differences
        ]
        return Table("differences: second minus first", columns, rows, left=3)

    def _construction_tables(self) -> Iterator[Table]:
        groups = dict.fromkeys((each.system, each.by) for each in self.constructions)
        for system, by in groups:
            some = [e for e in self.constructions if (e.system, e.by) == (system, by)]
            columns = [
                Column(by, NAME), Column("words"), Column("forced per word", ".3f[]"),
                Column("share", lambda value: MISSING if value.value is None else f"{100 * value.value:.1f}%"),
            ]  # fmt: skip
            rows = [[each.name, each.words, each.per_word, each.share] for each in some[:_SHOWN]]
            left = len(some) - len(rows)
            notes = [f"{left} more with less; --format tsv lists all"] if left else []
            yield Table(f"{system}: lag that source words force, by {by}", columns, rows, notes)

    def _notes(self) -> Iterator[Note]:
        known = self.measures
        if any(name in known for name in PUBLISHED):
            yield Note(
                "Published measures are means over segments; low is fast. AL: average lagging; LAAL: length-adaptive AL; DAL: "
                "differentiable AL; AP: average proportion; YAAL: yet another AL. Section 19.1 defines them."
            )
        if "lag" in known:
            yield Note(
                "lag = forced + avoidable - anticipated: time from the last linked source word to the word. forced: the "
                "order of the translation makes the word wait; avoidable: the system waited longer than its links need; "
                "anticipated: said before its source (guessed: the share of such words)."
            )
        if "least lag" in known:
            yield Note(
                "least lag: what the order forces on somebody who waits no longer than the links need and anticipates "
                "nothing; a monotone rewording would save it. least LAAL: LAAL of such a translation. linked: share of words "
                "with a link, which all the others are about."
            )
        if self.cut:
            yield Note(
                "Recordings were cut into segments: LAAL is StreamLAAL (simulstream) or LongLAAL (OmniSTEval), YAAL is LongYAAL."
            )
        if self.evenly:
            yield Note(
                "No times of source words are given: they are taken to be spread evenly over the segment."
            )
        if self.elapsed:
            yield Note("Delays include the time of computing.")
        if self.differences:
            yield Note(
                "p: random swaps of segments between the two systems, corrected for all pairs (Holm)."
            )
        counts = [each.segments for each in self.systems.values()]
        few = evidence_note(counts[0]) if counts else None
        if few is not None:
            yield Note(f"{few}.")

    def segment_table(self) -> ScoreTable:
        """Return a row for each system, measure and segment."""
        rows = list(self.segment_arrays.items())
        sizes = [len(values) for _, values in rows]
        return ScoreTable(
            {
                "system": np.repeat(np.array([key[0] for key, _ in rows], object), sizes),
                "segment": np.concatenate([np.arange(1, size + 1) for size in (sizes or [0])]),
                "measure": np.repeat(np.array([key[1] for key, _ in rows], object), sizes),
                "value": np.concatenate([values for _, values in rows] or [np.empty(0)]),
            }
        )

    def word_table(self) -> ScoreTable:
        """Return a row for each system, segment and word."""
        columns: dict[str, list[NDArray[Any]]] = {}
        for name, each in self.words.items():
            lengths = np.diff(each.offsets)
            found: dict[str, NDArray[Any]] = {
                "system": np.full(int(lengths.sum()), name, dtype=object),
                "segment": np.repeat(np.arange(1, len(lengths) + 1), lengths),
                "position": np.arange(int(lengths.sum()))
                - np.repeat(each.offsets[:-1], lengths)
                + 1,
                "word": np.array([word for words in each.words for word in words], dtype=object),
                "delay": each.delays,
                **{
                    part: getattr(each, part)
                    for part in ("own", "needed", "lag", "forced", "avoidable", "anticipated")
                },
            }
            for column, values in found.items():
                columns.setdefault(column, []).append(values)
        return ScoreTable({name: np.concatenate(parts) for name, parts in columns.items()})


def _column(name: str, digits: int) -> Column:
    return Column(name, ".3f±" if name in SHARES else f".{digits}f±")
