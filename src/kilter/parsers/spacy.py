"""Any installed spaCy pipeline [spaCy]."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from kilter.core.errors import InputError, MissingToolError, OptionError
from kilter.core.once import loaded_once
from kilter.core.registry import option
from kilter.parsers.external import ExternalParser, ParsedWord

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True, kw_only=True)
class Spacy(ExternalParser):
    """Parses with a pipeline that is installed as a package or lies in a folder.

    Labels are those of the pipeline, which is told that a segment is one sentence.
    """

    name: ClassVar[str] = "spacy"
    summary: ClassVar[str] = "an installed spaCy pipeline (needs kilter[spacy])"

    places: ClassVar[frozenset[str]] = frozenset({"pipeline"})
    packages: ClassVar[tuple[str, ...]] = ("spacy", "thinc")

    pipeline: str = option("", "name or folder of the pipeline, such as en_core_web_sm")

    def version(self) -> str:
        """Return language, name and version of the pipeline, and spaCy's version."""
        if not self.pipeline:
            return ""
        tool, pipeline = _load(self.pipeline)
        told = pipeline.meta
        return f"{told['lang']}_{told['name']}-{told['version']}+spacy-{tool.__version__}"

    def _files(self) -> list[Path]:
        if not self.pipeline:
            return []
        _, pipeline = _load(self.pipeline)
        return sorted(file for file in Path(pipeline.path).rglob("*") if file.is_file())

    def _parsed(self, segments: Sequence[Sequence[str]]) -> Iterator[list[ParsedWord]]:
        tool, pipeline = _load(self.pipeline)
        documents = (
            tool.tokens.Doc(
                pipeline.vocab,
                words=list(words),
                sent_starts=[place == 0 for place in range(len(words))],
            )
            for words in segments
        )
        for document in pipeline.pipe(documents):
            if not document.has_annotation("DEP"):
                raise InputError("this pipeline has no parser", where=self.pipeline)
            yield [
                ParsedWord(
                    -1 if word.head.i == word.i else word.head.i,
                    "root" if word.head.i == word.i else word.dep_,
                    word.pos_,
                    word.tag_,
                )
                for word in document
            ]


@loaded_once(1)
def _load(name: str) -> tuple[Any, Any]:
    try:
        import spacy
        import spacy.tokens
    except ImportError:
        raise MissingToolError("the spacy parser", install="pip install 'kilter[spacy]'") from None
    if not name:
        raise OptionError("spacy needs a pipeline: spacy:pipeline=NAME")
    try:
        return spacy, spacy.load(name)
    except OSError:
        raise InputError(
            "there is no such pipeline; install its package, or give its folder", where=name
        ) from None
