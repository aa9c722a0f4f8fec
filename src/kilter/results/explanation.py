"""One segment explained: words, links and order, and how every metric comes to its score."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from math import isnan
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.corpus import row_offsets
from kilter.core.counted import counted
from kilter.core.estimate import MISSING
from kilter.core.table import Column, Table
from kilter.results.document import Document, Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.core.block_move import BlockMoveBatch
    from kilter.core.dependency_tree import DependencyTree
    from kilter.core.dependency_tree_edit import EditTable
    from kilter.core.links import Link
    from kilter.core.path_graph import PathGraph
    from kilter.core.permutation import Permutation
    from kilter.results.measure import Working

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
        none: Document = {"errors": None, "moves_needed": None, "loss": None, "repair": None}
        if found is None:
            return none | {"added": [], "missing": []}
        apart = {"added": [*found.added], "missing": [*found.missing]}
        if not found.evidence:
            return none | apart
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
            **apart,
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


LIKELY = 0.65
"""Certainty from which on an error is worth a look."""


class _Named(IntEnum):
    """A number in a column that people read as a word."""

    def __str__(self) -> str:
        return self.name.lower()


class ErrorKind(_Named):
    """What happened to the words of an error.

    `swap`: two neighbouring linked words changed places. `word`: one word stands further away. `phrase`: a
    block of several words does. `inversion`: two blocks of several words changed places of which neither
    can be called the one that moved. `complex`: the words cannot be moved as one block. They stand apart in
    the hypothesis, or some of them move several times or inside a block that moves: moves that share words
    are one error, so that no word is in two.
    """

    SWAP = 0
    WORD = 1
    PHRASE = 2
    INVERSION = 3
    COMPLEX = 4


class Direction(_Named):
    """Where the words of an error should go."""

    LEFT = 0
    RIGHT = 1


class WordState(_Named):
    """What is known of a word beside the order.

    `linked`: it has a counterpart. `added` (in a hypothesis) or `missing` (in a reference): it has none, and
    nothing without counterpart stands in its place on the other side. `unlinked`: it has none, but a
    word of the other side that has none either stands beside the same linked neighbour: probably
    another choice of words.
    """

    LINKED = 0
    ADDED = 1
    MISSING = 2
    UNLINKED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderError:
    """One block move of the smallest set that restores the order of the reference, or several that share words.

    Positions count the words of the hypothesis from 0. `words` are the linked words that are out of place: both
    of a swap, both blocks of an inversion. `span` (half-open) reaches from the first to the last of them and
    may hold words without link. `moved` are the words of the block that is to go, `distance` linked words
    `direction`-wards (of several the longest way), to stand before the word `belongs_before` (the number of
    words: to the end): the next one in the order of the reference, which may move itself. The distance counts the words
    that they are in the wrong order with, on the way to the next word that stays. `cost` is what each metric gains if these
    words alone go to their place, with the same links: before the next word that is not misplaced itself. `share`
    is the error's part of the segment's loss by the first metric if all errors are repaired one after another, so
    that shares add up to 1. `certainty`, from 0 to 1, says how far to trust that it is an error, and not a link that is
    wrong or an order that is as good; from `LIKELY` on it is worth a look.
    """

    kind: ErrorKind
    words: tuple[int, ...]
    moved: tuple[int, ...]
    span: tuple[int, int]
    distance: int
    direction: Direction
    belongs_before: int
    cost: Mapping[str, float]
    share: float
    certainty: float

    @property
    def likely(self) -> bool:
        """Whether it is worth a look."""
        return self.certainty >= LIKELY

    def to_dict(self) -> Document:
        """Return an entry of `errors` in the document `kilter.explain/1`."""
        return {
            "type": str(self.kind),
            "words": list(self.words),
            "moved": list(self.moved),
            "span": list(self.span),
            "distance": self.distance,
            "direction": str(self.direction),
            "belongs_before": self.belongs_before,
            "cost": dict(self.cost),
            "share": self.share,
            "certainty": self.certainty,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentErrors:
    """The order errors of one segment, and its words without link.

    `added` and `unlinked` are positions in the hypothesis, `missing` and `unlinked_reference` in the
    reference (number `reference` of several). `moves` moves restore the order, one for each error but for those that share words; at least
    `lower` are needed, and no fewer do where the set is `exact`. Where more moves are needed than can be
    looked at one by one, there is one error of the kind `complex` for all of them: errors are `coarse`. `loss` is what the first metric, `metric`, gains if all are repaired;
    `crossed_loss` what it loses beside that because equal words are linked crosswise, which is no error, and
    `missing_loss` what it loses because words of the reference have no link: its brevity penalty.
    """

    errors: tuple[OrderError, ...]
    added: tuple[int, ...]
    missing: tuple[int, ...]
    unlinked: tuple[int, ...]
    unlinked_reference: tuple[int, ...]
    reference: int
    moves: int
    lower: int
    metric: str
    loss: float
    crossed_loss: float
    missing_loss: float
    coarse: bool
    evidence: bool
    """Whether the first metric has a score of the segment; where it has none, no error is located."""
    left_out: int = 0
    """Errors that are not among `errors`, because they are doubtful or were to be ignored."""

    @property
    def exact(self) -> bool:
        """Whether no smaller set of moves restores the order."""
        return self.lower == self.moves


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OrderErrors:
    """The order errors of one system, as columns.

    The errors of segment s are rows `offsets[s]` to `offsets[s + 1]`; row e has the linked words
    `words[word_offsets[e]:word_offsets[e + 1]]` (positions in the hypothesis), of which `moved_words` by
    `moved_offsets` are the block that is to go. `costs` has a column for each of `metrics`. States of words
    are `WordState`s, one for each word of all hypotheses, and of the references that were chosen, in a
    row; words of segment s begin at `hypothesis_offsets[s]` and `reference_offsets[s]`.
    """

    system: str
    metrics: tuple[str, ...]
    offsets: NDArray[np.int64]
    kinds: NDArray[np.int8]
    directions: NDArray[np.int8]
    distances: NDArray[np.int32]
    belongs_before: NDArray[np.int32]
    stays_before: NDArray[np.int32]
    """Like `belongs_before`, but of words that no error moves: what is there when other errors are left out."""
    words: NDArray[np.int32]
    word_offsets: NDArray[np.int64]
    moved_words: NDArray[np.int32]
    moved_offsets: NDArray[np.int64]
    costs: NDArray[np.float64]
    shares: NDArray[np.float64]
    certainty: NDArray[np.float64]
    losses: NDArray[np.float64]
    crossed_losses: NDArray[np.float64]
    missing_losses: NDArray[np.float64]
    references: NDArray[np.int32]
    hypothesis_states: NDArray[np.int8]
    hypothesis_offsets: NDArray[np.int64]
    reference_states: NDArray[np.int8]
    reference_offsets: NDArray[np.int64]
    moves: BlockMoveBatch
    """The fewest moves that restore the order; moves that share words are one error."""
    left_out: NDArray[np.int64]
    """How many errors of each segment were left out, as not worth a look or of no interest."""
    coarse: NDArray[np.bool_]
    """Whether one error stands for all moves of a segment, because they are too many to locate each."""
    evidence: NDArray[np.bool_]
    """Whether the first metric has a score of a segment; where it has none, no error is located."""

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of errors of each segment."""
        return np.diff(self.offsets)

    def segments(self) -> NDArray[np.int64]:
        """Return the segment of each error."""
        return np.repeat(np.arange(len(self)), self.counts)

    def coarse_segments(self) -> NDArray[np.int64]:
        """Return the segments in which one error stands for all moves."""
        found: NDArray[np.int64] = np.flatnonzero(self.coarse)
        return found

    def error(self, row: int) -> OrderError:
        """Return an error by its row."""
        words = self.words[self.word_offsets[row] : self.word_offsets[row + 1]].tolist()
        moved = self.moved_words[self.moved_offsets[row] : self.moved_offsets[row + 1]].tolist()
        return OrderError(
            kind=ErrorKind(int(self.kinds[row])),
            words=tuple(words),
            moved=tuple(moved),
            span=(words[0], words[-1] + 1),
            distance=int(self.distances[row]),
            direction=Direction(int(self.directions[row])),
            belongs_before=int(self.belongs_before[row]),
            cost=dict(zip(self.metrics, self.costs[row].tolist(), strict=True)),
            share=float(self.shares[row]),
            certainty=float(self.certainty[row]),
        )

    def shown_losses(self) -> NDArray[np.float64]:
        """Return what each segment loses by the errors that are here, as parts of all that it loses."""
        owners = self.segments()
        parts = self.shares * self.losses[owners]
        losses: NDArray[np.float64] = np.bincount(owners, parts, minlength=len(self)).astype(
            np.float64
        )
        return losses

    def likely(self) -> OrderErrors:
        """Return the errors that are worth a look; losses and moves stay those of all."""
        return self.where(self.certainty >= LIKELY)

    def where(self, wanted: NDArray[np.bool_]) -> OrderErrors:
        """Return the errors for which `wanted` is true; losses and moves stay those of all.

        Where words belong before one whose own error is left out, they belong before the next that stays.
        """
        if wanted.all():
            return self
        belongs_before = np.where(
            self._before_left_out(wanted), self.stays_before, self.belongs_before
        )
        sizes, moved = np.diff(self.word_offsets), np.diff(self.moved_offsets)
        counts = np.bincount(self.segments()[wanted], minlength=len(self))
        return replace(
            self,
            offsets=row_offsets(counts),
            kinds=self.kinds[wanted],
            directions=self.directions[wanted],
            distances=self.distances[wanted],
            belongs_before=belongs_before[wanted],
            stays_before=self.stays_before[wanted],
            words=self.words[np.repeat(wanted, sizes)],
            word_offsets=row_offsets(sizes[wanted]),
            moved_words=self.moved_words[np.repeat(wanted, moved)],
            moved_offsets=row_offsets(moved[wanted]),
            costs=self.costs[wanted],
            shares=self.shares[wanted],
            certainty=self.certainty[wanted],
            left_out=self.left_out + self.counts - counts,
        )

    def _before_left_out(self, wanted: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which errors belong before a word that an error moves for which `wanted` is false."""
        size = int(max(self.belongs_before.max(initial=0), self.moved_words.max(initial=0))) + 1
        owners, moved = self.segments(), np.diff(self.moved_offsets)
        words = np.repeat(owners, moved) * size + self.moved_words
        return np.isin(owners * size + self.belongs_before, words[np.repeat(~wanted, moved)])

    def segment(self, segment: int) -> SegmentErrors:
        """Return the errors of a segment, and its words without link."""
        begin, end = self.offsets[segment : segment + 2].tolist()
        own = slice(*self.hypothesis_offsets[segment : segment + 2].tolist())
        others = slice(*self.reference_offsets[segment : segment + 2].tolist())
        return SegmentErrors(
            errors=tuple(self.error(row) for row in range(begin, end)),
            added=_places(self.hypothesis_states[own], WordState.ADDED),
            missing=_places(self.reference_states[others], WordState.MISSING),
            unlinked=_places(self.hypothesis_states[own], WordState.UNLINKED),
            unlinked_reference=_places(self.reference_states[others], WordState.UNLINKED),
            reference=int(self.references[segment]),
            moves=int(self.moves.counts[segment]),
            lower=int(self.moves.lower[segment]),
            metric=self.metrics[0],
            loss=float(self.losses[segment]),
            crossed_loss=float(self.crossed_losses[segment]),
            missing_loss=float(self.missing_losses[segment]),
            coarse=bool(self.coarse[segment]),
            evidence=bool(self.evidence[segment]),
            left_out=int(self.left_out[segment]),
        )

    def __iter__(self) -> Iterator[SegmentErrors]:
        return map(self.segment, range(len(self)))

    def __repr__(self) -> str:
        kinds = np.bincount(self.kinds, minlength=len(ErrorKind)).tolist()
        named = ", ".join(f"{kind}={kinds[kind]}" for kind in ErrorKind)
        return f"OrderErrors({self.system}: {counted(len(self), 'segment')}, {named})"


def left_out_note(count: int) -> str:
    """Return that so many errors are not shown, and why.

    >>> left_out_note(1)
    '1 possible error is not shown: links nearby are missing, or its words are to be ignored; --all shows it'
    """
    if count == 1:
        return "1 possible error is not shown: links nearby are missing, or its words are to be ignored; --all shows it"
    return (
        f"{count} possible errors are not shown: links nearby are missing, or their words are to be ignored; --all "
        "shows them"
    )


def _places(states: NDArray[np.int8], state: WordState) -> tuple[int, ...]:
    return tuple(np.flatnonzero(states == state).tolist())


class ErrorGrouping(StrEnum):
    """By what errors are grouped.

    `word`, `tag` and `relation` are those of the words that are to move, `construction` is relation and
    tag of the word on which the others of the block hang: known where there are trees. `length` counts the
    words of the hypothesis, `distance` the linked words that a block passes over.
    """

    KIND = "kind"
    WORD = "word"
    TAG = "tag"
    RELATION = "relation"
    CONSTRUCTION = "construction"
    DISTANCE = "distance"
    LENGTH = "length"


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorGroup:
    """Errors that have something in common.

    `loss` is their part of the sum of all segments' losses by the metric; several words that move together
    share it evenly. `occurrences` says how often the word, tag or relation stands in the hypotheses, or how many
    segments have the length; None where there is nothing to count.
    """

    name: str
    errors: int
    loss: float
    occurrences: int | None = None


@dataclass(frozen=True, kw_only=True)
class ErrorSummary(Result):
    """All order errors of a system; groups of the greatest loss come first."""

    schema: ClassVar[str] = "kilter.order-errors/1"
    system: str
    metric: str
    segments: int
    faulty: int
    """Segments with an order error."""
    proved: int
    """Segments in which no smaller set of errors would do."""
    without_evidence: int
    """Segments of which the metric has no score: they have no errors here."""
    errors: int
    left_out: int
    """Further errors that are doubtful, or were to be ignored."""
    loss: float
    """What is lost by the errors that are counted."""
    whole_loss: float
    """What is lost by these and by those that are left out."""
    groups: Mapping[ErrorGrouping, tuple[ErrorGroup, ...]]

    def tables(self, most: int = 10) -> list[Table]:
        """Return what is lost by errors, and a table for each grouping with `most` rows at most."""
        return [
            Table(notes=_loss_notes(self)),
            *(
                _group_table(grouping, groups, self, most)
                for grouping, groups in self.groups.items()
                if groups
            ),
        ]


_TITLES = {
    ErrorGrouping.KIND: "by kind of error",
    ErrorGrouping.WORD: "by word",
    ErrorGrouping.TAG: "by part of speech",
    ErrorGrouping.RELATION: "by relation",
    ErrorGrouping.CONSTRUCTION: "by construction",
    ErrorGrouping.DISTANCE: "by distance, in linked words",
    ErrorGrouping.LENGTH: "by words of the sentence",
}
# What is counted beside the errors, by grouping.
_OCCURRENCES = {
    ErrorGrouping.WORD: "occurrences",
    ErrorGrouping.TAG: "occurrences",
    ErrorGrouping.RELATION: "occurrences",
    ErrorGrouping.LENGTH: "segments",
}


def _group_table(
    grouping: ErrorGrouping, groups: Sequence[ErrorGroup], summary: ErrorSummary, most: int
) -> Table:
    columns = [
        Column("name", "", str(grouping)), Column("errors"), Column("loss", ".4f", f"{summary.metric} lost"),
        Column("share", lambda loss: f"{loss / summary.loss:.1%}" if summary.loss else MISSING),
    ]  # fmt: skip
    rows = [[group.name, group.errors, group.loss, group.loss] for group in groups[:most]]
    if grouping in _OCCURRENCES:
        columns.append(Column("occurrences", "", _OCCURRENCES[grouping]))
        rows = [[*row, group.occurrences] for row, group in zip(rows, groups[:most], strict=True)]
    more = [f"and {len(groups) - most} more"] if len(groups) > most else []
    return Table(_TITLES[grouping], columns, rows, more)


def _left_out(summary: ErrorSummary) -> list[str]:
    """Return that errors are not shown, what part of the loss the others are, and that counts compare no systems."""
    if not summary.left_out:
        return []
    loss = f"With them {summary.metric} loses {summary.whole_loss:.4f}."
    counts = "Do not compare systems by these counts: one with fewer links shows fewer errors."
    return [f"{left_out_note(summary.left_out)}. {loss}", f"{counts} Compare {summary.metric}."]


def _without_evidence(summary: ErrorSummary) -> list[str]:
    """Return how many segments have no score, and so no errors."""
    if not summary.without_evidence:
        return []
    have = "has" if summary.without_evidence == 1 else "have"
    told = f"{counted(summary.without_evidence, 'segment')} {have} no {summary.metric}: too few words are linked."
    return [f"{told} Errors are not counted there."]


def _loss_notes(summary: ErrorSummary) -> list[str]:
    """Return how many errors there are and what they cost, and what is not counted."""
    segments = counted(summary.segments, "segment")
    hidden = [*_left_out(summary), *_without_evidence(summary)]
    if not summary.errors:
        none = "no error is worth a look" if summary.left_out else "nothing is out of order"
        return [f"{summary.system}: {none} in {segments}.", *hidden]
    least = "no smaller set of moves restores the order"
    if summary.proved < summary.segments:
        least += f" (proved in {counted(summary.proved, 'segment')})"
    mean = summary.loss / summary.segments
    part = f"{summary.loss / summary.whole_loss:.1%}" if summary.whole_loss else "none"
    share = f"{part} of the {summary.metric} that is lost, " if summary.left_out else ""
    errors = f"{counted(summary.errors, 'order error')} in {summary.faulty} of {segments}"
    return [
        f"{summary.system}: {errors} cost {summary.loss:.4f} {summary.metric} in all, {share}{mean:.4f} per segment; {least}.",
        *hidden,
    ]
