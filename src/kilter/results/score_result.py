"""Scores of systems: what `kilter score` found."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from kilter import __version__
from kilter.core.counted import counted
from kilter.core.errors import MissingToolError, OptionError
from kilter.core.estimate import MISSING, Estimate
from kilter.core.registry import Registry
from kilter.core.table import NAME, Column, Note, Table, score_column
from kilter.results.document import Document, Result
from kilter.results.measure import COVERAGE
from kilter.stats.significance import evidence_note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from kilter.core.registry import Configured
    from kilter.results.measure import ScoreParts


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

WHOLE = "kilter"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricScore(Estimate):
    """One metric's score of one system, with its bootstrap interval and signature.

    The score is missing where the metric is undefined, the bounds also where there is only one segment.
    """

    segments: int
    signature: str
    parts: Mapping[str, float | None] = field(default_factory=dict)
    """Means of what the score is made of, such as order and coverage, where the metric tells."""
    parts_add_up: bool = False
    """Whether parts are what each adds to the score; else they are factors, or means of what is weighed."""

    @property
    def score(self) -> float | None:
        """The score."""
        return self.value


@dataclass(frozen=True, kw_only=True)
class MetricFacts:
    """What is to be known of a metric whose scores one reads."""

    name: str
    """The specification, and the configuration behind an @ where there are several."""
    signature: str
    higher_is_better: bool
    range: tuple[float, float]
    purpose: str = ""
    """What a reader learns from it, in a few words; empty for most."""
    configuration: str = ""
    """Which of several configurations; empty for the only one, or for the mean of them."""
    configurations: int = 1
    """Of how many configurations this is the mean."""
    tool: str = ""
    """The registered name of the metric; empty for scores that were given."""
    variant: str = ""
    """Its options that are not default."""
    citations: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoredTexts:
    """What was scored and how: enough to report on it, or to compare other systems with it later."""

    systems: dict[str, tuple[str, ...]]
    references: dict[str, tuple[str, ...]]
    source: tuple[str, tuple[str, ...]] | None
    settings: dict[str, Any]
    """By name, as `Settings` takes them; without those that change no score."""
    structures: tuple[str, ...] = ()
    """Which of links and trees were given, which are not kept."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreResult(Result):
    """Everything that was measured: corpus scores of every system, and segment scores on request."""

    schema: ClassVar[str] = "kilter.score/1"
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
    part_arrays: dict[tuple[str, str], tuple[ScoreParts, ...]] = field(
        default_factory=dict, repr=False
    )
    """What scores of segments are made of, by metric and system, for each configuration; where the metric tells."""
    texts: ScoredTexts | None = field(default=None, repr=False)
    """What was scored; None where texts were too many to keep."""
    notes: tuple[str, ...] = ()
    percent: bool = False
    """Whether people see scores times 100; programs get them as they are."""

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
            "schema": self.schema,
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
                            "score": scored.value,
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

    def data(self) -> Table:
        """Return a row for each score."""
        parts = list(dict.fromkeys(n for metric in self.metrics for n in _part_names(self, metric)))
        rows = [
            [
                system,
                metric,
                *each.triple,
                each.segments,
                each.signature,
                *map(each.parts.get, parts),
            ]
            for system, scores in self.systems.items()
            for metric, each in scores.items()
        ]
        columns = ("system", "metric", "score", "low", "high", "segments", "signature")
        return Table("", [*columns, *parts], rows)

    def tables(self) -> list[Table]:
        """Return a row for each system, with what the scores are and how they were made in a few lines."""
        found = self._score_tables(parts=len(self.metrics) == 1)
        return [*found[:-1], found[-1].noted(*_short_notes(self))]

    def detailed_tables(self) -> list[Table]:
        """Return a row for each system; parts of scores stand beside one metric and below several."""
        found = self._score_tables(parts=True)
        apart = len(found) > 1 or len(self.metrics) == 1
        return [
            *found[:-1],
            found[-1].noted(*_notes(self, parts=apart and bool(_part_columns(self)))),
        ]

    def _score_tables(self, *, parts: bool) -> list[Table]:
        system = Column("system", NAME)
        apart = _part_columns(self) if parts else []
        beside = apart if len(self.metrics) == 1 else []
        columns = [
            score_column(metric, ".4f±", percent=self.percent, missing=_missing_text)
            for metric in self.metrics
        ]
        rows = [
            [
                name,
                *(scores[metric] for metric in self.metrics),
                *(values[place] for _, values in beside),
            ]
            for place, (name, scores) in enumerate(self.systems.items())
        ]
        found = [Table("", [system, *columns, *(column for column, _ in beside)], rows)]
        if apart and not beside:
            rows = [
                [name, *(values[place] for _, values in apart)]
                for place, name in enumerate(self.systems)
            ]
            found.append(Table("", [system, *(column for column, _ in apart)], rows))
        return found


def _missing_text(scored: Estimate) -> str:
    return "missing" if scored.reason else "undefined"


def _part_columns(result: ScoreResult) -> list[tuple[Column, list[float | None]]]:
    """Return the parts of scores; one that is the same in all metrics that have it stands once, first."""
    listed: dict[str, dict[str, list[float | None]]] = {}
    for metric in result.metrics:
        for name in _part_names(result, metric):
            means = [each[metric].parts.get(name) for each in result.systems.values()]
            listed.setdefault(name, {})[metric] = means
    columns: list[tuple[Column, list[float | None]]] = []
    for name, by_metric in listed.items():
        first, *others = by_metric.values()
        if others and all(_rounded(means) == _rounded(first) for means in others):
            columns.insert(0, (score_column(name, percent=result.percent), first))
        else:
            columns += [
                (score_column(f"{m} {name}", percent=result.percent), means)
                for m, means in by_metric.items()
            ]
    return columns


