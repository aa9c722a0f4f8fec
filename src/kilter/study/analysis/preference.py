"""Preferences between two translations: who wins how often, how strong systems are, how far people agree."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.estimate import Estimate
from kilter.core.table import Column, Table
from kilter.render.chart.frame import Caption, statement
from kilter.render.chart.mark import Dot
from kilter.render.chart.row_chart import Row, RowGroup, row_chart
from kilter.render.page.sub_report import Figure, SubReport
from kilter.stats.correlation import ScaleLevel, krippendorff_alpha
from kilter.stats.resampling import USUAL, Resampling
from kilter.stats.undefined import Number, Undefined, number
from kilter.study.analysis.summary import said
from kilter.study.analysis.system_answer import (
    ENDS,
    LEAST_SENTENCES,
    UNKNOWN,
    ratio_of_sums,
    resampled_weights,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.study.judgments.judgment_study import JudgmentStudy

FIRST, TIE, SECOND = 1.0, 0.5, 0.0
"""A preference, as what the first translation wins of one comparison."""
_ROUNDS, _SMALL = 10_000, 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class WinRate:
    """How often one system was preferred to another; a tie is half a win for both."""

    question: str
    system: str
    other: str
    wins: int
    ties: int
    losses: int
    rate: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """How strong a system is: the Bradley-Terry chance to be preferred to a system of average strength."""

    question: str
    system: str
    comparisons: int
    strength: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceAgreement:
    """Krippendorff's alpha of preferences (nominal), over items with two answers or more."""

    question: str
    items: int
    answers: int
    alpha: Number


def win_rates(study: JudgmentStudy, *, resampling: Resampling = USUAL) -> tuple[WinRate, ...]:
    """Return how often each of two systems was preferred, with intervals over items."""
    found = []
    for question in study.preferences:
        answers = _Answers.of(study, question)
        for one, other in combinations(range(len(answers.systems)), 2):
            won, counts = answers.between(one, other)
            heard = counts.sum(axis=1) > 0
            if not heard.any():
                continue
            won, counts = won[heard], counts[heard]
            wins, ties, losses = counts.sum(axis=0).tolist()
            rate = ratio_of_sums(won, counts.sum(axis=1), resampling=resampling)
            found.append(
                WinRate(
                    question=question,
                    system=answers.systems[one],
                    other=answers.systems[other],
                    wins=wins,
                    ties=ties,
                    losses=losses,
                    rate=rate,
                )
            )
    return tuple(found)


def strengths(study: JudgmentStudy, *, resampling: Resampling = USUAL) -> tuple[Strength, ...]:
    """Return the strength of each system by question, the strongest first, with intervals over items."""
    found = []
    for question in study.preferences:
        answers = _Answers.of(study, question)
        items = answers.item_wins()
        values, low, high = _fitted(items, resampling)
        fitted = [
            Strength(
                question=question,
                system=name,
                comparisons=int((items[:, place] + items[:, :, place]).sum()),
                strength=Estimate(values[place], low[place], high[place], n=len(items)),
            )
            for place, name in enumerate(answers.systems)
        ]
        found += sorted(fitted, key=lambda each: -(each.strength.value or 0.0))
    return tuple(found)


def _fitted(
    items: NDArray[np.float64], resampling: Resampling
) -> tuple[list[float], list[float | None], list[float | None]]:
    """Return strengths and the ends of their intervals, which few items do not have."""
    count, systems, _ = items.shape
    values = bradley_terry(items.sum(axis=0)).tolist()
    if count < LEAST_SENTENCES:
        return values, [None] * systems, [None] * systems
    drawn = resampled_weights(count, resampling) @ items.reshape(count, -1)
    low, high = np.quantile(bradley_terry(drawn.reshape(-1, systems, systems)), ENDS, axis=0)
    return values, low.tolist(), high.tolist()


