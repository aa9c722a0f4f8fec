"""Stanza with a local folder of models; nothing is downloaded [Stanza]."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from kilter.core.errors import InputError, MissingToolError, OptionError
from kilter.core.once import loaded_once
from kilter.core.registry import option
from kilter.io.stream import is_folder
from kilter.parsers.external import ExternalParser, ParsedWord
from kilter.parsers.parser import digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True, kw_only=True)
class Stanza(ExternalParser):
    """Tags and parses with models that stanza.download has put into a folder before."""

    name: ClassVar[str] = "stanza"
    summary: ClassVar[str] = "Stanza with a local folder of models (needs kilter[stanza])"

    places: ClassVar[frozenset[str]] = frozenset({"folder"})
    packages: ClassVar[tuple[str, ...]] = ("stanza", "torch")

    folder: str = option("", "folder of the models, Stanza's resources")
    language: str = option("en", "language of the models")

    def version(self) -> str:
        """Return the first digits of the SHA-256 of all models of the language."""
        return digest(self._files()) if self._files() else ""

    def _files(self) -> list[Path]:
        return sorted((Path(self.folder) / self.language).rglob("*.pt")) if self.folder else []

    def _parsed(self, segments: Sequence[Sequence[str]]) -> Iterator[list[ParsedWord]]:
        document = _load(self.folder, self.language)([list(words) for words in segments])
        for sentence in document.sentences:
            yield [ParsedWord(w.head - 1, w.deprel, w.upos, w.xpos) for w in sentence.words]


@loaded_once(1)
def _load(folder: str, language: str) -> Any:
    try:
        import stanza
    except ImportError:
        raise MissingToolError(
            "the stanza parser", install="pip install 'kilter[stanza]'"
        ) from None
    if not folder:
        raise OptionError("stanza needs its models: stanza:folder=DIR,language=en")
    if not is_folder(folder):
        raise InputError("there is no such folder; give one with Stanza's models", where=folder)
    try:
        return stanza.Pipeline(
            language,
            dir=folder,
            processors="tokenize,pos,lemma,depparse",
            tokenize_pretokenized=True,
            download_method=None,
            verbose=False,
        )
    except Exception as error:
        raise InputError(f"Stanza cannot load these models: {error}", where=folder) from error
