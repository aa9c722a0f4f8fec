"""The answers of a running study, taken for analysis as they are. Section 12.6"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError
from kilter.io.judgments.survey_export import QuestionScale
from kilter.io.table import cell_text
from kilter.study.design.item import judged_items
from kilter.study.design.study import ItemKind
from kilter.study.exchange.export import tables
from kilter.study.instrument.question import QuestionKind
from kilter.study.judgments.judgment_study import JudgedSentence
from kilter.study.judgments.study_table import (
    TAGS,
    JudgmentColumns,
    checked_kind,
    joined_study,
    participant_fields,
    preference_value,
    question_wording,
)
from kilter.study.password import participant_code

if TYPE_CHECKING:
    from kilter.study.design.item import Item
    from kilter.study.judgments.judgment_study import JudgmentStudy
    from kilter.study.store.collected_data import CollectedData


def study_of(data: CollectedData, *, secret: bytes) -> JudgmentStudy:
    """Return a running study as its export would give it."""
    name = data.study.name
    _, rows = tables(data, secret=secret)["dictionary"]
    return joined_study(
        _judgments(data, secret),
        [
            _sentence(item, f"{name}: items:{row}")
            for row, item in enumerate(judged_items(data.items.values()), start=1)
        ],
        fields=_fields(data, secret),
        source=str(data.study.folder),
        items=f"{name}: items",
        simulated=data.simulated,
        wording=question_wording(
            (str(row["table"]), str(row["column"]), str(row["meaning"])) for row in rows
        ),
        advertised=data.study.recruitment.advertised,
    )


def _judgments(data: CollectedData, secret: bytes) -> JudgmentColumns:
    folder = str(data.study.folder)
    rows = [judgment for person in data.active() for judgment in data.judgments(person)]
    if not rows:
        raise InputError("has no judgments yet", where=folder)
    codes = {person.id: participant_code(secret, person.code_name) for person in data.active()}
    options = [q for q in data.study.instrument.questions if q.kind is QuestionKind.OPTIONS]
    compared = [q for q in options if len(q.options) in (2, 3)]
    paired = [row.item.kind == ItemKind.PAIR for row in rows]
    preferences = {
        question.name.lower(): np.array(
            [
                preference_value(value, len(question.options))
                if pair and (value := row.answers[question.name]) is not None
                else np.nan
                for row, pair in zip(rows, paired, strict=True)
            ]
        )
        for question in (compared if any(paired) else ())
    }
    asked = [q for q in data.study.instrument.questions if q.kind is not QuestionKind.OPTIONS]
    if not asked and not preferences:
        raise InputError(
            "asks no question whose answers are on a scale, and none which of two translations is better",
            where=folder,
        )
    # An export says seconds to one decimal: analyses of both are the same.
    seconds = [np.nan if row.seconds is None else round(row.seconds, 1) for row in rows]
    columns = JudgmentColumns(
        name=f"{data.study.name}: judgments",
        lines=np.arange(1, len(rows) + 1),
        participant=tuple(codes[row.participant.id] for row in rows),
        sentence=tuple(row.item.id for row in rows),
        questionnaire=np.array([row.participant.questionnaire for row in rows], dtype=np.int64),
        position=np.array([row.position for row in rows], dtype=np.int64),
        slot=np.array([row.slot or 0 for row in rows], dtype=np.int64),
        seconds=np.array(seconds, dtype=np.float64),
        questions=tuple(
            QuestionScale(name=question.name.lower(), low=question.low, high=question.high)
            for question in asked
        ),
        levels={
            question.name.lower(): np.array(
                [row.answers[question.name] for row in rows], dtype=np.float64
            )
            for question in asked
        },
        preferences=preferences,
    )
    _check_levels(columns)
    return columns


def _check_levels(columns: JudgmentColumns) -> None:
    """Refuse answers from before a scale was made shorter."""
    for question in columns.questions:
        levels = columns.levels[question.name]
        wrong = ~np.isnan(levels) & ~np.isin(levels, list(question.levels))
        for row in np.flatnonzero(wrong).tolist():
            raise InputError(
                f"{question.name} is {levels[row]:g}; it is a whole number from {question.low} to "
                f"{question.high}, or empty",
                where=columns.where(row),
            )


def _sentence(item: Item, where: str) -> JudgedSentence:
    return JudgedSentence(
        id=item.id,
        kind=checked_kind(item.kind, type_=item.type, degree=item.degree, where=where),
        type=item.type or None,
        degree=item.degree,
        base=item.base or None,
        shared=item.shared,
        system=item.system or None,
        second_system=item.second_system or None,
        pair=item.pair or None,
        segment=item.line,
        source=item.source or None,
        reference=item.reference,
        hypothesis=item.hypothesis,
        tags={name: value for name in TAGS if (value := item.tags.get(name))},
        rank_score=item.rank_score,
    )


def _fields(data: CollectedData, secret: bytes) -> dict[str, dict[str, str | None]]:
    """Return what participants said of themselves, as texts, which is what analyses group by."""
    names, rows = tables(data, secret=secret)["participants"]
    return {
        str(row["participant"]): participant_fields(
            {name.lower(): cell_text(row.get(name)) for name in names}
        )
        for row in rows
    }
