"""Order errors for other tools: spans of characters as in MQM and ESA, and tags of tokens."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError
from kilter.io.spans.own import OFFSETS, SCHEMA
from kilter.io.tokenizer import ENTITIES
from kilter.results.explanation import ErrorKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kilter.core.corpus import TextColumn, Vocabulary
    from kilter.results.document import Document
    from kilter.results.explanation import OrderErrors

_SKIPPED = "<skipped>"
# One after another: of `&amp;lt;` 13a makes `&lt;`, and of that `<`.
_RESOLVED = {**{name.replace("&", "&amp;"): sign for name, sign in ENTITIES[2:]}, **dict(ENTITIES)}


def error_spans(
    errors: OrderErrors, text: TextColumn, vocabulary: Vocabulary
) -> Iterator[Document]:
    """Yield one document per segment with its order errors as spans of the hypothesis' characters.

    `start_i` and `end_i` are half-open offsets in the line as it was given; files of ESA, which name them so, have the
    last character for `end_i`. A span reaches from the first to the last word of the error. `belongs_i` is the offset before which the block
    belongs. The category is `order/` and the kind. `certainty` says how far to trust it.
    """
    words = vocabulary.words
    for segment, line in enumerate(text.lines):
        begin, end = errors.offsets[segment : segment + 2].tolist()
        document: Document = {
            "schema": SCHEMA,
            "system": errors.system,
            "segment": segment + 1,
            "hypothesis": line,
            "offsets": OFFSETS,
            "error_spans": [],
        }
        if begin < end:
            tokens = [words[number] for number in text.tokens[segment].tolist()]
            places = token_spans(line, tokens, where=f"{text.name}:{segment + 1}")
            document["error_spans"] = [
                _span(errors, row, places, line) for row in range(begin, end)
            ]
        yield document


def _span(errors: OrderErrors, row: int, places: Sequence[tuple[int, int]], line: str) -> Document:
    error = errors.error(row)
    first, last = error.span
    before = error.belongs_before
    start, end = places[first][0], places[last - 1][1]
    return {
        "start_i": start,
        "end_i": end,
        "text": line[start:end],
        "certainty": round(error.certainty, 4),
        "category": f"order/{error.kind}",
        "belongs_i": places[before][0] if before < len(places) else len(line),
        "words": list(error.words),
        "cost": dict(error.cost),
    }


def error_tags(errors: OrderErrors, *, binary: bool = False) -> Iterator[str]:
    """Yield one line per segment with a tag for each word of the hypothesis, divided by blanks.

    A word that is out of order has the tag `ORDER-` and the kind of its error, in capitals;
    every other `OK`. With `binary`, `BAD` and `OK`, as files of
    word-level quality estimation have them.
    """
    names = ["OK", *(f"ORDER-{str(kind).upper()}" for kind in ErrorKind)]
    if binary:
        names = ["OK", *("BAD" for _ in ErrorKind)]
    sizes = np.diff(errors.word_offsets)
    owners = np.repeat(np.arange(len(sizes)), sizes)
    words = errors.hypothesis_offsets[errors.segments()][owners] + errors.words
    tags = np.zeros(int(errors.hypothesis_offsets[-1]), dtype=np.int64)
    order = np.argsort(errors.shares[owners], kind="stable")
    tags[words[order]] = errors.kinds[owners[order]] + 1  # the last to be written stays
    borders = errors.hypothesis_offsets.tolist()
    for begin, end in pairwise(borders):
        yield " ".join(names[tag] for tag in tags[begin:end].tolist())


def token_spans(line: str, tokens: Sequence[str], *, where: str) -> list[tuple[int, int]]:
    """Return where each token stands in a line, as half-open offsets.

    What 13a writes otherwise is found again: entities such as `&quot;`, and `<skipped>`, which it leaves
    out. A tokeniser that changes letters is an `InputError`.

    >>> token_spans('He said &quot;no&quot;.', ["He", "said", '"', "no", '"', "."], where="text:1")
    [(0, 2), (3, 7), (8, 14), (14, 16), (16, 22), (22, 23)]
    """
    wanted = "".join("".join(token.split()) for token in tokens)
    for resolved in (False, True):
        letters = list(_letters(line, resolved=resolved))
        if "".join(letter for letter, _, _ in letters) == wanted and all(map(str.strip, tokens)):
            ends = np.cumsum([0, *(len("".join(token.split())) for token in tokens)]).tolist()
            return [(letters[one][1], letters[other - 1][2]) for one, other in pairwise(ends)]
    raise InputError(
        "the words are not written so in the line; spans of characters need a tokeniser that changes no "
        "letters, such as 13a",
        where=where,
    )


def _letters(line: str, *, resolved: bool) -> Iterator[tuple[str, int, int]]:
    """Yield every character that is no blank, resolved as 13a does it or not, with its offsets in the line."""
    at = 0
    while at < len(line):
        if resolved and line.startswith(_SKIPPED, at):
            at += len(_SKIPPED)
            continue
        found = (name for name in _RESOLVED if line.startswith(name, at))
        entity = next(found, None) if resolved and line[at] == "&" else None
        end = at + (len(entity) if entity else 1)
        letter = _RESOLVED[entity] if entity else line[at]
        if not letter.isspace():
            yield letter, at, end
        at = end
