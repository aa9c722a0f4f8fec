"""Many permutations as flat arrays, and one call for all their scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kilter import _core
from kilter.core.errors import InputError, OptionError
from kilter.core.settings import Choice

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


class Branching(Choice):
    """Left-branching trees split binary nodes at the last place, right-branching at the first."""

    LEFT = "left"
    RIGHT = "right"


SCORE_COLUMNS = (
    "kendall",
    "kendall-sqrt",
    "spearman",
    "hamming",
    "ulam",
    "fuzzy",
    "pet-size",
    "pet-count",
    "max-op",
    "pef",
    "pet",
)
COUNT_COLUMNS = ("nodes", "max-operator", "chunks", "primal")
PAIR_COLUMNS = ("kendall", "hamming", "spearman", "footrule")


class PermutationBatch:
    """Permutations one after another: zero-based int32 values and int64 offsets.

    The permutation of segment s is `values[offsets[s]:offsets[s + 1]]`. Checked once, on
    construction. Scores are computed on first use, all of them in one pass, and kept.
    """

    def __init__(self, values: NDArray[np.int32], offsets: NDArray[np.int64]) -> None:
        self._check(values, offsets)
        # A copy: what was checked once must not change afterwards.
        own, borders = values.copy(), offsets.copy()
        own.flags.writeable = borders.flags.writeable = False
        self._adopt(own, borders, 1)

    @staticmethod
    def _check(values: NDArray[np.int32], offsets: NDArray[np.int64]) -> None:
        _check_offsets(values, offsets)
        _check_values(values, offsets)

    def _adopt(self, values: NDArray[np.int32], offsets: NDArray[np.int64], jobs: int) -> None:
        self.values = values
        self.offsets = offsets
        self.jobs = jobs
        self._kept: dict[tuple[object, ...], Mapping[str, NDArray[Any]]] = {}

    @classmethod
    def trusted(
        cls, values: NDArray[np.int32], offsets: NDArray[np.int64], *, jobs: int = 1
    ) -> PermutationBatch:
        """Return a batch of what a reader or another structure has checked already."""
        batch = cls.__new__(cls)
        batch._adopt(values, offsets, jobs)  # noqa: SLF001 - this is a constructor
        return batch

    @classmethod
    def borrowed(
        cls, values: NDArray[np.int32], offsets: NDArray[np.int64], *, jobs: int = 1
    ) -> PermutationBatch:
        """Return a checked batch that shares the caller's arrays, for use before they can change."""
        cls._check(values, offsets)
        return cls.trusted(values, offsets, jobs=jobs)

    @classmethod
    def unproved(
        cls, values: NDArray[np.int32], offsets: NDArray[np.int64], *, jobs: int = 1
    ) -> PermutationBatch:
        """Return a batch like a borrowed one, for a single call of `scores`, which looks at the values anyway."""
        _check_offsets(values, offsets)
        return cls.trusted(values, offsets, jobs=jobs)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of elements of each permutation."""
        return np.diff(self.offsets)

    def __getitem__(self, segment: int) -> NDArray[np.int32]:
        return self.values[self.offsets[segment] : self.offsets[segment + 1]]

    def scores(
        self,
        *,
        beta: float = 0.6,
        gamma: float = 0.0,
        branching: Branching = Branching.LEFT,
    ) -> Mapping[str, NDArray[Any]]:
        """Return one array per score, count and `trees` (exact up to 37 elements, else 0)."""
        _check_weights(beta, gamma)
        key = (beta, gamma, branching)
        if key not in self._kept:
            right = branching is Branching.RIGHT
            try:
                scores, counts, trees = _core.score(
                    self.values, self.offsets, beta, gamma, right, 0.0, self.jobs
                )
            except ValueError:
                _check_values(self.values, self.offsets)  # says it as all other checks do
                raise
            columns: dict[str, NDArray[Any]] = dict(zip(SCORE_COLUMNS, scores, strict=True))
            columns.update(zip(COUNT_COLUMNS, counts, strict=True))
            columns["trees"] = trees
            self._kept[key] = columns
        return self._kept[key]

    def tree_scores(
        self, *, beta: float, gamma: float, branching: Branching = Branching.LEFT
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return PEFscore and PETscore; cheaper than all scores, unless those are there already."""
        _check_weights(beta, gamma)
        if (beta, gamma, branching) in self._kept:
            columns = self.scores(beta=beta, gamma=gamma, branching=branching)
            return columns["pef"], columns["pet"]
        right = branching is Branching.RIGHT
        both = _core.score_trees(self.values, self.offsets, beta, gamma, right, 0.0, self.jobs)
        return both[:, 0], both[:, 1]

    def kendall_scores(self) -> NDArray[np.float64]:
        """Return Kendall's scores; cheaper than all scores, unless those are there already."""
        if self._kept:
            return next(iter(self._kept.values()))["kendall"]
        return _core.score_kendall(self.values, self.offsets, empty=0.0, jobs=self.jobs)

    @property
    def counts(self) -> Mapping[str, NDArray[Any]]:
        """The same columns; the counts among them depend on no option."""
        kept = list(self._kept.values())  # at once: another thread may add to it
        return kept[0] if kept else self.scores()

    def relative(self, other: PermutationBatch) -> PermutationBatch:
        """Return the order in which `other` has the words, listed as this one orders them.

        Where the word of rank k stands in `other` is entry k. It is the identity where both are alike, so
        that any score of one permutation compares two: Kendall's share of pairs that both order alike.

        >>> from kilter.core.permutation_input import as_batch
        >>> as_batch([[0, 2, 1]]).relative(as_batch([[2, 1, 0]]))[0].tolist()
        [2, 0, 1]
        """
        self._check_lengths(other)
        starts = np.repeat(self.offsets[:-1], self.lengths)
        values = np.empty_like(other.values)
        values[starts + self.values] = other.values
        return PermutationBatch.trusted(values, self.offsets, jobs=self.jobs)

    def _check_lengths(self, other: PermutationBatch) -> None:
        if not np.array_equal(self.offsets, other.offsets):
            segment = _first_difference(self.lengths, other.lengths)
            raise InputError(
                "two permutations of one sentence must have the same length",
                where=f"permutation {segment}",
            )

    def pair_scores(self, other: PermutationBatch) -> Mapping[str, NDArray[np.float64]]:
        """Return the similarity of each permutation with the one of `other` in its place."""
        self._check_lengths(other)
        table = _core.score_pairs(
            self.values, self.offsets, other.values, other.offsets, 0.0, self.jobs
        )
        return dict(zip(PAIR_COLUMNS, table.T, strict=True))


