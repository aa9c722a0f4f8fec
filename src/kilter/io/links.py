"""Word links in files: every format read into batches, every problem named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from heapq import merge
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from kilter import _core
from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError
from kilter.core.link_rule import symmetrize
from kilter.core.links import SIDES, LinkBatch, LinkOrigin
from kilter.core.settings import checked, chosen
from kilter.io.compression import begins_compressed
from kilter.io.link_format import (
    LinkFault,
    LinkFormat,
    LinkRows,
    detect_link_format,
    link_directions,
)
from kilter.io.link_parser import PhraseLinks, parse_links
from kilter.io.stream import ByteSource, byte_source, is_file
from kilter.io.text import (
    BYTE_ORDER_MARK,
    COMPRESSED,
    Fault,
    LongTextError,
    bounded,
    line_blocks,
    most_bytes,
    text_faults,
)
from kilter.io.text_file import source_of_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray  # noqa: TC004 - checked arguments know what stands for it

    from kilter.core.links import Link
    from kilter.io.link_format import LinkRows

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


def links_without_zero(source: ByteSource) -> int:
    """Return how many lines of a file in `pharaoh` have links if none of these has a 0; else 0.

    Reading ends with the first 0, which stands in the first lines of nearly every file that counts from 0.
    """
    count = 0
    for block in line_blocks(source_of_lines(source).chunks(again=True), name=source.name):
        pairs, _, offsets, faults = _core.link_lines(block)
        if faults or not pairs.all():
            return 0
        count += int(np.count_nonzero(np.diff(offsets)))
    return count


def why_zero(first: int, second: int, form: LinkFormat) -> str:
    """Return what is wrong with a 0 in a format that counts from 1, and what would be right."""
    counts = f"link {first}-{second} has a 0, but {form} counts from 1"
    if form in (LinkFormat.TALP, LinkFormat.NAACL):
        return f"{counts}; if 0 stands for the null word, delete such links from the file"
    zero_based = "pharaoh" if form is LinkFormat.PHARAOH_1 else "sure-possible"
    return f"{counts}; name the format {zero_based} if the file counts from 0"


_Lengths: TypeAlias = "tuple[NDArray[np.int64], NDArray[np.int64]]"
_Checked: TypeAlias = "tuple[LinkFile | None, list[InputError]]"
_FAR = 10_000
"""Lines beyond twice the segments of the texts, after which nothing more is read."""
_SHOWN = 20
"""So many things that are wrong with a file are told at once."""


@dataclass(frozen=True, slots=True, eq=False)
class FileOrigin(LinkOrigin):
    """A file of links; `rows` where it has another number of lines than of segments."""

    rows: LinkRows | None = None

    def where(self, segment: int, link: Link | None = None) -> str:
        """Return file and line of a link, or of a segment's first."""
        if self.rows is None:
            return f"{self.name}:{segment + 1}"
        here = self.rows.owners == segment
        if link is not None:
            here &= (self.rows.links == np.array(link) + self.base).all(axis=1)
        lines = self.rows.lines[here]
        return f"{self.name}:{lines.min()}" if lines.size else self.name


@dataclass(frozen=True, slots=True, eq=False)
class LinkFile:
    """The sure links of a file, those that are only possible, and the format it was read in.

    A link that is marked both ways is sure. Formats without marks hold sure links only.
    """

    sure: LinkBatch
    possible: LinkBatch
    form: LinkFormat

    def transposed(self) -> LinkFile:
        """Return the links of the second sentence with the first."""
        return LinkFile(_turned(self.sure), _turned(self.possible), self.form)

    def all(self) -> LinkBatch:
        """Return sure and possible links together."""
        owners = np.concatenate([self.sure.segments(), self.possible.segments()])
        links = np.concatenate([self.sure.links, self.possible.links])
        return LinkBatch.collected(owners, links, len(self.sure), origin=self.sure.origin)


def _turned(links: LinkBatch) -> LinkBatch:
    first, second = links.origin.sides
    origin = LinkOrigin(links.origin.name, (second, first))
    pairs = np.ascontiguousarray(links.links[:, ::-1])
    return LinkBatch.collected(links.segments(), pairs, len(links), origin=origin)


