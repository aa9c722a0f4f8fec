"""Word links of many segments as flat arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter import _core
from kilter.core.counted import counted
from kilter.core.errors import InputError, SegmentPlace, SeveralLinksError
from kilter.core.permutation_batch import PermutationBatch
from kilter.core.settings import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Link = tuple[int, int]


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


SIDES = ("first sentence", "second sentence")
HYPOTHESIS_REFERENCE = ("hypothesis", "reference")
SOURCE_HYPOTHESIS = ("source", "hypothesis")
SOURCE_REFERENCE = ("source", "reference")


@dataclass(frozen=True, slots=True)
class LinkOrigin:
    """What made or holds links, what they join, and how the first word of a sentence is numbered there.

    Links and segments are zero-based here as everywhere; only what is shown counts from `base`.

    >>> origin = LinkOrigin("aligner hmm", sides=("hypothesis", "reference"))
    >>> origin.where(2, (7, 3))
    'aligner hmm, segment 3'
    >>> origin.outside((7, 3), (5, 9))
    'link 7-3 points past the 5 words of the hypothesis, counted from 0; links and texts must belong \
together, split into the same words'
    """

    name: str = ""
    sides: tuple[str, str] = SIDES
    base: int = 0

    def where(self, segment: int, link: Link | None = None) -> str:  # noqa: ARG002 - for files
        """Return the place of a link, or of a segment's links."""
        return SegmentPlace(segment, f"{self.name}, " if self.name else "")

    def shown(self, link: Link) -> str:
        """Return a link as its origin writes it."""
        first, second = link
        return f"{first + self.base}-{second + self.base}"

    def outside(self, link: Link, lengths: tuple[int, int]) -> str:
        """Return what is wrong with a link that joins words which sentences of these lengths lack."""
        if min(link) < 0:
            return (
                f"link {self.shown(link)} has a negative position; positions count from {self.base}"
            )
        side = int(link[0] < lengths[0])
        return (
            f"link {self.shown(link)} points past the {counted(lengths[side], 'word')} of the "
            f"{self.sides[side]}, counted from {self.base}; links and texts must belong together, "
            "split into the same words"
        )


@dataclass(frozen=True, slots=True)
class PickedOrigin(LinkOrigin):
    """Links of which some segments were picked."""

    rows: tuple[int, ...] = ()
    whole: LinkOrigin = field(default_factory=LinkOrigin)

    @classmethod
    def of(cls, whole: LinkOrigin, rows: Sequence[int]) -> PickedOrigin:
        """Return the origin of these segments of a whole."""
        return cls(whole.name or "links", whole.sides, whole.base, tuple(rows), whole)

    def where(self, segment: int, link: Link | None = None) -> str:
        """Return where the links of a segment are in the whole."""
        return self.whole.where(self.rows[segment], link)


