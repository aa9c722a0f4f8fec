"""Results with and without participants who show a sign of careless answers. Section 13.1"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.render.page.sub_report import SubReport
from kilter.stats.correlation import ScaleLevel
from kilter.stats.undefined import Number, Undefined
from kilter.study.analysis.attention import attention
from kilter.study.analysis.judge_agreement import judge_agreement
from kilter.study.analysis.judged_correlation import tool_correlations
from kilter.study.judgments.judgment_study import SentenceGroup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.render.page.sub_report import Cell
    from kilter.study.judgments.judgment_study import JudgmentStudy

    Mask = NDArray[np.bool_]

MEAN = "mean answer about translations"
AGREEMENT = "Krippendorff's alpha (ordinal)"
_CORRELATION = "correlation on translations: "


@dataclass(frozen=True, slots=True, kw_only=True)
class CarelessEffect:
    """A number of everybody, and of those alone who show no sign of careless answers."""

    question: str
    result: str
    everybody: Number
    careful: Number

    @property
    def difference(self) -> Number:
        """What leaving people out changes."""
        if isinstance(self.everybody, Undefined):
            return self.everybody
        if isinstance(self.careful, Undefined):
            return self.careful
        return self.careful - self.everybody


def careless_effects(study: JudgmentStudy) -> tuple[CarelessEffect, ...]:
    """Return means, agreement and correlations with and without careless participants; nothing if there are none.

    Answers are not adjusted. A tool has the highest correlation of its configurations.
    """
    careless = _careless_participants(study)
    if not careless:
        return ()
    rows = ~np.isin(study.participant, careless)
    careful = _only(study, rows)
    effects = []
    for question in study.questions:
        name = question.name
        pairs = {
            MEAN: (_mean(study, name), _mean(careful, name)),
            AGREEMENT: (_alpha(study, name), _alpha(careful, name)),
        }
        effects += [
            CarelessEffect(question=name, result=result, everybody=both[0], careful=both[1])
            for result, both in pairs.items()
        ]
    kinds = (SentenceGroup.TRANSLATION,)
    everybody = tool_correlations(study, sentences=kinds)
    others = tool_correlations(study, rows=rows, sentences=kinds)
    effects += [
        CarelessEffect(
            question=one.question,
            result=_CORRELATION + one.name,
            everybody=one.highest,
            careful=other.highest,
        )
        for one, other in zip(everybody, others, strict=True)
    ]
    return tuple(effects)


def _careless_participants(study: JudgmentStudy) -> list[int]:
    """Return the indices of participants who show a sign of careless answers."""
    return [index for index, person in enumerate(attention(study)) if person.signs]


def _only(study: JudgmentStudy, rows: Mask) -> JudgmentStudy:
    """Return a study with some of its judgments."""
    return replace(
        study,
        participant=study.participant[rows],
        sentence=study.sentence[rows],
        questionnaire=study.questionnaire[rows],
        position=study.position[rows],
        seconds=study.seconds[rows],
        levels={name: levels[rows] for name, levels in study.levels.items()},
        preferences={name: answers[rows] for name, answers in study.preferences.items()},
    )


def _mean(study: JudgmentStudy, question: str) -> Number:
    scores = study.scores(question)[study.rows(SentenceGroup.TRANSLATION)]
    known = scores[~np.isnan(scores)]
    return float(known.mean()) if known.size else Undefined("there is no answer")


def _alpha(study: JudgmentStudy, question: str) -> Number:
    return judge_agreement(study, question).alpha[ScaleLevel.ORDINAL]


def careless_effect_report(study: JudgmentStudy, effects: Sequence[CarelessEffect]) -> SubReport:
    """Return the sub-report of results with and without careless participants, of whom there are some."""
    people = len(_careless_participants(study))
    columns = ("question", "result", "everybody", "without them", "difference")
    rows = tuple(_row(each) for each in effects)
    plain = tuple(
        row for row, each in zip(rows, effects, strict=True) if each.result in (MEAN, AGREEMENT)
    )
    return SubReport(
        name="without-careless",
        title="Results without careless participants",
        text=(_sentence(effects, people), *_most(effects)),
        data=Table(columns=columns, rows=rows, left=2),
        shown=(Table(columns=columns, rows=plain, left=2),),
        figures=(),
        notes=(
            (
                f"n: {counted(len(study.participants), 'participant')}, {people} of them with a sign of careless answers. "
                "Answers are not adjusted; a tool has the highest correlation of its configurations. CSV and JSON have "
                "every tool."
            ),
        ),
    )


def _row(effect: CarelessEffect) -> tuple[Cell, ...]:
    return effect.question, effect.result, effect.everybody, effect.careful, effect.difference


def _sentence(effects: Sequence[CarelessEffect], people: int) -> str:
    changes = []
    for result, name in ((MEAN, "mean answers"), (AGREEMENT, "agreement")):
        size = max(
            (
                abs(each.difference)
                for each in effects
                if each.result == result and isinstance(each.difference, float)
            ),
            default=None,
        )
        if size is not None:
            changes.append(f"{name} by at most {size:.3f}")
    shows = "shows" if people == 1 else "show"
    who = f"{counted(people, 'participant')} who {shows} a sign of careless answers"
    if not changes:
        return f"Without the {who}, nothing can be computed."
    return f"Leaving out the {who} changes {' and '.join(changes)}."


def _most(effects: Sequence[CarelessEffect]) -> tuple[str, ...]:
    """Return which correlation changes most."""
    known = [
        each
        for each in effects
        if each.result.startswith(_CORRELATION) and isinstance(each.difference, float)
    ]
    if not known:
        return ()
    most = max(known, key=lambda each: abs(_value(each.difference)))
    return (
        (
            f"Of the correlations with tools, that of {most.result.removeprefix(_CORRELATION)} with {most.question} "
            f"changes most: {_value(most.careful):.3f} instead of {_value(most.everybody):.3f}."
        ),
    )


def _value(found: Number) -> float:
    return found if isinstance(found, float) else float("nan")
