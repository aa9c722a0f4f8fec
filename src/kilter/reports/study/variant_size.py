"""How many sentences each variant of DTED and DERP needs to tell kinds apart. Section 13.6"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.counted import counted
from kilter.reports.chart.frame import Caption, statement
from kilter.reports.chart.mark import Bar
from kilter.reports.chart.row_chart import Row, RowGroup, row_chart
from kilter.reports.page.sub_report import Cell, Figure, ReportTable, SubReport
from kilter.reports.study.sample_size import LEVEL, POWERS
from kilter.reports.study.summary_cell import said
from kilter.statistics.undefined import Undefined
from kilter.survey.analysis.variant_size import variant_sizes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.survey.analysis.judgment_study import JudgmentStudy
    from kilter.survey.analysis.variant_size import VariantSize


def variant_size_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of sample sizes by variant of DTED and of DERP."""
    by_power = {power: variant_sizes(study, level=LEVEL, power=power) for power in POWERS}
    usual = by_power[POWERS[0]]
    first = {each.variant: each for each in reversed(usual)}
    shown = [first[name] for name in dict.fromkeys(each.variant for each in usual)]
    tables = {
        "DTED": [each for each in shown if not each.variant.endswith("derp")],
        "DERP": [each for each in shown if each.variant.endswith("derp")],
    }
    return SubReport(
        name="variant-size",
        title="Sample size by variant of DTED and DERP",
        text=_text(shown),
        data=ReportTable(
            columns=(
                "variant", "configuration", "first", "second", "power", "scored", "deviation", "comparisons",
                "difference", "needed",
            ),
            rows=tuple(
                (each.variant, each.configuration, str(pair.first), str(pair.second), power, each.scored,
                 each.deviation, each.comparisons, pair.difference, pair.needed)
                for power, sizes in by_power.items()
                for each in sizes
                for pair in each.pairs
            ),
            left=4,
        ),
        shown=tuple(_table(name, sizes) for name, sizes in tables.items() if sizes),
        figures=(Figure(svg=variant_size_figure(shown, simulated=study.simulated)),),
        notes=(
            (
                "n: sentences with a score (scored); those without one are missing and left out. needed: sentences per kind = "
                "2 (z_(1 - a/2k) + z_(1 - b))^2 s^2 / d^2, rounded up, as for a pairwise comparison in one-way analysis "
                f"of variance, two-tailed, at the level a = {LEVEL} and the power {POWERS[0]} (CSV and JSON: also "
                f"{POWERS[1]}); s is the standard deviation within kinds, d the difference of means, k the number of pairs."
            ),
            (
                "Sizes come from scores alone, and from differences that this study has by chance too. The first "
                "configuration of each variant is shown; CSV and JSON hold all."
            ),
        ),
    )  # fmt: skip


def _table(name: str, sizes: Sequence[VariantSize]) -> ReportTable:
    pairs = list(
        dict.fromkeys(f"{pair.first} - {pair.second}" for each in sizes for pair in each.pairs)
    )
    rows = list[tuple[Cell, ...]]()
    for each in sizes:
        needed = {f"{pair.first} - {pair.second}": pair.needed for pair in each.pairs}
        rows.append(
            (
                each.variant,
                each.scored,
                each.deviation,
                *(needed.get(pair, _ABSENT) for pair in pairs),
            )
        )
    return ReportTable(
        columns=("variant", "n", "deviation", *pairs),
        rows=tuple(rows),
        caption=f"Sentences per kind that {name} needs to tell two kinds apart, by pair of kinds",
    )


_ABSENT = Undefined("one of these kinds has no score")


def _text(shown: Sequence[VariantSize]) -> tuple[str, ...]:
    if not shown:
        return ("No variant of DTED or DERP has scored the sentences.",)
    most = [(size, each.variant) for each in shown if isinstance(size := _hardest(each), int)]
    blind = [
        each.variant
        for each in shown
        if each.pairs and any(isinstance(pair.needed, Undefined) for pair in each.pairs)
    ]
    text = []
    if most:
        (fewest, variant), (worst, slowest) = min(most), max(most)
        text.append(
            f"With the differences of this study, {variant} needs {counted(fewest, 'sentence')} per kind to tell every "
            f"two kinds of sentences apart, the fewest of all variants, and {slowest} {counted(worst, 'sentence')}, the most."
        )
    if blind:
        text.append(f"No number of sentences is known for some kinds by {', '.join(blind)}.")
    return tuple(text) or ("No sample size can be computed for any variant.",)


def _hardest(each: VariantSize) -> int | Undefined:
    """Return how many sentences show all differences, if each of them can be shown."""
    known = [pair.needed for pair in each.pairs if isinstance(pair.needed, int)]
    if not known or len(known) < len(each.pairs):
        return Undefined("there is a difference that cannot be shown")
    return max(known)


def variant_size_figure(sizes: Sequence[VariantSize], *, simulated: bool) -> str:
    """Return the standard deviation of each variant's scores within kinds of sentences."""
    caption = Caption(
        title="Standard deviation of scores within kinds of sentences, by variant",
        notes=["f: flattened. The first configuration of each variant."],
        simulated=simulated,
    )
    if not sizes:
        return statement(caption, Undefined("no variant of DTED or DERP has scored the sentences"))
    rows = [
        Row(
            each.variant,
            [
                each.deviation
                if isinstance(each.deviation, Undefined)
                else Bar(value=each.deviation, text=f"{said(each.deviation)} (n = {each.scored})")
            ],
        )
        for each in sizes
    ]
    return row_chart([RowGroup("", rows)], caption=caption, axis="standard deviation")
