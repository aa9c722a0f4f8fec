"""spaCy, whose package is stood in for."""

import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from kilter.core.errors import InputError, OptionError
from kilter.parsers import spacy
from kilter.parsers.registry import parser
from tests.parsers.sentences import parsed, tree_lines
from tests.parsers.stand_in import CHAIN, named


@pytest.fixture(autouse=True)
def _nothing_loaded() -> Iterator[None]:
    yield
    spacy._load.cache_clear()


def doc(_vocab: object, words: list[str], sent_starts: list[bool]) -> Any:
    assert sent_starts == [True] + [False] * (len(words) - 1)
    tokens = [
        SimpleNamespace(i=place, dep_="x", pos_="VERB" if place else "NOUN", tag_="T")
        for place in range(len(words))
    ]
    for token in tokens:
        token.head = tokens[-1]

    class Doc(list[Any]):
        def has_annotation(self, _name: str) -> bool:
            return "unparsed" not in words

    return Doc(tokens)


@pytest.fixture
def pipeline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in for spaCy: the last word is the head of all others."""

    def load(name: str) -> object:
        if name != "en_small":
            raise OSError(name)
        return SimpleNamespace(
            vocab=None, pipe=iter, meta={"lang": "en", "name": "small", "version": "3.1"}
        )

    tokens = named("spacy.tokens", Doc=doc)
    monkeypatch.setitem(
        sys.modules, "spacy", named("spacy", load=load, tokens=tokens, __version__="3.8")
    )
    monkeypatch.setitem(sys.modules, "spacy.tokens", tokens)


@pytest.mark.usefixtures("pipeline")
def test_spacy_gets_words_and_gives_trees() -> None:
    found = parsed("spacy:pipeline=en_small", "dogs bark", "")
    assert [tree_lines(found, 0), tree_lines(found, 1)] == [CHAIN, []]
    with pytest.raises(InputError, match="this pipeline has no parser"):
        parsed("spacy:pipeline=en_small", "unparsed words")


@pytest.mark.usefixtures("pipeline")
def test_spacy_needs_a_pipeline_that_is_there() -> None:
    with pytest.raises(OptionError, match="spacy:pipeline="):
        parsed("spacy", "a")
    with pytest.raises(InputError, match="other: there is no such pipeline"):
        parsed("spacy:pipeline=other", "a")


@pytest.mark.usefixtures("pipeline")
def test_the_signature_names_the_pipeline_and_its_version() -> None:
    made = parser("spacy:pipeline=en_small")
    assert made.signature() == "spacy(version:en_small-3.1+spacy-3.8)"
    assert parser("spacy").signature() == "spacy(version:none)"
