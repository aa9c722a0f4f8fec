"""Translations of one source by how literal they are, and how much they share, as one picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.render.chart.frame import Caption
from kilter.render.chart.mark import Dot
from kilter.render.chart.row_chart import Row, RowGroup, row_chart
from kilter.stats.undefined import Undefined

if TYPE_CHECKING:
    from kilter.core.estimate import Estimate
    from kilter.results.variation_result import VariationResult

_TITLES = {
    "literality": "Literality: words rendered one by one, in place",
    "crossings": "Pairs of links that cross",
    "unaligned": "Source words without a link",
    "same words": "Words as in another translation",
    "same order": "Order as in another translation",
}


def variation_picture(result: VariationResult) -> str:
    """Return shares of each translation with their intervals, the most literal first, as SVG."""
    order = sorted(
        result.systems, key=lambda name: -(result.systems[name]["literality"].value or 0.0)
    )
    sections = [
        RowGroup(title, [Row(name, [_dot(result.systems[name][measure])]) for name in order])
        for measure, title in _TITLES.items()
        if any(result.systems[name][measure].value is not None for name in order)
    ]
    note = (
        f"{counted(result.segments, 'segment')}, {counted(result.words, 'source word')}, "
        f"{counted(len(order), 'translation')}. Lines are intervals of 95%."
    )
    caption = Caption(title="Translations of one source", notes=[note])
    return row_chart(sections, caption=caption, axis="share", reach=[0.0, 1.0])


def _dot(value: Estimate) -> Dot | Undefined:
    if value.value is None:
        return Undefined(value.reason or "not known")
    return Dot(value=value.value, low=value.low, high=value.high, text=f"{value:.3f[]}")
