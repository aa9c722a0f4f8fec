"""Whether given links count the words of the tokeniser, or those between blanks."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError, KilterWarning, Setting

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.core.corpus import Corpus, TextColumn
    from kilter.core.link_batch import LinkBatch
    from kilter.run.scoring.links import CorpusLinks

    Counts = NDArray[np.int64]

_LEAST = 3
"""Of fewer segments it may be chance that their last words, mostly punctuation, have no link."""


class LinkReach(NamedTuple):
    """How far links reach in segments that a tokeniser splits into more words than stand between blanks."""

    split: int
    """How many such segments have links, ..."""
    past: int
    """... and in how many of them one points past the words between blanks."""

    @classmethod
    def of(cls, links: LinkBatch, words: Sequence[Counts], blanks: Sequence[Counts]) -> LinkReach:
        """Return the reach of links, given how many words of either kind each segment of both texts has."""
        split = np.zeros(len(links), dtype=bool)
        past = np.zeros(len(links), dtype=bool)
        owner = links.segments()
        for side, (more, fewer) in enumerate(zip(words, blanks, strict=True)):
            split |= more > fewer
            past[owner[links.links[:, side] >= fewer[owner]]] = True
        split &= links.counts > 0
        return cls(int(np.count_nonzero(split)), int(np.count_nonzero(past & split)))

    def __add__(self, other: object) -> LinkReach:
        """Return the reach of the links of both."""
        if not isinstance(other, LinkReach):
            return NotImplemented
        return LinkReach(self.split + other.split, self.past + other.past)

    def check(self, *, where: str, tokenizer: str) -> None:
        """Raise an `InputError` if links seem to count the words between blanks; of few segments, warn."""
        if not self.split or self.past:
            return
        fault = InputError(
            f"the tokeniser {tokenizer} finds more words than stand between blanks in "
            f"{counted(self.split, 'segment')}, and no link points past the latter, so that links may count "
            f"words between blanks; name their tokeniser, {tokenizer} or",
            where=where,
            advice=Setting("tokenize", "none"),
        )
        if self.split >= _LEAST:
            raise fault
        warnings.warn(fault.for_command(), KilterWarning, stacklevel=2)


def blank_counts(lines: Sequence[str]) -> Counts:
    """Return how many words of each line stand between blanks."""
    return np.fromiter((len(line.split()) for line in lines), dtype=np.int64, count=len(lines))


def check_corpus_link_words(links: CorpusLinks, corpus: Corpus, *, joined: bool) -> None:
    """Raise an `InputError` if given links, unless joined of others, seem to count other words than a corpus has."""
    if corpus.tokenizer == "none":
        return
    blanks: dict[TextColumn, Counts] = {}
    for batch, texts in _linked(links, corpus, joined=joined):
        for text in texts:
            if text not in blanks:
                blanks[text] = blank_counts(text.lines)
        words = [text.tokens.lengths for text in texts]
        reach = LinkReach.of(batch, words, [blanks[text] for text in texts])
        reach.check(where=batch.origin.name, tokenizer=corpus.tokenizer)


def _linked(
    links: CorpusLinks, corpus: Corpus, *, joined: bool
) -> Iterator[tuple[LinkBatch, list[TextColumn]]]:
    """Yield links that were given with the texts that they join."""
    if not joined:
        for system, batches in zip(corpus.systems, links.hypothesis_reference, strict=False):
            for reference, batch in zip(corpus.references, batches, strict=True):
                yield batch, [system, reference]
    if corpus.source is not None:
        for given, texts in (
            (links.source_hypothesis, corpus.systems),
            (links.source_reference, corpus.references),
        ):
            for text, batch in zip(texts, given, strict=False):
                yield batch, [corpus.source, text]
