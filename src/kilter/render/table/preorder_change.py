"""What an edit of a rule file did: systems and sentences that got better or worse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.render.table.page import Page
from kilter.render.table.table import TableFormat, write_cells
from kilter.stats.significance import TIE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TextIO

    from numpy.typing import NDArray

    Scores = Mapping[tuple[str, str], NDArray[np.float64]]

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
