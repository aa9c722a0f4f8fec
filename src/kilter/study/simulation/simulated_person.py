"""What simulated participants say about themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kilter.preordering.perturbations.word import Chance
from kilter.study.instrument.question import QuestionKind
from kilter.study.store.participant import Participant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.study.design.study import Study
    from kilter.study.instrument.question import Question

# What people are like where bounds of a question say too little.
_NUMBERS = {"age": (18, 65), "years_fluent": (1, 30)}
_TEXTS = {"nationality": ("British", "German", "Indian", "Polish", "Spanish")}
_YOUNGEST = 5
"""Nobody is fluent in a second language before."""
_LANGUAGES = ("French", "German", "Hindi", "Polish", "Spanish", "Arabic")


def simulated_person(study: Study, *, seed: int, number: int, questionnaire: int) -> Participant:
    """Return a participant (number from 1) who has consented, answered and submitted.

    What they say agrees: people whose first language is English are native in it and are not asked since
    when they are fluent; others are not native, and have been fluent for fewer years than they are old.
    """
    chance = Chance(seed, "person", number)
    consent = next(iter(study.documents().values())).consent
    said = {question.name: _said(question, chance) for question in study.questions}
    said |= {
        question.name: _seldom(question, seed, number)
        for question in study.questions
        if question.text_with
    }
    personal = _coherent(said, study.questions)
    return Participant(
        id=number,
        link=None,
        origin="simulated",
        questionnaire=questionnaire,
        consent=dict.fromkeys(consent, True),
        personal={name: value for name, value in personal.items() if value is not None},
        informed_at=0.0,
        consented_at=0.0,
        described_at=0.0,
        sampled_at=0.0,
        submitted_at=0.0,
        withdrawn_at=None,
        created_at=0.0,
        recruitment_group=_group(study, seed, number),
    )


def _group(study: Study, seed: int, number: int) -> str | None:
    """Return one of the study's recruitment groups, by a chance of its own."""
    groups = study.recruitment.groups
    return Chance(seed, "group", number).choice(groups) if groups else None


def _coherent(personal: dict[str, Any], questions: Sequence[Question]) -> dict[str, Any]:
    """Return answers that agree with one another; all but years and the level of English stay."""
    said = dict(personal)
    native = said.get("first_language_english")
    if isinstance(said.get("years_fluent"), int) and isinstance(said.get("age"), int):
        said["years_fluent"] = max(0, min(said["years_fluent"], said["age"] - _YOUNGEST))
    if native in ("yes", "no") and said.get("languages"):
        levels = next(each.options for each in questions if each.name == "languages")
        english, *others = said["languages"]
        level = levels[-1] if native == "yes" else levels[-2]
        said["languages"] = [english | {"fluency": level}, *others]
    for question in questions:
        if not question.is_asked(said):
            said[question.name] = None
    return said


def _said(question: Question, chance: Chance) -> Any:
    if question.text_with:
        return None  # said by few, and by a chance of its own
    if question.kind is QuestionKind.OPTIONS:
        return chance.choice(question.options)
    if question.kind is QuestionKind.TEXT:
        return chance.choice(_TEXTS[question.name]) if question.name in _TEXTS else None
    if question.kind is QuestionKind.LANGUAGES:
        return _languages(question, chance)
    low, high = _NUMBERS.get(question.name, (question.low, question.high))
    low, high = max(low, question.low), min(high, question.high)
    return low + chance.below(high - low + 1)


def _seldom(question: Question, seed: int, number: int) -> str:
    """Return the option that asks for a text one time in twelve, and otherwise another."""
    chance = Chance(seed, "person", number, question.name)
    others = [option for option in question.options if option != question.text_with]
    return question.text_with if chance.below(12) == 0 else chance.choice(others)


def _languages(question: Question, chance: Chance) -> list[dict[str, str]]:
    """Return English in the best levels, and up to three others in any."""
    best = question.options[-2:]
    known = [("English", chance.choice(best))]
    others = chance.sample(_LANGUAGES, min(chance.below(4), question.rows - 1))
    known += [(name, chance.choice(question.options)) for name in others]
    return [{"name": name, "fluency": level, "qualifications": ""} for name, level in known]
