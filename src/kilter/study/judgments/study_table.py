"""Tables of an export, read, checked against one another and joined to a study. Section 12.6"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError
from kilter.io.judgments.ranking import degree_score
from kilter.io.judgments.survey_export import question_levels, question_scales
from kilter.io.spreadsheet import unguarded
from kilter.io.stream import ByteSource, exists, is_folder
from kilter.io.table import DataTable, is_only_table, number, read_table
from kilter.study.design.study import ItemKind
from kilter.study.exchange.export import ABOUT
from kilter.study.judgments.judgment_study import (
    DEGREE_TOOL,
    RANK_TOOL,
    JudgedSentence,
    JudgmentStudy,
    RecruitedGroup,
    StudyParticipant,
    ToolScores,
)
from kilter.study.judgments.score_file import scores_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from kilter.io.judgments.survey_export import QuestionScale


TAGS = ("length", "quality", "role")
_TRUE, _FALSE = ("yes", "true"), ("no", "false", "")
_COUNTED = re.compile("[0-9]{1,100}")


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgmentColumns:
    """Judgments, one a row, with codes of participants and ids of sentences as they were given.

    `lines` are the places of rows in what messages call `name`.
    """

    name: str
    lines: NDArray[np.int64]
    participant: tuple[str, ...]
    sentence: tuple[str, ...]
    questionnaire: NDArray[np.int64]
    position: NDArray[np.int64]
    slot: NDArray[np.int64]
    """The place of a translation among those shown together at a position, from 1; 0 if it was alone."""
    seconds: NDArray[np.float64]
    questions: tuple[QuestionScale, ...]
    levels: Mapping[str, NDArray[np.float64]]
    preferences: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)

    def where(self, row: int) -> str:
        """Return the place of a row for messages."""
        return f"{self.name}:{self.lines[row]}"


def joined_study(
    judgments: JudgmentColumns,
    sentences: Sequence[JudgedSentence],
    *,
    fields: Mapping[str, Mapping[str, str | None]],
    source: str,
    items: str,
    simulated: bool,
    wording: Mapping[str, Mapping[str, str]],
    advertised: Mapping[str, int],
) -> JudgmentStudy:
    """Return the study of judgments, the sentences they are about and what participants said.

    `fields` are by the code of a participant; `items` is what messages call the table of sentences;
    `advertised` says by recruitment group to how many people the study was advertised.
    A judgment of no such sentence, or a second one of the same, is an `InputError`.
    """
    scored = _with_degree_scores(sentences)
    people = tuple(dict.fromkeys(judgments.participant))
    places = {person: place for place, person in enumerate(people)}
    participant = np.array([places[name] for name in judgments.participant], dtype=int)
    sentence = _places(judgments, scored, items)
    _check_once(judgments, participant, sentence, "sentence", judgments.sentence)
    positions = [*map(str, judgments.position.tolist())]
    places_shown = judgments.position * (int(judgments.slot.max(initial=0)) + 1) + judgments.slot
    _check_once(judgments, participant, places_shown, "position", positions)
    numbers = dict(zip(judgments.participant, judgments.questionnaire.tolist(), strict=True))
    return JudgmentStudy(
        source=source,
        simulated=simulated,
        questions=judgments.questions,
        participants=tuple(
            StudyParticipant(id=name, questionnaire=numbers[name], fields=fields.get(name, {}))
            for name in people
        ),
        sentences=scored,
        participant=participant,
        sentence=sentence,
        questionnaire=judgments.questionnaire,
        position=judgments.position,
        seconds=judgments.seconds,
        levels=judgments.levels,
        preferences=judgments.preferences,
        tools=(*_rank_tool(scored), *_degree_tool(scored)),
        idle=len({*fields} - {*people}),
        unknown=len({*people} - {*fields}) if fields else 0,
        wording=wording,
        recruitment=_recruited(advertised, fields, {*people}),
    )


def question_wording(
    rows: Iterable[tuple[str, str, str]],
) -> dict[str, dict[str, str]]:
    """Return what was asked by table and name, from table, column and meaning of a dictionary's rows."""
    wording: dict[str, dict[str, str]] = {}
    for table, column, meaning in rows:
        is_question = column not in ABOUT and not column.startswith("consent_")
        if table in ("judgments", "participants") and is_question:
            wording.setdefault(table, {})[column.lower()] = meaning
    return wording


