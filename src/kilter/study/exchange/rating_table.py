"""Collected judgments of translations as ratings and preferences, as `kilter compare` and `kilter meta` read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.study.instrument.question import QuestionKind
from kilter.study.password import participant_code

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kilter.study.design.item import Item
    from kilter.study.exchange.export import Rows
    from kilter.study.instrument.question import Question
    from kilter.study.store.collected_data import CollectedData, Judgment

    Corpus = tuple[str, int | None]

RATING_COLUMNS = {
    "system": "system that translated",
    "segment": "line of the corpus, from 1",
    "rater": "code of the participant; see the participants",
    "score": "the answer, more for better",
}
PREFERENCE_COLUMNS = {
    "segment": "line of the corpus, from 1",
    "better": "system whose translation was preferred; of a tie, the first that was shown",
    "worse": "the other system",
    "tie": "1 if both were equally good, else 0",
    "rater": "code of the participant; see the participants",
}


def rating_tables(data: CollectedData, *, secret: bytes) -> dict[str, Rows]:
    """Return tables of ratings by question, `ratings_QUESTION`, and of preferences, `pairs`, that hold anything.

    Translations alone are rated: no permutations, no control items. Lines are counted in each corpus, so that
    several language pairs or years have a table each, which their names end in. Systems come as the study
    lists them, so that the first is the baseline of comparisons.
    """
    corpora: list[Corpus] = list(
        dict.fromkeys((files.pair, files.year) for files in data.study.corpora)
    )
    found: dict[str, Rows] = {}
    for corpus in corpora:
        ending = "" if len(corpora) == 1 else f"_{corpus[0]}"
        ending += "" if len({each[1] for each in corpora}) == 1 else f"_{corpus[1] or 'unknown'}"
        for question in data.study.instrument.questions:
            if question.kind is not QuestionKind.OPTIONS:
                rows = _ratings(data, question, corpus, secret)
                name, columns = f"ratings_{question.name}{ending}", [*RATING_COLUMNS]
            elif len(question.options) in (2, 3):
                rows = [*_preferences(data, question, corpus, secret)]
                name, columns = f"pairs{ending}", [*PREFERENCE_COLUMNS]
            else:
                continue
            if rows:
                found[name] = columns, iter(rows)
    return found


def _judgments(
    data: CollectedData, kind: str, corpus: Corpus, secret: bytes
) -> Iterator[tuple[str, Judgment]]:
    """Yield the judgments about items of a kind and a corpus, with the code of who judged."""
    for person in data.active():
        code = participant_code(secret, person.code_name)
        for judgment in data.judgments(person):
            if judgment.item.kind == kind and _corpus(judgment.item) == corpus:
                yield code, judgment


def _corpus(item: Item) -> Corpus:
    return item.pair, item.year


def _ratings(
    data: CollectedData, question: Question, corpus: Corpus, secret: bytes
) -> list[dict[str, object]]:
    order = {files.system: place for place, files in enumerate(data.study.corpora)}
    given = [
        (judgment.item, code, value)
        for code, judgment in _judgments(data, "translation", corpus, secret)
        if (value := judgment.answers[question.name]) is not None
    ]
    given.sort(key=lambda each: (order.get(each[0].system, len(order)), each[0].line, each[1]))
    return [
        {"system": item.system, "segment": item.line, "rater": code, "score": value}
        for item, code, value in given
    ]


def _preferences(
    data: CollectedData, question: Question, corpus: Corpus, secret: bytes
) -> Iterator[dict[str, object]]:
    """Yield preferences; the first option is the first translation, the last the second, one between is a tie."""
    for code, judgment in _judgments(data, "pair", corpus, secret):
        value, item = judgment.answers[question.name], judgment.item
        if value is None:
            continue
        systems = [item.system, item.second_system]
        better, worse = systems[::-1] if value == question.high else systems
        yield {
            "segment": item.line,
            "better": better,
            "worse": worse,
            "tie": int(question.low < value < question.high),
            "rater": code,
        }
