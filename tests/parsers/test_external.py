"""Adapters to other parsers: their packages are stood in for, so that the tests need none of them."""

import sys
from collections.abc import Iterator

import pytest

from kilter.errors import MissingToolError
from kilter.parsers import spacy, stanza, udpipe
from tests.parsers.sentences import parsed


@pytest.fixture(autouse=True)
def _nothing_loaded() -> Iterator[None]:
    yield
    for module in (udpipe, spacy, stanza):
        module._load.cache_clear()


@pytest.mark.parametrize(
    ("name", "package"), [("udpipe", "ufal"), ("spacy", "spacy"), ("stanza", "stanza")]
)
def test_a_missing_package_is_named_with_its_install_command(
    name: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingToolError, match=rf"pip install 'kilter\[{name}\]'"):
        parsed(name, "dogs bark")
