"""What simulated participants do, stated in a TOML file. Section 13.6"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING

from kilter.core.errors import OptionError
from kilter.core.settings import check_fields
from kilter.io.toml_table import read_toml_of_schema

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SCHEMA = "kilter.effects/1"
PARTICIPANTS = 36
"""As many as in the published study."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionEffect:
    """What moves the answers to one question, on the scale from 0, the worst, to 1.

    `base` is the answer to a perfect sentence; `order` and `choice` say how much complete damage to the
    order or to the choice of words takes from it.
    """

    base: float = 0.95
    order: float = 0.5
    choice: float = 0.5


PUBLISHED_QUESTIONS = {
    "holistic": QuestionEffect(order=0.7, choice=0.9),
    "order": QuestionEffect(order=1.2, choice=0.2),
}
"""What is assumed of the two questions of [TH] unless it is stated: order hurts both, choice mainly one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """What simulated participants do; deviations are standard deviations on the scale from 0 to 1.

    An answer is base - order x (damage to order) - choice x (damage to choice) + sentence + participant +
    noise, rounded to the nearest level. The share `careless` of participants answers at random; the share
    `missing` of judgments is left empty, 17 of 1,800 as published.
    """

    questions: Mapping[str, QuestionEffect] = field(
        default_factory=lambda: dict(PUBLISHED_QUESTIONS)
    )
    participant_deviation: float = 0.1
    sentence_deviation: float = 0.1
    noise_deviation: float = 0.15
    careless: float = 0.0
    missing: float = 17 / 1800

    def __post_init__(self) -> None:
        check_fields(self)
        for name in NUMBERS:
            value = getattr(self, name)
            if not 0.0 <= value <= 1.0:
                raise OptionError(f"{name} is {value}; it must lie between 0 and 1")

    def of(self, question: str) -> QuestionEffect:
        """Return what moves the answers to a question."""
        return self.questions.get(question, QuestionEffect())


NUMBERS = tuple(part.name for part in fields(Effects) if part.name != "questions")


def read_effects(path: Path) -> Effects:
    """Return effects from a TOML file with schema = "kilter.effects/1"; what it leaves out is as usual."""
    table = read_toml_of_schema(path, schema=SCHEMA)
    usual = Effects()
    numbers = {name: table.real(name, getattr(usual, name)) for name in NUMBERS}
    entries = table.table("questions")
    questions = dict(usual.questions)
    for name in entries.names():
        entry = entries.table(name)
        known = asdict(questions.get(name, QuestionEffect()))
        questions[name] = QuestionEffect(
            **{key: entry.real(key, value, low=-10.0, high=10.0) for key, value in known.items()}
        )
        entry.finish()
    table.finish()
    return Effects(questions=questions, **numbers)


def effects_text(effects: Effects) -> str:
    """Return effects as the TOML file that gives them back."""
    lines = [f'schema = "{SCHEMA}"', *(f"{key} = {getattr(effects, key)!r}" for key in NUMBERS)]
    for name, effect in effects.questions.items():
        lines += ["", f"[questions.{name}]"]
        lines += [f"{key} = {value!r}" for key, value in asdict(effect).items()]
    return "\n".join(lines) + "\n"
