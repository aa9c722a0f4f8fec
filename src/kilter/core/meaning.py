"""What word vectors say about pairs of sentences: how well each word is met, and the order of soft links."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from kilter.core.corpus import ragged_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kilter.core.corpus import TextColumn

    Singles = NDArray[np.float32]
    Floats = NDArray[np.float64]

FIRST_COLUMNS, SECOND_COLUMNS, TOTAL_COLUMNS = 4, 3, 4


@dataclass(frozen=True, slots=True, eq=False)
class MeaningBatch:
    """Numbers for each first word, each second word and each pair of sentences; no vectors.

    Words of pair p are `first_offsets[p]` to `first_offsets[p + 1]`, and likewise those of the second
    side. First is the hypothesis, second the reference, wherever a text is scored. Where a side is
    empty, all numbers are 0.
    """

    first_offsets: NDArray[np.int64]
    second_offsets: NDArray[np.int64]
    first_words: Singles
    """Rows of precision, linked, concordant and discordant, one for each first word."""
    second_words: Singles
    """Rows of recall, bigram and linked, one for each second word."""
    totals: Floats
    """Rows of concordant, discordant, linked and squared, one for each pair."""

    def __len__(self) -> int:
        return len(self.totals)

    @property
    def precision(self) -> Singles:
        """The best cosine of each first word with a second word."""
        return self.first_words[:, 0]

    @property
    def recall(self) -> Singles:
        """The best cosine of each second word with a first word."""
        return self.second_words[:, 0]

    @property
    def bigram(self) -> Singles:
        """The best cosine of each second word and the next with two first words in a row.

        It is that of the sums of unit vectors; 0 for the last word of a sentence, which begins no
        bigram, and where the first side has none.
        """
        return self.second_words[:, 1]

    @property
    def concordant(self) -> Floats:
        """The mass of pairs of soft links in order, for each pair of sentences."""
        return self.totals[:, 0]

    @property
    def discordant(self) -> Floats:
        """The mass of pairs of soft links out of order, for each pair of sentences."""
        return self.totals[:, 1]

    @property
    def linked(self) -> Floats:
        """The mass of all soft links, about the number of linked words, for each pair of sentences."""
        return self.totals[:, 2]

    @property
    def squared(self) -> Floats:
        """The sum of squared masses of soft links: near `linked`, where links are clear."""
        return self.totals[:, 3]

    def part(self, begin: int, end: int) -> MeaningBatch:
        """Return the pairs from `begin` to before `end`, without a copy of their numbers."""
        first, second = (
            offsets[begin : end + 1] for offsets in (self.first_offsets, self.second_offsets)
        )
        return MeaningBatch(
            first - first[0],
            second - second[0],
            self.first_words[first[0] : first[-1]],
            self.second_words[second[0] : second[-1]],
            self.totals[begin:end],
        )

    def chosen(self, pairs: NDArray[np.int64]) -> MeaningBatch:
        """Return some pairs, in the order in which they are named."""
        first, first_offsets = ragged_rows(self.first_offsets, pairs)
        second, second_offsets = ragged_rows(self.second_offsets, pairs)
        return MeaningBatch(
            first_offsets,
            second_offsets,
            self.first_words[first],
            self.second_words[second],
            self.totals[pairs],
        )


@dataclass(frozen=True, kw_only=True)
class MeaningOptions:
    """How soft links are made of word vectors, and whose vectors these are.

    Two words are similar by s: the cosine of their vectors, plus `context` times the mean cosine of the
    words before and of the words after them, less `position` times the distance of their relative
    places. With e = exp((s - 1) / temperature) and e0 = exp((floor - 1) / temperature), their soft link
    has the mass e^2 / ((sum of e over its first word + e0) (sum of e over its second word + e0)).
    """

    context: float = 0.3
    position: float = 0.05
    temperature: float = 0.06
    floor: float = 0.6
    folder: str = ""
    """The folder of another model; empty: the installed one."""

    def numbers(self) -> str:
        """Return all options but the folder, as signatures write them.

        >>> MeaningOptions(floor=0.5).numbers()
        'context:0.3,position:0.05,temperature:0.06,floor:0.5'
        """
        named = [entry.name for entry in fields(self) if entry.name != "folder"]
        return ",".join(f"{name}:{getattr(self, name)!r}" for name in named)


class MeaningSource(ABC):
    """Says what word vectors say about a text and another one, segment by segment.

    Metrics reach it through an `Evaluation`, so that nothing is encoded that no metric looks at.
    """

    @abstractmethod
    def meaning(
        self, hypothesis: TextColumn, reference: TextColumn, options: MeaningOptions
    ) -> MeaningBatch:
        """Return what is said about each segment; first words are those of the hypothesis."""
