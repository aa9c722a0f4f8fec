"""Sentences of an item as participants see them, on the web and on paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kilter.study.design.item import Item
    from kilter.study.instrument.instrument import Instrument
    from kilter.study.instrument.interface import Interface
    from kilter.study.instrument.question import Question

_HEADINGS = ("first", "second", "third", "fourth")


@dataclass(frozen=True, slots=True)
class ItemSentence:
    """One sentence of an item: the names of its heading and kind among the texts, text and languages."""

    heading: str
    name: str
    text: str
    language: str
    source_language: str = ""
    number: int = 0

    def title(self, interface: Interface) -> str:
        """Return the heading, with the number of a translation among several."""
        return interface.say(self.heading, number=self.number)

    def kind(self, interface: Interface) -> str:
        """Return what the sentence is: a source, a reference, or a translation and from which language.

        The title of a translation among several says already that it is one.
        """
        said = [] if self.number else [interface.say(self.name)]
        if self.name != "reference" and self.source_language:
            language = interface.language_name(self.source_language)
            said.append(interface.say("translated_from", language=language))
        return ", ".join(said)


@dataclass(frozen=True, slots=True)
class ItemPart:
    """What is asked about an item at one place: about all of it, or about the translation that stands there."""

    sentence: ItemSentence | None
    questions: tuple[Question, ...]


def item_sentences(instrument: Instrument, item: Item | None) -> list[ItemSentence]:
    """Return the sentences of an item in the instrument's order, or those of the sample for None.

    Translations that are judged one by one are not among them: see `item_parts`.
    """
    names = {part: part for part in ("source", "hypothesis", "reference")}
    names["second"] = "hypothesis_b"
    if "second" in instrument.shows:
        names["hypothesis"] = "hypothesis_a"
    language, source = _languages(instrument, item)
    shown = [part for part in instrument.shows if part != "translations"]
    return [
        ItemSentence(
            names[part] if instrument.is_together else heading,
            names[part],
            getattr(item or instrument.sample, part) or "",
            source if part == "source" else language,
            "" if part == "source" else source,
        )
        for heading, part in zip(_HEADINGS, shown, strict=False)
    ]


def item_parts(instrument: Instrument, item: Item | None) -> list[ItemPart]:
    """Return what is asked about an item, or about the sample for None, translation by translation."""
    if not instrument.is_together:
        return [ItemPart(None, instrument.questions)]
    language, source = _languages(instrument, item)
    if item is not None:
        texts = [judged.hypothesis for _, judged in item.slots()]
    else:
        texts = list(instrument.sample.translations) if instrument.sample else []
    return [
        ItemPart(
            ItemSentence("translation_number", "hypothesis", text, language, source, slot),
            tuple(
                question.of(slot if item is None or item.parts else None)
                for question in instrument.questions
            ),
        )
        for slot, text in enumerate(texts, start=1)
    ]


def asked(instrument: Instrument, item: Item) -> list[Question]:
    """Return the questions about an item as forms and answers name them."""
    return [question for part in item_parts(instrument, item) for question in part.questions]


def _languages(instrument: Instrument, item: Item | None) -> tuple[str, str]:
    """Return the language of an item's sentences, and the one that was translated."""
    if item is None:
        sample = instrument.sample
        return (sample.language, sample.source_language) if sample else ("en", "")
    return item.target_language, item.source_language
