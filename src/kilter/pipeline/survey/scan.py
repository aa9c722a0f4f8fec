"""Scanned booklets into a study: what is clear is imported, the rest is shown and named."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kilter.counted import counted
from kilter.formats.file_status import exists
from kilter.survey.exchange.intake import Intake
from kilter.survey.paper.scan.pile import Pile
from kilter.survey.paper.scan.review import PAGE, Review

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from kilter.errors import InputError
    from kilter.survey.paper.form import Form
    from kilter.survey.paper.scan.pile import ScannedBooklet
    from kilter.survey.paper.scan.reading import Key
    from kilter.survey.store.running_study import RunningStudy


@dataclass(slots=True)
class ScanOutcome:
    """What became of a pile of pages: pictures, problems, notes, and a word on every booklet."""

    pictures: int = 0
    problems: list[InputError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    imported: dict[str, str] = field(default_factory=dict)
    held_back: dict[str, str] = field(default_factory=dict)


def scan_booklets(
    running: RunningStudy,
    paths: Sequence[Path],
    *,
    forms: Mapping[str, Form],
    review: Path,
    participant: str | None = None,
    personal: tuple[bytes, str] | None = None,
    incomplete: bool = False,
) -> ScanOutcome:
    """Read pictures of pages and import the booklets without doubts and without missing pages.

    `personal` is a CSV file and its name, as for typed answers. Nothing is imported if anything in it is
    wrong. Doubtful answers are written into the folder `review`, and read from there the next time.
    """
    pile = Pile(running.study, running.questionnaires, forms, participant)
    confirmations = Review(review, running.study.instrument)
    outcome = ScanOutcome(pile.read(paths), pile.problems, pile.notes)
    ready: dict[str, tuple[ScannedBooklet, Mapping[Key, int | None]]] = {}
    doubts = {}
    for name, booklet in pile.booklets.items():
        if running.store.answers.has_entered(name):
            outcome.notes.append(f"{name}: was imported before; its pages change nothing")
            continue
        confirmed = confirmations.confirmed(name)
        missing = [] if incomplete else booklet.missing_pages(confirmed)
        doubts[name] = booklet.doubts(confirmed)
        if missing or doubts[name]:
            outcome.held_back[name] = _reason(missing, len(doubts[name]), review)
        else:
            ready[name] = booklet, booklet.answers(confirmed)
    if any(doubts.values()) or exists(review):
        confirmations.write(doubts)
    _enter(running, outcome, ready, personal)
    return outcome


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
    ready: Mapping[str, tuple[ScannedBooklet, Mapping[Key, int | None]]],
    personal: tuple[bytes, str] | None,
) -> None:
    """Import booklets the way that typed answers take."""
    intake = Intake.of(running.study, running.questionnaires, held_back={*outcome.held_back})
    questions = [question.name for question in running.study.instrument.questions]
    for name, (booklet, answers) in ready.items():
        by_position = {
            position: {question: answers.get((position, question)) for question in questions}
            for position in sorted({position for position, _ in answers})
        }
        intake.take(name, booklet.form.questionnaire, by_position, where=f"scanned pages of {name}")
    if personal is not None:
        intake.read_participants(*personal)
    if intake.problems:
        outcome.problems += intake.problems
        outcome.held_back |= dict.fromkeys(ready, "nothing is imported until this is corrected")
        return
    running.store.answers.enter(list(intake.people.values()))
    for name, person in intake.people.items():
        given = [value for row in person.answers.values() for value in row.values()]
        answered = sum(value is not None for value in given)
        outcome.imported[name] = f"{counted(answered, 'answer')}, {len(given) - answered} left out"
