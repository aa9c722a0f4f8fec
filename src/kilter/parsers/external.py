"""What the adapters to other parsers share: their sentences as flat arrays."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from kilter import __version__
from kilter.core.counted import counted
from kilter.core.dependency_tree import NO_NAME
from kilter.core.errors import InputError, SegmentPlace
from kilter.core.once import ProcessLock
from kilter.parsers.parser import WHOLE_DIGEST, Parser, Parses, digest, parses

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from kilter.core.corpus import TokenColumn, Vocabulary
    from kilter.parsers.parser import Progress

_ONE_AT_A_TIME = ProcessLock()
"""Pipelines of other packages are loaded once, and few of them say that threads may share them."""
BLOCK = 256
"""Segments that are handed over at once."""


class ParsedWord(NamedTuple):
    """What another tool says about a word; heads are zero-based, -1 for the root."""

    head: int
    label: str
    upos: str
    xpos: str


@dataclass(frozen=True, kw_only=True)
class ExternalParser(Parser):
    """A parser of another package that takes lists of words."""

    packages: ClassVar[tuple[str, ...]]
    """The distributions whose versions decide what it makes of words."""

    @abstractmethod
    def _parsed(self, segments: Sequence[Sequence[str]]) -> Iterable[Sequence[ParsedWord]]:
        """Return one list for each segment; every segment has words."""

    @abstractmethod
    def _files(self) -> Sequence[Path]:
        """Return every file of the model; none, where there is no model."""

    def identity(self) -> str | None:
        """Return options, model by its bytes and versions of the packages, or None where one is missing.

        Parsing says what is missing. A package that computes several segments at once may round
        otherwise beside other segments; that is so without a cache as well.
        """
        from importlib.metadata import PackageNotFoundError, version

        try:
            versions = [f"{package}:{version(package)}" for package in self.packages]
        except PackageNotFoundError:
            return None
        files = self._files()
        if not files:
            return None
        options = {name: value for name, value in self.options().items() if name not in self.places}
        listed = [f"{name}:{value}" for name, value in options.items()]
        listed += [f"sha256:{digest(files, WHOLE_DIGEST)}", *versions, f"kilter:{__version__}"]
        return f"{self.name}({','.join(listed)})"

    def parse(
        self,
        words: TokenColumn,
        vocabulary: Vocabulary,
        *,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> Parses:
        """Return the trees; another number of words than was given is an `InputError`."""
        filled = np.flatnonzero(words.lengths).tolist()
        parsed_words: list[ParsedWord] = []
        for begin in range(0, len(filled), BLOCK):
            places = filled[begin : begin + BLOCK]
            texts = [vocabulary.text(words, segment) for segment in places]
            with _ONE_AT_A_TIME:
                answers = list(self._parsed(texts))
            for segment, text, tree in zip(places, texts, answers, strict=True):
                if len(tree) != len(text):
                    raise InputError(
                        f"{self.name} makes {counted(len(tree), 'word')} of the {len(text)} of this segment; "
                        "give it text that is split as it splits it",
                        where=SegmentPlace(segment),
                    )
                parsed_words.extend(tree)
            if progress is not None:
                progress(min(begin + BLOCK, len(filled)), len(filled))
        heads, labels, tags, language_tags = (
            zip(*parsed_words, strict=True) if parsed_words else ((),) * 4
        )
        return parses(
            words,
            vocabulary,
            np.array(heads, dtype=np.int32),
            labels=vocabulary.numbers(label or NO_NAME for label in labels),
            tags=vocabulary.numbers(tag or NO_NAME for tag in tags),
            language_tags=vocabulary.numbers(tag or NO_NAME for tag in language_tags),
        )
