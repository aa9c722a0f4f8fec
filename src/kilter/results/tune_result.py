"""Options that agree best with people: what `kilter tune` found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from kilter import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.results.document import Document


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
class TuneResult:
    """The best options as a metric specification, with agreement in training and on held-out segments."""

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
            "schema": "kilter.tune/1",
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


@dataclass(frozen=True, kw_only=True)
class TunedMetrics:
    """Several metrics, each tuned by itself under the same settings."""

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
        return {
            "schema": "kilter.tunes/1",
            "version": __version__,
            "metrics": [each.to_dict() for each in self.metrics],
        }
