"""One segment given as words, in the form that metrics take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.corpus import TextColumn, Vocabulary
from kilter.core.errors import InputError
from kilter.core.evaluation import Evaluation
from kilter.core.links import LinkBatch
from kilter.io.text import entries, text_lines, word_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kilter.core.links import Link


_REFERENCES = "a list of references, each a list of words"


def one_segment(
    hypothesis: object, references: object, *, links: Sequence[Iterable[Link]] = ()
) -> Evaluation:
    """Return an evaluation of one hypothesis, a list of words; `links[k]` are its links to reference k.

    >>> one_segment(["a", "b"], [["b", "a"]], links=[[(0, 1), (1, 0)]]).links[0].segment(0)
    [(0, 1), (1, 0)]
    """
    listed = entries(references, where="references", wanted=_REFERENCES)
    if not listed:
        raise InputError(f"there are none; pass {_REFERENCES}", where="references")
    vocabulary = Vocabulary()
    text = _text("hypothesis", hypothesis, vocabulary)
    others = tuple(
        _text(f"reference {k}", words, vocabulary) for k, words in enumerate(listed, start=1)
    )
    batches = tuple(LinkBatch.of([pairs]) for pairs in links)
    for batch, reference in zip(batches, others, strict=False):
        batch.check(text.tokens.lengths, reference.tokens.lengths)
    return Evaluation(vocabulary, text, others, links=batches)


def _text(name: str, words: object, vocabulary: Vocabulary) -> TextColumn:
    listed = word_list(words, where=name)
    return TextColumn(name, (" ".join(listed),), vocabulary.column([listed]))


def reference_lines(references: object) -> tuple[str, ...]:
    """Return the references of one hypothesis as lines of text; none at all is an `InputError`."""
    lines = text_lines(references, where="references", wanted="a list of reference strings")
    if not lines:
        raise InputError("there are none; pass a list of reference strings", where="references")
    return lines
