"""Sentences of an item, as participants see them."""

from pathlib import Path

import pytest

from kilter.survey.design.item import Item
from kilter.survey.design.item_text import item_sentences
from kilter.survey.instrument.instrument import read_instrument
from kilter.survey.instrument.interface import read_interface

ITEM = Item(
    id="x", kind="pair", system="one", pair="de-en", line=1,
    hypothesis="hypothesis text", reference="reference text", second="second text",
)  # fmt: skip


@pytest.mark.parametrize(
    ("instrument", "names"),
    [
        ("word-order", ["hypothesis", "reference"]),
        ("pairwise", ["reference", "hypothesis_a", "hypothesis_b"]),
    ],
)
def test_sentences_come_in_the_order_of_the_instrument(
    instrument: str, names: list[str], tmp_path: Path
) -> None:
    made = read_instrument(instrument, tmp_path, languages=["en"])
    sentences = item_sentences(made, ITEM)
    assert sorted(sentence.name for sentence in sentences) == sorted(names)
    assert [sentence.text for sentence in sentences] == [getattr(ITEM, name) for name in made.shows]
    assert {sentence.language for sentence in sentences} == {"en"}


def test_a_translation_says_from_which_language_and_a_reference_does_not(tmp_path: Path) -> None:
    interface = read_interface("en", tmp_path)
    made = read_instrument("word-order", tmp_path, languages=["en"])
    kinds = {each.name: each.kind(interface) for each in item_sentences(made, ITEM)}
    assert "German" in kinds["hypothesis"]
    assert "German" not in kinds["reference"]
    # Nobody knows what the sample was translated from.
    sample = {each.name: each.kind(interface) for each in item_sentences(made, None)}
    assert sample["hypothesis"] == interface.say("hypothesis")
