"""Who took part: age, gender, nationality, education, languages. Section 13.1"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.io.table import number
from kilter.stats.undefined import Undefined
from kilter.study.analysis.summary import Summary, summarise

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.study.analysis.judgment_study import JudgmentStudy, StudyParticipant

NUMERIC = ("age", "grammar_attention", "number_of_languages", "language_points")
NAMED = ("gender", "nationality", "education")
FURTHER = ("first_language_english", "disability", "group")
FURTHER_NUMERIC = ("years_fluent",)
"""What not every study asks: described where somebody has answered."""
LABELS = {"first_language_english": "English first language", "group": "recruitment group"}
"""What fields are called where their name says too little."""
_LANGUAGE = re.compile(r"(?:^|; )[^;()]+ \([^();]*\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldDescription:
    """One thing that participants said; `summary` only where answers are numbers."""

    field: str
    answered: int
    missing: int
    counts: Mapping[str, int]
    summary: Summary | None


def demographics(study: JudgmentStudy) -> dict[str, FieldDescription | Undefined]:
    """Return what is known of the participants, by field; a field that nobody filled in is undefined.

    First language, years of English, disability and recruitment group are there if anybody has one.
    """
    described = {name: _described(study.participants, name) for name in (*NAMED, *NUMERIC)}
    further = {name: _described(study.participants, name) for name in (*FURTHER, *FURTHER_NUMERIC)}
    return described | {
        name: field for name, field in further.items() if not isinstance(field, Undefined)
    }


def field_label(name: str) -> str:
    """Return what a field is called for people.

    >>> field_label("group"), field_label("language_points")
    ('recruitment group', 'language points')
    """
    return LABELS.get(name, name.replace("_", " "))


def field_value(participant: StudyParticipant, name: str) -> str | None:
    """Return what a participant said; `number_of_languages` counts those in `languages`.

    Of a disability only yes or no counts: what somebody wrote about it is in no analysis.
    """
    if name == "disability":
        told = participant.fields.get(name)
        return None if told is None else "no" if told.strip().lower() == "no" else "yes"
    if name != "number_of_languages":
        return participant.fields.get(name)
    languages = participant.fields.get("languages")
    return None if languages is None else str(len(_LANGUAGE.findall(languages)))


def field_number(participant: StudyParticipant, name: str) -> float:
    """Return what a participant said as a number, NaN if there is none."""
    value = field_value(participant, name)
    value_found = None if value is None else number(value)
    return float("nan") if value_found is None else value_found


def _described(participants: Sequence[StudyParticipant], name: str) -> FieldDescription | Undefined:
    values = [field_value(participant, name) for participant in participants]
    known = [value for value in values if value is not None]
    if not known:
        return Undefined(f"no participant said anything about {name}")
    numbers = np.array([field_number(participant, name) for participant in participants])
    return FieldDescription(
        field=name,
        answered=len(known),
        missing=len(values) - len(known),
        counts=dict(sorted(Counter(known).items(), key=lambda entry: (-entry[1], entry[0]))),
        summary=summarise(numbers) if name in NUMERIC + FURTHER_NUMERIC else None,
    )