def _recruited(
    advertised: Mapping[str, int], fields: Mapping[str, Mapping[str, str | None]], people: set[str]
) -> tuple[RecruitedGroup, ...]:
    """Return groups with those who responded and judged; those without a group come last."""
    if not advertised:
        return ()
    responded = Counter(said.get("group") for said in fields.values())
    judged = Counter(said.get("group") for name, said in fields.items() if name in people)
    named = dict.fromkeys([*advertised, *sorted(filter(None, responded))])
    return tuple(
        RecruitedGroup(
            name=name or "without a group",
            advertised=advertised.get(name or ""),
            responded=responded[name],
            judged=judged[name],
        )
        for name in [*named, *([None] if responded[None] else [])]
    )


def study_of_tables(tables: Mapping[str, DataTable], *, source: str) -> JudgmentStudy:
    """Return the study of the tables judgments and items, and participants and dictionary if there are."""
    judgments = tables["judgments"]
    for name in ("participant", "sentence", "questionnaire", "position"):
        judgments.need(name)
    if not len(judgments):
        raise InputError("holds no judgment yet", where=judgments.name)
    sentences = _sentences(tables["items"])
    preferences = _preferences(judgments, sentences, tables.get("dictionary"))
    questions = question_scales(judgments, tables.get("dictionary"), beside=preferences)
    seconds = (
        judgments.numbers("seconds")
        if "seconds" in judgments.columns
        else np.full(len(judgments), np.nan)
    )
    columns = JudgmentColumns(
        name=judgments.name,
        lines=judgments.lines,
        participant=judgments.columns["participant"],
        sentence=judgments.columns["sentence"],
        questionnaire=judgments.integers("questionnaire", low=0),
        position=judgments.integers("position", low=1),
        slot=np.array([_whole(judgments, "slot", row) or 0 for row in range(len(judgments))]),
        seconds=seconds,
        questions=questions,
        levels={question.name: question_levels(judgments, question) for question in questions},
        preferences=preferences,
    )
    return joined_study(
        columns,
        sentences,
        fields=_fields(tables.get("participants")),
        source=source,
        items=tables["items"].name,
        simulated=any(_is_simulated(table) for table in tables.values()),
        wording=_wording(tables.get("dictionary")),
        advertised=_advertised(tables.get("recruitment")),
    )


_OPTION = re.compile(r"(?:\(|, )([0-9]+) = ([^,;)]+)")
"""An option of a question, in what a dictionary says of it."""


def preference_value(place: int, options: int) -> float:
    """Return an option, counted from 1, as what the first translation wins: the last option is the second one's.

    >>> [preference_value(place, 3) for place in (1, 2, 3)]
    [1.0, 0.5, 0.0]
    """
    return 1.0 if place == 1 else 0.0 if place == options else 0.5


def _preferences(
    judgments: DataTable, sentences: Sequence[JudgedSentence], dictionary: DataTable | None
) -> dict[str, NDArray[np.float64]]:
    """Return answers about pairs of translations by question: those that choose among two or three options."""
    pairs = {each.id for each in sentences if each.kind is ItemKind.PAIR}
    found: dict[str, NDArray[np.float64]] = {}
    if not pairs or dictionary is None or dictionary.find("low") is None:
        return found
    about = [sentence in pairs for sentence in judgments.columns["sentence"]]
    rows = zip(
        *(dictionary.columns[name] for name in ("table", "column", "meaning", "low")), strict=True
    )
    for table, column, meaning, low in rows:
        words = [word.strip() for _, word in _OPTION.findall(meaning)]
        name = column.lower()
        if table != "judgments" or low or name not in judgments.columns or len(words) not in (2, 3):
            continue
        places = {word: place for place, word in enumerate(words, start=1)}
        places |= {str(place): place for place in places.values()}
        values = np.full(len(judgments), np.nan)
        for row, text in enumerate(judgments.columns[name]):
            if text and text not in places:
                raise InputError(
                    f"{column} is {text!r}; it can be {', '.join(words)}, or their numbers",
                    where=judgments.where(row),
                )
            if text and about[row]:
                values[row] = preference_value(places[text], len(words))
        found[name] = values
    return found


def _wording(dictionary: DataTable | None) -> dict[str, dict[str, str]]:
    names = ("table", "column", "meaning")
    if dictionary is None or not {*names} <= {*dictionary.columns}:
        return {}
    return question_wording(zip(*(dictionary.columns[name] for name in names), strict=True))


