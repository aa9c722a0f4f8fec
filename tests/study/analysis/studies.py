"""Small studies made in memory, and exports written by hand."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from kilter.io.judgments.survey_export import QuestionScale
from kilter.study.analysis.power import PowerDesign
from kilter.study.design.study import ItemKind
from kilter.study.judgments.judgment_study import (
    JudgedSentence,
    JudgmentStudy,
    StudyParticipant,
    ToolScores,
)
from kilter.study.simulation.draw import normals
from kilter.study.simulation.effect import Effects
from kilter.study.simulation.simulation import DrawnScores, draw, nearest_levels

QUESTIONS = (QuestionScale(name="holistic"), QuestionScale(name="order"))
Row = tuple[int, int, float | None, float | None]


def translation(name: str, **fields: object) -> JudgedSentence:
    given = {"system": "sys", "pair": "de-en", "reference": "a b c", "hypothesis": "a c b"}
    return JudgedSentence(id=name, kind=ItemKind.TRANSLATION, **given | fields)  # type: ignore[arg-type]


def permutation(name: str, kind: str, degree: int, **fields: object) -> JudgedSentence:
    given = {"type": kind, "degree": degree, "reference": "a b c", "hypothesis": "b a c"}
    return JudgedSentence(id=name, kind=ItemKind.PERMUTATION, **given | fields)  # type: ignore[arg-type]


def study(
    rows: Sequence[Row],
    sentences: Sequence[JudgedSentence] | None = None,
    *,
    tools: Sequence[ToolScores] = (),
    fields: Mapping[int, Mapping[str, str | None]] | None = None,
    participants: int | None = None,
) -> JudgmentStudy:
    """Return a study from rows of participant, sentence, holistic and order level."""
    count = max((row[1] for row in rows), default=-1) + 1
    people = max((row[0] for row in rows), default=-1) + 1 if participants is None else participants
    listed = [translation(f"s{k}") for k in range(count)] if sentences is None else sentences
    seen: dict[int, int] = {}
    position = []
    for row in rows:
        seen[row[0]] = seen.get(row[0], 0) + 1
        position.append(seen[row[0]])
    return JudgmentStudy(
        source="made",
        simulated=False,
        questions=QUESTIONS,
        participants=tuple(
            StudyParticipant(id=f"p{k}", questionnaire=k + 1, fields=(fields or {}).get(k, {}))
            for k in range(people)
        ),
        sentences=tuple(listed),
        participant=np.array([row[0] for row in rows], dtype=np.int64),
        sentence=np.array([row[1] for row in rows], dtype=np.int64),
        questionnaire=np.array([row[0] + 1 for row in rows], dtype=np.int64),
        position=np.array(position, dtype=np.int64),
        seconds=np.full(len(rows), np.nan),
        levels={
            name: np.array(
                [np.nan if row[column] is None else row[column] for row in rows], dtype=np.float64
            )
            for name, column in (("holistic", 2), ("order", 3))
        },
        tools=tuple(tools),
    )


def crossed(levels: Sequence[Sequence[float | None]], **options: object) -> JudgmentStudy:
    """Return a study in which participants (rows) judge all sentences (columns), both questions alike."""
    rows = [(p, s, value, value) for p, row in enumerate(levels) for s, value in enumerate(row)]
    return study(rows, **options)  # type: ignore[arg-type]


def scores(tool: str, values: ArrayLike, **options: object) -> ToolScores:
    return ToolScores(tool=tool, values=np.array(values, dtype=np.float64), **options)  # type: ignore[arg-type]


ITEMS = """sentence,kind,type,degree,shared,system,pair,segment,reference,hypothesis
s1,translation,,,yes,sys,de-en,1,a b c,a c b
s2,translation,,,no,sys,cs-en,2,a b c d,a b c
s3,permutation,order,2,yes,sys,de-en,1,a b c,b a c
s4,permutation,order,4,no,sys,de-en,1,a b c,c b a
"""
JUDGMENTS = """participant,questionnaire,position,sentence,holistic,order
p1,1,1,s1,4,5
p1,1,2,s3,2,
p1,1,3,s2,5,5
p2,2,1,s1,3,4
p2,2,2,s4,1,1
"""
PARTICIPANTS = """participant,questionnaire,age,gender,education,languages,language_points
p1,1,25,female,masters,English (native); German (fluent): B2 exam,11
p2,2,,male,school or none,English (native),7
p3,3,40,male,phd or higher,,
"""


def write(folder: Path, **files: str | None) -> Path:
    """Write an export; a table may be replaced, or left out by None."""
    folder.mkdir(parents=True, exist_ok=True)
    given: dict[str, str | None] = {
        "items": ITEMS,
        "judgments": JUDGMENTS,
        "participants": PARTICIPANTS,
    }
    for name, text in (given | files).items():
        if text is not None:
            (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return folder


def drawn(
    design: PowerDesign, effects: Effects, *, seed: int, tools: Mapping[tuple[str, str], float]
) -> tuple[JudgmentStudy, DrawnScores]:
    """Return a simulated study of translations with its truth; tools (name, variant) know order so well."""
    layout = design.layout(seed=seed)
    made = draw(layout, effects, questions=["holistic", "order"], seed=seed)
    quality = (0.5 - layout.order) * np.sqrt(12.0)
    people, count = layout.participants, len(layout.order)
    return (
        JudgmentStudy(
            source="drawn",
            simulated=True,
            questions=QUESTIONS,
            participants=tuple(StudyParticipant(id=f"p{k}") for k in range(people)),
            sentences=tuple(translation(f"s{k}", shared=k < design.shared) for k in range(count)),
            participant=layout.participant,
            sentence=layout.sentence,
            questionnaire=layout.participant + 1,
            position=np.tile(np.arange(design.sentences) + 1, people),
            seconds=np.full(len(layout.participant), np.nan),
            levels={
                name: nearest_levels(values[0], low=1, high=5).astype(np.float64)
                for name, values in made.scores.items()
            },
            tools=tuple(
                ToolScores(
                    tool=tool,
                    variant=variant,
                    values=accuracy * quality
                    + np.sqrt(1 - accuracy**2) * normals(seed, 1000 + place, count),
                )
                for place, ((tool, variant), accuracy) in enumerate(tools.items())
            ),
        ),
        made,
    )
