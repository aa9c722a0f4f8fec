"""Scanned consent forms: those that are clear are counted, the others are shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.survey.paper.form import CONSENT_LINE
from kilter.survey.paper.scan.answer_text import YES
from kilter.survey.paper.scan.consent_table import TABLE, ConsentRecord, ConsentTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kilter.survey.design.study import Study
    from kilter.survey.instrument.interface import Documents
    from kilter.survey.paper.scan.pile import ScannedConsent
    from kilter.survey.paper.scan.reading import Key, Reading
    from kilter.survey.paper.scan.review import Review


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountedConsents:
    """What became of consent forms: a word on those that lack something, doubts, and how many there are by now."""

    notes: list[str]
    doubts: dict[ScannedConsent, dict[Key, Reading]]
    said: list[str]


def count_consents(
    study: Study, consents: Iterable[ScannedConsent], review: Review, documents: Documents
) -> CountedConsents:
    """Add the consent forms without doubts to the table in the study's folder."""
    table = ConsentTable(study.folder / TABLE, [*documents.consent])
    notes, doubts, records = [], {}, []
    scanned = [*consents]
    for consent in scanned:
        if consent.picture in table:
            notes.append(f"{consent.scan}: was counted before; it changes nothing")
            continue
        confirmed = review.confirmed(consent.name)
        found = consent.page.doubts(confirmed)
        if found:
            doubts[consent] = found
            continue
        record = _record(consent, consent.page.answers(confirmed))
        records.append(record)
        said = _lacking(record, documents)
        if said:
            notes.append(f"{consent.scan}: consent form {said}")
    table.add(records)
    told = table.said(documents.optional) if scanned else []
    return CountedConsents(notes=notes, doubts=doubts, said=told)


def _record(consent: ScannedConsent, given: Mapping[Key, int | str | None]) -> ConsentRecord:
    """Return what a form agrees to; lines of other pages are left out."""
    answers = {
        question.removeprefix(CONSENT_LINE): None if value is None else value == YES
        for (_, question), value in given.items()
    }
    signed = consent.written.get("signature")
    return ConsentRecord(consent.picture, consent.page.form.texts, signed, answers)


def _lacking(record: ConsentRecord, documents: Documents) -> str:
    """Return what keeps a form from being a consent, if anything does."""
    refused = [
        line
        for line, value in record.answers.items()
        if not value and line not in documents.optional
    ]
    said = ["is not signed"] if record.signed is False else []
    said += [f"does not agree to {', '.join(refused)}"] if refused else []
    return " and ".join(said)