@checked
def read_links(
    source: ByteSource | str,
    *,
    form: LinkFormat | str | None = None,
    segments: int | None = None,
    lengths: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None,
    sides: tuple[str, str] = SIDES,
    null_word: bool = False,
    phrases: PhraseLinks | str | None = None,
) -> LinkFile:
    """Return the links of a file; the first thing that is wrong with it is an `InputError`.

    The others are notes of the error. Of a table (`.jsonl`, `.parquet`, `.arrow`) each row is a line. `FORWARD::REVERSE` names the files of two directions of an aligner,
    and `FORWARD::REVERSE::RULE` how one set of links is made of them (grow-diag-final-and). A reverse
    file of GIZA++ has the first sentence as its target; other tools write both directions alike.

    Without `form` the format is detected where that leaves no doubt. `segments` is how many segments
    the file must hold, `lengths` the numbers of words of their first and second sentences, in which
    every link must lie; messages call the two sentences as `sides` say. The `naacl` format needs one
    of the two, because it leaves out segments without links. Duplicates are removed.

    With `null_word`, position 0 of a format that counts from 1 is no word, and its links are left out
    (TALP, NAACL); otherwise a 0 is wrong there. `phrases` says how links between phrases are read
    (`moses`: all, `meteor`: diagonal, which keeps its links one-to-one).
    """
    file, faults = checked_links(
        byte_source(source),
        form=form,
        segments=segments,
        lengths=lengths,
        sides=sides,
        null_word=null_word,
        phrases=phrases,
    )
    if file is None:
        raise told_together(faults)
    return file


def told_together(faults: Sequence[InputError]) -> InputError:
    """Return the first of some errors with the others as its notes, of very many only the first."""
    first, *others = faults
    for other in others[: _SHOWN - 1]:
        first.add_note(other.for_command())
    if len(faults) > _SHOWN:
        first.add_note(
            f"{first.where}: and {counted(len(faults) - _SHOWN, 'more problem')} in its lines"
        )
    return first


def checked_links(
    source: ByteSource,
    *,
    form: LinkFormat | str | None = None,
    segments: int | None = None,
    lengths: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None,
    sides: tuple[str, str] = SIDES,
    null_word: bool = False,
    phrases: PhraseLinks | str | None = None,
) -> _Checked:
    """Return the links of a file, or None and everything that is wrong with it; see `read_links`."""

    def one_file(file: ByteSource, names: tuple[str, str], sizes: _Lengths | None) -> _Checked:
        file = source_of_lines(file)
        try:
            rows, format_used, count = _rows(
                file, form, segments, sizes, phrases, null_word=null_word
            )
        except InputError as error:
            return None, [error]
        origin = _origin(rows, file.name, format_used, names)
        faults = list(row_problems(rows, origin, format_used, count, sizes))
        if faults and form is not None:
            faults = [*other_format(file, rows, format_used, sizes), *faults]
        return (None if faults else row_links(rows, origin, format_used, count)), faults

    both = link_directions(source)
    if both is None:
        return one_file(source, sides, lengths)
    forward, wrong = one_file(both.forward, sides, lengths) if both.forward else (None, [])
    reverse, more = _reversed(both.reverse, form, sides, lengths, one_file)
    if reverse is None or (forward is None and both.forward is not None):
        return None, [*wrong, *more]
    if forward is None or both.forward is None:
        return reverse, []
    if len(forward.sure) != len(reverse.sure):
        fault = (
            f"has {counted(len(reverse.sure), 'segment')}, but {both.forward.name} has {len(forward.sure)}; "
            "both directions need the same segments"
        )
        return None, [InputError(fault, where=both.reverse.name)]
    made = symmetrize(forward.sure, reverse.sure, rule=both.rule)
    origin = LinkOrigin(source.name, sides)
    nothing = LinkBatch.of([[] for _ in range(len(made))])
    return LinkFile(replace(made, origin=origin), nothing, forward.form), []


def _reversed(
    file: ByteSource,
    form: LinkFormat | str | None,
    sides: tuple[str, str],
    lengths: _Lengths | None,
    read: Callable[..., _Checked],
) -> _Checked:
    """Return the links of a reverse direction; GIZA++ exchanges the sentences there, others do not."""
    try:
        format_used = detect_link_format(file) if form is None else chosen(LinkFormat, form, "form")
    except InputError as error:
        return None, [error]
    if format_used is not LinkFormat.GIZA:
        return read(file, sides, lengths)
    turned = None if lengths is None else (lengths[1], lengths[0])
    links, faults = read(file, (sides[1], sides[0]), turned)
    return (None if links is None else links.transposed()), faults


