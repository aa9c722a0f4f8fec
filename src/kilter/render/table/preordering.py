"""Parsers x rule sets as people and programs read them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.estimate import p_text
from kilter.core.table import Note, people_text
from kilter.render.table.long_table import LongTable, write_result
from kilter.render.table.page import PAGE, Page
from kilter.render.table.table import TableFormat, write_cells
from kilter.results.comparison import mark_note
from kilter.results.preordering import AnalysedSentence, Analysis, RowOrder
from kilter.stats.significance import LEAST_SEGMENTS, TIE, evidence_note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import TextIO

    from numpy.typing import NDArray

    from kilter.core.estimate import Estimate
    from kilter.results.comparison import Comparison, MetricComparison
    from kilter.results.preordering import (
        AnalysisResult,
        HeldOutGain,
        LearnedParser,
        PreorderEvaluation,
        PreorderSystem,
        RuleScores,
        RuleSearchResult,
        SelfTrainingResult,
    )

    Scores = Mapping[tuple[str, str], NDArray[np.float64]]

_PUBLISHED_RULES = re.compile("r([1-5])")
"""The rule sets that are named after those of [FRS]."""
# Wider triangles of documents are hard to read.
_DOCUMENT_COLUMNS = 8


def write_preorder(
    result: PreorderEvaluation, out: TextIO, *, form: TableFormat, width: int = PAGE
) -> None:
    """Write scores, then a triangle of marks for each metric."""
    write_result(
        out,
        form,
        document=result.to_dict,
        rows=lambda: _rows(result),
        page=lambda: _write_page(result, Page(out, form, width)),
    )


def _rows(result: PreorderEvaluation) -> LongTable:
    rows: list[dict[str, float | str | None]] = []
    for place, system in enumerate(result.systems):
        row = {"name": system.name, "parser": system.parser, "rules": system.rules}
        scores = {}
        for metric in result.comparison.metrics:
            interval = metric.intervals[place]
            scores[metric.name] = interval.value
            scores[f"{metric.name}_low"], scores[f"{metric.name}_high"] = (
                interval.low,
                interval.high,
            )
        rows.append({**row, **scores, **result.accuracy(system)._asdict()})
    return LongTable.of(list(rows[0]), rows)


def _write_page(result: PreorderEvaluation, page: Page) -> None:
    systems, metrics = result.systems, result.comparison.metrics
    parsers = [system.parser for system in systems]
    rules = [system.rules for system in systems]
    page.start([*parsers, *rules])
    known = {
        name: value
        for name, value in result.accuracy(systems[0])._asdict().items()
        if value is not None
    }
    names = ["system", "parser", "rules", *(metric.name for metric in metrics), *known]
    rows = [
        [
            system.name,
            parser,
            rule,
            *(score_cell(metric.intervals[place]) for metric in metrics),
            *(f"{getattr(result.accuracy(system), name):.4f}" for name in known),
        ]
        for place, (system, parser, rule) in enumerate(
            zip(systems, page.labels(parsers), page.labels(rules), strict=True)
        )
    ]
    write_cells(page.form, page.out, names, rows, left=3)
    for metric in metrics:
        if len(systems) > 1:
            page.out.write("\n")
            page.heading(f"{metric.name}: row against column")
            _write_triangle(result.comparison.systems, metric, page)
    page.notes(
        [
            *_notes(result.comparison),
            *_number_note(systems),
            *page.full_names([*dict.fromkeys([*parsers, *rules])]),
        ]
    )


def _write_triangle(names: Sequence[str], metric: MetricComparison, page: Page) -> None:
    marks = {(pair.first, pair.second): pair.mark for pair in metric.pairs}
    columns = [
        (
            column,
            [
                str(marks[column, row] or "-") if first < second else ""
                for second, row in enumerate(names[1:], start=1)
            ],
        )
        for first, column in enumerate(names[:-1])
    ]
    most = None if page.form is TableFormat.TEXT else _DOCUMENT_COLUMNS
    page.table("", list(names[1:]), columns, most=most)


def _notes(comparison: Comparison) -> Iterator[Note]:
    segments, drawn = comparison.segments, comparison.resampling
    samples = counted(drawn.count, "bootstrap sample")
    drawing = f"; 95% intervals from {samples}, seed {drawn.seed}"
    yield Note(
        counted(segments, "sentence") + (drawing if segments >= LEAST_SEGMENTS else "") + "."
    )
    rough = evidence_note(segments)
    if rough:
        yield Note(rough)
    for metric in comparison.metrics:
        yield Note("", metric.signature)
    if len(comparison.systems) > 1:
        yield mark_note(comparison)
    for note in comparison.notes:
        yield Note(f"{note[0].upper()}{note[1:]}.")


def _number_note(systems: Sequence[PreorderSystem]) -> Iterator[Note]:
    """Yield that P1R2 is not the R2 of [FRS], where a rule set of [FRS] stands under another number."""
    for system in systems:
        published = _PUBLISHED_RULES.fullmatch(system.rules)
        if published and not system.name.endswith(f"R{published[1]}"):
            yield Note(
                "P and R count parsers and rule sets in the order given: "
                f"{system.name} is {system.rules}, R{published[1]} of [FRS]."
            )
            return


def score_cell(interval: Estimate) -> str:
    """Return a score with its interval, for people."""
    if interval.value is None:
        return "-"
    if interval.low is None or interval.high is None:
        return f"{interval.value:.4f}"
    return f"{interval.value:.4f} [{interval.low:.4f}, {interval.high:.4f}]"


_SORTED = {
    RowOrder.WRONG_PAIRS: "in the most wrong pairs",
    RowOrder.MISORDERED: "most often misordered",
    RowOrder.RATE: "with the highest rate of misordered ones",
    RowOrder.COUNT: "that occur most",
}
_TITLES = {
    Analysis.WORDS: "words",
    Analysis.CLASSES: "classes of words",
    Analysis.SENTENCES: "worst sentences",
    Analysis.RULES: "rules and their groups, the costliest first",
}
# How many columns hold text; everything else is a number.
_LEFT = {Analysis.WORDS: 1, Analysis.CLASSES: 2, Analysis.RULES: 2}


def write_analyses(result: AnalysisResult, out: TextIO, *, form: TableFormat) -> None:
    """Write the rows of each analysis; rows for programs take a result with one analysis."""
    write_result(
        out,
        form,
        document=result.to_dict,
        rows=lambda: _rows_preorder_analysis(result),
        page=lambda: _write_page_preorder_analysis(result, Page(out, form)),
    )


def _rows_preorder_analysis(result: AnalysisResult) -> LongTable:
    (analysed,) = result.analyses.values()
    rows = [row.to_dict() for row in analysed]
    return LongTable.of(list(rows[0]) if rows else ["segment"], rows)


def _write_page_preorder_analysis(result: AnalysisResult, page: Page) -> None:
    form, out = page.form, page.out
    rules = [result.rules] + ([] if result.after_rules is None else [result.after_rules])
    page.start([result.parser, *rules])
    last = list(result.analyses)[-1]
    for name, rows in result.analyses.items():
        sentences = [row for row in rows if isinstance(row, AnalysedSentence)]
        compared = any(row.other is not None for row in sentences)
        title = "sentences that differ most" if compared else _title(name, result)
        page.heading(f"{title}: {result.parser} x {', '.join(rules)}")
        if not rows:
            out.write("none\n")
        elif sentences:
            _write_sentences(sentences, page)
        else:
            listed = [row.to_dict() for row in rows]
            cells = [[_cell(value) for value in row.values()] for row in listed]
            left = _LEFT[name] + (name is Analysis.RULES and result.after_rules is not None)
            write_cells(form, out, list(listed[0]), cells, left=left)
        if name != last:
            out.write("\n")
    after = "" if result.after_score is None else f", then {result.after_score:.4f}"
    summary = f"{counted(result.segments, 'sentence')}, frs {result.score:.4f}{after}."
    page.notes([Note(summary), Note("", result.signature)])


def _title(name: Analysis, result: AnalysisResult) -> str:
    if name not in (Analysis.WORDS, Analysis.CLASSES):
        return _TITLES[name]
    if result.after_rules is not None and result.sort is not RowOrder.COUNT:
        return f"{_TITLES[name]} that changed most by {result.sort.field.replace('_', ' ')}"
    return f"{_TITLES[name]} {_SORTED[result.sort]}"


def _write_sentences(rows: Sequence[AnalysedSentence], page: Page) -> None:
    """Write each sentence by itself: whole sentences side by side are wider than any page."""
    for place, row in enumerate(rows):
        short, long = _figures(row), _orders(row)
        if page.form is TableFormat.TEXT:
            page.out.write("  ".join(f"{name} {value}" for name, value in short.items()) + "\n")
            page.out.writelines(f"  {name:12}  {text}\n" for name, text in long.items())
            for tree in row.drawn:
                page.out.writelines(f"    {line}\n" for line in tree.draw().splitlines())
            continue
        if place:
            page.out.write("\n")
        write_cells(page.form, page.out, list(short), [list(short.values())])
        page.out.write("\n")
        write_cells(
            page.form, page.out, ["order", "words"], [list(pair) for pair in long.items()], left=2
        )


def _figures(row: AnalysedSentence) -> dict[str, str]:
    figures = {
        "segment": _cell(row.segment),
        "score": _cell(row.score),
        "chunks": _cell(row.chunks),
    }
    if row.other is None:
        return figures
    compared = {"other_score": _cell(row.other.score), "difference": _cell(row.other.difference)}
    return figures | compared


def _orders(row: AnalysedSentence) -> dict[str, str]:
    orders = {"source": row.source, "system": row.system}
    if row.other is not None:
        orders["other system"] = row.other.system
    orders["reference"] = row.reference
    if row.other is not None and row.other.tree is not None and not row.drawn:
        orders |= {"tree": row.other.tree, "other tree": row.other.other_tree or ""}
    return orders


def _cell(value: float | str | None) -> str:
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


_SHOWN = 5


def write_change(
    systems: Sequence[tuple[str, str, str]],
    before: Scores,
    after: Scores,
    out: TextIO,
    *,
    form: TableFormat,
) -> None:
    """Write for each system whose scores changed: the mean change, and sentences better and worse.

    Systems are (name, parser, rules); sentences are counted from 1, those that changed most first.
    """
    rows = []
    for metric, name in after:
        change = after[metric, name] - before[metric, name]
        better, worse = np.flatnonzero(change > TIE), np.flatnonzero(change < -TIE)
        if not better.size and not worse.size:
            continue
        (parser, rules) = next((p, r) for system, p, r in systems if system == name)
        rows.append(
            [
                metric,
                name,
                parser,
                rules,
                f"{float(change.mean()):+.4f}",
                f"{better.size}{_most(change, better)}",
                f"{worse.size}{_most(-change, worse)}",
            ]
        )
    Page(out, form).heading("change since the last run" if rows else "nothing has changed")
    if rows:
        names = ["metric", "system", "parser", "rules", "change", "better (most)", "worse (most)"]
        write_cells(form, out, names, rows, left=4)


def _most(change: NDArray[np.float64], places: NDArray[np.int64]) -> str:
    if not places.size:
        return ""
    order = places[np.argsort(-change[places], kind="stable")][:_SHOWN]
    return f" ({' '.join(str(place + 1) for place in order.tolist())})"


_COLUMNS = ("step", "change", "gain", "frs", "kendall", "held_out_frs", "held_out_kendall")
_LEVEL_COLUMNS = ("level", "least gain", "steps", "frs", "kendall", "gain", "low", "high", "chosen")
_FEW_HELD_OUT = 30


def search_rows(result: RuleSearchResult) -> LongTable:
    """Return a row for every step."""
    return LongTable.of(_COLUMNS, _rows_rule_search(result))


def write_rule_search(
    result: RuleSearchResult, out: TextIO, form: TableFormat, *, width: int
) -> None:
    """Write what each step changed and gained, and what held-out sentences say of it."""
    page = Page(out, form, width)
    page.start(())
    held = result.held_out > 0
    names = _COLUMNS if held else _COLUMNS[:-2]
    rows = [[_cell_rule_search(row[name]) for name in names] for row in _rows_rule_search(result)]
    if result.levels:
        page.heading("how far to go: cross-validation")
        write_cells(form, out, list(_LEVEL_COLUMNS), _level_cells(result))
        out.write("\n")
        page.heading("the search")
    write_cells(form, out, [name.replace("_", " ") for name in names], rows, left=2)
    page.notes([Note(text) for text in _notes_rule_search(result)])


def _rows_rule_search(result: RuleSearchResult) -> list[dict[str, object]]:
    rows = []
    before: RuleScores | None = None
    for number, step in enumerate(result.steps):
        rows.append(
            {
                "step": number,
                "change": step.what,
                "gain": None if before is None else step.training.objective - before.objective,
                "frs": step.training.frs,
                "kendall": step.training.kendall,
                "held_out_frs": None if step.held_out is None else step.held_out.frs,
                "held_out_kendall": None if step.held_out is None else step.held_out.kendall,
            }
        )
        before = step.training
    return rows


def _level_cells(result: RuleSearchResult) -> list[list[str]]:
    return [
        [
            str(number),
            "-" if level.minimum_gain is None else f"{level.minimum_gain:.4g}",
            f"{level.steps:.1f}",
            f"{level.held_out.frs:.4f}",
            f"{level.held_out.kendall:.4f}",
            *(f"{each:+.4f}" for each in level.gain),
            "*" if number == result.level else "",
        ]
        for number, level in enumerate(result.levels)
    ]


def _cell_rule_search(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _notes_rule_search(result: RuleSearchResult) -> list[str]:
    found = [
        f"{counted(result.tried, 'rule set')} scored on {counted(result.sentences, 'sentence')}; objective "
        f"{result.objective}" + (" (frs + kendall / 2)" if result.objective == "mix" else "")
    ]
    if result.levels:
        found.append(
            f"how small a gain may be was decided by {result.folds} folds of these sentences, each scored by rules that were "
            "searched on the others; the level with the best objective was taken"
        )
    if not result.finished:
        found.append(
            "the search was stopped before every change had been tried in vain; --passes goes on"
        )
    if result.gain is None:
        found.append("nothing was held out: what the rules gain elsewhere is not known")
        return found
    gain, low, high = result.gain
    verdict = "a gain" if low > 0 else "a loss" if high < 0 else "no difference beyond chance"
    found.append(
        f"on {counted(result.held_out, 'held-out sentence')} the objective changed by {gain:+.4f} "
        f"[{low:+.4f}, {high:+.4f}]: {verdict}"
    )
    if result.held_out < _FEW_HELD_OUT:
        found.append(f"{counted(result.held_out, 'sentence')} are few to say so")
    return found


_COLUMNS_self_training = (
    "table", "parser", "what", "picked", "changed", "first", "selected", "worst", "training", "frs", "frs_low",
    "frs_high", "kendall", "kendall_low", "kendall_high", "las", "uas", "tags", "model",
)  # fmt: skip


def write_self_training(
    result: SelfTrainingResult, out: TextIO, *, form: TableFormat, width: int = PAGE
) -> None:
    """Write what each round picked and scores, and whether the last is better than the first."""
    write_result(
        out,
        form,
        document=result.to_dict,
        rows=lambda: self_training_rows(result),
        page=lambda: _write_page_self_training(result, Page(out, form, width)),
    )


def self_training_rows(result: SelfTrainingResult) -> LongTable:
    """Return a row for every parser."""
    tables = (("round", result.rounds), ("contrast", result.contrasts))
    return LongTable.of(
        _COLUMNS_self_training, [_row(name, parser) for name, listed in tables for parser in listed]
    )


def _row(table: str, parser: LearnedParser) -> dict[str, object]:
    pick, accuracy = parser.pick, parser.accuracy
    picked = ("picked", "changed", "first", "selected", "worst")
    return {
        "table": table,
        "parser": parser.name,
        "what": parser.what,
        **{name: None if pick is None else getattr(pick, name) for name in picked},
        "training": parser.training,
        **{
            f"{metric}{end}": getattr(getattr(parser, metric), field)
            for metric in ("frs", "kendall")
            for end, field in (("", "value"), ("_low", "low"), ("_high", "high"))
        },
        **{
            name: None if accuracy is None else getattr(accuracy, name)
            for name in ("las", "uas", "tags")
        },
        "model": parser.model,
    }


def _write_page_self_training(result: SelfTrainingResult, page: Page) -> None:
    page.start(())
    page.heading("rounds")
    rows = []
    for number, parser in enumerate(result.rounds):
        pick = parser.pick
        rows.append(
            [
                str(number),
                *(
                    ["-"] * 4
                    if pick is None
                    else [
                        str(pick.picked),
                        str(pick.changed),
                        people_text(pick.first),
                        people_text(pick.selected),
                    ]
                ),
                people_text(parser.training),
                *_held(parser),
            ]
        )
    learned = ["picked", "changed", "first", "selected", "training"]
    write_cells(page.form, page.out, ["round", *learned, *_held_names(result.rounds)], rows, left=1)
    if result.contrasts:
        page.out.write("\n")
        page.heading("other ways to learn from the same")
        others = [[each.name, each.what, *_held(each)] for each in result.contrasts]
        names = ["parser", "what it has learned from", *_held_names(result.contrasts)]
        write_cells(page.form, page.out, names, others, left=2)
    page.notes(_notes_self_training(result))


def _held_names(parsers: Sequence[LearnedParser]) -> list[str]:
    known = parsers[0].accuracy is not None
    return ["held-out frs", "held-out kendall", *(["las"] if known else [])]


def _held(parser: LearnedParser) -> list[str]:
    accuracy = parser.accuracy
    return [
        score_cell(parser.frs),
        score_cell(parser.kendall),
        *([] if accuracy is None else [people_text(accuracy.las)]),
    ]


def _notes_self_training(result: SelfTrainingResult) -> Iterator[Note]:
    yield Note(
        f"rules {result.rules}; {counted(result.treebank, 'tree')}, {counted(result.sentences, 'training sentence')}, "
        f"{counted(result.held_out, 'held-out sentence')}, which decide nothing; 95% intervals from 1000 resamples"
    )
    yield Note(
        "first, selected: mean frs of the first and of the picked parse among the n-best of the round before; "
        "training: of the parser that has learned from them"
    )
    rough = evidence_note(result.held_out, noun="held-out sentence")
    if rough:
        yield Note(rough)
    if result.converged:
        yield Note("the last round gained too little on the training sentences to go on")
    if result.gains or result.contrast_gains:
        yield Note("differences on the same held-out sentences; p: sign-flip test, not corrected")
    for gain in (*result.gains, *result.contrast_gains):
        yield Note(_gain_text(gain))
    if not result.gains:
        yield Note("there was one round: nothing was picked yet")


def _gain_text(gain: HeldOutGain) -> str:
    bounds = (
        "" if gain.low is None or gain.high is None else f" [{gain.low:+.4f}, {gain.high:+.4f}]"
    )
    return (
        f"{gain.second} against {gain.first}, held-out {gain.metric}: {gain.difference:+.4f}{bounds}, "
        f"p {p_text(gain.p)}: {gain.verdict}"
    )
