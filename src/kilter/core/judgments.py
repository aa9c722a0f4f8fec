"""Human judgments of translations, column by column. Section 14.1"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError, Setting
from kilter.core.settings import Choice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Numbers = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class PerturbedPairs:
    """Originals and perturbed versions of translations, with references and kinds, line by line."""

    kinds: tuple[str, ...]
    references: tuple[str, ...]
    originals: tuple[str, ...]
    perturbed: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.kinds)

    def changed(self) -> PerturbedPairs:
        """Return the pairs whose two texts differ."""
        rows = [k for k in range(len(self)) if self.originals[k] != self.perturbed[k]]
        return PerturbedPairs(
            kinds=tuple(self.kinds[k] for k in rows),
            references=tuple(self.references[k] for k in rows),
            originals=tuple(self.originals[k] for k in rows),
            perturbed=tuple(self.perturbed[k] for k in rows),
        )

    def joined(self, other: PerturbedPairs) -> PerturbedPairs:
        """Return these pairs, then those."""
        return PerturbedPairs(
            kinds=self.kinds + other.kinds,
            references=self.references + other.references,
            originals=self.originals + other.originals,
            perturbed=self.perturbed + other.perturbed,
        )


@dataclass(frozen=True, kw_only=True)
class LabelledOutputs:
    """Outputs with references, and whether somebody found an error of order in each."""

    references: tuple[str, ...]
    outputs: tuple[str, ...]
    wrong: tuple[bool, ...]

    def __len__(self) -> int:
        return len(self.outputs)


# Numbers that lie closer together than this share of the largest are equal as far as anybody can tell.
TIE = 2.0**-38


def rounding(values: Floats) -> float:
    """Return how far apart equal numbers may lie: a tiny share of the largest."""
    known = np.abs(values[~np.isnan(values)])
    return TIE * float(known.max(initial=0.0))


def levelled(values: Floats) -> Floats:
    """Return the numbers, those made equal that differ by rounding only; NaN stays.

    >>> import numpy as np
    >>> levelled(np.array([0.1 + 0.2, 0.3, 0.4])).tolist()
    [0.3, 0.3, 0.4]
    """
    known = ~np.isnan(values)
    level = values.copy()
    if known.any():
        rising, which = np.unique(values[known], return_inverse=True)
        new = np.append(True, np.diff(rising) > rounding(values))
        smallest = np.maximum.accumulate(np.where(new, np.arange(len(rising)), 0))
        level[known] = rising[smallest][which.ravel()]
    return level


_ROUNDING = 1e-9
"""Two of three judgments are a share of 0.667, and of 2 / 3 as computers write it."""


class Unscored(Choice):
    """What to do with a judged system that has no output: stop, or leave its judgments out."""

    STOP = "stop"
    SKIP = "skip"


class Repeated(Choice):
    """What a pair that was judged several times counts: every time, or the first time only."""

    COUNT = "count"
    FIRST = "first"


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgedPairs:
    """Pairs of systems' translations of one segment, and which of the two people preferred.

    `outcome` is 1 where the first is better, -1 where the second is, 0 for a tie. `task` numbers what
    was judged in one go, `line` is where the pair stands in its file. Segments count from 0.
    """

    segment: Numbers
    first: Numbers
    second: Numbers
    outcome: NDArray[np.int8]
    task: Numbers
    line: Numbers

    @classmethod
    def none(cls) -> JudgedPairs:
        """Return no pairs."""
        empty = np.zeros(0, dtype=np.int64)
        return cls(
            segment=empty,
            first=empty,
            second=empty,
            outcome=np.zeros(0, dtype=np.int8),
            task=empty,
            line=empty,
        )

    def __len__(self) -> int:
        return len(self.segment)

    def chosen(self, rows: NDArray[np.bool_] | Numbers) -> JudgedPairs:
        """Return some of the pairs, by flags or places."""
        return JudgedPairs(
            segment=self.segment[rows],
            first=self.first[rows],
            second=self.second[rows],
            outcome=self.outcome[rows],
            task=self.task[rows],
            line=self.line[rows],
        )

    def repeats(self) -> NDArray[np.bool_]:
        """Return which pairs were judged before: the same two systems on the same segment."""
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        _, firsts = np.unique(np.stack([self.segment, low, high]), axis=1, return_index=True)
        again = np.ones(len(self), dtype=np.bool_)
        again[firsts] = False
        return again


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgedScores:
    """Scores that people gave to systems' segments, higher for better; the mean where there are several."""

    segment: Numbers
    system: Numbers
    value: NDArray[np.float64]
    line: Numbers

    @classmethod
    def none(cls) -> JudgedScores:
        """Return no scores."""
        empty = np.zeros(0, dtype=np.int64)
        return cls(segment=empty, system=empty, value=np.zeros(0), line=empty)

    def __len__(self) -> int:
        return len(self.segment)

    def chosen(self, rows: NDArray[np.bool_]) -> JudgedScores:
        """Return some of the scores."""
        return JudgedScores(
            segment=self.segment[rows],
            system=self.system[rows],
            value=self.value[rows],
            line=self.line[rows],
        )

    def matrix(self, systems: int, segments: int) -> NDArray[np.float64]:
        """Return systems x segments, NaN where nobody judged."""
        total, count = np.zeros((systems, segments)), np.zeros((systems, segments))
        np.add.at(total, (self.system, self.segment), self.value)
        np.add.at(count, (self.system, self.segment), 1.0)
        means = np.full(total.shape, np.nan)
        np.divide(total, count, out=means, where=count > 0)
        return levelled(means)


