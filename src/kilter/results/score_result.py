"""Scores of systems: what `kilter score` found."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from kilter import __version__
from kilter.core.counted import counted
from kilter.core.errors import MissingToolError, OptionError
from kilter.core.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from kilter.core.registry import Configured
    from kilter.results.document import Document


class ScoreTable:
    """Named columns of equal length; `table["kendall"]` is one of them as an array.

    >>> import kilter
    >>> table = kilter.permutation_scores([[0, 2, 1], [0, 1]])
    >>> table["kendall"].tolist()
    [0.6666666666666666, 1.0]
    """

    def __init__(self, columns: Mapping[str, NDArray[Any]]) -> None:
        self._columns = dict(columns)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(self._columns)

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._columns[name]

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def to_numpy(self) -> NDArray[Any]:
        """Return all columns as one array: float64, rows x columns, if all hold numbers.

        Text does not fit in there: a table that holds some becomes a structured array with a field for
        each column, in the type of the column.
        """
        if not self._columns:
            return np.empty((0, 0))
        if any(column.dtype.kind in "OU" for column in self._columns.values()):
            kinds = [(name, column.dtype) for name, column in self._columns.items()]
            rows = np.empty(len(self), dtype=kinds)
            for name, column in self._columns.items():
                rows[name] = column
            return rows
        return np.column_stack([np.asarray(c, dtype=np.float64) for c in self._columns.values()])

    def to_arrow(self) -> Any:
        """Return a `pyarrow.Table` (needs the `arrow` extra)."""
        try:
            import pyarrow as pa
        except ImportError as error:
            raise MissingToolError(
                "ScoreTable.to_arrow", install="pip install 'kilter[arrow]'"
            ) from error
        return pa.table(
            {name: pa.array(column, from_pandas=True) for name, column in self._columns.items()}
        )

    def to_pandas(self) -> Any:
        """Return a `pandas.DataFrame` (needs the `pandas` extra)."""
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingToolError(
                "ScoreTable.to_pandas", install="pip install 'kilter[pandas]'"
            ) from error
        return pd.DataFrame(self._columns)

    def __repr__(self) -> str:
        return f"ScoreTable({counted(len(self), 'segment')} x {counted(len(self._columns), 'column')}: {', '.join(self)})"


Value = TypeVar("Value")

_METRICS: Registry[Configured] = Registry("kilter.metrics", "metric")


class ByMetric(dict[str, Value]):
    """A dictionary whose keys are the shortest specifications; indexing takes any other too.

    >>> ByMetric({"pef": 1, "pef:beta=0.5": 2})["pef:gamma=0,beta=0.50"]
    2
    """

    def __missing__(self, key: str) -> Value:
        try:
            shortest = _METRICS.make(key).specification()
        except OptionError:
            shortest = key
        if shortest not in self:
            raise KeyError(key)
        return self[shortest]


SCHEMA = "kilter.score/1"


@dataclass(frozen=True, kw_only=True)
class MetricScore:
    """One metric's score of one system, with its bootstrap interval and signature."""

    score: float | None
    """None where the metric is undefined; the bounds also where there is only one segment."""
    low: float | None
    high: float | None
    segments: int
    signature: str
    parts: Mapping[str, float | None] = field(default_factory=dict)
    """Means of what the score is made of, such as order and coverage, where the metric tells."""
    parts_add_up: bool = False
    """Whether parts are what each adds to the score; else they are factors, or means of what is weighed."""
    reason: str = ""
    """Why the score or its interval is missing, where the metric tells."""


@dataclass(frozen=True, kw_only=True)
class MetricFacts:
    """What is to be known of a metric whose scores one reads."""

    name: str
    """The specification, and the configuration behind an @ where there are several."""
    tool: str
    """The registered name of the metric."""
    variant: str
    """Its options that are not default."""
    configuration: str
    """Which of several configurations; empty for the only one, or for the mean of them."""
    configurations: int
    """Of how many configurations this is the mean."""
    signature: str
    higher_is_better: bool
    range: tuple[float, float]
    citations: tuple[str, ...]
    purpose: str = ""
    """What a reader learns from it, in a few words; empty for most."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreResult:
    """Everything that was measured: corpus scores of every system, and segment scores on request."""

    systems: dict[str, ByMetric[MetricScore]]
    metrics: ByMetric[MetricFacts]
    count: int
    seed: int
    segment_arrays: dict[tuple[str, str], NDArray[np.float64]] = field(repr=False)
    """Scores of all segments by metric and system."""
    statistic_arrays: dict[tuple[str, str], NDArray[np.float64]] = field(
        default_factory=dict, repr=False
    )
    """Additive statistics of all segments, a row each, by metric and system; none for reorderings."""
    margin_arrays: dict[tuple[str, str], NDArray[np.float64]] = field(
        default_factory=dict, repr=False
    )
    """How far two outputs for a segment must be apart for three of four judges to agree, by metric and system; of
    metrics that were fitted on judgments."""
    notes: tuple[str, ...] = ()

    @property
    def signatures(self) -> ByMetric[str]:
        """The signature of each metric."""
        return ByMetric({name: facts.signature for name, facts in self.metrics.items()})

    @property
    def system(self) -> ByMetric[MetricScore]:
        """The scores of the first system, for the common case of only one."""
        return next(iter(self.systems.values()))

    @property
    def segments(self) -> ScoreTable:
        """Every metric x system x segment (one-based) as a long table."""
        names, systems, arrays = [], [], []
        for name in self.metrics:
            for system in self.systems:
                array = self.segment_arrays[name, system]
                names.append(np.full(len(array), name, dtype=object))
                systems.append(np.full(len(array), system, dtype=object))
                arrays.append(array)
        total = len(self.metrics) * len(self.systems)
        return ScoreTable(
            {
                "system": np.concatenate(systems),
                "segment": np.tile(np.arange(1, self.count + 1), total),
                "metric": np.concatenate(names),
                "score": np.concatenate(arrays),
            }
        )

    def to_dict(self) -> Document:
        """Return the JSON document `kilter.score/1`."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "segments": self.count,
            "seed": self.seed,
            "metrics": {
                name: {
                    "signature": facts.signature,
                    "higher_is_better": facts.higher_is_better,
                    # JSON has no infinity: a bound that does not exist is null.
                    "range": [bound if isfinite(bound) else None for bound in facts.range],
                }
                for name, facts in self.metrics.items()
            },
            "systems": [
                {
                    "name": system,
                    "scores": {
                        name: {
                            "score": scored.score,
                            "low": scored.low,
                            "high": scored.high,
                            "segments": scored.segments,
                            **({"reason": scored.reason} if scored.reason else {}),
                            **(
                                {"parts": dict(scored.parts), "parts_add_up": scored.parts_add_up}
                                if scored.parts
                                else {}
                            ),
                        }
                        for name, scored in scores.items()
                    },
                }
                for system, scores in self.systems.items()
            ],
        }
