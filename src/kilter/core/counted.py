"""Numbers with their nouns, as messages and tables write them."""

from __future__ import annotations


def counted(number: int, noun: str, *, plural: str | None = None) -> str:
    """Return the number with its noun, in the singular for 1 only.

    >>> counted(1, "segment"), counted(2, "segment"), counted(0, "batch", plural="batches")
    ('1 segment', '2 segments', '0 batches')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
