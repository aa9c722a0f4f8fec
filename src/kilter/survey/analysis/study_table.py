"""Tables of an export, checked against one another and joined to a study. Section 12.6"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.errors import InputError
from kilter.judgments.conversion import degree_score
from kilter.judgments.survey_answer import question_levels, question_scales
from kilter.survey.analysis.judgment_study import (
    DEGREE_TOOL,
    JudgedSentence,
    JudgmentStudy,
    StudyParticipant,
    ToolScores,
)
from kilter.survey.design.study import ItemKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.formats.delimited import DelimitedTable

_TAGS = ("length", "quality", "role")
_TRUE, _FALSE = ("yes", "true"), ("no", "false", "")


def study_of_tables(found: Mapping[str, DelimitedTable], *, source: str) -> JudgmentStudy:
    """Return the study of the tables judgments and items, and participants and dictionary if there are."""
    judgments = found["judgments"]
    for name in ("participant", "sentence", "questionnaire", "position"):
        judgments.need(name)
    if not len(judgments):
        raise InputError("holds no judgment yet", where=judgments.name)
    sentences = _sentences(found["items"])
    people = tuple(dict.fromkeys(judgments.columns["participant"]))
    places = {person: place for place, person in enumerate(people)}
    participant = np.array([places[name] for name in judgments.columns["participant"]], dtype=int)
    sentence = _places(judgments, sentences, found["items"].name)
    questionnaire = judgments.integers("questionnaire", low=0)
    position = judgments.integers("position", low=1)
    _check_once(judgments, participant, sentence, "sentence")
    _check_once(judgments, participant, position, "position")
    questions = question_scales(judgments, found.get("dictionary"))
    known = found.get("participants")
    participants, idle = _participants(known, people, judgments, questionnaire)
    seconds = (
        judgments.numbers("seconds")
        if "seconds" in judgments.columns
        else np.full(len(judgments), np.nan)
    )
    return JudgmentStudy(
        source=source,
        simulated=any(_is_simulated(table) for table in found.values()),
        questions=questions,
        participants=participants,
        sentences=sentences,
        participant=participant,
        sentence=sentence,
        questionnaire=questionnaire,
        position=position,
        seconds=seconds,
        levels={question.name: question_levels(judgments, question) for question in questions},
        tools=_degree_tool(sentences),
        idle=idle,
    )


def _sentences(items: DelimitedTable) -> tuple[JudgedSentence, ...]:
    for name in ("sentence", "kind", "hypothesis", "reference"):
        items.need(name)
    seen: dict[str, int] = {}
    found = []
    for row in range(len(items)):
        name = items.columns["sentence"][row]
        if not name or name in seen:
            first = f" first at line {items.lines[seen[name]]}" if name else " and needs a name"
            raise InputError(f"the sentence is called {name!r},{first}", where=items.where(row))
        seen[name] = row
        found.append(_sentence(items, row))
    degrees = np.array([sentence.degree or 0 for sentence in found], dtype=np.int64)
    scores = degree_score(degrees, int(degrees.max(initial=0)))
    return tuple(
        sentence if sentence.degree is None else sentence.scored(degree_score=float(score))
        for sentence, score in zip(found, scores, strict=True)
    )


def _sentence(items: DelimitedTable, row: int) -> JudgedSentence:
    def text(name: str) -> str | None:
        return items.columns[name][row] or None if name in items.columns else None

    kind = items.columns["kind"][row]
    if kind not in [*map(str, ItemKind)]:
        raise InputError(
            f"kind is {kind!r}; it can be {', '.join(ItemKind)}", where=items.where(row)
        )
    degree = _whole(items, "degree", row)
    if kind == ItemKind.PERMUTATION and (text("type") is None or degree is None):
        raise InputError(
            "is a permutation without type or degree; add both", where=items.where(row)
        )
    return JudgedSentence(
        id=items.columns["sentence"][row],
        kind=ItemKind(kind),
        type=text("type"),
        degree=degree,
        base=text("base"),
        shared=_flag(items, "shared", row),
        system=text("system"),
        pair=text("pair"),
        segment=_whole(items, "segment", row),
        source=text("source"),
        reference=items.columns["reference"][row],
        hypothesis=items.columns["hypothesis"][row],
        tags={name: value for name in _TAGS if (value := text(name)) is not None},
    )


def _whole(table: DelimitedTable, column: str, row: int) -> int | None:
    text = table.columns[column][row] if column in table.columns else ""
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and 1 <= int(text) < 2**31):
        raise InputError(f"{column} is {text!r}; it is counted from 1", where=table.where(row))
    return int(text)


def _flag(table: DelimitedTable, column: str, row: int) -> bool:
    text = table.columns[column][row].lower() if column in table.columns else ""
    if text not in _TRUE + _FALSE:
        raise InputError(f"{column} is {text!r}; it can be yes or no", where=table.where(row))
    return text in _TRUE


def _places(
    judgments: DelimitedTable, sentences: Sequence[JudgedSentence], items: str
) -> NDArray[np.int64]:
    places = {sentence.id: place for place, sentence in enumerate(sentences)}
    for row, name in enumerate(judgments.columns["sentence"]):
        if name not in places:
            raise InputError(
                f"the sentence {name!r} is not among those of {items}; export both together",
                where=judgments.where(row),
            )
    return np.array([places[name] for name in judgments.columns["sentence"]], dtype=np.int64)


def _check_once(
    judgments: DelimitedTable,
    participant: NDArray[np.int64],
    other: NDArray[np.int64],
    column: str,
) -> None:
    seen: dict[tuple[int, int], int] = {}
    for row, key in enumerate(zip(participant.tolist(), other.tolist(), strict=True)):
        if key in seen:
            raise InputError(
                f"participant {judgments.columns['participant'][row]} has the {column} "
                f"{judgments.columns[column][row]!r} twice, first at line "
                f"{judgments.lines[seen[key]]}; keep one of the rows",
                where=judgments.where(row),
            )
        seen[key] = row


def _participants(
    table: DelimitedTable | None,
    people: Sequence[str],
    judgments: DelimitedTable,
    questionnaire: NDArray[np.int64],
) -> tuple[tuple[StudyParticipant, ...], int]:
    """Return those who have judged, in the order of their judgments, and how many others there are."""
    fields: dict[str, dict[str, str | None]] = {}
    if table is not None:
        table.need("participant")
        for row, name in enumerate(table.columns["participant"]):
            if name in fields:
                raise InputError(
                    f"participant {name} is there twice; keep one row", where=table.where(row)
                )
            fields[name] = {
                column: None if cells[row].strip().lower() in ("", "nan") else cells[row]
                for column, cells in table.columns.items()
                if column not in ("participant", "questionnaire", "simulated")
            }
    numbers = dict(zip(judgments.columns["participant"], questionnaire.tolist(), strict=True))
    found = tuple(
        StudyParticipant(id=name, questionnaire=numbers[name], fields=fields.get(name, {}))
        for name in people
    )
    return found, len({*fields} - {*people})


def _is_simulated(table: DelimitedTable) -> bool:
    return any(_flag(table, "simulated", row) for row in range(len(table)))


def _degree_tool(sentences: Sequence[JudgedSentence]) -> tuple[ToolScores, ...]:
    scores = np.array(
        [np.nan if s.degree_score is None else s.degree_score for s in sentences], dtype=np.float64
    )
    return (ToolScores(tool=DEGREE_TOOL, values=scores),) if not np.isnan(scores).all() else ()
