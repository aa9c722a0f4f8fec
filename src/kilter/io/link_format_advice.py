"""Which format a file of links seems to have, if it is not the one that was named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError
from kilter.io.file_status import is_file
from kilter.io.link_format import LinkFormat, detect_link_format

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.io.link_rows import LinkRows
    from kilter.io.stream import ByteSource

    Lengths = tuple[NDArray[np.int64], NDArray[np.int64]]


def other_format(
    source: ByteSource, rows: LinkRows, form: LinkFormat, lengths: Lengths | None
) -> list[InputError]:
    """Return that a file with faults seems to be of another format than the one that was named."""
    if not rows.faults:
        counts = form in (LinkFormat.PHARAOH, LinkFormat.SURE_POSSIBLE)
        if counts and lengths is not None and _fits_from_one(rows, lengths):
            fault = f"no link has a 0, and all fit if the file counts from 1; its format is then {form}-1"
            return [InputError(fault, where=source.name)]
        return []
    if not is_file(source.path):  # what is read once cannot be looked at again
        return []
    try:
        seems = detect_link_format(source)
    except InputError:
        return []
    if seems is form:
        return []
    return [InputError(f"the file looks like {seems}; name that format", where=source.name)]


def _fits_from_one(rows: LinkRows, lengths: Lengths) -> bool:
    if rows.segments != len(lengths[0]):
        return False
    ends = np.column_stack([side[rows.owners] for side in lengths])
    return bool(rows.links.size and ((rows.links > 0) & (rows.links <= ends)).all())


def why_zero(first: int, second: int, form: LinkFormat) -> str:
    """Return what is wrong with a 0 in a format that counts from 1, and what would be right."""
    counts = f"link {first}-{second} has a 0, but {form} counts from 1"
    if form in (LinkFormat.TALP, LinkFormat.NAACL):
        return f"{counts}; if 0 stands for the null word, delete such links from the file"
    zero_based = "pharaoh" if form is LinkFormat.PHARAOH_1 else "sure-possible"
    return f"{counts}; name the format {zero_based} if the file counts from 0"