def row_links(rows: LinkRows, origin: FileOrigin, form: LinkFormat, count: int | None) -> LinkFile:
    """Return rows that nothing is wrong with as links of so many segments."""
    owners, links = rows.owners, rows.links - np.int32(form.base)
    total = rows.segments if count is None else count
    if not rows.possible.any():
        nothing = np.empty(0, np.int64), np.empty((0, 2), np.int32)
        return LinkFile(
            LinkBatch.collected(owners, links, total, origin=origin),
            LinkBatch.collected(*nothing, total, origin=origin),
            form,
        )
    sure, perhaps = (
        LinkBatch.collected(owners[some], links[some], total, origin=origin)
        for some in (~rows.possible, rows.possible)
    )
    return LinkFile(sure, _without(perhaps, sure), form)


@checked
def link_problems(
    source: ByteSource | str,
    *,
    form: LinkFormat | str | None = None,
    segments: int | None = None,
    lengths: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None,
    sides: tuple[str, str] = SIDES,
    null_word: bool = False,
    phrases: PhraseLinks | str | None = None,
) -> Iterator[InputError]:
    """Yield everything that is wrong with a file of links, in the order of its lines."""
    yield from checked_links(
        byte_source(source),
        form=form,
        segments=segments,
        lengths=lengths,
        sides=sides,
        null_word=null_word,
        phrases=phrases,
    )[1]


def _origin(rows: LinkRows, name: str, form: LinkFormat, sides: tuple[str, str]) -> FileOrigin:
    return FileOrigin(name, sides, form.base, rows if form.blocks else None)


def _rows(
    source: ByteSource,
    form: LinkFormat | str | None,
    segments: int | None,
    lengths: tuple[NDArray[np.int64], NDArray[np.int64]] | None,
    phrases: PhraseLinks | str | None,
    *,
    null_word: bool,
) -> tuple[LinkRows, LinkFormat, int | None]:
    if lengths is not None:
        if len(lengths[0]) != len(lengths[1]) or segments not in (None, len(lengths[0])):
            raise OptionError("segments and both lengths must agree on the number of segments")
        segments = len(lengths[0])
    format_used = detect_link_format(source) if form is None else chosen(LinkFormat, form, "form")
    if format_used is LinkFormat.NAACL and segments is None:
        raise OptionError(
            "the naacl format leaves out segments without links; say how many segments there are"
        )
    if null_word and not format_used.base:
        raise OptionError(f"{format_used} counts from 0 and has no number for the null word")
    kind = None if phrases is None else chosen(PhraseLinks, phrases, "phrases")
    faults: list[LinkFault] = []
    words = 0 if lengths is None else sum(int(side.sum()) for side in lengths)
    most = None if segments is None else most_bytes(segments, words)
    lines = None
    if segments is not None and format_used is not LinkFormat.NAACL and not format_used.blocks:
        lines = 2 * segments + _FAR
    blocks = _text_blocks(source, faults, most, lines)
    rows = parse_links(blocks, format_used, phrases=kind)
    rows.faults = sorted(faults + rows.faults, key=lambda fault: fault.line)
    if format_used is LinkFormat.NAACL:
        rows.segments = segments or 0
        _check_naacl_segments(rows)
    elif rows.segments == 0 and segments != 0 and not rows.faults:
        raise InputError("holds nothing; an empty line stands for no links", where=source.name)
    if null_word:
        _keep(rows, (rows.links != 0).all(axis=1))
    return rows, format_used, segments


def _text_blocks(
    source: ByteSource, faults: list[LinkFault], most: int | None, most_lines: int | None
) -> Iterator[bytes]:
    """Yield pieces of whole lines without what no text may have around them; that goes to `faults`.

    More than so many bytes or lines, which no links of the texts can need, are not read.
    """
    lines = 0
    wanted = {Fault.BYTE_ORDER_MARK, Fault.CARRIAGE_RETURN}  # each is told once
    pieces = bounded(source.chunks(), most, what="links", name=source.name)
    for number, block in enumerate(line_blocks(pieces, name=source.name)):
        if most_lines is not None and lines > most_lines:
            raise LongTextError(
                f"has more than {counted(lines, 'line')}, far more than the texts have segments; name the file that belongs to them",
                where=source.name,
            )
        if number == 0 and begins_compressed(block):
            raise InputError(COMPRESSED.reason, where=f"{source.name}:{COMPRESSED.line}")
        if b"\r" in block or BYTE_ORDER_MARK in block:
            for line, fault in text_faults(block.decode(errors="replace")):
                if fault in wanted:
                    faults.append(LinkFault(lines + line + 1, fault.in_file))
                    wanted.remove(fault)
        clean = block.removeprefix(BYTE_ORDER_MARK).replace(b"\n" + BYTE_ORDER_MARK, b"\n")
        lines += block.count(b"\n")
        yield clean.replace(b"\r\n", b"\n").removesuffix(b"\r")


