"""Scanned consent forms: those that are clear are counted, the others are shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.study.paper.form import CONSENT_LINE
from kilter.study.paper.scan.answer_text import YES
from kilter.study.paper.scan.consent_table import TABLE, ConsentRecord, ConsentTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kilter.study.design.study import Study
    from kilter.study.instrument.interface import Documents
    from kilter.study.paper.scan.pile import ScannedConsent
    from kilter.study.paper.scan.reading import Key, Reading
    from kilter.study.paper.scan.review import Review
    from kilter.study.store.participant import Participant


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountedConsents:
    """What became of consent forms: a word on those that lack something, doubts, and how many there are by now."""

    notes: list[str]
    doubts: dict[ScannedConsent, dict[Key, Reading]]
    said: list[str]
    agreeing: int
    """How many forms of the study are signed and agree to all that is not voluntary."""


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
    agreeing = table.agreeing(documents.optional)
    return CountedConsents(notes=notes, doubts=doubts, said=told, agreeing=agreeing)


def lacking_consents(
    people: Iterable[Participant], documents: Documents, agreeing: int
) -> list[str]:
    """Return that fewer consent forms are on file than booklets, or nothing if there are enough.

    Those of whom a file says that they have consented need no form.
    """
    needed = {*documents.consent} - {*documents.optional}
    booklets = sum(
        person.origin == "paper"
        and person.withdrawn_at is None
        and not all((person.consent or {}).get(line) for line in needed)
        for person in people
    )
    if booklets <= agreeing:
        return []
    forms = (
        f"only {counted(agreeing, 'signed consent form')}" if agreeing else "no signed consent form"
    )
    return [
        (
            f"{counted(booklets, 'booklet')} {'is' if booklets == 1 else 'are'} imported, but {forms} "
            f"{'are' if agreeing > 1 else 'is'} on file; scan the other forms, or remove whoever has not consented "
            "with 'kilter survey erase'"
        )
    ]


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
