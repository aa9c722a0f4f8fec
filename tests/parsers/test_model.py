"""The embedded English parser."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.parsers.model import Model
from kilter.parsers.registry import parser
from tests.parsers.sentences import HARD, parsed, tree_lines
from tests.thorough import examples, tried


def test_a_sentence_with_an_object_and_a_clause() -> None:
    found = parsed("model", "The neighbours painted their fence because it looked old .")
    assert tree_lines(found) == [
        "The DET neighbours det",
        "neighbours NOUN painted nsubj",
        "painted VERB - root",
        "their PRON fence nmod:poss",
        "fence NOUN painted obj",
        "because SCONJ looked mark",
        "it PRON looked nsubj",
        "looked VERB painted advcl",
        "old ADJ looked xcomp",
        ". PUNCT painted punct",
    ]
    names = found.trees.vocabulary.words
    tags = " ".join(names[tag] for tag in found.language_tags.tolist())
    assert tags == "DT NNS VBD PRP$ NN IN PRP VBD JJ ."


def test_capital_letters_make_names() -> None:
    found = parsed("model", "Then Baker met Miller in Paris .")
    tags = found.trees.tree(0).tags
    assert [tags[place] for place in (1, 3, 5)] == ["PROPN"] * 3


@pytest.mark.parametrize("text", HARD.values(), ids=HARD.keys())
def test_anything_gets_a_tree_over_exactly_its_words(text: str) -> None:
    found = parsed("model", text)
    tree = found.trees.tree(0)
    assert list(tree.words) == (text.split(" ") if text else [])
    assert tree.heads.count(-1) == (1 if text else 0)
    assert [label == "root" for label in tree.labels] == [head == -1 for head in tree.heads]


@examples(40)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), max_size=12))
def test_any_words_at_all_get_a_tree(words: list[str]) -> None:
    text = " ".join(word.replace(" ", "_") for word in words)
    assert parsed("model", text).trees.lengths.tolist() == [len(words)]


def test_a_line_of_thousands_of_words_is_parsed_in_windows_and_joined() -> None:
    count = tried(5000, quick=2000)
    words = ("The cook tasted the soup and added some salt ." + " x" * 3).split() * (
        count // 13 + 1
    )
    assert len(words) >= count
    found = parsed("model", " ".join(words))
    tree = found.trees.tree(0)
    assert list(tree.words) == words
    assert tree.heads.count(-1) == 1
    assert found.trees.joined == ()
    later = [k for k, label in enumerate(tree.labels) if label == "parataxis"]
    assert sum(tree.heads[k] == tree.root for k in later) >= count // 510


def test_neighbours_and_threads_change_nothing() -> None:
    texts = [text for text in HARD.values() if len(text) < 1000] * 2
    together, threads = parsed("model", *texts), parsed("model", *texts, jobs=4)
    for one, other in (
        (together.trees.heads, threads.trees.heads),
        (together.trees.labels, threads.trees.labels),
        (together.trees.tags, threads.trees.tags),
        (together.language_tags, threads.language_tags),
    ):
        assert np.array_equal(one, other)
    for place, text in enumerate(texts[: len(texts) // 2]):
        assert parsed("model", text).trees.tree(0) == together.trees.tree(place)


def test_the_signature_names_the_version_of_the_model() -> None:
    assert parser("model").signature() == "model(version:1.0.0)"
    assert isinstance(parser("model"), Model)