def _advertised(table: DataTable | None) -> dict[str, int]:
    """Return to how many people of each group the study was advertised."""
    found: dict[str, int] = {}
    if table is None:
        return found
    for name in ("group", "advertised"):
        table.need(name)
    for row, group in enumerate(table.columns["group"]):
        text = table.columns["advertised"][row]
        if group in found:
            raise InputError(
                f"the group {group!r} is there twice; keep one row", where=table.where(row)
            )
        if not _COUNTED.fullmatch(text):
            raise InputError(
                f"advertised is {text!r}; it is a number of people", where=table.where(row)
            )
        found[group] = int(text)
    return found


def _sentences(items: DataTable) -> tuple[JudgedSentence, ...]:
    for name in ("sentence", "kind", "hypothesis", "reference"):
        items.need(name)
    seen: dict[str, int] = {}
    sentences = []
    for row in range(len(items)):
        name = items.columns["sentence"][row]
        if not name or name in seen:
            first = f" first at line {items.lines[seen[name]]}" if name else " and needs a name"
            raise InputError(f"the sentence is called {name!r},{first}", where=items.where(row))
        seen[name] = row
        sentences.append(_sentence(items, row))
    return tuple(sentences)


def _with_degree_scores(sentences: Sequence[JudgedSentence]) -> tuple[JudgedSentence, ...]:
    degrees = np.array([sentence.degree or 0 for sentence in sentences], dtype=np.int64)
    scores = degree_score(degrees, int(degrees.max(initial=0)))
    return tuple(
        sentence if sentence.degree is None else sentence.scored(degree_score=float(score))
        for sentence, score in zip(sentences, scores, strict=True)
    )


def _sentence(items: DataTable, row: int) -> JudgedSentence:
    def text(name: str) -> str | None:
        return items.columns[name][row] or None if name in items.columns else None

    degree = _whole(items, "degree", row)
    kind = checked_kind(
        items.columns["kind"][row], type_=text("type"), degree=degree, where=items.where(row)
    )
    return JudgedSentence(
        id=items.columns["sentence"][row],
        kind=kind,
        type=text("type"),
        degree=degree,
        base=text("base"),
        shared=_flag(items, "shared", row),
        system=text("system"),
        second_system=text("second_system"),
        pair=text("pair"),
        segment=_whole(items, "segment", row),
        source=text("source"),
        reference=items.columns["reference"][row],
        hypothesis=items.columns["hypothesis"][row],
        tags={name: value for name in TAGS if (value := text(name)) is not None},
        rank_score=_share(items, "rank_score", row),
    )


def checked_kind(kind: str, *, type_: str | None, degree: int | None, where: str) -> ItemKind:
    """Return what a sentence is; an unknown kind, or a permutation of none, is an `InputError`."""
    if kind not in [*map(str, ItemKind)]:
        raise InputError(f"kind is {kind!r}; it can be {', '.join(ItemKind)}", where=where)
    if kind == ItemKind.PERMUTATION and (type_ is None or degree is None):
        raise InputError("is a permutation without type or degree; add both", where=where)
    return ItemKind(kind)


def _whole(table: DataTable, column: str, row: int) -> int | None:
    text = table.columns[column][row] if column in table.columns else ""
    if not text:
        return None
    if not (_COUNTED.fullmatch(text) and 1 <= int(text) < 2**31):
        raise InputError(f"{column} is {text!r}; it is counted from 1", where=table.where(row))
    return int(text)


def _share(table: DataTable, column: str, row: int) -> float | None:
    text = table.columns[column][row] if column in table.columns else ""
    value = number(text) if text else None
    if text and (value is None or not 0.0 <= value <= 1.0):
        raise InputError(
            f"{column} is {text!r}; it is a number from 0 to 1, or empty", where=table.where(row)
        )
    return value


def _flag(table: DataTable, column: str, row: int) -> bool:
    text = table.columns[column][row].lower() if column in table.columns else ""
    if text not in _TRUE + _FALSE:
        raise InputError(f"{column} is {text!r}; it can be yes or no", where=table.where(row))
    return text in _TRUE


