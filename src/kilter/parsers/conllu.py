"""Trees that another program has written: CoNLL-U files as a parser."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError
from kilter.core.registry import option
from kilter.io.conllu import read_conllu
from kilter.io.stream import ByteSource, is_file
from kilter.parsers.parser import Parser, Parses, digest, parses

if TYPE_CHECKING:
    from kilter.core.corpus import TokenColumn, Vocabulary
    from kilter.parsers.parser import Progress


@dataclass(frozen=True, kw_only=True)
class Conllu(Parser):
    """The first parse of each segment in a file, which must have the same words."""

    name: ClassVar[str] = "conllu"
    summary: ClassVar[str] = "trees from a CoNLL-U file"
    blocks: ClassVar[bool] = False

    places: ClassVar[frozenset[str]] = frozenset({"file"})

    file: str = option("", "the file, one sentence for each segment")

    def version(self) -> str:
        """Return the first digits of the file's SHA-256."""
        return digest([Path(self.file)]) if is_file(self.file) else ""

    def parse(
        self,
        words: TokenColumn,
        vocabulary: Vocabulary,
        *,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> Parses:
        """Return the trees of the file; other words or numbers of segments are an `InputError`."""
        if not self.file:
            raise OptionError("conllu needs its file: conllu:file=TREES.conllu")
        treebank = read_conllu(ByteSource(self.file))
        if len(treebank.trees) != len(words):
            raise InputError(
                f"has {counted(len(treebank.trees), 'sentence')}, but the text has "
                f"{counted(len(words), 'segment')}",
                where=self.file,
            )
        kept = np.zeros(treebank.trees.trees, dtype=bool)
        kept[treebank.trees.parses[:-1]] = True
        rows = np.repeat(kept, np.diff(treebank.trees.offsets))
        trees = treebank.trees.first_parses()
        trees.check(words, vocabulary, text="the text")
        names = trees.vocabulary.words
        language_tags = treebank.kept[1][rows]
        labels, tags, own = (
            vocabulary.numbers(names[number] for number in column.tolist())
            for column in (trees.labels, trees.tags, language_tags)
        )
        return parses(words, vocabulary, trees.heads, labels=labels, tags=tags, language_tags=own)
