"""Blocks of GIZA++'s `A3.final`: a head, the target sentence, the source words with their target words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.io.link_format import shown
from kilter.io.link_rows import LinkFault, SentenceWidths, position

if TYPE_CHECKING:
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
        place = source = -1
        while (place := place + 1) < len(pieces):
            end = place + 2
            while end < len(pieces) and pieces[end] != b"})":
                end += 1
            if pieces[place + 1 : place + 2] != [b"({"] or end >= len(pieces):
                self._fail(
                    line,
                    f"{shown(pieces[place])} has no list of target words; write it as word ({{ 1 2 }})",
                )
                return
            if source < 0 and pieces[place] != b"NULL":
                self._fail(
                    line, f"the first source word is {shown(pieces[place])}; it must be NULL"
                )
                return
            self._word(line, source, pieces[place + 2 : end])
            source += 1
            place = end
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
