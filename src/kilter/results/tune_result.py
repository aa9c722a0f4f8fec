"""Options that agree best with people: what `kilter tune` found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from kilter import __version__
from kilter.core.counted import counted
from kilter.core.table import Column, Note, Table
from kilter.results.document import Document, Result
from kilter.results.meta_result import decimals, judgment_counts
from kilter.results.score_result import short_signature

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_OBJECTIVES = {
    "consistency": "consistency: percent of judged pairs that the metric orders as people do; its ties count as wrong",
    "tau": "tau: share of judged pairs that the metric orders as people do minus share that it orders otherwise; its "
    "ties are left out",
}


@dataclass(frozen=True, kw_only=True)
class TunedOption:
    """A numeric option and the range that is searched; `order.beta` is beta of the order part."""

    name: str
    low: float
    high: float
    whole: bool
    """Whether only whole numbers make sense."""

    def valid(self, value: float) -> float:
        """Return the value as the option takes it."""
        return float(round(value)) if self.whole else value


@dataclass(frozen=True, kw_only=True)
class TuneFold:
    """What was found without a fold, and what it is worth on the other segments and on the fold's."""

    values: tuple[float, ...]
    training: float | None
    held_out: float | None


class CurvePoint(NamedTuple):
    """Agreement at one value of an option; None where it is undefined."""

    value: float
    agreement: float | None


@dataclass(frozen=True, kw_only=True)
class TuneResult(Result):
    """The best options as a metric specification, with agreement in training and on held-out segments."""

    schema: ClassVar[str] = "kilter.tune/1"
    specification: str
    signature: str
    systems: int
    segments: int
    start: str
    method: str
    objective: str
    """What was to be highest: `consistency` or `tau`."""
    seed: int
    options: tuple[TunedOption, ...]
    values: tuple[float, ...]
    training: float | None
    held_out: float | None
    start_value: float | None
    """Agreement with the options as they were given."""
    start_held_out: float | None
    """The same on held-out segments."""
    start_values: tuple[float, ...]
    """The options as they were given."""
    folds: tuple[TuneFold, ...]
    curves: Mapping[str, Sequence[CurvePoint]]
    """Agreement along each option, the others at their best."""
    counts: Mapping[str, int]
    notes: tuple[str, ...] = ()
    """What a reader should know: undefined values, judgments left out."""

    @property
    def option_names(self) -> list[str]:
        """The options that were tuned."""
        return [option.name for option in self.options]

    def to_dict(self) -> Document:
        """Return the JSON document `kilter.tune/1`."""
        names = self.option_names
        return {
            "schema": self.schema,
            "version": __version__,
            "metric": self.specification,
            "signature": self.signature,
            "systems": self.systems,
            "segments": self.segments,
            "start": self.start,
            "method": str(self.method),
            "objective": str(self.objective),
            "seed": self.seed,
            "options": dict(zip(names, self.values, strict=True)),
            "training": self.training,
            "held_out": self.held_out,
            "start_value": self.start_value,
            "start_held_out": self.start_held_out,
            "folds": [
                {
                    "options": dict(zip(names, fold.values, strict=True)),
                    "training": fold.training,
                    "held_out": fold.held_out,
                }
                for fold in self.folds
            ],
            "curves": {
                name: [point._asdict() for point in curve] for name, curve in self.curves.items()
            },
            "judgments": dict(self.counts),
            "notes": list(self.notes),
        }

    @property
    def answer(self) -> str:
        """The best options in a sentence, and whether they are better on segments that did not choose them."""
        best = ", ".join(
            f"{name} = {value:.4g}"
            for name, value in zip(self.option_names, self.values, strict=True)
        )
        text = (
            f"{self.start} agrees best with {best}: {self.objective} {self._agreement(self.training)}, with the given "
            f"options {self._agreement(self.start_value)}"
        )
        if self.held_out is None or self.start_held_out is None:
            return f"{text}."
        gain = "better" if self.held_out > self.start_held_out else "no better"
        return (
            f"{text}. On held-out segments it is {gain}: {self._agreement(self.held_out)} against "
            f"{self._agreement(self.start_held_out)}."
        )

    def tables(self) -> list[Table]:
        """Return the best options in a sentence, and as `-m` takes them."""
        return [Table(notes=[self.answer, f"-m {self.specification}"])]

    def detailed_tables(self) -> list[Table]:
        """Return what was found, then folds and curves."""
        objective = self.objective
        rows = [
            ["metric", self.specification],
            [f"{objective} in training", self._agreement(self.training)],
            [f"{objective} on held-out segments", self._agreement(self.held_out)],
            [f"{objective} of {self.start}", self._agreement(self.start_value)],
        ]
        if self.folds:
            held_out = self._agreement(self.start_held_out)
            rows.append([f"{objective} of {self.start} on held-out segments", held_out])
        found = Table("", ["tuned", str(self.method)], rows)
        return [found, *([self._fold_table()] if self.folds else []), *self._curve_tables()]

    def _agreement(self, value: float | None) -> str:
        return _column("", self.objective).text(value)

    def _fold_table(self) -> Table:
        options = [Column(name, ".6g") for name in self.option_names]
        agreement = [_column(name, self.objective) for name in ("training", "held out")]
        columns = [Column("fold"), *options, *agreement]
        rows = [
            [str(number), *fold.values, fold.training, fold.held_out]
            for number, fold in enumerate(self.folds, start=1)
        ]
        return Table("", columns, rows)

    def _curve_tables(self) -> Iterator[Table]:
        options = zip(self.curves.items(), self.start_values, self.values, strict=False)
        for (name, curve), given, best in options:
            marks = (("as given", given), ("best", best))
            rows = [
                [value, agreement, ", ".join(word for word, at in marks if at == value)]
                for value, agreement in curve
            ]
            columns = [Column(name, ".6g"), _column(self.objective, self.objective), Column("")]
            yield Table("", columns, rows)


