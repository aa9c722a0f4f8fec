"""UDPipe 1 with a model file of the user's [UDPipe]."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from kilter.core.errors import InputError, MissingToolError, OptionError
from kilter.core.once import loaded_once
from kilter.core.registry import option
from kilter.io.stream import is_file
from kilter.parsers.external import ExternalParser, ParsedWord
from kilter.parsers.parser import digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True, kw_only=True)
class Udpipe(ExternalParser):
    """Tags and parses with a .udpipe file; any language that has one."""

    name: ClassVar[str] = "udpipe"
    summary: ClassVar[str] = "UDPipe 1 with your .udpipe file (needs kilter[udpipe])"

    places: ClassVar[frozenset[str]] = frozenset({"file"})
    packages: ClassVar[tuple[str, ...]] = ("ufal.udpipe",)

    file: str = option("", "the model, a .udpipe file")

    def version(self) -> str:
        """Return the first digits of the model's SHA-256."""
        return digest(self._files()) if self._files() else ""

    def _files(self) -> list[Path]:
        return [Path(self.file)] if is_file(self.file) else []

    def _parsed(self, segments: Sequence[Sequence[str]]) -> Iterator[list[ParsedWord]]:
        tool, model = _load(self.file)
        for words in segments:
            sentence = tool.Sentence()
            for word in words:
                sentence.addWord(word)
            error = tool.ProcessingError()
            if not (
                model.tag(sentence, model.DEFAULT, error)
                and model.parse(sentence, model.DEFAULT, error)
            ):
                raise InputError(
                    f"the model cannot tag and parse: {error.message or 'it lacks a tagger or parser'}",
                    where=self.file,
                )
            found = list(sentence.words)[1:]
            yield [ParsedWord(w.head - 1, w.deprel, w.upostag, w.xpostag) for w in found]


@loaded_once(1)
def _load(file: str) -> tuple[Any, Any]:
    try:
        from ufal import udpipe
    except ImportError:
        raise MissingToolError(
            "the udpipe parser", install="pip install 'kilter[udpipe]'"
        ) from None
    if not file:
        raise OptionError("udpipe needs its model: udpipe:file=NAME.udpipe")
    if not is_file(file):
        raise InputError("there is no such file; give a .udpipe model", where=file)
    model = udpipe.Model.load(file)
    if model is None:
        raise InputError("this is not a model that UDPipe can load", where=file)
    return udpipe, model
