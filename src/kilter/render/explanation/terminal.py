"""An explanation for a terminal: marked words, their order, its tree, and every metric's working."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import isnan
from typing import TYPE_CHECKING

from kilter.core.markup import GAP, isolated, padded, text_table, text_width, visible, wrapped
from kilter.core.permutation_tree import outline
from kilter.render.explanation.error_table import HEADINGS as EDIT_HEADINGS
from kilter.render.explanation.error_table import (
    MISSING,
    MOST_ERRORS,
    MOST_STEPS,
    below_text,
    edit_cells,
    error_cells,
    error_headings,
    error_numbers,
    errors_left,
    left_out_text,
    loss_text,
    short_error_text,
    size_text,
    steps_left,
    table_sums,
)
from kilter.render.explanation.path_graph import HEADINGS as PATH_HEADINGS
from kilter.render.explanation.path_graph import edge_cells

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kilter.core.permutation_tree import PermutationTree
    from kilter.results.explanation import ExplainedScore, Explanation, SegmentErrors
    from kilter.results.measure import Working

_LEAST_FORMULA = 24
"""Columns of a formula where a page has fewer left."""


class _Style(StrEnum):
    """How a text stands out where colours are shown."""

    PLAIN = ""
    HEADING = "1"
    MISPLACED = "1;31"
    UNLINKED = "2"


@dataclass(frozen=True, slots=True)
class _Cell:
    """A word with what stands below it."""

    word: str
    below: str
    mark: str
    style: _Style

    @property
    def width(self) -> int:
        return max(text_width(self.word), len(self.below))


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminalPage:
    """How wide a terminal is, and whether it shows colours."""

    width: int
    colour: bool = False

    def text(self, explanation: Explanation) -> str:
        """Return what is out of order, where it belongs, the steps that put it right, and the scores."""
        parts = [
            self._heading(explanation),
            "\n".join(self._words(explanation)),
            *self._short_errors(explanation),
            self._scores(explanation),
            *(self._wrapped(f"note: {note}") for note in explanation.notes),
        ]
        return "\n\n".join(part for part in parts if part) + "\n"

    def work(self, explanation: Explanation, trees: Iterable[PermutationTree] = ()) -> str:
        """Return everything, how each score comes about included; `trees` are further trees of its permutation."""
        parts = [
            self._heading(explanation),
            "\n".join(self._words(explanation)),
            *self._errors(explanation),
            *self._order(explanation, trees),
            *self._trees(explanation),
            *(self._metric(score, explanation) for score in explanation.metrics.values()),
            *(self._wrapped(f"note: {note}") for note in explanation.notes),
        ]
        return "\n\n".join(part for part in parts if part) + "\n"

    def _styled(self, text: str, style: _Style) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if self.colour and style and text.strip() else text

    def _wrapped(self, text: str) -> str:
        return "\n".join(wrapped(text, self.width)) if text else ""

    def _heading(self, explanation: Explanation) -> str:
        if explanation.system is None:
            return ""
        text = (
            f"{visible(explanation.system)}, segment {explanation.segment}, against "
            f"{visible(explanation.reference_name)}"
        )
        return self._styled(text, _Style.HEADING)

    def _words(self, explanation: Explanation) -> Iterator[str]:
        places: dict[int, str] = {}
        if explanation.permutation is not None:
            ranks = explanation.permutation.one_based()
            places = dict(zip(explanation.ordered, map(str, ranks), strict=True))
        alone, misplaced = {*explanation.unlinked_hypothesis}, {*explanation.misplaced}
        cells = [
            _cell(
                word,
                places.get(place, "-"),
                unlinked=place in alone,
                misplaced=place in misplaced,
            )
            for place, word in enumerate(explanation.hypothesis)
        ]
        yield from self._banded("hypothesis", cells, places=bool(places))
        alone = {*explanation.unlinked_reference}
        cells = [
            _cell(word, "", unlinked=place in alone)
            for place, word in enumerate(explanation.reference)
        ]
        yield from self._banded("reference", cells, places=False)
        if explanation.unlinked_hypothesis or explanation.unlinked_reference:
            rank = "; position: rank in the reference, of linked words" if places else ""
            yield self._wrapped(f"·: word without a link{rank}")

    def _banded(self, label: str, cells: Sequence[_Cell], *, places: bool) -> Iterator[str]:
        """Yield lines of words as wide as the page, each with the places and the marks of its words."""
        indent = len("hypothesis") + len(GAP)
        for number, band in enumerate(_bands(cells, self.width - indent)):
            name = label if number == 0 else ""
            yield _line(
                name, indent, [self._styled(padded(c.word, c.width), c.style) for c in band]
            )
            if places:
                yield _line("position", indent, [padded(c.below, c.width) for c in band])
            if any(c.mark for c in band):
                yield _line(
                    "", indent, [padded(c.mark * text_width(c.word), c.width) for c in band]
                )

    def _short_errors(self, explanation: Explanation) -> Iterator[str]:
        """Yield a line for each error, the steps of the repair, and words without counterpart."""
        found = explanation.errors
        if found is None:
            return
        if found.errors:
            moved = explanation.moved
            lines = [
                short_error_text(error, explanation.hypothesis, moved)
                for error in found.errors[:MOST_ERRORS]
            ]
            heading = "out of order"
            rest = [line for line in (errors_left(found),) if line]
            size = f"{self._styled(heading, _Style.HEADING)}: {size_text(found)}"
            yield "\n".join([size, *(f"{GAP}{line}" for line in (*lines, *rest))])
            if not found.left_out:  # else the steps would restore no more than a part of the order
                steps = [line for number, line in enumerate(self._repair(explanation)) if number]
                yield "\n".join(["restored step by step", *steps])
        elif explanation.links and found.evidence and not found.left_out:
            yield "nothing is out of order"
        yield self._wrapped(left_out_text(found))
        yield self._apart(explanation, found)

    def _scores(self, explanation: Explanation) -> str:
        """Return the scores in a line."""
        scores = [
            f"{score.name} {MISSING if isnan(score.score) else format(score.score, '.4f')}"
            for score in explanation.metrics.values()
        ]
        return (
            self._wrapped(f"scores: {', '.join(scores)} (--work shows how they are computed)")
            if scores
            else ""
        )

    def _errors(self, explanation: Explanation) -> Iterator[str]:
        """Yield what is out of order, how it is restored step by step, and words without counterpart."""
        found = explanation.errors
        if found is None:
            return
        if found.errors:
            words = explanation.hypothesis
            moved = explanation.moved
            rows = [error_cells(error, words, moved) for error in found.errors[:MOST_ERRORS]]
            table = text_table(
                [error_headings(found), *rows],
                numbers=error_numbers(found),
                width=self.width - len(GAP),
            )
            heading = "out of order"
            size = self._wrapped(f"{heading}: {size_text(found)}")
            size = size.replace(heading, self._styled(heading, _Style.HEADING), 1)
            rest = [line for line in (errors_left(found),) if line]
            yield "\n".join([size, *(f"{GAP}{line}" for line in (*table, *rest))])
            yield self._wrapped(below_text(found))
            if not found.left_out:
                yield "\n".join(["restored step by step", *self._repair(explanation)])
        elif explanation.links and found.evidence and not found.left_out:
            yield "nothing is out of order"
        yield self._wrapped(left_out_text(found))
        yield self._wrapped(loss_text(explanation))
        yield self._apart(explanation, found)

    def _apart(self, explanation: Explanation, found: SegmentErrors) -> str:
        """Return the words without counterpart."""
        apart = (
            ("added, without a counterpart", found.added, explanation.hypothesis),
            ("missing, without a counterpart", found.missing, explanation.reference),
            ("probably another choice of words", found.unlinked, explanation.hypothesis),
            ("in the place of", found.unlinked_reference, explanation.reference),
        )
        return "\n".join(
            self._wrapped(
                f"{label}: {', '.join(isolated(visible(words[place])) for place in places)}"
            )
            for label, places, words in apart
            if places
        )

    def _repair(self, explanation: Explanation) -> Iterator[str]:
        words = [visible(word) for word in explanation.hypothesis]
        for number, step in enumerate(explanation.repair[: MOST_STEPS + 1]):
            moved = {*step.moved}
            cells = [
                _Cell(f"[{words[place]}]", "", "", _Style.MISPLACED)
                if place in moved
                else _Cell(words[place], "", "", _Style.PLAIN)
                for place in step.words
            ]
            label = f"{GAP}{number}{GAP}"
            for at, band in enumerate(_bands(cells, self.width - len(label), gap=1)):
                shown = " ".join(self._styled(cell.word, cell.style) for cell in band)
                yield f"{' ' * len(label) if at else label}{shown}"
        rest = steps_left(explanation.repair)
        if rest:
            yield f"  {rest}"

    def _order(self, explanation: Explanation, trees: Iterable[PermutationTree]) -> Iterator[str]:
        permutation = explanation.permutation
        if permutation is None or len(permutation) == 0:
            return
        yield self._wrapped(f"permutation  {' '.join(map(str, permutation.one_based()))}")
        words = [isolated(visible(word)) for word in explanation.ordered_words]
        yield f"permutation tree\n{outline(permutation.tree(), words)}"
        for number, tree in enumerate(trees, start=1):
            yield f"tree {number}\n{outline(tree, words)}"

    def _trees(self, explanation: Explanation) -> Iterator[str]:
        if explanation.trees is not None:
            for side, tree in zip(("hypothesis", "reference"), explanation.trees, strict=True):
                yield f"tree of the {side}\n{tree.draw()}"

    def _metric(self, score: ExplainedScore, explanation: Explanation) -> str:
        heading = f"{score.name} = {_number(score.score)}"
        if score.reference is not None and score.reference != explanation.reference_name:
            heading += f", against {visible(score.reference)}"
        parts = [self._styled(heading, _Style.HEADING)]
        if score.working is None:
            return f"{parts[0]}\n  this metric does not tell how its scores come about"
        parts += [f"  {line}" for line in _step_lines(score.working, self.width - 2)]
        parts += _tree_tables(score.working, explanation.reference)
        return "\n".join(parts)


def _cell(word: str, below: str, *, unlinked: bool, misplaced: bool = False) -> _Cell:
    if misplaced:
        return _Cell(visible(word), below, "^", _Style.MISPLACED)
    if unlinked:
        return _Cell(visible(word), below, "·", _Style.UNLINKED)
    return _Cell(visible(word), below, "", _Style.PLAIN)


def _bands(cells: Sequence[_Cell], width: int, gap: int = len(GAP)) -> Iterator[list[_Cell]]:
    """Yield cells that fit into a line; a word that is wider has a line of its own."""
    band: list[_Cell] = []
    used = 0
    for cell in cells:
        needed = cell.width + (gap if band else 0)
        if band and used + needed > width:
            yield band
            band, used, needed = [], 0, cell.width
        band.append(cell)
        used += needed
    yield band


def _line(label: str, indent: int, texts: Sequence[str]) -> str:
    return f"{label:<{indent}}{GAP.join(texts)}".rstrip()


def _number(value: float) -> str:
    """Return a number of a working: whole ones as they are, others with six digits, or that it is missing."""
    if isnan(value):
        return MISSING
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _step_lines(working: Working, width: int) -> list[str]:
    """Return a line for each step; a formula that does not fit goes on below its beginning."""
    rows = [(step.name, _number(step.value), step.meaning) for step in working.steps]
    lines = text_table(rows, numbers={1})
    start = max(map(text_width, lines)) + len(GAP)
    room = max(width - start, _LEAST_FORMULA)
    found: list[str] = []
    for line, step in zip(lines, working.steps, strict=True):
        formula = wrapped(step.formula, room)
        found.append((padded(line, start) + formula[0]).rstrip())
        found += [" " * start + rest for rest in formula[1:]]
    return found


def _tree_tables(working: Working, reference: Sequence[str]) -> Iterator[str]:
    if working.edits is not None:
        rows = [tuple(map(visible, edit_cells(row))) for row in working.edits.rows]
        yield ""
        yield from (f"  {line}" for line in text_table([EDIT_HEADINGS, *rows], numbers={6}))
        yield from (f"  {name} {value}" for name, value in table_sums(working.edits))
    if working.paths is not None:
        shown = [isolated(visible(word)) for word in reference]
        cells = [edge_cells(each, shown) for each in working.paths.edges]
        yield ""
        yield from (f"  {line}" for line in text_table([PATH_HEADINGS, *cells], numbers={3, 4}))
        yield f"  sums of what is taken: L {working.paths.cost}, L_max {working.paths.most}"
