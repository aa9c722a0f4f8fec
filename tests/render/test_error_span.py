"""Order errors as spans of characters and as tags of tokens."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.corpus import Vocabulary
from kilter.core.errors import InputError
from kilter.io.tokenizer import token_column
from kilter.render.error_span import error_spans, error_tags, token_spans
from tests.run.explanation_texts import located_with

HYPOTHESES = ['He said: "The house  red stands."', "a b", "yesterday he has bought a car"]
REFERENCES = ['He said: "The red house stands."', "a b", "he has bought a car yesterday"]


def test_spans_are_offsets_in_the_line_as_it_was_given() -> None:
    found, evaluation = located_with(HYPOTHESES, REFERENCES, tokenize="13a")
    documents = [*error_spans(found, evaluation.hypothesis, evaluation.vocabulary)]
    assert [document["segment"] for document in documents] == [1, 2, 3]
    (swap,), none, (word,) = (document["error_spans"] for document in documents)
    assert HYPOTHESES[0][swap["start_i"] : swap["end_i"]] == "house  red"
    assert (swap["category"], swap["certainty"]) == ("order/swap", 1.0)
    assert HYPOTHESES[0][swap["belongs_i"] :].startswith("house")
    assert none == []
    assert HYPOTHESES[2][word["start_i"] : word["end_i"]] == "yesterday"
    assert (word["category"], word["certainty"]) == ("order/word", 1.0)
    assert word["belongs_i"] == len(HYPOTHESES[2])


def test_tags_say_which_words_are_out_of_order() -> None:
    found, _ = located_with(["x b a", "", "a b", "b c a"], ["x a b", "", "a b", "a b c"])
    assert [*error_tags(found)] == ["OK ORDER-SWAP ORDER-SWAP", "", "OK OK", "OK OK ORDER-WORD"]
    assert next(error_tags(found, binary=True)) == "OK BAD BAD"


def test_every_word_of_an_error_has_its_tag() -> None:
    found, _ = located_with(["c b e d a g f"], ["a b c d e f g"])
    (tags,) = error_tags(found)
    kinds = {place: e.kind for e in found.segment(0).errors for place in e.words}
    assert len({*kinds.values()}) > 1
    for place, tag in enumerate(tags.split()):
        assert tag == (f"ORDER-{kinds[place]}".upper() if place in kinds else "OK")


@given(st.text(alphabet="ab.,'\"&;<>lt gquoamp\u00e9\u4e2d-5", max_size=40))
def test_every_token_of_13a_is_found_again(line: str) -> None:
    vocabulary = Vocabulary()
    for name in ("13a", "none"):
        tokens = vocabulary.text(token_column([line], name, vocabulary), 0)
        spans = token_spans(line, tokens, where="text:1")
        assert len(spans) == len(tokens)
        for token, (start, end) in zip(tokens, spans, strict=True):
            assert token == line[start:end] or "&" in line[start:end]
        assert all(one[1] <= other[0] for one, other in pairwise(spans))


def test_entities_and_skipped_marks_are_found_again() -> None:
    line = "<skipped> a &quot;b&quot; &amp;lt;"
    assert token_spans(line, ["a", '"', "b", '"', "<"], where="x") == [
        (10, 11),
        (12, 18),
        (18, 19),
        (19, 25),
        (26, 34),
    ]


def test_a_tokeniser_that_changes_letters_is_an_error() -> None:
    with pytest.raises(InputError, match=r"^text:3: the words are not written so"):
        token_spans("Äpfel", ["apfel"], where="text:3")