def _rounded(means: Iterable[float | None]) -> list[str]:
    return [MISSING if mean is None else f"{mean:.4f}" for mean in means]


def _part_names(result: ScoreResult, metric: str) -> list[str]:
    return list(dict.fromkeys(n for each in result.systems.values() for n in each[metric].parts))


def purpose_notes(metrics: Iterable[MetricFacts]) -> Iterator[Note]:
    """Yield what each score is for, beside the overall score; who names metrics without it knows."""
    listed = [each for each in metrics if each.purpose]
    if any(each.name.partition(":")[0] == WHOLE for each in listed):
        yield Note("; ".join(f"{each.name}: {each.purpose}" for each in listed))


_OF_THE_RUN = ("aligner", "vectors", "trees", "rule", "nrefs", "tok", "case", "v")
"""Fields of signatures that say how texts were read and linked, whatever the metric."""


def short_signature(signatures: Iterable[str]) -> str:
    """Return what the signatures of several metrics have in common: how texts were read and linked.

    >>> short_signature(["order|weights:3|aligner:match(stages:exact)|tok:13a|v:1", "bleu|order:4|tok:13a|v:1"])
    'aligner:match|tok:13a|v:1'
    """
    values: dict[str, dict[str, None]] = {}
    for signature in signatures:
        for entry in signature.split("|")[1:]:
            key, _, value = entry.partition(":")
            if key in _OF_THE_RUN:
                values.setdefault(key, {})[value.partition("(")[0]] = None
    return "|".join(f"{key}:{'+'.join(values[key])}" for key in _OF_THE_RUN if key in values)


def meaning_note(signatures: Iterable[str]) -> str:
    """Return that word vectors make links, if signatures say so.

    >>> meaning_note(["order|aligner:match(stages:exact+embedding,language:en)|v:1"])
    'links also by meaning (English model)'
    >>> meaning_note(["order|aligner:match(stages:exact+stem,language:en)|v:1"])
    ''
    """
    marks = [match[1] for each in signatures for match in _BY_MEANING.finditer(each)]
    if not marks:
        return ""
    english = not any("folder:" in each for each in marks)
    return f"links also by meaning{' (English model)' * english}"


_BY_MEANING = re.compile(r"\|(aligner:\w+\(stages:[\w+]*embedding[^|]*|vectors:meaning[^|]*)")
"""What says in a signature that word vectors make links."""


def direction(metrics: Iterable[MetricFacts], *, percent: bool = False) -> str:
    """Return which way is better, and that scores are in percent if they are."""
    lower = [metric.name for metric in metrics if not metric.higher_is_better]
    better = f"lower is better in {', '.join(lower)}" if lower else "higher is better"
    return f"{better}; in percent" if percent else better


def _short_notes(result: ScoreResult) -> Iterator[Note]:
    """Yield what the columns are and which way is better in one line, and how scores were made in another."""
    intervals = any(
        each.low is not None for scores in result.systems.values() for each in scores.values()
    )
    meaning = (
        f"; ± half-width of the 95% interval (bootstrap, seed {result.seed})" if intervals else ""
    )
    yield Note(
        f"{counted(result.count, 'segment')}; {direction(result.metrics.values(), percent=result.percent)}{meaning}"
    )
    rough = evidence_note(result.count)
    if rough:
        yield Note(rough)
    yield from purpose_notes(result.metrics.values())
    signatures = [facts.signature for facts in result.metrics.values()]
    by_meaning = meaning_note(signatures)
    if by_meaning:
        yield Note(by_meaning)
    more = "full signatures, parts" if _part_columns(result) else "full signatures"
    yield Note(f" (--details: {more})", short_signature(signatures))


def _notes(result: ScoreResult, *, parts: bool) -> Iterator[Note]:
    intervals = any(
        each.low is not None for scores in result.systems.values() for each in scores.values()
    )
    meaning = (
        f"; ± half-width of the 95% bootstrap interval, seed {result.seed}" if intervals else ""
    )
    yield Note(counted(result.count, "segment") + meaning)
    rough = evidence_note(result.count)
    if rough:
        yield Note(rough)
    yield from purpose_notes(result.metrics.values())
    if parts:
        yield from _part_notes(result)
    for facts in result.metrics.values():
        yield Note("", facts.signature)


def _part_notes(result: ScoreResult) -> Iterator[Note]:
    """Yield what the parts are: factors of a score, with coverage among them, or what is added up."""
    listed = {metric: _part_names(result, metric) for metric in result.metrics}
    if any(COVERAGE in names for names in listed.values()):
        yield Note(
            "order (of segments with links) and coverage: means of what makes a score in each segment"
        )
    for metric, names in listed.items():
        if names and COVERAGE not in names:
            told = f"{', '.join(names[:-1])} and {names[-1]}" if names[1:] else names[0]
            added = any(each[metric].parts_add_up for each in result.systems.values())
            means = (
                f"what each adds to the score by {metric}"
                if added
                else f"mean parts of {metric}; order multiplies the others"
            )
            yield Note(f"{told}: {means}")
