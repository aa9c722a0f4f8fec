"""How far words move, as one picture: scores by length of the sentence, and steps by distance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.render.chart.frame import Caption
from kilter.render.chart.mark import Bar, Dot
from kilter.render.chart.row_chart import Row, RowGroup, row_chart
from kilter.stats.undefined import Undefined

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kilter.core.estimate import Estimate
    from kilter.results.reordering_statistics import ReorderingStatistics

_DRAWN = "kendall"


def reordering_picture(result: ReorderingStatistics) -> str:
    """Return shares of monotone pairs and steps, scores, Kendall's by length, and steps by distance, as SVG."""
    sections = [
        RowGroup("Monotone and unaligned", list(_shares(result))),
        RowGroup(
            "Means of scores",
            [Row(name, [_dot(mean)]) for name, mean in result.means.items()],
        ),
        RowGroup(
            f"Mean of {_DRAWN} by words of the source",
            [Row(each.label, [_dot(each.means[_DRAWN])]) for each in result.lengths if each.least],
        ),
        RowGroup("Steps forward by distance", list(_steps(result, "forward"))),
        RowGroup("Steps backward by distance", list(_steps(result, "backward"))),
    ]
    note = (
        f"{counted(result.counts.pairs, 'sentence pair')}, {counted(result.counts.links, 'link')}; orders by "
        f"{result.rule}. Lines are intervals of 95%. A step leads from a word to the next in the order of the "
        "translation; its distance is the number of source words between."
    )
    caption = Caption(title="Word order of source and translation", notes=[note])
    return row_chart(sections, caption=caption, axis="share, or mean score", reach=[0.0, 1.0])


def _shares(result: ReorderingStatistics) -> Iterator[Row]:
    for name, share in result.counts.shares().items():
        if share is not None:
            yield Row(name, [Bar(value=share, text=f"{100 * share:.2f}%")])


def _dot(mean: Estimate) -> Dot | Undefined:
    if mean.value is None:
        return Undefined("no pair has a link")
    text = f"{mean.value:.4f}"
    if mean.low is not None and mean.high is not None:
        text += f" [{mean.low:.4f}, {mean.high:.4f}]"
    return Dot(value=mean.value, low=mean.low, high=mean.high, text=text)


def _steps(result: ReorderingStatistics, direction: str) -> Iterator[Row]:
    steps = result.counts.jumps
    for each in result.distances:
        count: int = getattr(each, direction)
        share = count / steps if steps else 0.0
        yield Row(each.label, [Bar(value=share, text=f"{100 * share:.2f}%")])
