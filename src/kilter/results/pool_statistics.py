"""What the questionnaires of a study are drawn from, counted. [TH] table 6.2"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kilter.results.document import Document

SCHEMA = "kilter.pool/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolCount:
    """The corpora of one language pair and year, or all of them: `pair` is None then.

    `sentences` have a translation and a reference, `in_pool` of them were drawn, `ranked` of those have a
    rank score, whose mean is `rank_score`. Lengths are means over the pool, in words. `permutations` are
    those that exist of the pool's sentences, by type, over all degrees; None where nobody counted.
    """

    pair: str | None
    year: int | None
    corpora: int
    sentences: int
    in_pool: int
    reference_length: float | None
    hypothesis_length: float | None
    ranked: int
    rank_score: float | None
    permutations: Mapping[str, int] | None = None

    def to_dict(self) -> Document:
        """Return a row of the document `kilter.pool/1`."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolStatistics:
    """The pool of a study by language pair and year, and altogether."""

    rows: tuple[PoolCount, ...]
    total: PoolCount

    def to_dict(self) -> Document:
        """Return the JSON document `kilter.pool/1`."""
        return {
            "schema": SCHEMA,
            "rows": [row.to_dict() for row in self.rows],
            "total": self.total.to_dict(),
        }
