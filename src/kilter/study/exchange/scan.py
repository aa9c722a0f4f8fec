"""Scanned booklets into a study: what is clear is imported, the rest is shown and named."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.io.stream import exists
from kilter.study.exchange.consent import count_consents, lacking_consents
from kilter.study.exchange.intake import Intake
from kilter.study.instrument.answer_form import InvalidAnswerError, personal_answers
from kilter.study.paper.form import CONSENT_LINE
from kilter.study.paper.scan.answer_text import AnswerText
from kilter.study.paper.scan.pile import Pile, ScannedBooklet
from kilter.study.paper.scan.review import PAGE, TABLE, Review

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from kilter.study.design.study import Study
    from kilter.study.paper.form import Form
    from kilter.study.paper.scan.reading import Key, Reading
    from kilter.study.store.running_study import RunningStudy


@dataclass(slots=True)
class ScanOutcome:
    """What became of a pile of pages: pictures, problems, notes, and a word on every booklet and consent form."""

    pictures: int = 0
    problems: list[InputError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    imported: dict[str, str] = field(default_factory=dict)
    held_back: dict[str, str] = field(default_factory=dict)
    consent: list[str] = field(default_factory=list)


def scan_booklets(
    running: RunningStudy,
    paths: Sequence[Path],
    *,
    forms: Mapping[str, Form],
    review: Path,
    participant: str | None = None,
    personal: tuple[bytes, str] | None = None,
    incomplete: bool = False,
    group: str | None = None,
) -> ScanOutcome:
    """Read pictures of pages and import the booklets without doubts and without missing pages.

    `personal` is a CSV file and its name, as for typed answers; it takes the place of what is written about
    participants on the pages. Nothing is imported if anything in it is wrong. Doubtful answers are written into the
    folder `review`, and read from there the next time; what is wrong there comes before any picture is read. Consent forms are counted in a table of their own. `group` is
    where the participants were recruited.
    """
    pile = Pile(running.study, running.questionnaires, forms, participant)
    documents = next(iter(running.study.documents(for_paper=True).values()))
    texts = AnswerText(running.study, [*documents.consent])
    confirmations = Review(review, texts)
    if confirmations.problems:
        return ScanOutcome(problems=confirmations.problems)
    outcome = ScanOutcome(pile.read(paths), pile.problems, pile.notes)
    if not outcome.pictures and not outcome.problems:
        raise InputError(
            "holds no picture; name PNG, JPEG, TIFF or PDF files, or folders of them",
            where=", ".join(map(str, paths)),
        )
    counted_forms = count_consents(running.study, pile.consents.values(), confirmations, documents)
    outcome.notes += counted_forms.notes
    outcome.consent += counted_forms.said
    doubts: dict[str, Mapping[Key, Reading]] = {}
    for consent, found in counted_forms.doubts.items():
        doubts[consent.name] = found
        said = f"{counted(len(found), 'line')} to confirm in {review / PAGE}"
        outcome.held_back[consent.name] = f"consent form in {consent.scan}: {said}"
    ready: dict[str, _Ready] = {}
    for name, scanned in pile.booklets.items():
        if running.store.answers.has_entered(name):
            outcome.notes.append(f"{name}: was imported before; its pages change nothing")
            continue
        confirmed = confirmations.confirmed(name)
        booklet = scanned if personal is None else _without_personal(scanned)
        missing = [] if incomplete else booklet.missing_pages(confirmed)
        doubts[name] = booklet.doubts(confirmed)
        complete = _Ready(booklet=booklet, answers=booklet.answers(confirmed), texts=texts)
        if missing or doubts[name]:
            outcome.held_back[name] = _reason(missing, len(doubts[name]), review)
        elif not any(position for position, _ in complete.answers):
            outcome.held_back[name] = "there is no page with items"
        elif personal is None and (wrong := complete.wrong_personal(running.study)):
            outcome.held_back[name] = f"{wrong}; add a row that corrects it to {review / TABLE}"
        else:
            ready[name] = complete
    if any(doubts.values()) or exists(review):
        confirmations.write(doubts)
    _enter(running, outcome, ready, personal, group)
    people = running.store.participants.all()
    outcome.notes += lacking_consents(people, documents, counted_forms.agreeing)
    return outcome


def _without_personal(booklet: ScannedBooklet) -> ScannedBooklet:
    """Return a booklet without what it says about its participant, which a file says."""
    readings = {key: found for key, found in booklet.readings.items() if _is_kept(key)}
    form = replace(
        booklet.form,
        boxes=[box for box in booklet.form.boxes if _is_kept((box.position, box.question))],
        fields=[place for place in booklet.form.fields if place.position],
    )
    return ScannedBooklet(booklet.participant, form, booklet.pages, readings)


def _is_kept(key: Key) -> bool:
    """Return whether an answer is about an item, or says what may be done with answers."""
    return key[0] > 0 or key[1].startswith(CONSENT_LINE)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Ready:
    """A booklet whose answers are all known."""

    booklet: ScannedBooklet
    answers: Mapping[Key, int | str | None]
    texts: AnswerText

    @property
    def about(self) -> dict[str, int | str | None]:
        """What the participant says about themselves, by column."""
        return {
            question: value for (position, question), value in self.answers.items() if not position
        }

    def judgments(self, questions: Sequence[str]) -> dict[int, dict[str, int | None]]:
        """Return answers about items by position."""
        found: dict[int, dict[str, int | None]] = {}
        for position in sorted({position for position, _ in self.answers if position}):
            values = {question: self.answers.get((position, question)) for question in questions}
            found[position] = {
                question: value if isinstance(value, int) else None
                for question, value in values.items()
            }
        return found

    def wrong_personal(self, study: Study) -> str | None:
        """Return what is wrong with answers about the participant, if anything is."""
        try:
            personal_answers(study.questions, self.texts.words(self.about).__getitem__)
        except InvalidAnswerError as error:
            interfaces = study.interfaces()
            interface = interfaces.get("en") or next(iter(interfaces.values()))
            return f"{error.question.name} is not {interface.say(error.key, **error.fields)}"
        return None


def _reason(missing: Sequence[int], doubts: int, review: Path) -> str:
    said = []
    if missing:
        listed = ", ".join(map(str, missing))
        said.append(f"{'page' if len(missing) == 1 else 'pages'} {listed} missing")
    if doubts:
        said.append(f"{counted(doubts, 'answer')} to confirm in {review / PAGE}")
    return "; ".join(said)


def _enter(
    running: RunningStudy,
    outcome: ScanOutcome,
    ready: Mapping[str, _Ready],
    personal: tuple[bytes, str] | None,
    group: str | None,
) -> None:
    """Import booklets the way that typed answers take."""
    intake = Intake.of(running.study, running.questionnaires, held_back={*outcome.held_back})
    questions = [question.name for question in running.study.instrument.questions]
    for name, found in ready.items():
        where = f"scanned pages of {name}"
        number = found.booklet.form.questionnaire
        intake.take(name, number, found.judgments(questions), where=where)
        agreed = found.texts.agreed(found.about)
        about = None if personal is not None else found.texts.words(found.about)
        intake.take_personal(name, about, agreed, where=where)
    if personal is not None:
        intake.read_participants(*personal)
    if intake.problems:
        outcome.problems += intake.problems
        outcome.held_back |= dict.fromkeys(ready, "nothing is imported until this is corrected")
        return
    for person in intake.people.values():
        person.group = group
    running.store.answers.enter(list(intake.people.values()))
    for name, person in intake.people.items():
        given = [value for row in person.answers.values() for value in row.values()]
        answered = sum(value is not None for value in given)
        outcome.imported[name] = f"{counted(answered, 'answer')}, {len(given) - answered} left out"