def bradley_terry(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each system's chance to be preferred to one of average strength; `wins[..., a, b]` are those of a over b.

    Half a win and half a loss against such a system are added for each, so that one that always wins has a finite
    strength, and systems that never met are comparable.

    >>> bradley_terry(np.array([[0.0, 30.0], [10.0, 0.0]])).round(3).tolist()
    [0.632, 0.368]
    """
    count = wins.shape[-1]
    met = wins + np.swapaxes(wins, -1, -2)
    won = wins.sum(axis=-1) + 0.5
    strength = np.ones(wins.shape[:-1])
    for _ in range(_ROUNDS):
        between = strength[..., :, np.newaxis] + strength[..., np.newaxis, :]
        updated = won / ((met / between).sum(axis=-1) + 1.0 / (strength + 1.0))
        done = np.abs(updated - strength).max(initial=0.0) <= _SMALL * updated.max(initial=1.0)
        strength = updated
        if done or not count:
            break
    chances: NDArray[np.float64] = strength / (strength + 1.0)
    return chances


def preference_agreement(study: JudgmentStudy) -> tuple[PreferenceAgreement, ...]:
    """Return how far people who compared the same two translations agree, by question."""
    found = []
    for question, values in study.preferences.items():
        known = ~np.isnan(values)
        units = [
            (2 * values[known & (study.sentence == place)]).astype(int).tolist()
            for place in range(len(study.sentences))
        ]
        several = [unit for unit in units if len(unit) > 1]
        alpha = krippendorff_alpha(several, values=(0, 1, 2), scale=ScaleLevel.NOMINAL)
        reason = "no item has two answers, or all answers are the same"
        found.append(
            PreferenceAgreement(
                question=question,
                items=len(several),
                answers=sum(map(len, several)),
                alpha=number(alpha, reason),
            )
        )
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Answers:
    """Preferences of one question: the systems' places, the item and the value of each."""

    systems: tuple[str, ...]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    item: NDArray[np.int64]
    value: NDArray[np.float64]

    @classmethod
    def of(cls, study: JudgmentStudy, question: str) -> _Answers:
        values = study.preferences[question]
        rows = np.flatnonzero(~np.isnan(values))
        items = [study.sentences[place] for place in study.sentence[rows].tolist()]
        named = [(each.system or UNKNOWN, each.second_system or UNKNOWN) for each in items]
        systems = tuple(sorted({name for both in named for name in both}))
        places = {name: place for place, name in enumerate(systems)}
        return cls(
            systems=systems,
            first=np.array([places[one] for one, _ in named], dtype=np.int64),
            second=np.array([places[other] for _, other in named], dtype=np.int64),
            item=np.unique(study.sentence[rows], return_inverse=True)[1],
            value=values[rows],
        )

    def between(self, one: int, other: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return by item what one system wins against another, and its wins, ties and losses."""
        size = int(self.item.max(initial=-1)) + 1
        won, counts = np.zeros(size), np.zeros((size, 3), dtype=np.int64)
        for ahead, behind, turned in ((one, other, False), (other, one, True)):
            rows = (self.first == ahead) & (self.second == behind)
            values = 1.0 - self.value[rows] if turned else self.value[rows]
            np.add.at(won, self.item[rows], values)
            np.add.at(counts, (self.item[rows], (2 * (FIRST - values)).astype(int)), 1)
        return won, counts

    def item_wins(self) -> NDArray[np.float64]:
        """Return items x systems x systems: what the one wins over the other."""
        size, count = int(self.item.max(initial=-1)) + 1, len(self.systems)
        wins = np.zeros((size, count, count))
        np.add.at(wins, (self.item, self.first, self.second), self.value)
        np.add.at(wins, (self.item, self.second, self.first), 1.0 - self.value)
        return wins


def win_report(rates: Sequence[WinRate]) -> SubReport:
    """Return the sub-report of who was preferred to whom."""
    shown = Column("rate", ".3f[]")
    return SubReport(
        name="wins",
        title="Which translation was preferred",
        text=tuple(_won(each) for each in rates) or ("Nobody compared two systems.",),
        data=Table(
            columns=("question", "system", "other", "wins", "ties", "losses", "rate", "low", "high"),
            rows=tuple(
                (each.question, each.system, each.other, each.wins, each.ties, each.losses, *each.rate.triple)
                for each in rates
            ),
            left=3,
        ),
        shown=(
            Table(
                columns=("system", "other", "wins", "ties", "losses", "rate"),
                rows=tuple(
                    (each.system, each.other, each.wins, each.ties, each.losses, shown.text(each.rate))
                    for each in rates
                ),
                left=2,
            ),
        ),
        notes=(
            (
                "n: answers about the two systems; missing answers are left out. rate: wins of the first system, a tie as half a win; in brackets its 95% "
                "interval over items (bootstrap). 0.5 is no preference."
            ),
        ),
    )  # fmt: skip


def _won(each: WinRate) -> str:
    rate = each.rate
    if rate.value is None or rate.bounds is None:
        sure = "; too few items say so for an interval"
    elif rate.bounds[0] <= TIE <= rate.bounds[1]:
        sure = f", 95% interval {rate:[].2f}, which holds 0.5: no system is clearly preferred"
    else:
        sure = f", 95% interval {rate:[].2f}"
    total = each.wins + each.ties + each.losses
    return (
        f"{each.system} was preferred to {each.other} in {each.wins} of {counted(total, 'answer')}, {each.other} in "
        f"{each.losses}, and {each.ties} were ties: a rate of {rate:.2f}{sure}."
    )


def strength_report(found: Sequence[Strength], *, simulated: bool) -> SubReport:
    """Return the sub-report of Bradley-Terry strengths."""
    shown = Column("strength", ".3f[]")
    return SubReport(
        name="strengths",
        title="Strength of the systems",
        text=tuple(
            f"{question}: {', '.join(f'{each.system} {each.strength:.2f}' for each in found if each.question == question)}."
            for question in dict.fromkeys(each.question for each in found)
        )
        or ("Nobody compared two systems.",),
        data=Table(
            columns=("question", "system", "comparisons", "strength", "low", "high"),
            rows=tuple(
                (each.question, each.system, each.comparisons, *each.strength.triple)
                for each in found
            ),
            left=2,
        ),
        shown=(
            Table(
                columns=("system", "comparisons", "strength"),
                rows=tuple(
                    (each.system, each.comparisons, shown.text(each.strength)) for each in found
                ),
            ),
        ),
        figures=(Figure(svg=strength_figure(found, simulated=simulated)),),
        notes=(
            (
                "n: answers about a system; missing answers are left out. strength: the chance to be preferred to a system of average strength (Bradley-Terry); a tie is half a win, "
                "and one comparison with the average system, tied, is added for each. In brackets and as lines: 95% "
                "intervals over items (bootstrap)."
            ),
        ),
    )


def strength_figure(found: Sequence[Strength], *, simulated: bool) -> str:
    """Return the strengths of systems with their intervals."""
    caption = Caption(title="Strength of the systems", simulated=simulated)
    if not found:
        return statement(caption, Undefined("nobody compared two systems"))
    rows = [Row(each.system, [_dot(each.strength)]) for each in found]
    return row_chart(
        [RowGroup("", rows)],
        caption=caption,
        axis="chance to be preferred to a system of average strength",
        reach=(0.0, 1.0),
    )


def _dot(strength: Estimate) -> Dot | Undefined:
    if strength.value is None:
        return Undefined(strength.reason)
    low, high = strength.bounds or (strength.value, strength.value)
    return Dot(value=strength.value, low=low, high=high, text=f"{strength.value:.3f}")


def preference_agreement_report(found: Sequence[PreferenceAgreement]) -> SubReport:
    """Return the sub-report of how far preferences agree."""
    listed = ", ".join(f"{each.question} {said(each.alpha)}" for each in found)
    return SubReport(
        name="preference-agreement",
        title="Agreement between participants",
        text=(f"Krippendorff's alpha (nominal; 1 is complete agreement, 0 is chance): {listed}.",),
        data=Table(
            columns=("question", "items", "answers", "alpha"),
            rows=tuple((each.question, each.items, each.answers, each.alpha) for each in found),
        ),
        notes=(
            "n: answers about items that have two or more; others say nothing about agreement.",
        ),
    )
