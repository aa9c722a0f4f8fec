"""Text of each link format to rows of numbers, and what is wrong with it, line by line."""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter import _core
from kilter.core.counted import counted
from kilter.io.link_format import (
    LONGEST_PHRASE,
    LinkFault,
    LinkFormat,
    LinkRows,
    SentenceWidths,
    position,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.core.links import Link

    Row = tuple[int, int, int, bool, int]


class GizaBlocks:
    """Takes blocks line by line, and adds what they hold to lists of rows, faults and lengths."""

    def __init__(
        self, rows: list[Row], faults: list[LinkFault], widths: list[SentenceWidths]
    ) -> None:
        self.segments = 0
        self._rows = rows
        self._faults = faults
        self._widths = widths
        self._stage = 0
        self._words = (0, 0)

    def _fail(self, line: int, reason: str) -> None:
        self._faults.append(LinkFault(line, reason))

    def take(self, line: int, text: bytes) -> int:
        """Take a line and return how many lines of its block were taken; 0 where it is complete."""
        if self._stage == 0 and text.strip():
            self._head(line, text)
        elif self._stage == 1:
            words = len(text.split())
            if words != self._words[1]:
                self._fail(
                    line,
                    f"the target has {counted(words, 'word')}; the line before gives it {self._words[1]}",
                )
            self._words = (self._words[0], words)
            self._stage = 2
        elif self._stage == 2:
            self._stage = 0
            self._links(line, text)
        return self._stage

    def _head(self, line: int, text: bytes) -> None:
        head = re.match(
            rb"# Sentence pair \((\d{1,9})\) source length (\d{1,9}) target length (\d{1,9})\s",
            text + b" ",
        )
        if not head:
            self._fail(
                line,
                f"{shown(text)} stands where a block begins; GIZA++ writes # Sentence pair (1) source "
                "length 3 target length 4 alignment score : 0.1, the target, and the source with its links",
            )
            return
        number, *words = map(int, head.groups())
        self.segments += 1
        self._words = (words[0], words[1])
        self._stage = 1
        if number != self.segments:
            self._fail(
                line,
                f"sentence pair {number} stands where {self.segments} is expected; pairs count from 1, none "
                "may be missing (sort the parts that MGIZA writes into one file)",
            )

    def _links(self, line: int, text: bytes) -> None:
        """Take the source words, NULL first, each with the places of its target words, from 1."""
        pieces = text.split()
        index = source = -1
        while (index := index + 1) < len(pieces):
            end = index + 2
            while end < len(pieces) and pieces[end] != b"})":
                end += 1
            if pieces[index + 1 : index + 2] != [b"({"] or end >= len(pieces):
                self._fail(
                    line,
                    f"{shown(pieces[index])} has no list of target words; write it as word ({{ 1 2 }})",
                )
                return
            if source < 0 and pieces[index] != b"NULL":
                self._fail(
                    line, f"the first source word is {shown(pieces[index])}; it must be NULL"
                )
                return
            self._word(line, source, pieces[index + 2 : end])
            source += 1
            index = end
        if source != self._words[0]:
            self._fail(
                line,
                f"the source has {counted(max(source, 0), 'word')}; its block gives it {self._words[0]}",
            )
        self._widths.append(SentenceWidths(line, self.segments - 1, max(source, 0), self._words[1]))

    def _word(self, line: int, source: int, targets: list[bytes]) -> None:
        for each in targets:
            target = position(each)
            if target is None or not 1 <= target <= self._words[1]:
                self._fail(
                    line,
                    f"{shown(each)} is no target word of this block; they are numbered from 1 to "
                    f"{self._words[1]}",
                )
            elif source >= 0:  # what NULL made has no link
                self._rows.append((self.segments - 1, source, target - 1, False, line))


_MARK = re.compile(rb"(?<!\S)\|(\d+)-(\d+)((?:,[^|]*)?)\|(?!\S)")
_WORDS = re.compile(rb",\s*wa=([^,]*)")
_BAR = "|"
_ESCAPED = "&#124;"
"""How Moses writes a bar that is part of a word."""


class Trace(NamedTuple):
    """The links of a translation, from the source to it, and how many words it has."""

    links: list[Link]
    words: int


class TraceFault(Exception):  # noqa: N818 - what is wrong with a line, told where the file is known
    """Why a line is no trace."""


def read_trace(text: bytes, *, diagonal: bool = False) -> Trace:
    """Return the links of a line; what is wrong with it is a `TraceFault`.

    Every word of a phrase is linked with every word of its source phrase, or with `diagonal` the k-th with the
    k-th, or by `wa=` where that is given; links behind `|||` count instead of all phrases.

    >>> read_trace(b"das haus |0-1| steht |2-2|")
    Trace(links=[(0, 0), (0, 1), (1, 0), (1, 1), (2, 2)], words=3)
    >>> read_trace(b"das haus steht ||| 1-1 0-0")
    Trace(links=[(1, 1), (0, 0)], words=3)
    """
    phrases, bars, pairs = text.partition(b"|||")
    links: list[Link] = []
    words = end = 0
    sources = []
    for mark in _MARK.finditer(phrases):
        source = _source_phrase(mark)
        sources.append((source.start, source.stop, mark[0]))
        begin = words
        words += len(phrases[end : mark.start()].split())
        end = mark.end()
        links += _phrase_links(mark, source, range(begin, words), diagonal=diagonal)
    _refuse_overlap(sources)
    rest = phrases[end:].split()
    if bars:
        return Trace(_pairs(pairs), words + len(rest))
    if rest:
        raise TraceFault(
            f"no source phrase follows {shown(rest[0])}; Moses writes one behind each phrase, such as |0-1|, "
            "if it is run with -t"
        )
    return Trace(links, words)


def _refuse_overlap(sources: list[tuple[int, int, bytes]]) -> None:
    for (_, stop, one), (start, _, other) in pairwise(sorted(sources)):
        if start < stop:
            raise TraceFault(
                f"{shown(one)} and {shown(other)} both translate source word {start}; a word belongs to one phrase"
            )


def _source_phrase(mark: re.Match[bytes]) -> range:
    ends = [position(end) for end in mark.groups()[:2]]
    if ends[0] is None or ends[1] is None or ends[1] < ends[0]:
        raise TraceFault(f"{shown(mark[0])} is no source phrase; it begins and ends with a word")
    return range(ends[0], ends[1] + 1)


def _phrase_links(
    mark: re.Match[bytes], source: range, words: range, *, diagonal: bool
) -> Iterator[Link]:
    given = _WORDS.search(mark[3])
    if given is None and max(len(source), len(words)) > LONGEST_PHRASE:
        raise TraceFault(f"at {shown(mark[0])} a phrase is longer than {LONGEST_PHRASE}")
    if given is None and diagonal:
        yield from zip(source, words, strict=False)
        return
    if given is None:
        yield from ((one, other) for one in source for other in words)
        return
    for one, other in _pairs(given[1]):
        if one >= len(source) or other >= len(words):
            raise TraceFault(
                f"in {shown(mark[0])} the link {one}-{other} points past its phrase, whose words count from 0"
            )
        yield source[one], words[other]


def _pairs(text: bytes) -> list[Link]:
    links = []
    for word in text.split():
        first, sign, second = word.partition(b"-")
        ends = position(first), position(second)
        if not sign or ends[0] is None or ends[1] is None:
            raise TraceFault(f"{shown(word)} is not a link; links are such as 0-0 1-2")
        links.append((ends[0], ends[1]))
    return links


def written_trace(source: Sequence[str], target: Sequence[str], links: Sequence[Link]) -> str:
    """Return a line that holds these links: the whole translation as one phrase, its links behind `wa=`.

    >>> written_trace(["ein", "haus"], ["a", "house"], [(0, 0), (1, 1)])
    'a house |0-1,wa=0-0 1-1|'
    """
    words = [word.replace(_BAR, _ESCAPED) for word in target]
    if not words:
        return ""
    pairs = " ".join(f"{one}-{other}" for one, other in links)
    return " ".join([*words, f"|0-{max(len(source) - 1, 0)},wa={pairs}|"])


_NO_LINK = "is not a link;"


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
        numbers, signs_of_rows, offsets, bad = _core.link_lines(block)
        faults += [
            LinkFault(lines + line + 1, _why_no_link(block[begin:end], form))
            for line, begin, end in bad
        ]
        wrong = np.flatnonzero(~np.isin(signs_of_rows, [ord(sign) for sign in form.signs]))
        for row in wrong.tolist():
            line = lines + int(np.searchsorted(offsets, row, side="right"))
            first, second = numbers[2 * row : 2 * row + 2].tolist()
            faults.append(
                LinkFault(line, _why_not_this_sign(first, chr(signs_of_rows[row]), second))
            )
        pairs.append(numbers.reshape(-1, 2))
        signs.append(signs_of_rows)
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
    told = "is not a link, and neither is any other word that was read;"
    return [first._replace(reason=first.reason.replace(_NO_LINK, told, 1))]


def _why_no_link(text: bytes, form: LinkFormat) -> str:
    example = "1-1 2-3" if form.base else "0-0 1-2"
    if re.fullmatch(rb"-\d+[-sp?]-?\d+|\d+[-sp?]-\d+", text):
        return f"link {shown(text)} has a negative position; positions count from {form.base}"
    if re.fullmatch(rb"\d+[-sp?]\d+", text):
        return f"link {shown(text)} has a position that is too large for any sentence"
    return f"{shown(text)} {_NO_LINK} write links such as {example}, separated by spaces"


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
                f"{shown(text.strip())} is not a link; write segment, first and second position, then "
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
            trace = read_trace(text, diagonal=self.phrases is PhraseLinks.DIAGONAL)
        except TraceFault as fault:
            self.fail(line, str(fault))
            return
        self.widths.append(SentenceWidths(line, self.segments - 1, -1, trace.words))
        for first, second in trace.links:
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
                self.fail(line, f"{shown(word)} is not a link; write links such as 0-0 1-2")
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
