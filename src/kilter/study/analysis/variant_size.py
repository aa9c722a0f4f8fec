"""How many judgments tell answers from each variant's scores, and how many sentences their kinds. Section 13.6"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.render.chart.frame import Caption, statement
from kilter.render.chart.mark import Bar
from kilter.render.chart.row_chart import Row, RowGroup, row_chart
from kilter.render.page.sub_report import Cell, Figure, SubReport
from kilter.stats.significance import sample_size
from kilter.stats.undefined import Number, Undefined
from kilter.study.analysis.sample_size import LEVEL, POWERS
from kilter.study.analysis.summary import said
from kilter.study.analysis.tool_name import variant_name
from kilter.study.judgments.judgment_study import REPORTED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.study.judgments.judgment_study import JudgmentStudy, ToolScores

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSize:
    """Two groups of values: the difference of their means, and how many values of each show it."""

    first: str
    second: str
    difference: float
    needed: int | Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantSize:
    """One variant of DTED or DERP in one configuration.

    `scored` counts its scores; `deviation` is the standard deviation within groups, of one-way analysis of
    variance. The level is shared by the comparisons.
    """

    variant: str
    configuration: str
    scored: int
    deviation: Number
    comparisons: int
    pairs: tuple[PairSize, ...]


def variant_sizes(
    study: JudgmentStudy, *, level: float = 0.05, power: float = 0.8
) -> tuple[VariantSize, ...]:
    """Return the judgments that comparisons of questions with each variant of DTED and DERP need, as in [TH].

    The groups are the answers to each question, from 0 to 1, and the variant's scores of the sentences that
    were judged, once for each judgment; each question is compared with the variant.
    """
    rows = study.rows()
    answered = np.zeros(len(study), dtype=np.bool_)
    answers = {question.name: study.scores(question.name) for question in study.questions}
    for given in answers.values():
        answered |= ~np.isnan(given)
    sizes = []
    for name, scores in _variants(study):
        values = scores.values[study.sentence]
        used = rows & answered & ~np.isnan(values)
        groups = {
            question: known
            for question, given in answers.items()
            if len(known := given[used & ~np.isnan(given)])
        }
        pairs = [(question, name) for question in groups]
        sizes.append(_size(name, scores, {**groups, name: values[used]}, pairs, level, power))
    return tuple(sizes)


def kind_sizes(
    study: JudgmentStudy, *, level: float = 0.05, power: float = 0.8
) -> tuple[VariantSize, ...]:
    """Return the sentences per kind that tell every two kinds of them apart by each variant's scores."""
    sizes = []
    for name, scores in _variants(study):
        kinds = {str(kind): scores.values[study.group(kind)] for kind in REPORTED}
        groups = {
            kind: known for kind, values in kinds.items() if len(known := values[~np.isnan(values)])
        }
        sizes.append(_size(name, scores, groups, [*combinations(groups, 2)], level, power))
    return tuple(sizes)


def _variants(study: JudgmentStudy) -> list[tuple[str, ToolScores]]:
    return [
        (name, scores)
        for scores in study.tools
        if not scores.external and (name := variant_name(scores.tool, scores.variant)) is not None
    ]


def _size(
    name: str,
    scores: ToolScores,
    groups: Mapping[str, Floats],
    compared: Sequence[tuple[str, str]],
    level: float,
    power: float,
) -> VariantSize:
    deviation = _within([*groups.values()])
    pairs = []
    for first, second in compared:
        difference = float(groups[first].mean() - groups[second].mean())
        pairs.append(
            PairSize(
                first=first,
                second=second,
                difference=difference,
                needed=_needed(deviation, difference, len(compared), level, power),
            )
        )
    return VariantSize(
        variant=name,
        configuration=scores.configuration,
        scored=len(groups[name]) if name in groups else sum(map(len, groups.values())),
        deviation=deviation,
        comparisons=len(compared),
        pairs=tuple(pairs),
    )


def _within(groups: list[Floats]) -> Number:
    """Return the pooled standard deviation within groups."""
    freedom = sum(len(values) - 1 for values in groups if len(values))
    if freedom < 1:
        return Undefined("none of them has two values")
    within = sum(float(((values - values.mean()) ** 2).sum()) for values in groups if len(values))
    return sqrt(within / freedom)


def _needed(
    deviation: Number, difference: float, comparisons: int, level: float, power: float
) -> int | Undefined:
    if isinstance(deviation, Undefined):
        return deviation
    if deviation == 0.0:
        return Undefined("nothing varies within them")
    if abs(difference) < _SAME:
        return Undefined("both have the same mean")
    return sample_size(
        deviation=deviation,
        difference=difference,
        level=level,
        power=power,
        comparisons=comparisons,
    )


_SAME = 1e-9


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