def _check_naacl_segments(rows: LinkRows) -> None:
    known = (rows.owners >= 0) & (rows.owners < rows.segments)
    for row in np.flatnonzero(~known).tolist():
        rows.faults.append(
            LinkFault(
                int(rows.lines[row]),
                f"there is no segment {rows.owners[row] + 1}; there are {rows.segments}, "
                "counted from 1",
            )
        )
    rows.faults.sort()
    _keep(rows, known)


def _keep(rows: LinkRows, kept: NDArray[np.bool_]) -> None:
    rows.links, rows.owners = rows.links[kept], rows.owners[kept]
    rows.possible, rows.lines = rows.possible[kept], rows.lines[kept]


def row_problems(
    rows: LinkRows,
    origin: FileOrigin,
    form: LinkFormat,
    segments: int | None,
    lengths: tuple[NDArray[np.int64], NDArray[np.int64]] | None,
) -> Iterator[InputError]:
    """Yield everything that is wrong with the rows of a file, in the order of its lines."""
    if segments is not None and rows.segments != segments:
        unit = "block" if form.blocks else "line"
        yield InputError(
            f"has {counted(rows.segments, unit)} for {counted(segments, 'segment')}; each segment needs one, without "
            "links where there are none",
            where=origin.name,
        )
    faults = [rows.faults, _outside(rows, origin, form, lengths)]
    if lengths is not None:
        faults.append(_other_lengths(rows, origin, lengths))
    for line, reason in merge(*faults):
        yield InputError(reason, where=f"{origin.name}:{line}")


def _outside(
    rows: LinkRows,
    origin: FileOrigin,
    form: LinkFormat,
    lengths: tuple[NDArray[np.int64], NDArray[np.int64]] | None,
) -> Iterator[LinkFault]:
    """Yield links whose words do not exist, in the order of lines."""
    base = form.base
    low = (rows.links[:, 0] < base) | (rows.links[:, 1] < base)
    outside = low
    if lengths is not None and len(lengths[0]):
        known = rows.owners < len(lengths[0])
        owners = np.where(known, rows.owners, 0)
        high = rows.links[:, 0] - base >= lengths[0][owners]
        high |= rows.links[:, 1] - base >= lengths[1][owners]
        outside = low | (high & known)
    for row in np.flatnonzero(outside).tolist():
        first, second = rows.links[row].tolist()
        line, owner = int(rows.lines[row]), int(rows.owners[row])
        if low[row]:
            yield LinkFault(line, why_zero(first, second, form))
        elif lengths is not None:
            words = int(lengths[0][owner]), int(lengths[1][owner])
            yield LinkFault(line, origin.outside((first - base, second - base), words))


def _other_lengths(
    rows: LinkRows, origin: FileOrigin, lengths: Sequence[NDArray[np.int64]]
) -> Iterator[LinkFault]:
    """Yield segments that have other numbers of words in the file itself."""
    for line, segment, *widths in rows.widths:
        if segment >= len(lengths[0]):
            return
        for side, width in enumerate(widths):
            words = int(lengths[side][segment])
            if width not in (-1, words):
                yield LinkFault(
                    line,
                    f"the file gives the {origin.sides[side]} {counted(width, 'word')}, but it has {words}; both "
                    "need the same tokenisation",
                )


def _without(links: LinkBatch, others: LinkBatch) -> LinkBatch:
    """Return the links that are not among the others."""
    rows = np.concatenate([others.links, links.links])
    owners = np.concatenate([others.segments(), links.segments()])
    order = np.lexsort((rows[:, 1], rows[:, 0], owners))  # stable: an other comes before its copy
    again = np.zeros(len(rows), dtype=bool)
    same = (np.diff(owners[order]) == 0) & (np.diff(rows[order], axis=0) == 0).all(axis=1)
    again[order[1:]] = same
    kept = ~again[len(others.links) :]
    return LinkBatch.collected(
        links.segments()[kept], links.links[kept], len(links), origin=links.origin
    )


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
