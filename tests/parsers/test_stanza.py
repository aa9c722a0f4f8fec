"""Stanza, whose package is stood in for."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from kilter.core.errors import InputError, OptionError
from kilter.parsers import stanza
from kilter.parsers.registry import parser
from tests.parsers.sentences import parsed, tree_lines
from tests.parsers.stand_in import CHAIN, named


@pytest.fixture(autouse=True)
def _nothing_loaded() -> Iterator[None]:
    yield
    stanza._load.cache_clear()


@pytest.fixture
def stanza_models(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Stand in for Stanza; it loses a word of sentences of three words."""

    def answer(segments: list[list[str]]) -> object:
        def words(text: list[str]) -> list[object]:
            count = len(text) - (len(text) == 3)
            return [
                SimpleNamespace(
                    head=0 if place == count - 1 else count,
                    deprel="root" if place == count - 1 else "x",
                    upos="VERB" if place else "NOUN",
                    xpos=None,
                )
                for place in range(count)
            ]

        return SimpleNamespace(sentences=[SimpleNamespace(words=words(text)) for text in segments])

    def make(language: str, **settings: object) -> object:
        assert settings["download_method"] is None
        assert settings["tokenize_pretokenized"] is True
        if language != "en":
            raise FileNotFoundError(language)
        return answer

    monkeypatch.setitem(sys.modules, "stanza", named("stanza", Pipeline=make))
    return f"stanza:folder={tmp_path}"


def test_stanza_gets_words_and_gives_trees(stanza_models: str) -> None:
    found = parsed(stanza_models, "dogs bark", "")
    assert [tree_lines(found, 0), tree_lines(found, 1)] == [CHAIN, []]


def test_a_lost_word_is_an_error(stanza_models: str) -> None:
    with pytest.raises(InputError, match="segment 2: stanza makes 2 words of the 3"):
        parsed(stanza_models, "", "a b c")


def test_stanza_needs_a_folder_with_the_language(stanza_models: str) -> None:
    with pytest.raises(OptionError, match="stanza:folder="):
        parsed("stanza", "a")
    with pytest.raises(InputError, match="there is no such folder"):
        parsed("stanza:folder=nowhere", "a")
    with pytest.raises(InputError, match="Stanza cannot load these models: tlh"):
        parsed(f"{stanza_models},language=tlh", "a")


def test_the_signature_names_the_models_by_their_bytes(tmp_path: Path) -> None:
    for place, content in (("en/pos/a.pt", b"one"), ("de/pos/a.pt", b"two")):
        (tmp_path / place).parent.mkdir(parents=True)
        (tmp_path / place).write_bytes(content)
    made = parser(f"stanza:folder={tmp_path}")
    assert made.signature() == "stanza(language:en,version:7692c3ad)"  # printf one | sha256sum
    assert parser("stanza").signature() == "stanza(language:en,version:none)"
