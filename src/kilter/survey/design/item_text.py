"""Sentences of an item as participants see them, on the web and on paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kilter.survey.design.item import Item
    from kilter.survey.instrument.instrument import Instrument
    from kilter.survey.instrument.interface import Interface

_HEADINGS = ("first", "second", "third")


@dataclass(frozen=True, slots=True)
class ItemSentence:
    """One sentence of an item: the names of its heading and kind among the texts, text and languages."""

    heading: str
    name: str
    text: str
    language: str
    source_language: str = ""

    def kind(self, interface: Interface) -> str:
        """Return what the sentence is: a reference, or a translation and from which language."""
        said = interface.say(self.name)
        if self.name == "reference" or not self.source_language:
            return said
        language = interface.language_name(self.source_language)
        return f"{said}, {interface.say('translated_from', language=language)}"


def item_sentences(instrument: Instrument, item: Item | None) -> list[ItemSentence]:
    """Return the sentences of an item in the instrument's order, or those of the sample for None."""
    names = {"hypothesis": "hypothesis", "reference": "reference", "second": "hypothesis_b"}
    if "second" in instrument.shows:
        names["hypothesis"] = "hypothesis_a"
    if item is None:
        language, source = (instrument.sample.language if instrument.sample else "en"), ""
    else:
        language, source = item.target_language, item.source_language
    return [
        ItemSentence(
            heading, names[part], getattr(item or instrument.sample, part) or "", language, source
        )
        for heading, part in zip(_HEADINGS, instrument.shows, strict=False)
    ]
