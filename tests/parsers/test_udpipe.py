"""UDPipe, whose package is stood in for."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from kilter.core.errors import InputError, OptionError
from kilter.parsers import udpipe
from kilter.parsers.registry import parser
from tests.parsers.sentences import parsed, tree_lines
from tests.parsers.stand_in import CHAIN, named


@pytest.fixture(autouse=True)
def _nothing_loaded() -> Iterator[None]:
    yield
    udpipe._load.cache_clear()


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
    with pytest.raises(InputError, match="not a model that UDPipe can load"):
        parsed(f"udpipe:file={bad}", "a")


def test_the_signature_names_the_model_by_its_bytes(tmp_path: Path) -> None:
    file = tmp_path / "english.udpipe"
    file.write_bytes(b"one")
    made = parser(f"udpipe:file={file}")
    assert made.signature() == "udpipe(version:7692c3ad)"  # printf one | sha256sum
    assert parser("udpipe").signature() == "udpipe(version:none)"
