"""Figures that [TH] prints, beside those of this study. Section 13"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.table import Table, people_text
from kilter.render.page.sub_report import Cell, SubReport
from kilter.stats.undefined import Undefined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.study.analysis.published_value import PrintedValue


def published_report(values: Sequence[PrintedValue], *, simulated: bool) -> SubReport:
    """Return the sub-report of published figures beside ours."""
    outcomes = [each for each in values if isinstance(each.published, str)]
    same = sum(each.ours == each.published for each in outcomes)
    whose = "These judgments are simulated" if simulated else "This is another study"
    return SubReport(
        name="published",
        title="Published figures beside ours",
        text=(
            (
                f"{same} of {len(outcomes)} hypotheses have the published outcome. {whose}: other people, sentences and "
                "tools, so that figures need not agree."
            ),
        ),
        data=Table(
            columns=("name", "place", "published", "ours"),
            rows=tuple(
                (each.name, each.place, _cell(each.published), each.ours) for each in values
            ),
            left=2,
        ),
        shown=(
            Table(
                columns=("name", "place", "published", "ours"),
                rows=tuple(
                    (each.name, each.place, _cell(each.published), _shown(each.ours))
                    for each in values
                ),
                left=4,
            ),
        ),
        notes=(
            (
                "n: figures that [TH] prints about its judgments, which are deposited elsewhere; where this study "
                "cannot give one it is missing, with the reason."
            ),
            (
                "The test of original against adjusted answers cannot differ from zero where effects are centred, as here; "
                "how the published p came about is not known."
            ),
        ),
    )


def _cell(value: float | str) -> str:
    """Return a printed figure as it is printed."""
    return value if isinstance(value, str) else f"{value:g}"


def _shown(value: float | str | Undefined) -> Cell:
    return value if isinstance(value, str | Undefined) else people_text(value)