def _column(name: str, objective: str) -> Column:
    return Column(name, f".{decimals(objective)}f", missing="undefined")


@dataclass(frozen=True, kw_only=True)
class TunedMetrics(Result):
    """Several metrics, each tuned by itself under the same settings."""

    schema: ClassVar[str] = "kilter.tunes/1"
    metrics: tuple[TuneResult, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know, said once where it is true of all metrics."""
        first, *others = self.metrics
        if not others:
            return first.notes
        shared = [n for n in first.notes if all(n in each.notes for each in others)]
        own = [f"{each.start}: {n}" for each in self.metrics for n in each.notes if n not in shared]
        return (*shared, *own)

    def to_dict(self) -> Document:
        """Return the JSON document `kilter.tune/1` of one metric, or `kilter.tunes/1` of several."""
        if len(self.metrics) == 1:
            return self.metrics[0].to_dict()
        document: Document = super().to_dict()
        return document

    def data(self) -> Table:
        """Return the points of all curves."""
        return Table(
            "",
            ["metric", "option", "value", self.metrics[0].objective],
            [
                (result.start, name, *point)
                for result in self.metrics
                for name, curve in result.curves.items()
                for point in curve
            ],
        )

    def tables(self) -> list[Table]:
        """Return the best options of each metric."""
        short = short_signature(result.signature for result in self.metrics)
        method = Note(" (--details: folds, curves, full signatures)", short)
        return self._noted([table for each in self.metrics for table in each.tables()], [method])

    def detailed_tables(self) -> list[Table]:
        """Return each metric with its folds and curves."""
        tables = [table for result in self.metrics for table in result.detailed_tables()]
        return self._noted(tables, [Note("", result.signature) for result in self.metrics])

    def _noted(self, tables: Sequence[Table], method: Sequence[Note]) -> list[Table]:
        """Return tables with how they were found beneath the last."""
        first = self.metrics[0]
        counts = ", ".join(judgment_counts(first.counts))
        summary = (
            f"{counted(first.systems, 'system')} x {counted(first.segments, 'segment')}; "
            f"judgments: {counts}; seed {first.seed}"
        )
        *others, last = tables
        return [*others, last.noted(summary, _OBJECTIVES[first.objective], *method)]
