"""Links of some lines of a file at a time, for files of any size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import OptionError
from kilter.core.link_origin import SIDES
from kilter.io.link_format import LinkFormat
from kilter.io.link_parser import parse_links
from kilter.io.link_rows import LinkFault
from kilter.io.links import FileOrigin, row_links, row_problems, told_together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.io.links import LinkFile

_UNKNOWN = 2**63 - 1


def line_links(
    lines: Sequence[str],
    lengths: tuple[NDArray[np.int64], NDArray[np.int64] | None],
    *,
    name: str,
    first: int = 1,
    form: LinkFormat = LinkFormat.PHARAOH,
    sides: tuple[str, str] = SIDES,
) -> LinkFile:
    """Return the links of some lines of a file, a segment each; the first of them has the number `first`.

    They have to lie within sentences of these `lengths`, of which the second may be unknown. A format in
    which a segment is not one line is an `OptionError`.

    >>> line_links(["0-1 1-0"], (np.array([2]), None), name="links").sure.segment(0)
    [(0, 1), (1, 0)]
    """
    check_line_format(form)
    rows = parse_links(["".join(f"{line}\n" for line in lines).encode()], form)
    before = first - 1
    rows.lines = rows.lines + before
    rows.faults = [LinkFault(fault.line + before, fault.reason) for fault in rows.faults]
    rows.widths = [
        width._replace(line=width.line + before, second=-1 if lengths[1] is None else width.second)
        for width in rows.widths
    ]
    origin = FileOrigin(name, sides, form.base, rows)
    known = lengths[0], np.full(len(lines), _UNKNOWN) if lengths[1] is None else lengths[1]
    faults = list(row_problems(rows, origin, form, len(lines), known))
    if faults:
        raise told_together(faults)
    return row_links(rows, origin, form, len(lines))


def check_line_format(form: LinkFormat) -> None:
    """Raise an `OptionError` for a format in which a segment is not one line."""
    if form.blocks:
        raise OptionError(
            f"{form} does not write a line for each segment, and files of any size are read some lines at a "
            "time; convert the links to pharaoh"
        )