@dataclass(frozen=True, kw_only=True, eq=False)
class Judgments:
    """What people said about the segments of several systems, and what of it was left out.

    Rankings have `pairs`; direct assessments have `scores`, from which pairs follow on request.
    `counts` says how much was read, and how much of it is missing, tied, repeated or left out.
    """

    source: str
    systems: tuple[str, ...]
    pairs: JudgedPairs = field(default_factory=JudgedPairs.none)
    scores: JudgedScores = field(default_factory=JudgedScores.none)
    counts: Mapping[str, int]

    @property
    def has_pairs(self) -> bool:
        """Whether people compared translations; else they gave scores, and pairs merely follow from them."""
        return "pairs" in self.counts

    @property
    def segments(self) -> int:
        """One more than the last segment that was judged."""
        last = [
            int(column.max()) for column in (self.pairs.segment, self.scores.segment) if len(column)
        ]
        return max(last, default=-1) + 1

    def of_systems(
        self, systems: Sequence[str], segments: int, *, unscored: Unscored = Unscored.STOP
    ) -> Judgments:
        """Return the judgments with system numbers that count along `systems`.

        A judged segment past the last, or a judged system that is not among them, is an `InputError`;
        with `unscored=skip` the system's judgments are left out and counted.
        """
        self._check_segments(segments)
        places = {name: place for place, name in enumerate(systems)}
        absent = [name for name in self.systems if name not in places]
        if absent and unscored is Unscored.STOP:
            files = any(name.removesuffix(".txt") in places for name in absent)
            called = " (called as their files, without .txt)" if files else ""
            raise InputError(
                f"judges {', '.join(map(repr, absent))}, of which there is no output; there are: "
                f"{', '.join(systems)}{called}; add the output, or leave the judgments out with",
                where=self._first_place(absent[0]),
                advice=Setting("unscored", "skip"),
            )
        number = np.array([places.get(name, -1) for name in self.systems], dtype=np.int64)
        pairs, scores = self.pairs, self.scores
        first, second = number[pairs.first], number[pairs.second]
        kept_pairs = (first >= 0) & (second >= 0)
        system = number[scores.system]
        kept_scores = system >= 0
        dropped = int(np.count_nonzero(~kept_pairs) + np.count_nonzero(~kept_scores))
        judged = {name for name in self.systems if name in places}
        return replace(
            self,
            systems=tuple(systems),
            pairs=replace(pairs, first=first, second=second).chosen(kept_pairs),
            scores=replace(scores, system=system).chosen(kept_scores),
            counts={
                **self.counts,
                "unscored": dropped,
                "systems_without_output": len(absent),
                "systems_without_judgment": len(systems) - len(judged),
            },
        )

    def _first_place(self, system: str) -> str:
        """Return the file and the line of the first judgment of a system, if it has any."""
        number = self.systems.index(system)
        pairs, scores = self.pairs, self.scores
        lines = [
            *pairs.line[(pairs.first == number) | (pairs.second == number)].tolist(),
            *scores.line[scores.system == number].tolist(),
        ]
        return f"{self.source}:{min(lines)}" if lines else self.source

    def _check_segments(self, segments: int) -> None:
        for columns in (self.pairs, self.scores):
            outside = np.flatnonzero(columns.segment >= segments)
            if len(outside):
                place = outside[0]
                raise InputError(
                    f"judges segment {columns.segment[place] + 1}, but there "
                    f"{'is' if segments == 1 else 'are'} {counted(segments, 'segment')}; check that "
                    "judgments and systems belong together",
                    where=f"{self.source}:{columns.line[place]}",
                )

    def agreed(self, least: float) -> Judgments:
        """Return the judgments of pairs that were judged several times, if this share of them says the same.

        Judgments of a pair, two systems on a segment, say that one is better, the other, or neither; the most
        frequent answer is what they agree on. 0 keeps everything. Scores stay where one of their pairs does.
        """
        if least <= 0.0 or not len(self.pairs):
            return self
        pairs = self.pairs
        low, high = np.minimum(pairs.first, pairs.second), np.maximum(pairs.first, pairs.second)
        _, which = np.unique(np.stack([pairs.segment, low, high]), axis=1, return_inverse=True)
        which = which.ravel()
        outcome = np.where(pairs.first == low, pairs.outcome, -pairs.outcome)
        counts = np.zeros((int(which.max()) + 1, 3), dtype=np.int64)
        np.add.at(counts, (which, outcome + 1), 1)
        total = counts.sum(axis=1)
        once = (total == 1)[which]
        kept = ~once & (counts.max(axis=1) >= least * total - _ROUNDING)[which]
        rest = pairs.chosen(kept)
        width = len(self.systems)
        shown = {*(rest.segment * width + rest.first), *(rest.segment * width + rest.second)}
        scores = self.scores
        places = (scores.segment * width + scores.system).tolist()
        return replace(
            self,
            pairs=rest,
            scores=scores.chosen(np.array([place in shown for place in places], dtype=np.bool_)),
            counts={
                **self.counts,
                "judged_once_left_out": int(once.sum()),
                "disagreed_left_out": int(np.count_nonzero(~kept & ~once)),
            },
        )

    def once(self, repeated: Repeated) -> Judgments:
        """Return the judgments without repeated pairs, if that is the policy."""
        if repeated is Repeated.COUNT or not len(self.pairs):
            return self
        again = self.pairs.repeats()
        counts = {**self.counts, "repeated_left_out": int(again.sum())}
        return replace(self, pairs=self.pairs.chosen(~again), counts=counts)

    def without(self, rows: NDArray[np.bool_], reason: str) -> Judgments:
        """Return the judgments less some pairs, counted as `reason`."""
        counts = {**self.counts, reason: int(np.count_nonzero(rows))}
        return replace(self, pairs=self.pairs.chosen(~rows), counts=counts)

    def with_pairs(self, *, threshold: float = 0.0) -> Judgments:
        """Return the judgments with all pairs that their scores imply, if there are no pairs yet.

        Two scores no further apart than `threshold`, but for rounding, are a tie. All pairs of a segment are
        one task.
        """
        if len(self.pairs) or not len(self.scores):
            return self
        return replace(self, pairs=_implied_pairs(self.scores, threshold))

    def score_matrix(self, segments: int) -> NDArray[np.float64]:
        """Return systems x segments: what people gave, or else the share of pairs won; NaN without any."""
        if len(self.scores):
            return self.scores.matrix(len(self.systems), segments)
        wins, losses = self.wins_and_losses(self.pairs.segment, segments)
        decided = wins + losses
        shares = np.full(wins.shape, np.nan)
        np.divide(wins, decided, out=shares, where=decided > 0)
        return shares

    def wins_and_losses(
        self, units: Numbers, count: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return how often each system wins and loses in each unit (segments or tasks); ties are neither."""
        pairs, systems = self.pairs, len(self.systems)
        counts = np.zeros((2, systems * count))
        for outcome, winner, loser in (
            (1, pairs.first, pairs.second),
            (-1, pairs.second, pairs.first),
        ):
            rows = pairs.outcome == outcome
            for side, system in enumerate((winner, loser)):
                places = system[rows] * count + units[rows]
                counts[side] += np.bincount(places, minlength=systems * count)
        return counts[0].reshape(systems, count), counts[1].reshape(systems, count)

    def ties(self, units: Numbers, count: int) -> NDArray[np.float64]:
        """Return how often each system is tied in each unit."""
        pairs, systems = self.pairs, len(self.systems)
        rows = pairs.outcome == 0
        counts = np.zeros(systems * count)
        for system in (pairs.first, pairs.second):
            counts += np.bincount(system[rows] * count + units[rows], minlength=systems * count)
        return counts.reshape(systems, count)


def _implied_pairs(scores: JudgedScores, threshold: float) -> JudgedPairs:
    order = np.lexsort((scores.system, scores.segment))
    segment, system = scores.segment[order], scores.system[order]
    value, line = scores.value[order], scores.line[order]
    changes = np.flatnonzero(np.diff(segment)) + 1
    bounds = [0, *changes.tolist(), len(order)]
    first, second = [], []
    for start, end in pairwise(bounds):
        one, other = np.triu_indices(end - start, k=1)
        first.append(one + start)
        second.append(other + start)
    a, b = np.concatenate(first), np.concatenate(second)
    difference = value[a] - value[b]
    # Means are rounded, and so are thresholds: 0.8 - 0.6 is a little more than 0.2.
    tied = np.abs(difference) <= threshold + rounding(value)
    outcome = np.where(tied, 0, np.sign(difference)).astype(np.int8)
    return JudgedPairs(
        segment=segment[a],
        first=system[a],
        second=system[b],
        outcome=outcome,
        task=segment[a],
        line=line[a],
    )
