"""How well two sets of links agree: what `kilter align --agreement` and `kilter annotate agreement` find."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter import __version__
from kilter.stats.undefined import Undefined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.results.document import Document
    from kilter.stats.undefined import Number

SCHEMA = "kilter.link-agreement/1"
MEASURES = ("precision", "recall", "f1", "aer", "kappa", "frs")
"""Attributes of a comparison that are measures, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class IntervalValue:
    """A number, or why there is none, with the ends of its bootstrap interval if it has one."""

    value: Number
    low: float | None = None
    high: float | None = None

    @property
    def known(self) -> float | None:
        """The number, None where there is none."""
        return None if isinstance(self.value, Undefined) else self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkComparison:
    """The links of `first` against those of `second`, which are taken as right.

    `sentences` are those of both, `compared` those of them whose words are the same on both sides: links are
    counted in these alone, reorderings of the source in all. `links` are the first's, `sure` the second's
    sure ones.
    """

    first: str
    second: str
    sentences: int
    compared: int
    links: int
    sure: int
    common: int
    precision: IntervalValue
    recall: IntervalValue
    f1: IntervalValue
    aer: IntervalValue
    kappa: IntervalValue
    frs: IntervalValue

    def measures(self) -> dict[str, IntervalValue]:
        """Return all measures by their names."""
        return {name: getattr(self, name) for name in MEASURES}

    def to_dict(self) -> Document:
        """Return a row of the document; a measure without a value is None, and `undefined` says why."""
        row: Document = {
            name: getattr(self, name)
            for name in ("first", "second", "sentences", "compared", "links", "sure", "common")
        }
        for name, found in self.measures().items():
            row |= {name: found.known, f"{name}_low": found.low, f"{name}_high": found.high}
        return row | {
            "undefined": {
                name: found.value.reason
                for name, found in self.measures().items()
                if isinstance(found.value, Undefined)
            }
        }


def comparison_document(comparisons: Sequence[LinkComparison]) -> Document:
    """Return the JSON document `kilter.link-agreement/1`."""
    return {
        "schema": SCHEMA,
        "version": __version__,
        "comparisons": [each.to_dict() for each in comparisons],
    }
