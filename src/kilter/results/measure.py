"""What a metric found in one system's output, segment by segment."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import partial
from math import fsum, isnan
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from kilter.stats.split import product_shares

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.core.dependency_tree_edit import EditTable
    from kilter.core.path_graph import PathGraph
    from kilter.results.document import Document

    Floats = NDArray[np.float64]

_TOGETHER = 1 << 14
"""Rows that are read at a time."""


class Rows(Protocol):
    """Numbers of segments, in memory or on disk: slices of them are arrays, and numpy takes all of them for one."""

    @property
    def shape(self) -> tuple[int, ...]:
        """How many segments there are, and how many columns if these are several."""

    def __len__(self) -> int: ...

    def __getitem__(self, rows: Any, /) -> Any: ...

    def __array__(self) -> NDArray[Any]: ...


def row_blocks(count: int) -> Iterator[slice]:
    """Yield slices that are some rows each, and all rows together."""
    for start in range(0, count, _TOGETHER):
        yield slice(start, start + _TOGETHER)


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """One row of additive statistics and one score per segment, computed together.

    The sum of the rows of any segments, given to `Metric.corpus_score`, is the score of these segments.
    `parts` are what scores are made of, one for each configuration of the metric, where it can tell order from
    the rest. Numbers may be `Rows` on disk, too.
    """

    statistics: NDArray[np.float64]
    scores: NDArray[np.float64]
    parts: tuple[ScoreParts, ...] = ()
    margins: NDArray[np.float64] | None = None
    """How far two outputs for a segment must be apart for most judges to agree, where a metric was fitted on them."""

    @classmethod
    def mean(cls, scores: NDArray[np.float64], *parts: ScoreParts) -> Measure:
        """Return the measure of a plain mean: statistics are the score, and 1 for the segment itself."""
        return cls(np.column_stack([scores, np.ones(len(scores))]), scores, parts)

    @classmethod
    def best(cls, by_reference: Sequence[NDArray[np.float64]]) -> Measure:
        """Return the measure of a plain mean over segments, of which the best reference counts."""
        return cls.mean(np.max(by_reference, axis=0))

    @classmethod
    def averaged(cls, measures: Sequence[Measure]) -> Measure:
        """Return the measure of several configurations: statistics side by side, and mean scores.

        Margins and parts are there only where every configuration has them.
        """
        margins = [each.margins for each in measures if each.margins is not None]
        return cls(
            np.hstack([each.statistics for each in measures]).astype(np.float64),
            np.mean([each.scores for each in measures], axis=0),
            tuple(part for each in measures for part in each.parts)
            if all(each.parts for each in measures)
            else (),
            np.mean(margins, axis=0) if len(margins) == len(measures) else None,
        )

    def __len__(self) -> int:
        return len(self.scores)


ORDER, COVERAGE, WORDS, LENGTH = "order", "coverage", "words", "length"


@dataclass(frozen=True, slots=True, eq=False)
class Ordering:
    """The order of each segment's linked words, how many are linked, and whether there is any to order."""

    order: Floats
    coverage: Floats
    evidence: NDArray[np.bool_]

    @property
    def scores(self) -> Floats:
        """Coverage x order."""
        return self.order * self.coverage

    @classmethod
    def chosen(cls, by_reference: Sequence[Ordering], places: NDArray[np.int64]) -> Ordering:
        """Return each segment's against the reference whose place is named."""
        if len(by_reference) == 1:
            return by_reference[0]
        segments = np.arange(len(places))
        return cls(
            np.stack([each.order for each in by_reference])[places, segments],
            np.stack([each.coverage for each in by_reference])[places, segments],
            np.stack([each.evidence for each in by_reference])[places, segments],
        )

    @classmethod
    def best(cls, by_reference: Sequence[Ordering]) -> Ordering:
        """Return each segment's against the reference with which it scores best, the first of several."""
        return cls.chosen(by_reference, np.argmax([each.scores for each in by_reference], axis=0))

    def term(self, weight: float = 1.0) -> Term:
        """Return the product as a term of a score."""
        return Term(weight, {ORDER: self.order, COVERAGE: self.coverage})


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A weight times the product of one or several parts, of which each segment has a value."""

    weight: float
    factors: Mapping[str, Floats]


@dataclass(frozen=True, slots=True, eq=False)
class ScoreParts:
    """The terms whose sum is the score of a segment.

    `evidence` says which segments have a linked word, so that something is known of their order. The score
    of a corpus is the mean of its segments, weighted by their `sizes`. Numbers may be `Rows` on disk, too.
    """

    terms: tuple[Term, ...]
    evidence: NDArray[np.bool_]
    sizes: Floats
    added: bool = False
    """Whether the parts of a corpus are what each adds to its score, and not their means: no term has two."""
    shown: bool = True
    """Whether scores are shown with their parts; else differences alone are."""
    neutral: bool = False
    """Whether order is 1 where nothing is known of it, so that its mean is over all segments; of a text of which nothing
    at all is known, it has none."""

    @property
    def names(self) -> tuple[str, ...]:
        """The parts, in the order of the terms."""
        return tuple(dict.fromkeys(name for term in self.terms for name in term.factors))

    def means(self) -> dict[str, float | None]:
        """Return the mean of each part: of order over segments with evidence, None where there is none.

        Of parts that are added up, return what each adds.
        """
        found = {}
        for term in self.terms:
            for name, values in term.factors.items():
                mean = _mean(partial(self._weighted, name, values))
                if name == ORDER and self.neutral and not self._has_evidence():
                    mean = None
                found[name] = term.weight * mean if self.added and mean is not None else mean
        return found

    def _has_evidence(self) -> bool:
        return any((self.evidence[some] != 0).any() for some in row_blocks(len(self.sizes)))

    def _weighted(self, name: str, values: Floats) -> Iterator[tuple[Floats, Floats]]:
        """Yield the values of a part and what segments weigh, some segments at a time."""
        known = name == ORDER and not self.added and not self.neutral
        for some in row_blocks(len(self.sizes)):
            weights = self.sizes[some]
            yield values[some], weights * (self.evidence[some] != 0) if known else weights

    def difference(self, other: ScoreParts) -> dict[str, Floats]:
        """Return what each part contributes to another system's segment scores less these.

        Where one of the two has no linked word in a segment, nothing is known of a difference in order: what
        order and coverage make of it together is due to coverage, or without coverage to words.
        """
        known = np.asarray(self.evidence, dtype=bool) & np.asarray(other.evidence, dtype=bool)
        shares = {name: np.zeros(len(known)) for name in self.names}
        for mine, theirs in zip(self.terms, other.terms, strict=True):
            found = _shares(mine.factors, theirs.factors, known)
            for name, share in found.items():
                shares[name] += mine.weight * share
        return shares


def term_shares(first: Sequence[Term], second: Sequence[Term]) -> dict[str, Floats]:
    """Return what each part contributes to the second sum of terms less the first.

    >>> one, other = (
    ...     [Term(0.5, {"order": np.array([order])}), Term(0.5, {"words": np.array([words])})]
    ...     for order, words in [(0.5, 0.25), (1.0, 0.0)]
    ... )
    >>> {name: share.tolist() for name, share in term_shares(one, other).items()}
    {'order': [0.25], 'words': [-0.125]}
    """
    shares: dict[str, Floats] = {}
    for mine, theirs in zip(first, second, strict=True):
        for name, share in _product_shares(mine.factors, theirs.factors).items():
            shares[name] = shares.get(name, 0.0) + mine.weight * share
    return shares


def _product_shares(first: Mapping[str, Floats], second: Mapping[str, Floats]) -> dict[str, Floats]:
    names = list(first)
    columns = ([np.asarray(side[name]) for name in names] for side in (first, second))
    return dict(zip(names, product_shares(*columns), strict=True))


def _shares(
    first: Mapping[str, Floats], second: Mapping[str, Floats], known: NDArray[np.bool_]
) -> dict[str, Floats]:
    shares = _product_shares(first, second)
    others = [
        *(name for name in (COVERAGE, WORDS) if name in shares),
        *(n for n in shares if n != ORDER),
    ]
    beside = others[0] if others else None
    if ORDER in shares and beside is not None:
        unknown = ~known
        shares[beside][unknown] += shares[ORDER][unknown]
        shares[ORDER][unknown] = 0.0
    return shares


def _mean(blocks: Callable[[], Iterator[tuple[Floats, Floats]]]) -> float | None:
    total = fsum(each for _, weights in blocks() for each in weights.tolist())
    if total <= 0.0:
        return None
    return (
        fsum(each for values, weights in blocks() for each in (weights * values).tolist()) / total
    )


@dataclass(frozen=True, slots=True)
class WorkingStep:
    """One number of a working: its name, what it is, and the formula that gives it.

    A formula is written with the names of earlier steps and `exp`, `ln`, `sqrt`, `min`, `max` and `mean`.
    It is empty for what is counted, and for what an option says.
    """

    name: str
    meaning: str
    value: float
    formula: str = ""

    def to_dict(self) -> Document:
        """Return the step as JSON."""
        return {
            "name": self.name,
            "meaning": self.meaning,
            "formula": self.formula,
            "value": None if isnan(self.value) else self.value,
        }


@dataclass(frozen=True, slots=True)
class Working:
    """The steps of one segment's score, which is the value of the last.

    >>> Working((WorkingStep("right", "pairs in order", 3), WorkingStep("score", "score", 0.5, "right / 6"))).score
    0.5
    """

    steps: tuple[WorkingStep, ...]
    reference: int | None = None
    """The place of the reference that counts; None where all are looked at together."""
    edits: EditTable | None = None
    """The operations that make one tree of the other, where trees are edited."""
    paths: PathGraph | None = None
    """All paths between linked words, where paths are compared."""

    def __post_init__(self) -> None:
        names = [step.name for step in self.steps]
        if not names or len(set(names)) != len(names):
            raise ValueError(
                f"a working has one step or more, each with a name of its own: {names}"
            )

    @property
    def score(self) -> float:
        """The score that the steps lead to."""
        return self.steps[-1].value

    def to_dict(self) -> list[Document]:
        """Return the steps as JSON."""
        return [step.to_dict() for step in self.steps]


def part_steps(steps: Iterable[WorkingStep], part: str) -> tuple[WorkingStep, ...]:
    """Return the steps of a part of a larger working under names of their own, in formulas too.

    >>> part_steps([WorkingStep("m", "matches", 3), WorkingStep("score", "score", 0.5, "m / 6")], "f1")[1].formula
    'f1_m / 6'
    """
    listed = list(steps)
    names = {step.name for step in listed}

    def named(found: re.Match[str]) -> str:
        return f"{part}_{found[0]}" if found[0] in names else found[0]

    return tuple(
        replace(
            step, name=f"{part}_{step.name}", formula=re.sub(r"[A-Za-z_]\w*", named, step.formula)
        )
        for step in listed
    )
