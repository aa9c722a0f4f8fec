"""Order errors of a system summed up by what they have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.results.explanation import ErrorGroup, ErrorGrouping, ErrorKind, ErrorSummary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.core.dependency_tree_column import DependencyTreeColumn
    from kilter.core.evaluation import Evaluation
    from kilter.results.explanation import OrderErrors

DISTANCES = (1, 2, 3, 4, 6, 8, 11)
LENGTHS = (1, 11, 21, 31, 41)
"""Where buckets of distances and of lengths begin."""


def summarise_errors(errors: OrderErrors, evaluation: Evaluation) -> ErrorSummary:
    """Return the errors of one system by kind, word, distance and length, and with trees by their labels."""
    return _Summing(errors, evaluation).summary()


class _Summing:
    """What the groups of one summary share."""

    def __init__(self, errors: OrderErrors, evaluation: Evaluation) -> None:
        self._errors = errors
        self._evaluation = evaluation
        self._segments = errors.segments()
        # What each error takes of the loss: by the first metric, as in its share.
        self._losses = errors.shares * errors.losses[self._segments]
        sizes = np.diff(errors.moved_offsets)
        self._owners = np.repeat(np.arange(len(sizes)), sizes)
        starts = errors.hypothesis_offsets[self._segments]
        self._words = starts[self._owners] + errors.moved_words
        self._parts = (self._losses / np.maximum(sizes, 1))[self._owners]

    def summary(self) -> ErrorSummary:
        errors, evaluation = self._errors, self._evaluation
        groups = {
            ErrorGrouping.KIND: self._by_error([str(kind) for kind in ErrorKind], errors.kinds),
            ErrorGrouping.WORD: self._by_word(*self._forms()),
        }
        if evaluation.trees is not None:
            groups |= self._by_tree(evaluation.trees_of(evaluation.hypothesis).first_parses())
        groups[ErrorGrouping.DISTANCE] = self._by_error(
            _bucket_names(DISTANCES), _buckets(errors.distances, DISTANCES)
        )
        lengths = _buckets(np.diff(errors.hypothesis_offsets), LENGTHS)
        groups[ErrorGrouping.LENGTH] = self._by_error(
            _bucket_names(LENGTHS), lengths[self._segments], every=lengths
        )
        return ErrorSummary(
            system=errors.system,
            metric=errors.metrics[0],
            segments=len(errors),
            faulty=int((errors.counts > 0).sum()),
            proved=int(errors.moves.exact.sum()),
            without_evidence=int((~errors.evidence).sum()),
            errors=len(errors.kinds),
            left_out=int(errors.left_out.sum()),
            loss=float(self._losses.sum()),
            whole_loss=float(errors.losses[errors.counts + errors.left_out > 0].sum()),
            groups=groups,
        )

    def _forms(self) -> tuple[list[str], NDArray[np.int64]]:
        vocabulary = self._evaluation.vocabulary
        numbers = vocabulary.lowercase()[self._evaluation.hypothesis.tokens.ids]
        return [word.lower() for word in vocabulary.words], numbers.astype(np.int64)

    def _by_tree(self, trees: DependencyTreeColumn) -> dict[ErrorGrouping, tuple[ErrorGroup, ...]]:
        names = trees.vocabulary.words
        tags, labels = trees.tags.astype(np.int64), trees.labels.astype(np.int64)
        tops = self._tops(trees.heads)
        pairs, numbers = np.unique(
            np.stack([labels[tops], tags[tops]]), axis=1, return_inverse=True
        )
        constructions = [f"{names[label]} {names[tag]}" for label, tag in pairs.T.tolist()]
        return {
            ErrorGrouping.TAG: self._by_word(names, tags),
            ErrorGrouping.RELATION: self._by_word(names, labels),
            ErrorGrouping.CONSTRUCTION: self._by_error(constructions, numbers.reshape(-1)),
        }

    def _tops(self, heads: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return for each error the first word of its block that hangs on no other word of the block."""
        starts = self._errors.hypothesis_offsets[self._segments][self._owners]
        head = starts + heads[self._words]
        key = self._owners * (len(heads) + 1)
        inside = np.isin(key + head, key + self._words) & (heads[self._words] >= 0)
        tops = np.flatnonzero(~inside)
        first = np.unique(self._owners[tops], return_index=True)[1]
        found: NDArray[np.int64] = self._words[tops[first]]
        return found

    def _by_word(self, names: Sequence[str], numbers: NDArray[np.int64]) -> tuple[ErrorGroup, ...]:
        """Return groups by a number of each word of all hypotheses."""
        here = numbers[self._words]
        pairs = np.unique(np.stack([here, self._owners]), axis=1)
        return _groups(
            names,
            errors=np.bincount(pairs[0], minlength=len(names)),
            losses=np.bincount(here, weights=self._parts, minlength=len(names)),
            occurrences=np.bincount(numbers, minlength=len(names)),
        )

    def _by_error(
        self,
        names: Sequence[str],
        numbers: NDArray[np.int64] | NDArray[np.int8],
        *,
        every: NDArray[np.int64] | None = None,
    ) -> tuple[ErrorGroup, ...]:
        """Return groups by a number of each error; `every` are those of all segments."""
        return _groups(
            names,
            errors=np.bincount(numbers, minlength=len(names)),
            losses=np.bincount(numbers, weights=self._losses, minlength=len(names)),
            occurrences=None if every is None else np.bincount(every, minlength=len(names)),
        )


def _groups(
    names: Sequence[str],
    *,
    errors: NDArray[np.int64],
    losses: NDArray[Any],
    occurrences: NDArray[np.int64] | None,
) -> tuple[ErrorGroup, ...]:
    """Return the groups that have an error, the greatest loss first."""
    found = [
        ErrorGroup(
            name=names[number],
            errors=int(errors[number]),
            loss=float(losses[number]),
            occurrences=None if occurrences is None else int(occurrences[number]),
        )
        for number in np.flatnonzero(errors).tolist()
    ]
    return tuple(sorted(found, key=lambda group: (-group.loss, group.name)))


def _buckets(
    values: NDArray[np.int64] | NDArray[np.int32], begins: Sequence[int]
) -> NDArray[np.int64]:
    """Return the bucket of each value; what is less than all of them is in the first."""
    return np.maximum(np.searchsorted(begins, values, side="right") - 1, 0).astype(np.int64)


def _bucket_names(begins: Sequence[int]) -> list[str]:
    """Return how buckets are called.

    >>> _bucket_names((1, 2, 4))
    ['1', '2-3', '4+']
    """
    ends = [following - 1 for following in begins[1:]]
    named = [
        str(first) if first == last else f"{first}-{last}"
        for first, last in zip(begins[:-1], ends, strict=True)
    ]
    return [*named, f"{begins[-1]}+"]