def _places(
    judgments: JudgmentColumns, sentences: Sequence[JudgedSentence], items: str
) -> NDArray[np.int64]:
    places = {sentence.id: place for place, sentence in enumerate(sentences)}
    for row, name in enumerate(judgments.sentence):
        if name not in places:
            raise InputError(
                f"the sentence {name!r} is not among those of {items}; export both together",
                where=judgments.where(row),
            )
    return np.array([places[name] for name in judgments.sentence], dtype=np.int64)


def _check_once(
    judgments: JudgmentColumns,
    participant: NDArray[np.int64],
    other: NDArray[np.int64],
    column: str,
    names: Sequence[str],
) -> None:
    seen: dict[tuple[int, int], int] = {}
    for row, key in enumerate(zip(participant.tolist(), other.tolist(), strict=True)):
        if key in seen:
            raise InputError(
                f"participant {judgments.participant[row]} has the {column} {names[row]!r} twice, "
                f"first at line {judgments.lines[seen[key]]}; keep one of the rows",
                where=judgments.where(row),
            )
        seen[key] = row


def _fields(table: DataTable | None) -> dict[str, dict[str, str | None]]:
    """Return what participants said of themselves, by their code."""
    fields: dict[str, dict[str, str | None]] = {}
    if table is None:
        return fields
    table.need("participant")
    for row, name in enumerate(table.columns["participant"]):
        if name in fields:
            raise InputError(
                f"participant {name} is there twice; keep one row", where=table.where(row)
            )
        fields[name] = participant_fields(
            {column: cells[row] for column, cells in table.columns.items()}
        )
    return fields


def participant_fields(row: Mapping[str, str]) -> dict[str, str | None]:
    """Return what a row says of a participant, None where nothing was said."""
    return {
        column: None if text.strip().lower() in ("", "nan") else text
        for column, text in row.items()
        if column not in ("participant", "questionnaire", "simulated")
    }


def _is_simulated(table: DataTable) -> bool:
    return any(_flag(table, "simulated", row) for row in range(len(table)))


def _rank_tool(sentences: Sequence[JudgedSentence]) -> tuple[ToolScores, ...]:
    scores = np.array(
        [np.nan if s.rank_score is None else s.rank_score for s in sentences], dtype=np.float64
    )
    return (ToolScores(tool=RANK_TOOL, values=scores),) if not np.isnan(scores).all() else ()


def _degree_tool(sentences: Sequence[JudgedSentence]) -> tuple[ToolScores, ...]:
    scores = np.array(
        [np.nan if s.degree_score is None else s.degree_score for s in sentences], dtype=np.float64
    )
    return (ToolScores(tool=DEGREE_TOOL, values=scores),) if not np.isnan(scores).all() else ()


_NEEDED = ("judgments", "items")
_TABLES = (*_NEEDED, "participants", "dictionary", "scores", "recruitment")


def read_export(folder: Path) -> JudgmentStudy:
    """Return the study in a folder that `kilter survey export` or `simulate` wrote, as CSV or JSON lines.

    Judgments and items must be there; without participants nothing is known of them, without a
    dictionary every question has five boxes. The first thing that is wrong is an `InputError`.
    """
    if not is_folder(folder):
        raise InputError(
            "is not a folder; name one that 'kilter survey export' wrote", where=str(folder)
        )
    tables = {}
    for name in _TABLES:
        table = _read(folder, name)
        if table is not None:
            tables[name] = table
        elif name in _NEEDED:
            raise InputError(
                f"holds no {name}.csv and no {name}.jsonl; name a folder that 'kilter survey export' "
                "wrote in one of these formats",
                where=str(folder),
            )
    return _study(tables, str(folder))


def _study(tables: Mapping[str, DataTable], source: str) -> JudgmentStudy:
    study = study_of_tables(tables, source=source)
    if "scores" not in tables:
        return study
    return study.with_tools(scores_of(tables["scores"], study, external=False))


def _read(folder: Path, name: str) -> DataTable | None:
    paths = [path for form in ("csv", "jsonl") if exists(path := folder / f"{name}.{form}")]
    if len(paths) > 1:
        raise InputError(f"is beside {paths[1].name}; remove one of them", where=str(paths[0]))
    if not paths:
        return None
    source = ByteSource(str(paths[0]))
    table = read_table(source)
    if is_only_table(source.path):
        return table
    # An export puts a quote before what a spreadsheet would take for a formula.
    columns = {column: tuple(map(unguarded, cells)) for column, cells in table.columns.items()}
    return DataTable(table.name, columns, table.lines)
