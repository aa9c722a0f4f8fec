"""Keys of segments: equal words have equal keys, today and in any other run."""

from __future__ import annotations

from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kilter.core.token_column import TokenColumn, Vocabulary

KEY_SIZE = 16
"""Bytes of a key; so many that no two texts will ever share one by accident."""


def segment_keys(column: TokenColumn, vocabulary: Vocabulary) -> list[bytes]:
    """Return a key for each segment, made of its words and of nothing else.

    >>> from kilter.core.token_column import Vocabulary
    >>> vocabulary = Vocabulary()
    >>> one, other, same = segment_keys(vocabulary.column([["a", "b"], ["ab"], ["a", "b"]]), vocabulary)
    >>> one == other, one == same
    (False, True)
    """
    spelled: dict[int, bytes] = {}
    words, ids, offsets = vocabulary.words, column.ids.tolist(), column.offsets.tolist()
    for number in set(ids):
        word = words[number].encode("utf-8", "surrogatepass")
        spelled[number] = (
            len(word).to_bytes(4, "little") + word
        )  # so that no word runs into the next
    return [
        blake2b(b"".join([spelled[k] for k in ids[begin:end]]), digest_size=KEY_SIZE).digest()
        for begin, end in pairwise(offsets)
    ]


def pair_key(first: bytes, second: bytes) -> bytes:
    """Return the key of a pair of segments, in this order."""
    return blake2b(first + second, digest_size=KEY_SIZE).digest()
