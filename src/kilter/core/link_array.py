"""Arrays that hold links of many segments, checked once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.core.errors import InputError
from kilter.core.sequence import shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.link import Link
    from kilter.core.link_origin import LinkOrigin

_HIGHEST = 2**31 - 1
_REMEDY = "LinkBatch.of makes a batch of links given segment by segment"


def link_array(links: object) -> NDArray[np.int32]:
    """Return links as rows of two positions that kernels take; anything else is an `InputError`.

    Whole numbers of another width are taken if they are small enough.

    >>> link_array(np.array([[0, 1], [1, 0]], dtype=np.uint8)).dtype.name
    'int32'
    """
    rows = _whole_numbers(links, "links", "an array of int32 with a row of two positions per link")
    if rows.ndim != 2 or rows.shape[1] != 2:
        raise InputError(
            f"the links of a batch have the shape {rows.shape}; each is a row of two positions, so that "
            f"the shape is (links, 2); {_REMEDY}"
        )
    if rows.dtype == np.int32:
        return np.ascontiguousarray(rows)
    if rows.size and int(rows.max()) > _HIGHEST:
        raise InputError(f"position {int(rows.max())} of a link is beyond {_HIGHEST}, the highest")
    if rows.size and int(rows.min()) < -_HIGHEST:
        raise InputError(
            f"position {int(rows.min())} of a link is negative; positions count from 0"
        )
    return np.ascontiguousarray(rows, dtype=np.int32)


def offset_array(offsets: object, count: int) -> NDArray[np.int64]:
    """Return the offsets of so many links as kernels take them; anything else is an `InputError`.

    >>> offset_array(np.array([0, 2, 2]), 2).tolist()
    [0, 2, 2]
    """
    borders = _whole_numbers(
        offsets, "offsets", "an array of int64, one more than there are segments"
    )
    if borders.ndim != 1 or not borders.size or borders[0] != 0 or borders[-1] != count:
        raise InputError(
            f"the offsets of a batch are {shown(borders.tolist())}; they begin with 0, end with the number of "
            f"links, {count}, and stand in one row; {_REMEDY}"
        )
    falling = np.flatnonzero(borders[1:] < borders[:-1])
    if falling.size:
        raise InputError(
            f"the offsets of a batch fall after entry {int(falling[0])}; they must never fall"
        )
    return np.ascontiguousarray(borders, dtype=np.int64)


def certainty_array(certainty: object, count: int) -> NDArray[np.float64]:
    """Return the certainty of so many links, each above 0 and at most 1; anything else is an `InputError`.

    >>> certainty_array(np.array([1.0, 0.5]), 2).tolist()
    [1.0, 0.5]
    """
    if not isinstance(certainty, np.ndarray) or certainty.shape != (count,):
        raise InputError(
            f"the certainty of a batch is {shown(certainty)}; it must be an array of float64, one for each of "
            f"the {count} links"
        )
    values = np.ascontiguousarray(certainty, dtype=np.float64)
    if not ((values > 0) & (values <= 1)).all():
        raise InputError("the certainty of a link must be a number above 0 and at most 1")
    return values


def check_rows(links: NDArray[np.int32], offsets: NDArray[np.int64], origin: LinkOrigin) -> None:
    """Raise an `InputError` for the first link that is negative, or not after the one before it."""
    if links.size and links.min() < 0:
        negative = np.flatnonzero((links < 0).any(axis=1))
        link, segment = _place(links, offsets, int(negative[0]))
        raise InputError(origin.outside(link, (0, 0)), where=origin.where(segment, link))
    # One number a link, which rises as links do: far faster to compare than pairs.
    numbers = links[:, 0].astype(np.int64) << 32
    numbers |= links[:, 1]
    later = numbers[1:] > numbers[:-1]
    # The first link of a segment follows nothing.
    borders = offsets[1:-1]
    later[borders[(borders > 0) & (borders < len(links))] - 1] = True
    if not later.all():
        row = int(np.argmin(later)) + 1
        link, segment = _place(links, offsets, row)
        twice = numbers[row] == numbers[row - 1]
        fault = "is there twice" if twice else "stands after a higher one"
        raise InputError(
            f"link {origin.shown(link)} {fault}; the links of a segment are distinct and sorted, as "
            "LinkBatch.of makes them",
            where=origin.where(segment, link),
        )


def _place(links: NDArray[np.int32], offsets: NDArray[np.int64], row: int) -> tuple[Link, int]:
    """Return the link of a row, and its segment."""
    first, second = links[row].tolist()
    return (first, second), int(np.searchsorted(offsets, row, side="right")) - 1


def _whole_numbers(values: object, name: str, wanted: str) -> NDArray[Any]:
    """Return an array of whole numbers; an empty one may be of any kind."""
    if not isinstance(values, np.ndarray):
        raise InputError(
            f"the {name} of a batch are {shown(values)}; they must be {wanted}; {_REMEDY}"
        )
    if values.dtype.kind not in "iu" and values.size:
        raise InputError(
            f"the {name} of a batch are of the type {values.dtype}; they must be {wanted}; {_REMEDY}"
        )
    return values
