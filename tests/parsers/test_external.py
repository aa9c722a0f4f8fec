"""Adapters to other parsers: their packages are stood in for, so that the tests need none of them."""

import sys
from collections.abc import Iterator
from importlib import metadata
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace

import pytest

from kilter import __version__
from kilter.core.errors import MissingToolError
from kilter.parsers import spacy, stanza, udpipe
from kilter.parsers.registry import parser
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


ONE = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"  # printf one | sha256sum
TWO = "3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3"  # printf two | sha256sum


@pytest.fixture
def versions(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Stand in for installed packages: those of which there is a version."""
    found = {"ufal.udpipe": "1.3", "spacy": "3.8", "thinc": "8.3", "stanza": "1.9", "torch": "2.4"}

    def version(name: str) -> str:
        if name not in found:
            raise PackageNotFoundError(name)
        return found[name]

    monkeypatch.setattr(metadata, "version", version)
    return found


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model of each parser, all of the same bytes."""
    for place in ("a.udpipe", "spacy/parser/model", "stanza/en/pos/a.pt"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_bytes(b"one")
    loaded = SimpleNamespace(path=tmp_path / "spacy")
    monkeypatch.setattr(spacy, "_load", lambda _: (None, loaded), raising=True)
    monkeypatch.setattr(spacy._load, "cache_clear", lambda: None, raising=False)
    return tmp_path


_MADE = {
    "udpipe": ("udpipe:file={}/a.udpipe", "a.udpipe", "", "ufal.udpipe:1.3"),
    "spacy": ("spacy:pipeline={}/spacy", "spacy/parser/model", "", "spacy:3.8,thinc:8.3"),
    "stanza": (
        "stanza:folder={}/stanza",
        "stanza/en/pos/a.pt",
        "language:en,",
        "stanza:1.9,torch:2.4",
    ),
}


@pytest.mark.parametrize("name", _MADE)
def test_what_is_kept_is_known_by_model_versions_and_options(
    name: str, models: Path, versions: dict[str, str]
) -> None:
    specification, file, options, packages = _MADE[name]
    made = parser(specification.format(models))
    kept = f"{packages},kilter:{__version__}"
    assert made.identity() == f"{name}({options}sha256:{ONE},{kept})"
    (models / file).write_bytes(b"two")
    assert made.identity() == f"{name}({options}sha256:{TWO},{kept})"
    versions[packages.split(":")[0]] = "9"
    assert made.identity() != f"{name}({options}sha256:{TWO},{kept})"


@pytest.mark.parametrize("name", _MADE)
def test_nothing_is_kept_without_the_package_or_a_model(
    name: str, models: Path, versions: dict[str, str]
) -> None:
    assert parser(name).identity() is None
    specification, *_, packages = _MADE[name]
    del versions[packages.split(":")[0]]
    assert parser(specification.format(models)).identity() is None
