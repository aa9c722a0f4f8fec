"""Instruments: what an item shows, and what is asked about it. Section 12.5"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kilter.io.toml_table import read_toml_of_schema
from kilter.study.instrument.data_file import data_file
from kilter.study.instrument.question import JUDGED, questions_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from kilter.io.toml_table import TomlTable
    from kilter.study.instrument.question import Question

SHOWN = ("source", "hypothesis", "reference", "second", "translations")


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleItem:
    """The item that comes first and is never analysed."""

    hypothesis: str
    reference: str
    second: str | None = None
    translations: tuple[str, ...] = ()
    language: str = "en"
    source: str = ""
    source_language: str = ""
    explanation: Mapping[str, str] = field(default_factory=dict)

    def explained(self, language: str) -> str:
        """Return what is wrong with the hypothesis, in a language or the first there is; nothing if nobody says so."""
        return self.explanation.get(language) or next(iter(self.explanation.values()), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Instrument:
    """What an item shows, in this order, and what is asked about it.

    Where it shows `translations`, everything is asked about each of them.
    """

    shows: tuple[str, ...]
    questions: tuple[Question, ...]
    sample: SampleItem | None

    @property
    def is_together(self) -> bool:
        """Whether several translations are shown together, and each is judged."""
        return "translations" in self.shows

    def question(self, name: str) -> Question:
        """Return a question by name."""
        return next(question for question in self.questions if question.name == name)


def read_instrument(name: str, folder: Path, *, languages: Sequence[str]) -> Instrument:
    """Return a bundled instrument by name, or one from a TOML file of the study's folder."""
    table = read_toml_of_schema(
        data_file("instruments", name, folder), schema="kilter.instrument/1"
    )
    shows = table.texts("shows")
    judged = {*shows} & {"hypothesis", "translations"}
    if not {*shows} <= {*SHOWN} or len({*shows}) != len(shows) or len(judged) != 1:
        raise table.error(
            f"shows must list some of {', '.join(SHOWN)}, among them either the hypothesis or the "
            "translations"
        )
    if "translations" in shows and (shows[-1] != "translations" or "second" in shows):
        raise table.error("translations are shown last, and beside no second hypothesis")
    questions = questions_of(table, languages, allowed=JUDGED)
    entries = table.table("sample")
    sample = None
    if entries.names():
        together = entries.texts("translations") if "translations" in shows else ()
        sample = SampleItem(
            hypothesis="" if together else entries.text("hypothesis"),
            reference=entries.text("reference"),
            second=entries.text("second", None),
            translations=together,
            language=entries.text("language", "en"),
            source=entries.text("source") if "source" in shows else "",
            source_language=entries.text("source_language") if "source" in shows else "",
            explanation=_explanation(entries, languages),
        )
        entries.finish()
    table.finish()
    return Instrument(shows=shows, questions=questions, sample=sample)


def _explanation(sample: TomlTable, languages: Sequence[str]) -> dict[str, str]:
    """Return what is said about the sample by language: nothing at all, or something in each of them."""
    said = {}
    for language in sample.names():
        if language not in {*SHOWN, "language", "source_language"}:
            table = sample.table(language)
            said[language] = table.text("explanation")
            table.finish()
    missing = [language for language in languages if language not in said]
    if said and missing:
        raise sample.error(
            f"the sample is not explained in {missing[0]}; add [sample.{missing[0]}]"
        )
    return said
