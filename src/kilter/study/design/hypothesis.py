"""Hypotheses about tools, as the file of a study states them; those of [TH] are a preset. Section 13.4"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.core.settings import Choice
from kilter.io.toml_table import read_toml

if TYPE_CHECKING:
    from pathlib import Path

    from kilter.io.toml_table import TomlTable

_SENTENCES = ("translation", "order", "swap", "phrase", "choice", "both")


class Preset(Choice):
    """Which hypotheses are tested beside those that are stated."""

    THESIS = "thesis"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedHypothesis:
    """The claim that some tool agrees more with the answers to a question than every one of others does."""

    id: str
    claim: str
    question: str
    better: tuple[str, ...]
    than: tuple[str, ...]
    sentences: str = "translation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hypotheses:
    """What a study sets out to test."""

    preset: Preset = Preset.THESIS
    stated: tuple[StatedHypothesis, ...] = ()


def hypotheses_of(table: TomlTable) -> Hypotheses:
    """Return the hypotheses that the file of a study states."""
    preset = Preset(table.one_of("hypotheses", Preset, str(Preset.THESIS)))
    stated = list[StatedHypothesis]()
    for entry in table.tables("hypothesis"):
        name = entry.text("id")
        if name in [each.id for each in stated]:
            entry.refuse(f"there are two hypotheses {name!r}; give each an id of its own", "id")
        each = StatedHypothesis(
            id=name,
            claim=entry.text("claim"),
            question=entry.text("question").lower(),
            better=entry.texts("better"),
            than=entry.texts("than"),
            sentences=entry.one_of("sentences", _SENTENCES, "translation"),
        )
        for key, names in (("better", each.better), ("than", each.than)):
            if not names:
                entry.refuse(f"{key} names no tool; write one or more", key)
        entry.finish()
        stated.append(each)
    return Hypotheses(preset=preset, stated=tuple(stated))


def read_hypotheses(path: Path) -> Hypotheses:
    """Return the hypotheses in the file of a study, or in a file of hypotheses alone."""
    table = read_toml(path, needs="it has [[hypothesis]], or is the study.toml of a study")
    found = hypotheses_of(table)
    if table.text("schema", "") != "kilter.study/1":
        table.finish()
    return found
