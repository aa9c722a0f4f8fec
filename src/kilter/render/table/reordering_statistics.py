"""How far words move on the way to the translation, as people and programs read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.table import Note
from kilter.render.table.long_table import LongTable, write_result
from kilter.render.table.page import Page
from kilter.render.table.table import write_cells
from kilter.stats.significance import evidence_note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TextIO

    from kilter.render.table.table import TableFormat
    from kilter.results.reordering_statistics import (
        DistanceStatistics,
        MeanScore,
        OrderCounts,
        ReorderingStatistics,
    )

_COLUMNS = ("by", "range", "measure", "value", "low", "high", "count")
SHOWN = ("kendall", "fuzzy", "pef", "crossings", "anticipation")
"""The scores that tables by length show to people."""


def write_reordering_statistics(
    result: ReorderingStatistics, out: TextIO, *, form: TableFormat
) -> None:
    """Write means and shares of all pairs, by length and by distance."""
    write_result(
        out,
        form,
        document=result.to_dict,
        rows=lambda: LongTable(_COLUMNS, list(_rows(result))),
        page=lambda: _write_page(result, Page(out, form)),
    )


def _rows(result: ReorderingStatistics) -> Iterator[list[object]]:
    yield from _measured("all", "", result.counts, result.means)
    for each in result.lengths:
        yield from _measured("length", each.label, each.counts, each.means)
    for distance, row in _distance_shares(result):
        for name, (count, share) in row.items():
            yield ["distance", distance.label, name, share, None, None, count]


def _measured(
    by: str, label: str, counts: OrderCounts, means: Mapping[str, MeanScore]
) -> Iterator[list[object]]:
    held = counts.to_dict()
    for name, count in held["counts"].items():
        yield [by, label, name.replace("_", " "), None, None, None, count]
    for name, share in held["shares"].items():
        yield [by, label, name, share, None, None, None]
    for name, mean in means.items():
        yield [by, label, name, mean.value, mean.low, mean.high, mean.pairs]


def _distance_shares(
    result: ReorderingStatistics,
) -> Iterator[tuple[DistanceStatistics, dict[str, tuple[int, float | None]]]]:
    """Yield each range of distances with counts and shares of steps, and of words."""
    words = sum(each.words for each in result.distances)
    steps = result.counts.jumps
    for each in result.distances:
        yield (
            each,
            {
                "steps forward": (each.forward, each.forward / steps if steps else None),
                "steps backward": (each.backward, each.backward / steps if steps else None),
                "words moved": (each.words, each.words / words if words else None),
            },
        )


def _write_page(result: ReorderingStatistics, page: Page) -> None:
    counts, form, out = result.counts, page.form, page.out
    page.start(())
    page.heading("shares")
    shares = [[name, _percent(share)] for name, share in counts.shares().items()]
    write_cells(form, out, ["what", "share"], shares, left=1)
    out.write("\n")
    page.heading("scores of the source order against that of the translation")
    scores = [[name, _cell(mean.value), _span(mean)] for name, mean in result.means.items()]
    write_cells(form, out, ["score", "mean", "interval of 95%"], scores, left=1)
    out.write("\n")
    page.heading("by words of the source")
    rows = [
        [
            each.label,
            str(each.counts.pairs),
            *(_percent(each.counts.shares()[name]) for name in _SHARES),
            *(_cell(each.means[name].value) for name in SHOWN),
        ]
        for each in result.lengths
    ]
    titles = ["words", "pairs", "monotone", "unaligned", *SHOWN]
    write_cells(form, out, titles, rows, left=1)
    out.write("\n")
    page.heading("by distance")
    moves = [
        [each.label, *(_percent(share) for _, share in row.values())]
        for each, row in _distance_shares(result)
    ]
    write_cells(
        form, out, ["words", "steps forward", "steps backward", "words moved"], moves, left=1
    )
    page.notes(_notes(result))


_SHARES = ("monotone pairs", "unaligned source words")


def _notes(result: ReorderingStatistics) -> Iterator[Note]:
    counts = result.counts
    alone = counts.pairs - counts.linked
    yield Note(
        f"{counted(counts.pairs, 'sentence pair')} with {counted(counts.source_words, 'source word')} and "
        f"{counted(counts.links, 'link')}; "
        + (
            f"of {counted(alone, 'pair')} without any link only the words are counted."
            if alone
            else "every pair has a link."
        )
    )
    yield Note(
        "Shares of words, steps and links are over all of them, scores are means over linked pairs. A step leads "
        "from a word to the next in the order of the translation, and its distance is the number of source words "
        f"between; links lie ahead by {counted(result.ahead, 'word')} or more."
    )
    few = evidence_note(counts.linked, noun="sentence pair")
    if few is not None:
        yield Note(f"{few}.")
    yield Note("", f"order:{result.rule}")


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2f}%"


def _span(mean: MeanScore) -> str:
    if mean.low is None or mean.high is None:
        return "-"
    return f"[{mean.low:.4f}, {mean.high:.4f}]"
