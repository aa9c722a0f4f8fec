"""One segment given as words, in the form that metrics take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.errors import InputError
from kilter.structures.corpus import TextColumn
from kilter.structures.evaluation import Evaluation
from kilter.structures.link_batch import LinkBatch
from kilter.structures.token_column import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kilter.structures.link_batch import Link


def one_segment(
    hypothesis: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    links: Sequence[Iterable[Link]] = (),
) -> Evaluation:
    """Return an evaluation of one hypothesis; `links[k]` are its links to reference k.

    >>> one_segment(["a", "b"], [["b", "a"]], links=[[(0, 1), (1, 0)]]).links[0].segment(0)
    [(0, 1), (1, 0)]
    """
    if not references or isinstance(references, str):
        raise InputError("give a list of references, each a list of words")
    vocabulary = Vocabulary()
    text = _text("hypothesis", hypothesis, vocabulary)
    others = tuple(
        _text(f"reference {k}", words, vocabulary) for k, words in enumerate(references, start=1)
    )
    batches = tuple(LinkBatch.of([pairs]) for pairs in links)
    for batch, reference in zip(batches, others, strict=False):
        batch.check(text.tokens.lengths, reference.tokens.lengths)
    return Evaluation(vocabulary, text, others, links=batches)


def _text(name: str, words: Sequence[str], vocabulary: Vocabulary) -> TextColumn:
    if isinstance(words, str):
        raise InputError(f"the {name} is one string; give it as a list of words")
    return TextColumn(name, (" ".join(words),), vocabulary.column([words]))
