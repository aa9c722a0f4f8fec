"""Collected data as files: judgments, participants, items, and what their columns mean. Section 12.6"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kilter.io.spreadsheet import csv_text
from kilter.study.design.item import judged_items
from kilter.study.instrument.answer_form import language_points, said
from kilter.study.instrument.question import QuestionKind
from kilter.study.password import participant_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kilter.study.design.item import Item
    from kilter.study.instrument.question import Question
    from kilter.study.store.collected_data import CollectedData

    Rows = tuple[list[str], Iterator[dict[str, object]]]

ABOUT = {
    "participant": "code of the participant; without the study's secret it leads to no link and no person",
    "questionnaire": "number of the questionnaire, from 1",
    "position": "place of the item in the questionnaire, from 1",
    "sentence": "id of the item; see the items",
    "system": "system that translated; TYPE-DEGREE for a permutation; the kind for a control item",
    "segment": "line of the corpus, from 1",
    "seconds": "how long the page was looked at, all visits together; empty if unknown",
    "origin": "how the participant came: link, open, paper",
    "group": "group by which the participant was recruited: the label of the link; empty if there is none",
    "advertised": "how many people of the group the study was advertised to, as study.toml says",
    "submitted": "whether the answers were submitted",
    "withdrawn": "whether the participant has withdrawn and left the judgments",
    "language_points": "sum over languages of the number of the level, 1 to 7",
    "consented_to": "checksum of the information sheet and the consent form that were read, if on the web",
    "link": "number of the personal link; only with identified data",
    "kind": "translation, permutation, pair, or the control items identical and shuffled",
    "type": "how words were permuted: order, swap, phrase, choice or both",
    "degree": "how many words were affected",
    "base": "id of the sentence whose reference was permuted or is shown",
    "shared": "whether all questionnaires have the item",
    "pair": "languages of source and target",
    "year": "year of the corpus",
    "source": "source sentence, if the study has it",
    "reference": "reference sentence",
    "hypothesis": "what was shown as the translation",
    "second": "second translation of a pair",
    "second_system": "system of the second translation",
    "source_length": "words of the source, split at blanks",
    "reference_length": "words of the reference, split at blanks",
    "hypothesis_length": "words of the hypothesis, split at blanks",
    "rank_score": "mean of 1 - (rank - 1) / different texts over the WMT rankings of a translation, if the study names "
    "them",
    "length": "tag of a picked item: short, medium, long",
    "quality": "tag of a picked item: high, medium, low",
    "role": "tag of a picked item, the role of order: slight, equal, prime",
    "control": "whether the answer was known beforehand",
    "slot": "place of the translation among those that were shown together, from 1; empty if it was shown alone",
    "comment": "what the participant wrote about the item, of all translations that were shown together",
    "simulated": "yes: made by a simulation, nobody was asked",
}


def tables(data: CollectedData, *, secret: bytes, identified: bool = False) -> dict[str, Rows]:
    """Return the tables of an export by name: column names, and rows as they are asked for.

    Every table of simulated data has a column that says so.
    """
    by_name = {
        **_data_tables(data, secret, identified=identified),
        "dictionary": _dictionary(data, identified=identified),
    }
    return {name: marked(table) for name, table in by_name.items()} if data.simulated else by_name


def marked(table: Rows) -> Rows:
    """Return a table of simulated data with the column that says so."""
    names, rows = table
    return [*names, "simulated"], ({**row, "simulated": True} for row in rows)


def _data_tables(data: CollectedData, secret: bytes, *, identified: bool) -> dict[str, Rows]:
    made = {
        "judgments": _judgments(data, secret),
        "participants": _participants(data, secret, identified=identified),
        "items": _items(data),
    }
    return made | {"recruitment": _recruitment(data)} if data.study.recruitment.advertised else made


def export_files(data: CollectedData, *, secret: bytes) -> list[tuple[str, Callable[[], str]]]:
    """Return the names of CSV files, and what makes each when it is wanted."""

    def writer(name: str) -> Callable[[], str]:
        return lambda: csv_text(*tables(data, secret=secret)[name])

    return [(f"{name}.csv", writer(name)) for name in tables(data, secret=secret)]


def _judgments(data: CollectedData, secret: bytes) -> Rows:
    questions = [question.name for question in data.study.instrument.questions]
    names = ["participant", "questionnaire", "position", "sentence", "system", "segment"]

    def rows() -> Iterator[dict[str, object]]:
        for person in data.active():
            for judgment in data.judgments(person):
                item = judgment.item
                yield {
                    "participant": participant_code(secret, person.code_name),
                    "questionnaire": person.questionnaire,
                    "position": judgment.position,
                    "sentence": item.id,
                    "system": _system(item),
                    "segment": item.line,
                    **judgment.answers,
                    "seconds": None if judgment.seconds is None else round(judgment.seconds, 1),
                    "control": item.is_control,
                    "slot": judgment.slot,
                    "comment": judgment.comment,
                }

    comment = ["comment"] if data.study.comments else []
    return [*names, *questions, "seconds", "control", "slot", *comment], rows()


def _system(item: Item) -> str:
    if item.kind == "permutation":
        return f"{item.type}-{item.degree}"
    return item.system if item.kind in ("translation", "pair") else item.kind


def _participants(data: CollectedData, secret: bytes, *, identified: bool) -> Rows:
    names = ["participant", "questionnaire", "origin", "group", "submitted", "withdrawn"]
    for question in data.study.questions:
        names += _personal_names(question)
    consent = [*next(iter(data.study.documents().values())).consent]
    names += [*(f"consent_{line}" for line in consent), "consented_to"]
    names += ["link"] if identified else []

    def rows() -> Iterator[dict[str, object]]:
        active = {person.id for person in data.active()}
        for person in data.participants:
            if person.consented_at is None and person.id not in active:
                continue
            row: dict[str, object] = {
                "participant": participant_code(secret, person.code_name),
                "questionnaire": person.questionnaire,
                "origin": person.origin,
                "group": person.recruitment_group,
                "submitted": person.submitted_at is not None,
                "withdrawn": person.withdrawn_at is not None,
                "consented_to": person.consent_version,
                "link": person.link,
            }
            for question in data.study.questions:
                row |= _personal(question, said(question, person.personal or {}))
            row |= {f"consent_{line}": given for line, given in (person.consent or {}).items()}
            yield row

    return names, rows()


def _recruitment(data: CollectedData) -> Rows:
    advertised = data.study.recruitment.advertised
    rows = ({"group": group, "advertised": number} for group, number in advertised.items())
    return ["group", "advertised"], rows


def _personal_names(question: Question) -> list[str]:
    if question.kind is QuestionKind.LANGUAGES:
        return [question.name, "language_points"]
    return [question.name, question.text_name] if question.text_with else [question.name]


def _personal(question: Question, answers: dict[str, object]) -> dict[str, object]:
    value: Any = answers[question.name]
    if question.kind is not QuestionKind.LANGUAGES or value is None:
        return answers
    listed = "; ".join(
        f"{entry['name']} ({entry['fluency']})"
        + (f": {entry['qualifications']}" if entry["qualifications"] else "")
        for entry in value
    )
    return {question.name: listed, "language_points": language_points(value, question.options)}


def _items(data: CollectedData) -> Rows:
    names = [
        "sentence", "kind", "type", "degree", "base", "shared", "system", "pair", "year", "segment",
        "source", "reference", "hypothesis", "second", "second_system", "source_length",
        "reference_length", "hypothesis_length", "rank_score", "length", "quality", "role",
        "control",
    ]  # fmt: skip

    def rows() -> Iterator[dict[str, object]]:
        for item in judged_items(data.items.values()):
            yield {
                "sentence": item.id,
                "segment": item.line,
                "control": item.is_control,
                "source_length": None if item.source is None else len(item.source.split()),
                "reference_length": len(item.reference.split()),
                "hypothesis_length": len(item.hypothesis.split()),
                **{name: getattr(item, name) for name in names if name in _PLAIN},
                **item.tags,
            }

    return names, rows()


_PLAIN = frozenset(
    {
        "kind", "type", "degree", "base", "shared", "system", "pair", "year", "source", "reference",
        "hypothesis", "second", "second_system", "rank_score",
    }
)  # fmt: skip


def _dictionary(data: CollectedData, *, identified: bool) -> Rows:
    questions = {
        question.name: f"{question.text('en').ask} ({_answers(question)})"
        for question in (*data.study.instrument.questions, *data.study.questions)
    }
    questions |= {
        question.text_name: f"{question.text('en').more} (only with {question.text_with})"
        for question in data.study.questions
        if question.text_with
    }
    scales = {
        question.name: {"low": question.low, "high": question.high}
        for question in data.study.instrument.questions
        if question.kind is not QuestionKind.OPTIONS
    }
    consent = next(iter(data.study.documents().values())).consent
    lines = {f"consent_{name}": text for name, text in consent.items()}

    def rows() -> Iterator[dict[str, object]]:
        for table, (names, _) in _data_tables(data, b"", identified=identified).items():
            for name in [*names, "simulated"] if data.simulated else names:
                meaning = questions.get(name) or lines.get(name) or ABOUT[name]
                bounds = scales.get(name, {}) if table == "judgments" else {}
                yield {"table": table, "column": name, "meaning": meaning, **bounds}

    return ["table", "column", "meaning", "low", "high"], rows()


def _answers(question: Question) -> str:
    text = question.text("en")
    if question.kind in (QuestionKind.BOXES, QuestionKind.SLIDER):
        return f"{question.low} = {text.left}, {question.high} = {text.right}; empty = no answer"
    if question.kind is QuestionKind.OPTIONS:
        numbered = (f"{place} = {option}" for place, option in enumerate(question.options, start=1))
        return f"{', '.join(numbered)}, or the words themselves; empty = no answer"
    return "empty = no answer"