def describe_fault(length: int, place: int, value: int, earlier: int | None, *, base: int) -> str:
    """Return what is wrong with `value` at zero-based `place`, in the user's counting."""
    noun = "position" if base else "index"
    if earlier is None:
        fault = f"{value} at {noun} {place + base} is out of range"
    else:
        fault = f"{value} at {noun} {place + base} stands already at {noun} {earlier + base}"
    if length == 1:
        return f"{fault}; a permutation of one element is {base}"
    return f"{fault}; a permutation of {length} uses each of {base} to {length - 1 + base} once"


def _check_weights(beta: float, gamma: float) -> None:
    for name, value in (("beta", beta), ("gamma", gamma)):
        if not isinstance(value, (int, float)) or not 0.0 <= value <= 1.0:
            raise OptionError(f"{name} is {value!r}; it must be a number between 0 and 1")


def _check_values(values: NDArray[np.int32], offsets: NDArray[np.int64]) -> None:
    segment, place, earlier = _core.find_fault(values, offsets)
    if segment >= 0:
        start, end = int(offsets[segment]), int(offsets[segment + 1])
        reason = describe_fault(
            end - start,
            place,
            int(values[start + place]),
            None if earlier < 0 else earlier,
            base=0,
        )
        raise InputError(reason, where=f"permutation {segment}")


def _check_offsets(values: NDArray[Any], offsets: NDArray[Any]) -> None:
    if not isinstance(values, np.ndarray) or not isinstance(offsets, np.ndarray):
        raise InputError("a batch is made of two numpy arrays, int32 values and int64 offsets")
    if values.ndim != 1 or values.dtype != np.int32 or not values.flags.c_contiguous:
        raise InputError("the values of a batch are one contiguous row of int32")
    if offsets.ndim != 1 or offsets.dtype != np.int64 or not offsets.flags.c_contiguous:
        raise InputError("the offsets of a batch are one contiguous row of int64")
    if offsets.size == 0 or offsets[0] != 0 or offsets[-1] != values.size:
        raise InputError(
            f"offsets must start at 0 and end at the number of values, {values.size}; "
            f"they are {offsets[:3].tolist()} ... {offsets[-1:].tolist()}"
        )
    falling = np.flatnonzero(offsets[1:] < offsets[:-1])
    if falling.size:
        raise InputError(f"offsets fall after entry {int(falling[0])}; they must never fall")
    longest = int(np.diff(offsets).max(initial=0))
    if longest > np.iinfo(np.int32).max:
        raise InputError(f"a permutation of {longest} elements is longer than int32 can number")


def _first_difference(first: NDArray[np.int64], second: NDArray[np.int64]) -> int:
    shared = min(len(first), len(second))
    differing = np.flatnonzero(first[:shared] != second[:shared])
    return int(differing[0]) if differing.size else shared
