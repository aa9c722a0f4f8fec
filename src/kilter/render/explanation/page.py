"""Explanations on one HTML page that needs nothing but itself, light or dark."""

from __future__ import annotations

from html import escape
from math import isnan
from typing import TYPE_CHECKING
from zlib import crc32

from kilter.core.markup import isolated, visible
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
    size_text,
    steps_left,
    table_sums,
)
from kilter.render.explanation.path_graph import HEADINGS as PATH_HEADINGS
from kilter.render.explanation.path_graph import edge_cells
from kilter.render.explanation.picture import PictureName, pictures

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from kilter.results.explanation import ExplainedScore, Explanation, RepairStep

_CLASS = "kilter-explanation"
_STYLE = """
:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --line: #767676; --misplaced: #a33b00; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eaeaea; --paper: #141414; --line: #9a9a9a; --misplaced: #ffb184; }
  /* White becomes the paper of the page. */
  .kilter-explanation figure svg { filter: invert(.92) hue-rotate(180deg); }
}
body { background: var(--paper); color: var(--ink); max-width: 64rem; margin: 0 auto; padding: 1rem;
  font: 1rem/1.5 "Helvetica Neue", Arial, sans-serif; }
.kilter-explanation figure { margin: 1rem 0; overflow-x: auto; }
.kilter-explanation svg { max-width: 100%; height: auto; }
.kilter-explanation .wide { overflow-x: auto; margin: 1.2rem 0; }
.kilter-explanation .wide:focus-visible { outline: 3px solid var(--misplaced); outline-offset: 2px; }
.kilter-explanation table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.kilter-explanation caption { text-align: left; font-weight: bold; padding: .3rem 0; }
.kilter-explanation th, .kilter-explanation td { padding: .1rem .6rem; text-align: left; vertical-align: top; }
.kilter-explanation td.number { text-align: right; }
.kilter-explanation thead th { border-bottom: 1px solid var(--line); }
.kilter-explanation .misplaced { color: var(--misplaced); font-weight: bold; text-decoration: underline; }
.kilter-explanation .unlinked { border: 1px dashed var(--line); padding: 0 .2rem; }
@media print { body { max-width: none; } figure, tr { break-inside: avoid; } }
"""


def explanation_page(explanations: Sequence[Explanation], *, title: str = "Explanation") -> str:
    """Return the page: a section for each explanation."""
    parts = "".join(
        _section(explanation, f"explanation-{number}")
        for number, explanation in enumerate(explanations, start=1)
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Nothing may be loaded from anywhere: styles and pictures are in the page.
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">\n"
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(title)}</h1>\n{parts}</main>\n</body>\n</html>\n"
    )


def explanation_part(explanation: Explanation) -> str:
    """Return one explanation for a notebook, with the looks that it needs."""
    # A notebook is not ours: nothing outside the explanation may change its looks, and two of them may
    # stand in one.
    looks = _STYLE.replace(":root {", f".{_CLASS} {{").replace("body {", f".{_CLASS} {{")
    key = crc32(repr(explanation.to_dict()).encode())
    return f"<style>{looks}</style>\n{_section(explanation, f'explanation-{key:08x}')}"


def _section(explanation: Explanation, name: str) -> str:
    heading = "Two sentences"
    if explanation.system is not None:
        heading = f"{explanation.system}, segment {explanation.segment}"
    drawn = pictures(explanation)
    parts = [
        f'<section class="{_CLASS}" aria-labelledby="{name}">\n',
        f'<h2 id="{name}">{escape(heading)}</h2>\n',
        _sentence(
            "Hypothesis",
            explanation.hypothesis,
            explanation.unlinked_hypothesis,
            explanation.misplaced,
        ),
        _sentence(
            f"Reference ({explanation.reference_name})",
            explanation.reference,
            explanation.unlinked_reference,
        ),
        _errors(explanation),
        *(f"<p>{escape(note)}</p>\n" for note in explanation.notes),
        *(
            f"<figure>\n{drawn[kind]}</figure>\n"
            for kind in (
                PictureName.LINKS,
                PictureName.PERMUTATION,
                PictureName.PERMUTATION_TREE,
                PictureName.TREES,
            )
            if kind in drawn
        ),
        *(_metric(score, explanation) for score in explanation.metrics.values()),
        *(f"<figure>\n{drawn[kind]}</figure>\n" for kind in (PictureName.PATHS,) if kind in drawn),
        "</section>\n",
    ]
    return "".join(parts)


