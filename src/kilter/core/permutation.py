"""A permutation: the reference places of a translation's words, read from left to right."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter import _core
from kilter.core.errors import InputError
from kilter.core.permutation_batch import Branching, PermutationBatch, describe_fault
from kilter.core.permutation_input import is_masked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from kilter.core.permutation_factorization import FactorizedOperators
    from kilter.core.permutation_forest import PermutationForest
    from kilter.core.permutation_tree import PermutationTree

_MOST = 2**31 - 1


class Permutation:
    """An immutable, hashable permutation of 0..n-1.

    Values are zero-based inside; the papers print them one-based, which `from_one_based` and
    `one_based` translate. Anything that is not a permutation is an `InputError` that names the
    first offending place.

    >>> Permutation([1, 0, 2])
    Permutation.from_one_based([2, 1, 3])
    """

    __slots__ = ("_hash", "_values")

    def __init__(self, values: Iterable[int]) -> None:
        self._values = _checked(values, base=0)
        self._hash: int | None = None

    @classmethod
    def from_one_based(cls, values: Iterable[int]) -> Permutation:
        """Return the permutation that the papers write with the integers 1..n.

        >>> Permutation.from_one_based([2, 4, 1, 3]).one_based()
        (2, 4, 1, 3)
        """
        return cls._trusted(_checked(values, base=1))

    @classmethod
    def identity(cls, length: int) -> Permutation:
        """Return 1 2 ... n."""
        return cls._trusted(np.arange(_checked_length(length), dtype=np.int32))

    @classmethod
    def reversal(cls, length: int) -> Permutation:
        """Return n ... 2 1."""
        return cls._trusted(np.arange(_checked_length(length) - 1, -1, -1, dtype=np.int32))

    @classmethod
    def _trusted(cls, values: NDArray[np.int32]) -> Permutation:
        permutation = cls.__new__(cls)
        values.flags.writeable = False
        permutation._values = values  # noqa: SLF001 - this is the constructor
        permutation._hash = None  # noqa: SLF001 - this is the constructor
        return permutation

    @property
    def values(self) -> NDArray[np.int32]:
        """The zero-based values as a read-only array."""
        return self._values

    def one_based(self) -> tuple[int, ...]:
        """Return the values as the papers print them."""
        return tuple((self._values + 1).tolist())

    def inverse(self) -> Permutation:
        """Return the permutation that undoes this one.

        >>> Permutation.from_one_based([2, 3, 1]).inverse()
        Permutation.from_one_based([3, 1, 2])
        """
        inverse = np.empty_like(self._values)
        inverse[self._values] = np.arange(len(self), dtype=np.int32)
        return self._trusted(inverse)

    def compose(self, other: Permutation) -> Permutation:
        """Return the permutation whose value at i is `self[other[i]]`; also written `self @ other`.

        >>> p = Permutation.from_one_based([2, 3, 1])
        >>> p @ p.inverse() == Permutation.identity(3)
        True
        """
        if not isinstance(other, Permutation):
            raise InputError(f"cannot compose with {other!r}; make a Permutation of it")
        if len(self) != len(other):
            raise InputError(
                f"cannot compose permutations of {len(self)} and {len(other)} elements; "
                "both must have the same length"
            )
        return self._trusted(self._values[other.values])

    __matmul__ = compose

    def bullets(self) -> str:
        """Return the display of [LR]: a bullet before each element that starts a new chunk.

        >>> Permutation.from_one_based([1, 2, 4, 3]).bullets()
        '(1 2 •4 •3)'
        """
        starts = np.diff(self._values) != 1
        words = self.one_based()
        marked = [
            f"•{value}" if start else str(value)
            for value, start in zip(words[1:], starts, strict=True)
        ]
        return f"({' '.join([*map(str, words[:1]), *marked])})"

    def tree(self) -> PermutationTree:
        """Return the flattened permutation tree."""
        from kilter.core.permutation_tree import PermutationTree  # noqa: PLC0415 - cycle

        return PermutationTree.of(self)

    def weak_factorizations(self) -> Iterator[FactorizedOperators]:
        """Yield every weak factorization [PC]: its sorted operators, which know its spans and its tree.

        Their number grows exponentially; practical up to about ten elements.

        >>> for operators in Permutation([1, 0, 2]).weak_factorizations():
        ...     print(operators, sorted(operators.spans))
        ((1, 2), (2, 1)) [(0, 2), (0, 3)]
        ((2, 1, 3),) [(0, 3)]
        """
        from kilter.core.permutation_factorization import (  # noqa: PLC0415 - cycle
            FactorizedOperators,
            weak_factorizations,
        )

        for spans in weak_factorizations(self):
            yield FactorizedOperators.of(self, spans)

    def forest(self) -> PermutationForest:
        """Return the chart of all permutation trees."""
        from kilter.core.permutation_forest import PermutationForest  # noqa: PLC0415 - cycle

        return PermutationForest(self)

    @property
    def arity(self) -> int:
        """The least number of adjacent sub-permutations it can be cut into: 2, or 4 and more."""
        return self.tree().arity

    @property
    def is_primal(self) -> bool:
        """Whether only single elements and the whole are sub-permutations (two or more elements)."""
        return bool(self._batch().counts["primal"][0])

    def kendall(self) -> float:
        """Return the share of word pairs that keep their order."""
        return self._score("kendall")

    def spearman(self) -> float:
        """Return Spearman's rank correlation scaled to 0..1."""
        return self._score("spearman")

    def hamming(self) -> float:
        """Return the share of words that stand in their own place."""
        return self._score("hamming")

    def ulam(self) -> float:
        """Return the longest increasing subsequence, scaled to 0..1."""
        return self._score("ulam")

    def fuzzy(self) -> float:
        """Return the share of neighbours that stay neighbours."""
        return self._score("fuzzy")

    def pet_size(self) -> float:
        """Return |PET|, the number of nodes of a permutation tree, scaled to 0..1."""
        return self._score("pet-size")

    def pet_count(self) -> float:
        """Return #PETs, the number of permutation trees, scaled to 0..1."""
        return self._score("pet-count")

    def max_op(self) -> float:
        """Return MAX|Op|, the longest operator, scaled so that 1 is the shortest possible."""
        return self._score("max-op")

    def pef(self, *, beta: float = 0.6, gamma: float = 0.0) -> float:
        """Return PEFscore, the mean over the permutation forest.

        >>> Permutation.from_one_based([2, 4, 5, 6, 1, 3]).pef(beta=0.6)
        0.4
        """
        return self._score("pef", beta=beta, gamma=gamma)

    def pet(
        self,
        *,
        beta: float = 0.6,
        gamma: float = 0.0,
        branching: Branching | str = Branching.LEFT,
    ) -> float:
        """Return PETscore on the left- or right-branching permutation tree."""
        return self._score("pet", beta=beta, gamma=gamma, branching=Branching(branching))

    def _score(self, column: str, **options: Any) -> float:
        return float(self._batch().scores(**options)[column][0])

    def _batch(self) -> PermutationBatch:
        offsets = np.array([0, len(self)], dtype=np.int64)
        return PermutationBatch.trusted(self._values, offsets)

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[int]:
        return iter(self._values.tolist())

    def __getitem__(self, index: int) -> int:
        return int(self._values[index])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Permutation):
            return NotImplemented
        return np.array_equal(self._values, other._values)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(self._values.tobytes())
        return self._hash

    def __repr__(self) -> str:
        return f"Permutation.from_one_based({list(self.one_based())})"

    def __reduce__(self) -> tuple[object, ...]:
        return Permutation, (self._values.tolist(),)


