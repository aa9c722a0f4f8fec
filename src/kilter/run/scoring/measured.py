"""What a metric measured of every system, or somebody else did: all that resampling needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from kilter.metrics.metric import Metric
from kilter.results.measure import term_shares
from kilter.results.score_result import MetricFacts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.results.measure import Rows, ScoreParts


class Beside:
    """Columns beside one another as the rows of a table, which are read as they are asked for."""

    def __init__(self, columns: Sequence[Rows]) -> None:
        self.columns = columns

    @property
    def shape(self) -> tuple[int, int]:
        """How many segments and columns there are."""
        return len(self), len(self.columns)

    def __len__(self) -> int:
        return len(self.columns[0])

    def __getitem__(self, rows: slice) -> NDArray[np.float64]:
        return np.column_stack([column[rows] for column in self.columns])

    def __array__(self, dtype: Any = None, *, copy: bool | None = None) -> NDArray[Any]:
        return self[:].astype(dtype or np.float64, copy=False)


def columns_of(rows: Rows) -> Sequence[Rows]:
    """Return the columns of a table."""
    return rows.columns if isinstance(rows, Beside) else [*np.asarray(rows).T]


class Scored(Protocol):
    """What resampling asks of a metric, or of scores that somebody else made."""

    @property
    def higher_is_better(self) -> bool:
        """Whether more is better."""

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest score that there can be."""

    @property
    def purpose(self) -> str:
        """What a reader learns from it, in a few words; empty for most."""

    def specification(self) -> str:
        """Return the name, with options if there are any."""

    def corpus_score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the score of each row of summed statistics."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Measured:
    """One metric's statistics of every system, segments x columns each: all that resampling needs.

    Statistics of several configurations stand side by side, as wide as one another; the score is the mean of
    theirs. `configuration` names the only one of a metric that has several. `called` is the specification that
    was asked for, where the language of the texts added options. `parts` are what the scores of
    each system are made of in each configuration, where the metric tells. `scores` and `margins` are those of
    segments, margins where the metric tells any.
    """

    metric: Scored
    statistics: Sequence[Rows]
    signature: str
    configurations: int = 1
    configuration: str = ""
    called: str = ""
    parts: Sequence[tuple[ScoreParts, ...]] = ()
    scores: Sequence[Rows] = ()
    margins: Sequence[Rows] = ()

    @property
    def name(self) -> str:
        """The metric with its options, as `-m` takes it, and its configuration where there are several."""
        name = self.asked
        return f"{name}@{self.configuration}" if self.configuration else name

    @property
    def asked(self) -> str:
        """The metric with its options, as `-m` takes it."""
        return self.called or self.metric.specification()

    def facts(self) -> MetricFacts:
        """Return what readers of the scores are to know."""
        metric, made = self.metric, self.metric if isinstance(self.metric, Metric) else None
        return MetricFacts(
            name=self.name,
            signature=self.signature,
            higher_is_better=metric.higher_is_better,
            range=metric.range,
            purpose=metric.purpose,
            configuration=self.configuration,
            configurations=self.configurations,
            tool=made.name if made else "",
            variant=made.changed_options() if made else "",
            citations=made.citations if made else (),
        )

    @property
    def computed(self) -> Metric:
        """The metric, if Kilter computed the scores."""
        if not isinstance(self.metric, Metric):
            raise TypeError(f"{self.name} was given, and not computed by a metric")
        return self.metric

    def corpus_score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the scores of summed statistics: of each configuration, and of these the mean."""
        scores = np.asarray(
            self.metric.corpus_score(self._by_configuration(sums)), dtype=np.float64
        )
        return np.asarray(scores.mean(axis=-1))

    def zero_notes(self, systems: Sequence[str]) -> Iterator[str]:
        """Yield which systems score 0 for want of something that a score needs."""
        if not isinstance(self.metric, Metric) or type(self.metric).why_zero is Metric.why_zero:
            return
        for system, rows in zip(systems, self.statistics, strict=True):
            sums = np.array(
                [np.asarray(column, dtype=np.float64).sum() for column in columns_of(rows)]
            )
            why = self.metric.why_zero(self._by_configuration(sums)[0])
            if why:
                yield f"{system}: {self.name} is 0: {why}"

    def corpus_part_names(self) -> list[str]:
        """Return the parts of a corpus score that is not a mean over segments; none where there are none."""
        if not isinstance(self.metric, Metric) or not self.statistics:
            return []
        columns = np.shape(self.statistics[0])[1] // self.configurations
        terms = self.metric.corpus_terms(np.zeros((1, columns)))
        return list(dict.fromkeys(name for term in terms for name in term.factors))

    def corpus_shares(
        self, first: NDArray[np.float64], second: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return what each part contributes to differences of corpus scores, parts first."""
        one, other = (
            self.computed.corpus_terms(self._by_configuration(sums)) for sums in (first, second)
        )
        return np.stack([share.mean(axis=-1) for share in term_shares(one, other).values()])

    def _by_configuration(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        many = self.configurations
        return sums.reshape(*sums.shape[:-1], many, sums.shape[-1] // many)