def _sentence(
    label: str, words: Sequence[str], unlinked: Collection[int], misplaced: Collection[int] = ()
) -> str:
    shown = " ".join(
        f'<span class="misplaced" title="out of order">{escape(word)}</span>'
        if place in misplaced
        else f'<span class="unlinked" title="no link">{escape(word)}</span>'
        if place in unlinked
        else escape(word)
        for place, word in enumerate(map(visible, words))
    )
    return f"<p><strong>{escape(label)}</strong>: <bdi>{shown or 'no words'}</bdi></p>\n"


def _errors(explanation: Explanation) -> str:
    found, words = explanation.errors, explanation.hypothesis
    lost = _paragraph(loss_text(explanation))
    if found is not None:
        lost += _paragraph(left_out_text(found))
    if found is None or not found.errors:
        return lost
    rows = [error_cells(error, words, explanation.moved) for error in found.errors]
    caption, headings = f"Out of order: {size_text(found)}", error_headings(found)
    table = _table(caption, headings, rows[:MOST_ERRORS], numbers=error_numbers(found))
    if errors_left(found):
        more = _table("More errors", headings, rows[MOST_ERRORS:], numbers=error_numbers(found))
        table += f"<details>\n<summary>{errors_left(found)}</summary>\n{more}</details>\n"
    steps = "".join(
        f"<li>{_repaired(step, words)}</li>\n" for step in explanation.repair[: MOST_STEPS + 1]
    )
    left = steps_left(explanation.repair)
    told = _paragraph(below_text(found)) + lost
    if found.left_out:  # steps would restore no more than a part of the order
        return f"{table}{told}"
    return f'{table}{told}<p>Put right step by step:</p>\n<ol start="0">\n{steps}</ol>\n{_paragraph(left)}'


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>\n" if text else ""


def _repaired(step: RepairStep, words: Sequence[str]) -> str:
    moved = {*step.moved}
    shown = (
        f'<span class="misplaced">{escape(visible(words[place]))}</span>'
        if place in moved
        else escape(visible(words[place]))
        for place in step.words
    )
    return f"<bdi>{' '.join(shown)}</bdi>"


def _metric(score: ExplainedScore, explanation: Explanation) -> str:
    caption = f"{score.name} = {MISSING if isnan(score.score) else repr(score.score)}"
    if score.reference is not None and score.reference != explanation.reference_name:
        caption += f", against {score.reference}"
    if score.working is None:
        return f"<p>{escape(caption)}: this metric does not tell how its scores come about.</p>\n"
    rows = [
        (step.name, MISSING if isnan(step.value) else
         f"{step.value:.6g}" if isinstance(step.value, float) else str(step.value),
         step.formula, step.meaning)
        for step in score.working.steps
    ]  # fmt: skip
    parts = [_table(caption, ("step", "value", "formula", "meaning"), rows, numbers={1})]
    edits, paths = score.working.edits, score.working.paths
    if edits is not None:
        sums = "; ".join(f"{name}: {value}" for name, value in table_sums(edits))
        cells = [edit_cells(row) for row in edits.rows]
        parts.append(_table(f"Edits of {score.name}; {sums}", EDIT_HEADINGS, cells, numbers={6}))
    if paths is not None:
        reference = [isolated(visible(word)) for word in explanation.reference]
        cells = [edge_cells(edge, reference) for edge in paths.edges]
        sums = f"L: {paths.cost}; L_max: {paths.most}"
        parts.append(_table(f"Paths of {score.name}; {sums}", PATH_HEADINGS, cells, numbers={3, 4}))
    return "".join(parts)


def _table(
    caption: str, headings: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: set[int]
) -> str:
    head = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in headings)
    body = "".join(f"<tr>{''.join(_cells(row, numbers))}</tr>\n" for row in rows)
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{escape(caption)}">\n<table>\n'
        f"<caption>{escape(caption)}</caption>\n<thead>\n<tr>{head}</tr>\n</thead>\n"
        f"<tbody>\n{body}</tbody>\n</table>\n</div>\n"
    )


def _cells(row: Sequence[str], numbers: set[int]) -> Iterator[str]:
    first, *others = row
    yield f'<th scope="row">{escape(first)}</th>'
    for place, cell in enumerate(others, start=1):
        kind = ' class="number"' if place in numbers else ""
        yield f"<td{kind}>{escape(cell)}</td>"
