"""Source words in the order of their translation, tied words in groups. [FRS]"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.permutation_batch import PermutationBatch

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Reordering:
    """The reordered words of segment s are rows `offsets[s]` to `offsets[s + 1]` of each array.

    `order` holds zero-based source positions in target order, `group` the number of the group at each
    place (numbers rise from 0; a word that is not tied has a group of its own), and `places` the place
    of each word, walking the source. Words that a rule dropped appear in none of them.
    """

    order: NDArray[np.int32]
    group: NDArray[np.int32]
    places: NDArray[np.int32]
    offsets: NDArray[np.int64]
    jobs: int = 1

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def ranks(self) -> PermutationBatch:
        """Return the place of each word, walking the source: `ranks` of the specification."""
        return PermutationBatch.trusted(self.places, self.offsets, jobs=self.jobs)

    def orders(self) -> PermutationBatch:
        """Return the inverse of the ranks: which word comes first, second, ... in the target order.

        Words are counted among those that were kept.
        """
        lengths = np.diff(self.offsets)
        starts = np.repeat(self.offsets[:-1], lengths)
        values = np.empty_like(self.places)
        values[starts + self.places] = np.arange(len(values)) - starts
        return PermutationBatch.trusted(values, self.offsets, jobs=self.jobs)

    def groups(self, segment: int) -> list[list[int]]:
        """Return the source positions of a segment in target order, tied ones together."""
        rows = slice(int(self.offsets[segment]), int(self.offsets[segment + 1]))
        listed: list[list[int]] = []
        for word, group in zip(self.order[rows].tolist(), self.group[rows].tolist(), strict=True):
            if group == len(listed):
                listed.append([])
            listed[group].append(word)
        return listed
