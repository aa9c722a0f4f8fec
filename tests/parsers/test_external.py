"""Adapters to other parsers: their packages are stood in for, so that the tests need none of them."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from kilter.errors import InputError, MissingToolError, OptionError
from kilter.parsers import spacy, stanza, udpipe
from tests.parsers.sentences import parsed, tree_lines

CHAIN = ["dogs NOUN bark x", "bark VERB - root"]


@pytest.fixture(autouse=True)
def _nothing_loaded() -> Iterator[None]:
    yield
    for module in (udpipe, spacy, stanza):
        module._load.cache_clear()


def named(name: str, **members: Any) -> ModuleType:
    module = ModuleType(name)
    vars(module).update(members)
    return module


@pytest.mark.parametrize(
    ("name", "package"), [("udpipe", "ufal"), ("spacy", "spacy"), ("stanza", "stanza")]
)
def test_a_missing_package_is_named_with_its_install_command(
    name: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingToolError, match=rf"pip install 'kilter\[{name}\]'"):
        parsed(name, "dogs bark")


class Sentence:
    def __init__(self) -> None:
        self.words = [SimpleNamespace(form="<root>")]

    def addWord(self, form: str) -> None:  # noqa: N802 - UDPipe's name
        self.words.append(SimpleNamespace(form=form, head=0, deprel="", upostag="", xpostag=""))


class Model:
    DEFAULT = ""

    @staticmethod
    def load(file: str) -> "Model | None":
        return Model() if file.endswith("good.udpipe") else None

    def tag(self, sentence: Sentence, _options: str, _error: object) -> bool:
        for place, word in enumerate(sentence.words[1:]):
            word.upostag, word.xpostag = ("VERB", "VB") if place else ("NOUN", "NN")
        return True

    def parse(self, sentence: Sentence, _options: str, _error: object) -> bool:
        *others, last = sentence.words[1:]
        for word in others:
            word.head, word.deprel = len(others) + 1, "x"
        last.deprel = "root"
        return len(others) < 5


@pytest.fixture
def ufal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in for UDPipe: the last word is the head of all others."""
    error = SimpleNamespace
    tool = named(
        "ufal.udpipe", Model=Model, Sentence=Sentence, ProcessingError=lambda: error(message="no")
    )
    monkeypatch.setitem(sys.modules, "ufal", named("ufal", udpipe=tool))
    monkeypatch.setitem(sys.modules, "ufal.udpipe", tool)


@pytest.mark.usefixtures("ufal")
def test_udpipe_gets_words_and_gives_trees(tmp_path: Path) -> None:
    file = tmp_path / "good.udpipe"
    file.touch()
    found = parsed(f"udpipe:file={file}", "", "dogs bark")
    assert [tree_lines(found, 0), tree_lines(found, 1)] == [[], CHAIN]
    with pytest.raises(InputError, match="the model cannot tag and parse: no"):
        parsed(f"udpipe:file={file}", "a b c d e f g")


@pytest.mark.usefixtures("ufal")
def test_udpipe_needs_a_file_that_it_can_load(tmp_path: Path) -> None:
    bad = tmp_path / "bad.udpipe"
    with pytest.raises(OptionError, match="udpipe:file="):
        parsed("udpipe", "a")
    with pytest.raises(InputError, match="there is no such file"):
        parsed(f"udpipe:file={bad}", "a")
    bad.touch()
    with pytest.raises(InputError, match="no model that UDPipe can load"):
        parsed(f"udpipe:file={bad}", "a")


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
        return SimpleNamespace(vocab=None, pipe=iter)

    tokens = named("spacy.tokens", Doc=doc)
    monkeypatch.setitem(sys.modules, "spacy", named("spacy", load=load, tokens=tokens))
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
