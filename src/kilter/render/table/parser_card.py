"""What a parser has learned, and how well it does, as a table."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.table import Note
from kilter.render.table.long_table import LongTable
from kilter.render.table.page import Page
from kilter.render.table.table import write_cells

if TYPE_CHECKING:
    from typing import TextIO

    from kilter.render.table.table import TableFormat
    from kilter.results.parser_card import ParserCard

_SEEN = "are learned from, too, but for digits and capitals, and flatter"
_SHARES = ("uas", "las", "upos", "xpos")


def accuracy_rows(card: ParserCard) -> LongTable:
    """Return a row for every share that was measured."""
    rows = [] if card.accuracy is None else [asdict(card.accuracy)]
    columns = ("sentences", "words", *_SHARES, "seen")
    return LongTable.of(columns, rows)


def write_parser_card(card: ParserCard, out: TextIO, form: TableFormat) -> None:
    """Write what was learned from what, and the accuracy on what was held out."""
    page = Page(out, form)
    page.start(())
    names = ["part", "sentences", "words", *map(str.upper, _SHARES)]
    rows = [["learned from", str(card.sentences), str(card.words), *["-"] * len(_SHARES)]]
    if card.accuracy is not None:
        found = card.accuracy
        values = [asdict(found)[name] for name in _SHARES]
        shares = ["-" if value is None else f"{100 * value:.1f}" for value in values]
        rows.append(["tried on", str(found.sentences), str(found.words), *shares])
    write_cells(form, out, names, rows, left=1)
    page.notes([Note(text) for text in _notes(card)])


def _notes(card: ParserCard) -> list[str]:
    learned = (
        f"{counted(card.tags, 'pair')} of tags and {counted(card.labels, 'label')} were learned"
    )
    if card.accuracy is None:
        return [f"{learned}; nothing was held out, so that nobody knows how well it does"]
    seen = card.accuracy.seen
    return [
        learned,
        *([f"{seen} of the sentences tried on {_SEEN}"] if seen else []),
        "shares of words in percent: right head (UAS), head and label (LAS), universal tag, tag of the language",
    ]
