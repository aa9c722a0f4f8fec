"""Ranges of numbers as options spell them."""

from __future__ import annotations

from kilter.core.errors import OptionError


def number_range(text: str, *, option: str, most: int, example: str) -> range:
    """Return the numbers that an option names: one from 1 to `most`, or a range with both ends.

    >>> number_range("2-4", option="--copies", most=1000, example="1-20")
    range(2, 5)
    """
    first, dash, last = text.partition("-")
    try:
        asked = range(int(first), int(last if dash else first) + 1)
    except ValueError:
        asked = range(0)
    if not asked or asked[0] < 1 or asked[-1] > most:
        raise OptionError(
            f"{option} is {text!r}; write a number from 1 to {most}, or a range such as {example}"
        )
    return asked
