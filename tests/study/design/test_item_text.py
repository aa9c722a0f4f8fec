"""Sentences of an item, as participants see them."""

from dataclasses import replace
from pathlib import Path

import pytest

from kilter.study.design.item import Item
from kilter.study.design.item_text import asked, item_parts, item_sentences
from kilter.study.instrument.instrument import read_instrument
from kilter.study.instrument.interface import read_interface

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


def test_a_source_is_in_its_own_language(tmp_path: Path) -> None:
    interface = read_interface("en", tmp_path)
    made = read_instrument("pairwise", tmp_path, languages=["en"])
    shows = ("source", "reference", "hypothesis", "second")
    item = replace(ITEM, source="source text")
    sentences = item_sentences(replace(made, shows=shows), item)
    assert [each.title(interface) for each in sentences] == [
        "First sentence", "Second sentence", "Third sentence", "Fourth sentence",
    ]  # fmt: skip
    source = sentences[0]
    assert (source.text, source.language, source.kind(interface)) == ("source text", "de", "Source")
    together = replace(made, shows=("source", "reference", "translations"))
    titles = [each.title(interface) for each in item_sentences(together, item)]
    assert titles == ["Source", "Reference"]


TOGETHER = replace(
    ITEM, kind="together", hypothesis="", second=None,
    parts=tuple(replace(ITEM, id=name, hypothesis=f"text of {name}") for name in ("x", "y")),
)  # fmt: skip


def test_everything_is_asked_about_each_translation_that_is_shown_together(tmp_path: Path) -> None:
    interface = read_interface("en", tmp_path)
    made = read_instrument("together", tmp_path, languages=["en"])
    assert [sentence.text for sentence in item_sentences(made, TOGETHER)] == ["reference text"]
    parts = item_parts(made, TOGETHER)
    sentences = [part.sentence for part in parts if part.sentence is not None]
    assert [sentence.text for sentence in sentences] == ["text of x", "text of y"]
    assert [each.title(interface) for each in sentences] == ["Translation 1", "Translation 2"]
    assert {each.kind(interface) for each in sentences} == {"translated from German"}
    assert [[q.name for q in part.questions] for part in parts] == [["rating.1"], ["rating.2"]]
    assert [question.name for question in asked(made, TOGETHER)] == ["rating.1", "rating.2"]
    assert made.sample is not None
    sample = [part.sentence for part in item_parts(made, None)]
    assert [each.text for each in sample if each] == list(made.sample.translations)


def test_a_translation_alone_keeps_the_names_of_questions(tmp_path: Path) -> None:
    """Control items are shown alone, also by an instrument for several translations."""
    together = read_instrument("together", tmp_path, languages=["en"])
    (part,) = item_parts(together, ITEM)
    assert part.sentence is not None
    assert (part.sentence.text, [q.name for q in part.questions]) == ("hypothesis text", ["rating"])
    usual = read_instrument("word-order", tmp_path, languages=["en"])
    (part,) = item_parts(usual, ITEM)
    assert (part.sentence, part.questions) == (None, usual.questions)
    assert asked(usual, ITEM) == list(usual.questions)
