"""The rounds of targeted self-training, as people and programs read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.render.table.long_table import LongTable
from kilter.render.table.p_value import p_cell
from kilter.render.table.page import PAGE, Note, Page
from kilter.render.table.preorder import score_cell
from kilter.render.table.result import write_result
from kilter.render.table.table import people_text, write_cells
from kilter.stats.significance import evidence_note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

    from kilter.render.table.table import TableFormat
    from kilter.results.self_training import (
        HeldOutGain,
        LearnedParser,
        SelfTrainingResult,
    )

_COLUMNS = (
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
        page=lambda: _write_page(result, Page(out, form, width)),
    )


def self_training_rows(result: SelfTrainingResult) -> LongTable:
    """Return a row for every parser."""
    tables = (("round", result.rounds), ("contrast", result.contrasts))
    return LongTable.of(
        _COLUMNS, [_row(name, parser) for name, listed in tables for parser in listed]
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
            for end, field in (("", "score"), ("_low", "low"), ("_high", "high"))
        },
        **{
            name: None if accuracy is None else getattr(accuracy, name)
            for name in ("las", "uas", "tags")
        },
        "model": parser.model,
    }


def _write_page(result: SelfTrainingResult, page: Page) -> None:
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
    page.notes(_notes(result))


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


def _notes(result: SelfTrainingResult) -> Iterator[Note]:
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
        f"p {p_cell(gain.p)}: {gain.verdict}"
    )