@dataclass(frozen=True, slots=True, eq=False)
class LinkBatch:
    """The links of segment s are rows `offsets[s]` to `offsets[s + 1]` of `links`.

    A link is (first, second), zero-based: (source, target), or (hypothesis, reference). Links of a
    segment are distinct and sorted. `bounded` lists segments for which an aligner hit its stated
    search bound. `origin` says where the links come from. `certainty` is a number above 0, at most 1, for each
    link, where an aligner says how sure it is; None where nobody does, as for links of a file.
    """

    links: NDArray[np.int32]
    offsets: NDArray[np.int64]
    bounded: tuple[int, ...] = field(default=())
    origin: LinkOrigin = field(default_factory=LinkOrigin)
    certainty: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        links = link_array(self.links)
        offsets = offset_array(self.offsets, len(links))
        check_rows(links, offsets, self.origin)
        object.__setattr__(self, "links", links)
        object.__setattr__(self, "offsets", offsets)
        if self.certainty is not None:
            object.__setattr__(self, "certainty", certainty_array(self.certainty, len(links)))

    @classmethod
    def of(cls, segments: Iterable[Iterable[Link]]) -> LinkBatch:
        """Return links given segment by segment; duplicates are removed.

        >>> LinkBatch.of([[(1, 0), (0, 1)], []]).segment(0)
        [(0, 1), (1, 0)]
        """
        listed = [
            sorted({_checked(link) for link in _several(links, "a segment's links", "pairs")})
            for links in _several(segments, "links", "a list of links for each segment")
        ]
        offsets = np.zeros(len(listed) + 1, dtype=np.int64)
        np.cumsum([len(links) for links in listed], out=offsets[1:])
        flat = [link for links in listed for link in links]
        return cls(np.array(flat, dtype=np.int32).reshape(-1, 2), offsets)

    @classmethod
    def collected(
        cls,
        owners: NDArray[np.int64],
        links: NDArray[np.int32],
        segments: int,
        *,
        origin: LinkOrigin | None = None,
    ) -> LinkBatch:
        """Return links given in any order, each with its segment; duplicates are removed."""
        rows, offsets = _core.collect_links(owners, links, segments)
        return cls(rows, offsets, origin=origin or LinkOrigin())

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of links of each segment."""
        return np.diff(self.offsets)

    def segment(self, segment: int) -> list[Link]:
        """Return the links of a segment as pairs."""
        rows = self.links[self.offsets[segment] : self.offsets[segment + 1]].tolist()
        return [(first, second) for first, second in rows]

    def only(self, segment: int) -> LinkBatch:
        """Return the links of one segment, as a batch of its own."""
        begin, end = self.offsets[segment : segment + 2].tolist()
        return LinkBatch(
            self.links[begin:end],
            np.array([0, end - begin], dtype=np.int64),
            (0,) if segment in self.bounded else (),
            certainty=None if self.certainty is None else self.certainty[begin:end],
        )

    def where(self, wanted: NDArray[np.bool_]) -> LinkBatch:
        """Return the links for which `wanted` is true, in the same segments.

        >>> LinkBatch.of([[(0, 0), (1, 1)], [(0, 0)]]).where(np.array([False, True, True])).offsets.tolist()
        [0, 1, 2]
        """
        before = np.zeros(len(wanted) + 1, dtype=np.int64)
        np.cumsum(wanted, out=before[1:])
        return LinkBatch(
            self.links[wanted],
            before[self.offsets],
            self.bounded,
            self.origin,
            None if self.certainty is None else self.certainty[wanted],
        )

    def picked(self, rows: Sequence[int]) -> LinkBatch:
        """Return the links of these segments, in this order; messages name the segments of the whole.

        >>> LinkBatch.of([[(0, 0)], [(1, 2)]]).picked([1, 0]).links.tolist()
        [[1, 2], [0, 0]]
        """
        origin = PickedOrigin.of(self.origin, rows)
        return replace(LinkBatch.of(map(self.segment, rows)), origin=origin)

    def segments(self) -> NDArray[np.int64]:
        """Return the segment of each link."""
        return np.repeat(np.arange(len(self)), self.counts)

    def swapped(self) -> LinkBatch:
        """Return the links read in the other direction."""
        order = np.lexsort((self.links[:, 0], self.links[:, 1], self.segments()))
        return LinkBatch(
            np.ascontiguousarray(self.links[order][:, ::-1]),
            self.offsets,
            self.bounded,
            certainty=None if self.certainty is None else self.certainty[order],
        )

    def linked_words(self, *, jobs: int = 1) -> NDArray[np.int64]:
        """Return the number of words with a link, one column for each side."""
        return _core.linked_words(self.links, self.offsets, jobs)

    def pair_counts(self, *, sequences: bool = False, jobs: int = 1) -> NDArray[np.int64]:
        """Return how many pairs of links keep their order and how many cross, one column each.

        Pairs that share a word are neither. With `sequences`, compares the two lists of [TH],
        Algorithm 1 instead: the first words of all links in their own order, and in the order of the
        second words.
        """
        return _core.link_pairs(self.links, self.offsets, sequences, jobs)

    def check(self, first_lengths: NDArray[np.int64], second_lengths: NDArray[np.int64]) -> None:
        """Raise an `InputError` for the first link that points outside its sentence."""
        owner = self.segments()
        outside = self.links[:, 0] >= first_lengths[owner]
        outside |= self.links[:, 1] >= second_lengths[owner]
        bad = np.flatnonzero(outside)
        if bad.size:
            segment, link = int(owner[bad[0]]), _pair(self.links[bad[0]])
            lengths = int(first_lengths[segment]), int(second_lengths[segment])
            raise InputError(
                self.origin.outside(link, lengths), where=self.origin.where(segment, link)
            )

    def shared_segments(self) -> NDArray[np.int64]:
        """Return the segments in which a word has several links, in order."""
        owner = self.segments()
        repeated = [_repeated(self.links[:, 0], owner)]
        by_second = np.lexsort((self.links[:, 1], owner))
        repeated.append(_repeated(self.links[by_second, 1], owner[by_second]))
        found = np.concatenate(repeated)
        # Most texts have none, and numpy loads masked arrays to see that nothing is what it is.
        return np.unique(found) if found.size else found

    def shared_word(self, segment: int) -> str:
        """Return in words which word of a segment has several links, the first of the first side."""
        for side in (0, 1):
            partners: dict[int, list[int]] = {}
            for link in self.segment(segment):
                partners.setdefault(link[side], []).append(link[1 - side])
            for word, others in partners.items():
                if len(others) > 1:
                    return self._shared_word(side, word, sorted(others))
        raise ValueError(f"segment {segment} has one-to-one links")

    def _shared_word(self, side: int, word: int, partners: list[int]) -> str:
        base, sides = self.origin.base, self.origin.sides
        *others, last = (str(partner + base) for partner in partners)
        return (
            f"word {word + base} of the {sides[side]} is linked with words {', '.join(others)} and "
            f"{last} of the {sides[1 - side]}, counted from {base}"
        )

    def check_one_to_one(self) -> None:
        """Raise a `SeveralLinksError` for the first segment in which a word has several links."""
        shared = self.shared_segments()
        if shared.size:
            segment = int(shared[0])
            raise SeveralLinksError(self.shared_word(segment), where=self.origin.where(segment))

    def permutations(self, *, jobs: int = 1) -> PermutationBatch:
        """Return the permutation of each segment's linked words (the one-to-one rule of [PC] [PEF]).

        Links sorted by their first word; the values are the ranks of their second words. A word in two
        links is a `SeveralLinksError`.
        """
        self.check_one_to_one()
        owner = self.segments()
        by_second = np.lexsort((self.links[:, 1], owner))
        values = np.empty(len(owner), dtype=np.int32)
        values[by_second] = np.arange(len(owner)) - np.repeat(self.offsets[:-1], self.counts)
        return PermutationBatch.trusted(values, self.offsets, jobs=jobs)


def _repeated(words: NDArray[np.int32], owners: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the owners of words that stand twice in a row."""
    twice: NDArray[np.int64] = owners[1:][(np.diff(words) == 0) & (np.diff(owners) == 0)]
    return twice


def _checked(link: Link) -> Link:
    try:
        first, second = link
        pair = index(first), index(second)
    except (TypeError, ValueError):
        pair = None
    if pair is None or max(map(abs, pair)) > _HIGHEST:
        raise InputError(
            f"{shown(link)} is not a link; a link is a pair of positions counted from 0, such as (0, 1)"
        )
    return pair


def _several(values: Any, name: str, wanted: str) -> Iterable[Any]:
    if isinstance(values, Mapping) or not isinstance(values, Iterable):
        raise InputError(
            f"{name} are {shown(values)}; they must be {wanted}, such as [[(0, 1)], []]"
        )
    return values


def _pair(row: NDArray[np.int32]) -> Link:
    first, second = row.tolist()
    return first, second
