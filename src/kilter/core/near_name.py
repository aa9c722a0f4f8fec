"""What somebody meant who wrote a name that does not exist."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


_NEAR = 0.7
"""How alike two names are at least, of 1, that one may be meant by the other: short ones share letters by chance."""


def suggestion(name: str, names: Iterable[str]) -> str:
    """Return a question after the nearest of some names, upper and lower case alike; empty if none is near.

    >>> suggestion("KENDAL", ["pef", "kendall"]), suggestion("xyz", ["pef", "kendall"])
    ('did you mean kendall?', '')
    """
    folded = {each.casefold(): each for each in names}
    close = get_close_matches(name.casefold(), folded, n=1, cutoff=_NEAR)
    return f"did you mean {folded[close[0]]}?" if close else ""
