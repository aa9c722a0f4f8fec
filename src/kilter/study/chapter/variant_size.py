"""How many judgments or sentences comparisons by each variant of DTED and DERP need. Section 13.6"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.render.chart.frame import Caption, statement
from kilter.render.chart.mark import Bar
from kilter.render.chart.row_chart import Row, RowGroup, row_chart
from kilter.render.page.sub_report import Cell, Figure, SubReport
from kilter.stats.undefined import Undefined
from kilter.study.analysis.variant_size import kind_sizes, variant_sizes
from kilter.study.chapter.sample_size import LEVEL, POWERS
from kilter.study.chapter.summary_cell import said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.study.analysis.judgment_study import JudgmentStudy
    from kilter.study.analysis.variant_size import PairSize, VariantSize


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wording:
    """What is compared, in words: `unit` is what is counted, `group` what has so many of them."""

    unit: str
    group: str
    purpose: str
    within: str
    absent: str


_QUESTIONS = _Wording(
    unit="judgment",
    group="group",
    purpose="tell its scores from the answers to every question",
    within="answers and scores",
    absent="nobody has answered this question",
)
_KINDS = _Wording(
    unit="sentence",
    group="kind",
    purpose="tell every two kinds of sentences apart",
    within="kinds",
    absent="one of these kinds has no score",
)


def variant_size_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of sample sizes to compare questions with variants of DTED and DERP, as in [TH]."""
    return _report(
        {power: variant_sizes(study, level=LEVEL, power=power) for power in POWERS},
        _QUESTIONS,
        name="variant-size",
        title="Sample size to compare questions with variants of DTED and DERP",
        data="n: judgments with an answer and a score of their sentence (scored); those without are missing and left out.",
        simulated=study.simulated,
    )


def kind_size_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of sample sizes to tell kinds of sentences apart by the scores of each variant."""
    return _report(
        {power: kind_sizes(study, level=LEVEL, power=power) for power in POWERS},
        _KINDS,
        name="kind-size",
        title="Sample size to tell kinds of sentences apart by variants of DTED and DERP",
        data="n: sentences with a score (scored); those without one are missing and left out.",
        simulated=study.simulated,
    )


def _report(
    by_power: Mapping[float, Sequence[VariantSize]],
    words: _Wording,
    *,
    name: str,
    title: str,
    data: str,
    simulated: bool,
) -> SubReport:
    usual = by_power[POWERS[0]]
    first = {each.variant: each for each in reversed(usual)}
    shown = [first[variant] for variant in dict.fromkeys(each.variant for each in usual)]
    tables = {
        "DTED": [each for each in shown if not each.variant.endswith("derp")],
        "DERP": [each for each in shown if each.variant.endswith("derp")],
    }
    return SubReport(
        name=name,
        title=title,
        text=_text(shown, words),
        data=Table(
            columns=(
                "variant", "configuration", "first", "second", "power", "scored", "deviation", "comparisons",
                "difference", "needed",
            ),
            rows=tuple(
                (each.variant, each.configuration, pair.first, pair.second, power, each.scored,
                 each.deviation, each.comparisons, pair.difference, pair.needed)
                for power, sizes in by_power.items()
                for each in sizes
                for pair in each.pairs
            ),
            left=4,
        ),
        shown=tuple(_table(tool, sizes, words) for tool, sizes in tables.items() if sizes),
        figures=(Figure(svg=variant_size_figure(shown, within=words.within, simulated=simulated)),),
        notes=(
            (
                f"{data} needed: {words.unit}s per {words.group} = "
                "2 (z_(1 - a/2k) + z_(1 - b))^2 s^2 / d^2, rounded up, as for a pairwise comparison in one-way analysis "
                f"of variance, two-tailed, at the level a = {LEVEL} and the power {POWERS[0]} (CSV and JSON: also "
                f"{POWERS[1]}); s is the standard deviation within {words.within}, d the difference of means, k the number "
                "of pairs."
            ),
            (
                "Sizes come from differences that this study has by chance too. The first configuration of each variant "
                "is shown; CSV and JSON hold all."
            ),
        ),
    )  # fmt: skip


def _table(name: str, sizes: Sequence[VariantSize], words: _Wording) -> Table:
    pairs = list(dict.fromkeys(_pair(each, pair) for each in sizes for pair in each.pairs))
    rows = list[tuple[Cell, ...]]()
    for each in sizes:
        needed = {_pair(each, pair): pair.needed for pair in each.pairs}
        rows.append(
            (
                each.variant,
                each.scored,
                each.deviation,
                *(needed.get(pair, Undefined(words.absent)) for pair in pairs),
            )
        )
    return Table(
        columns=("variant", "n", "deviation", *pairs),
        rows=tuple(rows),
        title=f"{words.unit.capitalize()}s per {words.group} that {name} needs to {words.purpose}",
    )


def _pair(size: VariantSize, pair: PairSize) -> str:
    """Return what a column calls a pair: the variant, which its row names, is left out."""
    return pair.first if pair.second == size.variant else f"{pair.first} - {pair.second}"


def _text(shown: Sequence[VariantSize], words: _Wording) -> tuple[str, ...]:
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
            f"With the differences of this study, {variant} needs {counted(fewest, words.unit)} per {words.group} to "
            f"{words.purpose}, the fewest of all variants, and {slowest} {counted(worst, words.unit)}, the most."
        )
    if blind:
        text.append(
            f"No number of {words.unit}s is known for some comparisons by {', '.join(blind)}."
        )
    return tuple(text) or ("No sample size can be computed for any variant.",)


def _hardest(each: VariantSize) -> int | Undefined:
    """Return how many values show all differences, if each of them can be shown."""
    known = [pair.needed for pair in each.pairs if isinstance(pair.needed, int)]
    if not known or len(known) < len(each.pairs):
        return Undefined("there is a difference that cannot be shown")
    return max(known)


def variant_size_figure(
    sizes: Sequence[VariantSize], *, within: str = _QUESTIONS.within, simulated: bool
) -> str:
    """Return the standard deviation of each variant's comparison, within what is compared."""
    caption = Caption(
        title=f"Standard deviation within {within}, by variant",
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
