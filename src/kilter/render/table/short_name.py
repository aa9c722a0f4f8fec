"""Names cut to a width so that they stay different from one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.render.markup import text_width

if TYPE_CHECKING:
    from collections.abc import Sequence

_CUT = "…"


def short_names(names: Sequence[str], *, width: int) -> list[str]:
    """Return the names, the long ones with their middle left out; where two clash, numbered. A name is cut once.

    >>> short_names(["online-A", "newstest2019-online-B", "newstest2020-online-B"], width=9)
    ['online-A', 'newst…e-B', 'news…e-B2']
    """
    taken = {name for name in names if text_width(name) <= width}
    short: dict[str, str] = {}
    for name in dict.fromkeys(names):
        cut, number = name, 1
        if text_width(name) > width:
            cut = _cut(name, width)
            while cut in taken:
                number += 1
                cut = _cut(name, width - len(str(number))) + str(number)
            taken.add(cut)
        short[name] = cut
    return [short[name] for name in names]


def _cut(name: str, width: int) -> str:
    """Return the start, an ellipsis and the last three characters, within the width."""
    tail = name[-3:] if width > 6 else ""
    room = max(width - text_width(tail) - 1, 0)
    head = ""
    for character in name:
        if text_width(head + character) > room:
            break
        head += character
    return head + _CUT + tail