def _checked_length(length: int) -> int:
    try:
        found = None if isinstance(length, bool) else operator.index(length)
    except TypeError:
        found = None
    if found is None:
        raise InputError(f"a permutation has a whole number of elements, not {length!r:.80}")
    if found < 0:
        raise InputError(f"a permutation cannot have {found} elements")
    if found > _MOST:
        raise InputError(f"a permutation has at most {_MOST} elements; this many are too many")
    return found


def _checked(values: Iterable[int], *, base: int) -> NDArray[np.int32]:
    if isinstance(values, (set, frozenset, dict, str, bytes, bytearray)):
        raise InputError(f"a permutation is a sequence of integers, not a {type(values).__name__}")
    if is_masked(values):
        raise InputError("a permutation has no missing values; fill or drop the masked ones")
    try:
        listed = values if isinstance(values, np.ndarray) else list(values)
        array = np.asarray(listed)
    except (TypeError, ValueError):
        raise InputError(f"a permutation is one row of integers, not {values!r:.80}") from None
    if array.ndim != 1:
        raise InputError(
            f"a permutation is one row of integers, not an array of shape {array.shape}"
        )
    if array.size == 0:
        array = np.empty(0, dtype=np.int64)
    if array.dtype.kind not in "iu":
        odd = _odd_one(listed)
        if odd is not None:
            raise InputError(f"a permutation is made of integers, not of {odd!r}")
    outside = np.flatnonzero((array < base) | (array >= len(array) + base))
    if outside.size:
        place = int(outside[0])
        raise InputError(describe_fault(len(array), place, int(array[place]), None, base=base))
    zero_based = (array - base).astype(np.int32)
    offsets = np.array([0, len(array)], dtype=np.int64)
    segment, place, earlier = _core.find_fault(zero_based, offsets)
    if segment >= 0:
        value = int(zero_based[place]) + base
        raise InputError(describe_fault(len(array), place, value, earlier, base=base))
    zero_based.flags.writeable = False
    return zero_based


def _odd_one(listed: Iterable[object]) -> Any:
    """Return the first value that is not an integer; None if they are only too large for an array."""
    for value in listed:
        dated = isinstance(value, np.datetime64 | np.timedelta64)
        plain = value.item() if isinstance(value, np.generic) and not dated else value
        if isinstance(plain, bool) or not isinstance(plain, int):
            return "None" if plain is None else plain
    return None


def pair_score(first: Permutation, second: Permutation, column: str) -> float:
    """Return the kendall, hamming, spearman or footrule similarity of two permutations."""
    if len(first) != len(second):
        raise InputError(
            f"two permutations of one sentence must have the same length, not {len(first)} and "
            f"{len(second)}"
        )
    offsets = np.array([0, len(first)], dtype=np.int64)
    one = PermutationBatch.trusted(first.values, offsets)
    return float(one.pair_scores(PermutationBatch.trusted(second.values, offsets))[column][0])
