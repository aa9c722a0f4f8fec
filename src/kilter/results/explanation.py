"""One segment explained: words, links and order, and how every metric comes to its score."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isnan
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kilter.core.dependency_tree import DependencyTree
    from kilter.core.edit_table import EditTable
    from kilter.core.link import Link
    from kilter.core.path_graph import PathGraph
    from kilter.core.permutation import Permutation
    from kilter.results.document import Document
    from kilter.results.order_error import SegmentErrors
    from kilter.results.working import Working

SCHEMA = "kilter.explain/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedScore:
    """A metric's score of the segment, and how it comes about."""

    name: str
    score: float
    signature: str
    higher_is_better: bool
    working: Working | None
    """None where the metric does not tell."""
    reference: str | None
    """The reference that counts; None where all are looked at together."""

    def to_dict(self) -> Document:
        """Return the score as JSON."""
        working = self.working
        found: Document = {
            "score": None if isnan(self.score) else self.score,
            "signature": self.signature,
            "higher_is_better": self.higher_is_better,
            "reference": self.reference,
            "working": None if working is None else working.to_dict(),
        }
        if working is not None and working.edits is not None:
            found["edits"] = _edits(working.edits)
        if working is not None and working.paths is not None:
            found["paths"] = _paths(working.paths)
        return found


@dataclass(frozen=True, slots=True)
class RepairStep:
    """The ordered words after a move: their positions in the hypothesis, and those that have just moved."""

    words: tuple[int, ...]
    moved: tuple[int, ...] = ()

    def to_dict(self) -> Document:
        """Return what moves in this step: blocks of words, each with the word before which it goes; None: the end."""
        went = {*self.moved}
        moves: list[Document] = []
        block: list[int] = []
        for place in self.words:
            if place in went:
                block.append(place)
            elif block:
                moves.append({"words": block, "before": place})
                block = []
        return {"moves": [*moves, *([{"words": block, "before": None}] if block else [])]}


@dataclass(frozen=True, kw_only=True, eq=False)
class Explanation:
    """A hypothesis beside the reference that counts, and what every metric makes of the two.

    Positions are zero-based; `segment` counts from 1. `system` and `segment` are None where two sentences
    were given by themselves.
    """

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    reference_name: str
    links: tuple[Link, ...]
    permutation: Permutation | None
    """The places of the ordered words in the reference; None where the links give no order."""
    ordered: tuple[int, ...]
    """The words of the hypothesis that the permutation orders."""
    errors: SegmentErrors | None
    """What is out of order; None where the links give no order."""
    repair: tuple[RepairStep, ...] = field(repr=False)
    """The ordered words as they stand, and after each move of the smallest set that restores the order."""
    metrics: dict[str, ExplainedScore] = field(repr=False)
    trees: tuple[DependencyTree, DependencyTree] | None = None
    """Of the hypothesis and of the reference, where there are any."""
    system: str | None = None
    segment: int | None = None
    notes: tuple[str, ...] = ()
    certainty: tuple[float, ...] | None = None
    """How certain each link is; None where whoever made them does not tell."""

    @property
    def unlinked_hypothesis(self) -> tuple[int, ...]:
        """The words of the hypothesis without a link."""
        linked = {first for first, _ in self.links}
        return tuple(place for place in range(len(self.hypothesis)) if place not in linked)

    @property
    def unlinked_reference(self) -> tuple[int, ...]:
        """The words of the reference without a link."""
        linked = {second for _, second in self.links}
        return tuple(place for place in range(len(self.reference)) if place not in linked)

    @property
    def ordered_words(self) -> tuple[str, ...]:
        """The words that the permutation orders, as the hypothesis has them."""
        return tuple(self.hypothesis[place] for place in self.ordered)

    @property
    def misplaced(self) -> frozenset[int]:
        """The words of the hypothesis that are out of place."""
        errors = () if self.errors is None else self.errors.errors
        return frozenset(word for error in errors for word in error.words)

    @property
    def moved(self) -> frozenset[int]:
        """The words of the hypothesis that go elsewhere when the order is put right."""
        errors = () if self.errors is None else self.errors.errors
        return frozenset(word for error in errors for word in error.moved)

    def to_dict(self) -> Document:
        """Return the explanation as JSON, as the command prints it."""
        found: Document = {"schema": SCHEMA}
        if self.system is not None:
            found |= {"system": self.system, "segment": self.segment}
        return found | {
            "hypothesis": [*self.hypothesis],
            "reference": [*self.reference],
            "reference_name": self.reference_name,
            "links": [[*link] for link in self.links],
            **({} if self.certainty is None else {"certainty": [*self.certainty]}),
            "permutation": None if self.permutation is None else [*self.permutation.one_based()],
            **self._error_document(),
            "unlinked": {
                "hypothesis": [*self.unlinked_hypothesis],
                "reference": [*self.unlinked_reference],
            },
            "metrics": {name: score.to_dict() for name, score in self.metrics.items()},
            "notes": [*self.notes],
        }

    def _error_document(self) -> Document:
        found = self.errors
        if found is None:
            none: Document = {"errors": None, "moves_needed": None, "loss": None, "repair": None}
            return none | {"added": [], "missing": []}
        return {
            "errors": [error.to_dict() for error in found.errors],
            "moves_needed": found.lower,
            "loss": {
                "metric": found.metric,
                "order": found.loss,
                "crossed": found.crossed_loss,
                "missing": found.missing_loss,
            },
            "repair": [step.to_dict() for step in self.repair[1:]],
            "added": [*found.added],
            "missing": [*found.missing],
        }


def _edits(table: EditTable) -> list[Document]:
    return [
        {
            "edit": str(row.kind),
            "hypothesis": None if row.hypothesis is None else row.hypothesis.position,
            "reference": None if row.reference is None else row.reference.position,
            "cost": row.cost,
            "linked": row.aligned,
        }
        for row in table.rows
    ]


def _paths(graph: PathGraph) -> list[Document]:
    return [
        {
            "reference": [*edge.reference],
            "hypothesis": [*edge.hypothesis],
            "L": edge.cost,
            "L_max": edge.most,
            "chosen": edge.chosen,
        }
        for edge in graph.edges
    ]
