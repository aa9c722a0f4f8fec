"""Text of each link format to rows of numbers, and what is wrong with it, line by line."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from kilter import _core
from kilter.io.giza import GizaBlocks
from kilter.io.link_format import LinkFormat, shown
from kilter.io.link_rows import (
    LONGEST_PHRASE,
    LinkFault,
    LinkRows,
    SentenceWidths,
    position,
)
from kilter.io.moses_trace import TraceFault, read_trace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray


_NO_LINK = "is no link;"


class PhraseLinks(StrEnum):
    """What a link between two phrases says of their words.

    `all`: every word with every word; `diagonal`: the k-th with the k-th, one-to-one.
    """

    ALL = "all"
    DIAGONAL = "diagonal"


def parse_links(
    blocks: Iterable[bytes], form: LinkFormat, *, phrases: PhraseLinks | None = None
) -> LinkRows:
    """Return the rows of a file given in pieces of whole lines."""
    if form.signs:
        return _parse_signed(blocks, form)
    parser = _Parser(phrases)
    line = 0
    step = _STEPS[form]
    for block in blocks:
        lines = block.split(b"\n")
        if not lines[-1]:
            lines.pop()
        for text in lines:
            line += 1
            step(parser, line, text)
    return parser.finish()


def _parse_signed(blocks: Iterable[bytes], form: LinkFormat) -> LinkRows:
    pairs: list[NDArray[np.int32]] = []
    signs: list[NDArray[np.uint8]] = []
    counts: list[NDArray[np.int64]] = []
    faults: list[LinkFault] = []
    lines = 0
    for block in blocks:
        numbers, found, offsets, bad = _core.link_lines(block)
        faults += [
            LinkFault(lines + line + 1, _why_no_link(block[begin:end], form))
            for line, begin, end in bad
        ]
        wrong = np.flatnonzero(~np.isin(found, [ord(sign) for sign in form.signs]))
        for row in wrong.tolist():
            line = lines + int(np.searchsorted(offsets, row, side="right"))
            first, second = numbers[2 * row : 2 * row + 2].tolist()
            faults.append(LinkFault(line, _why_not_this_sign(first, chr(found[row]), second)))
        pairs.append(numbers.reshape(-1, 2))
        signs.append(found)
        counts.append(np.diff(offsets))
        lines += len(offsets) - 1
    faults.sort()
    if len(faults) > 1 and not any(map(len, pairs)):
        faults = _without_links(faults)
    owners = np.repeat(np.arange(lines), np.concatenate([np.empty(0, np.int64), *counts]))
    marks = np.concatenate([np.empty(0, np.uint8), *signs])
    links = np.concatenate([np.empty((0, 2), np.int32), *pairs])
    return LinkRows(
        links, owners, (marks == ord("p")) | (marks == ord("?")), owners + 1, lines, faults
    )


def _without_links(faults: list[LinkFault]) -> list[LinkFault]:
    """Return the faults of lines in which nothing is a link: the first, if none was meant to be one."""
    first = faults[0]
    if any(_NO_LINK not in fault.reason for fault in faults):
        return faults
    told = "is no link, and neither is any other word that was read;"
    return [first._replace(reason=first.reason.replace(_NO_LINK, told, 1))]


def _why_no_link(text: bytes, form: LinkFormat) -> str:
    example = "1-1 2-3" if form.base else "0-0 1-2"
    if re.fullmatch(rb"-\d+[-sp?]-?\d+|\d+[-sp?]-\d+", text):
        return f"link {shown(text)} has a negative position; positions count from {form.base}"
    if re.fullmatch(rb"\d+[-sp?]\d+", text):
        return f"link {shown(text)} has a position that is too large for any sentence"
    return f"{shown(text)} {_NO_LINK} write links such as {example}, separated by blanks"


def _why_not_this_sign(first: int, sign: str, second: int) -> str:
    other = "talp" if sign == "s" else "sure-possible or sure-possible-1"
    return f"link {first}{sign}{second} has the sign {sign!r}; name the format {other} to read it"


class _Parser:
    """Collects the links of formats that are read line by line."""

    def __init__(self, phrases: PhraseLinks | None) -> None:
        self.rows: list[tuple[int, int, int, bool, int]] = []
        self.faults: list[LinkFault] = []
        self.segments = 0
        self.phrases = phrases
        self.widths: list[SentenceWidths] = []
        self._stage = 0  # lines read of a block; 4: the matches of METEOR
        self._words = (0, 0)
        self._line = 0
        self._giza = GizaBlocks(self.rows, self.faults, self.widths)

    def finish(self) -> LinkRows:
        table = np.array(self.rows, dtype=np.int64).reshape(-1, 5)
        if 0 < self._stage < 4:
            self.fail(self._line, "the file ends inside a block; it was cut off")
        return LinkRows(
            table[:, 1:3].astype(np.int32),
            table[:, 0].copy(),
            table[:, 3].astype(bool),
            table[:, 4].copy(),
            self.segments,
            self.faults,
            self.widths,
        )

    def fail(self, line: int, reason: str) -> None:
        self.faults.append(LinkFault(line, reason))

    def add(self, first: int, second: int, line: int, *, possible: bool = False) -> None:
        self.rows.append((self.segments - 1, first, second, possible, line))

    def add_phrases(self, first: range, second: range, line: int, phrases: PhraseLinks) -> None:
        if phrases is PhraseLinks.DIAGONAL:
            for one, other in zip(first, second, strict=False):
                self.add(one, other, line)
            return
        for one in first:
            for other in second:
                self.add(one, other, line)

    def target_lists(self, line: int, text: bytes) -> None:
        self.segments += 1
        if not text.strip():
            return
        fields = text.strip().split(b",")
        self.widths.append(SentenceWidths(line, self.segments - 1, -1, len(fields)))
        for target, listed in enumerate(fields):
            for word in listed.strip().split(b"_") if listed.strip() else []:
                source = position(word)
                if source is None:
                    self.fail(
                        line,
                        f"{shown(word)} for target word {target} is no source position; "
                        "write fields such as 6,7_8,,4",
                    )
                else:
                    self.add(source, target, line)

    def naacl(self, line: int, text: bytes) -> None:
        words = text.split()
        if not words:
            return
        numbers = [position(word) for word in words[:3]]
        rest = words[3:]
        possible = bool(rest) and rest[0] == b"P"
        if rest and rest[0] in (b"S", b"P"):
            rest = rest[1:]
        if (
            len(numbers) < 3
            or None in numbers
            or len(rest) > 1
            or any(not _is_real(word) for word in rest)
        ):
            self.fail(
                line,
                f"{shown(text.strip())} is no link; write segment, first and second position, then "
                "S or P and a confidence if there are any, such as 1 2 3 S",
            )
            return
        segment, first, second = (number or 0 for number in numbers)
        self.rows.append((segment - 1, first, second, possible, line))

    def moses(self, line: int, text: bytes) -> None:
        self.segments += 1
        for word in text.split():
            match = re.fullmatch(rb"(\d+)(?:-(\d+))?=(\d+)(?:-(\d+))?", word)
            ends = [position(end) for end in match.groups(default=b"")] if match else []
            if not match or ends[0] is None or ends[2] is None:
                self.fail(
                    line, f"{shown(word)} is no pair of phrases; write them as 0-1=2-3 or 2=0"
                )
                continue
            first = range(ends[0], (ends[0] if match[2] is None else ends[1] or 0) + 1)
            second = range(ends[2], (ends[2] if match[4] is None else ends[3] or 0) + 1)
            if not first or not second:
                self.fail(line, f"in {shown(word)} a phrase ends before it begins")
            elif max(len(first), len(second)) > LONGEST_PHRASE:
                self.fail(line, f"in {shown(word)} a phrase is longer than {LONGEST_PHRASE}")
            else:
                self.add_phrases(first, second, line, self.phrases or PhraseLinks.ALL)

    def moses_trace(self, line: int, text: bytes) -> None:
        self.segments += 1
        try:
            found = read_trace(text, diagonal=self.phrases is PhraseLinks.DIAGONAL)
        except TraceFault as fault:
            self.fail(line, str(fault))
            return
        self.widths.append(SentenceWidths(line, self.segments - 1, -1, found.words))
        for first, second in found.links:
            self.add(first, second, line)

    def meteor(self, line: int, text: bytes) -> None:
        self._line = line
        if self._stage in (1, 2):
            words = len(text.split())
            self._words = (words, 0) if self._stage == 1 else (self._words[0], words)
            self._stage += 1
        elif self._stage == 3:
            self._stage = 4
            self.widths.append(SentenceWidths(line, self.segments - 1, *self._words))
            if not text.startswith(b"Line2Start:Length"):
                self.fail(line, f"{shown(text)} stands where 'Line2Start:Length' is expected")
        elif re.match(rb"Alignment(\s|$)", text):
            self._stage = 1
            self.segments += 1
            number = text.split()[1:2]
            if number and number[0].isdigit() and int(number[0][:18]) != self.segments:
                self.fail(
                    line,
                    f"block {shown(number[0])} stands where block {self.segments} is expected; "
                    "blocks count the segments from 1, none may be missing",
                )
        elif text.strip():
            self._match(line, text)
        elif self._stage == 4:
            self._stage = 0

    def fast_align(self, line: int, text: bytes) -> None:
        self.segments += 1
        fields = text.split(b"|||")
        if len(fields) > 1 and _is_real(fields[-1].strip()):
            fields.pop()
        *texts, links = fields
        if len(texts) == 1:
            self.fail(
                line,
                f"{shown(text)} has a text beside its links; write links, or source ||| target ||| links, "
                "then ||| and a score if there is one; what Moses writes has the format moses-trace",
            )
            return
        if len(texts) == 2:
            words = [len(each.split()) for each in texts]
            self.widths.append(SentenceWidths(line, self.segments - 1, *words))
        for word in links.split():
            first, sign, second = word.partition(b"-")
            ends = position(first), position(second)
            if not sign or ends[0] is None or ends[1] is None:
                self.fail(line, f"{shown(word)} is no link; write links such as 0-0 1-2")
            else:
                self.add(ends[0], ends[1], line)

    def giza(self, line: int, text: bytes) -> None:
        self._line = line
        self._stage = self._giza.take(line, text)
        self.segments = self._giza.segments

    def _match(self, line: int, text: bytes) -> None:
        match = re.match(rb"(\d{1,9}):(\d{1,9})\s+(\d{1,9}):(\d{1,9})(\s|$)", text)
        if not match or self._stage != 4:
            self.fail(
                line,
                f"{shown(text)} is no match of a block; METEOR writes reference start and length, "
                "hypothesis start and length, module and score, such as 0:1 0:1 0 1.0",
            )
            return
        second_start, second_length, first_start, first_length = map(int, match.groups()[:4])
        first = range(first_start, first_start + first_length)
        second = range(second_start, second_start + second_length)
        if first.stop > self._words[0] or second.stop > self._words[1]:
            self.fail(
                line,
                f"match {shown(text.split()[0])} {shown(text.split()[1])} points outside the block's "
                f"sentences of {self._words[0]} (hypothesis) and {self._words[1]} (reference) words",
            )
            return
        self.add_phrases(first, second, line, self.phrases or PhraseLinks.DIAGONAL)


_STEPS: dict[LinkFormat, Callable[[_Parser, int, bytes], None]] = {
    LinkFormat.TARGET_LISTS: _Parser.target_lists,
    LinkFormat.NAACL: _Parser.naacl,
    LinkFormat.MOSES: _Parser.moses,
    LinkFormat.MOSES_TRACE: _Parser.moses_trace,
    LinkFormat.METEOR: _Parser.meteor,
    LinkFormat.GIZA: _Parser.giza,
    LinkFormat.FAST_ALIGN: _Parser.fast_align,
}


def _is_real(word: bytes) -> bool:
    return re.fullmatch(rb"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", word) is not None
