"""Sentences of CoNLL-U from lines: every check over all of them at once, every fault with its line."""

from __future__ import annotations

import re
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.core.counted import counted
from kilter.core.dependency_tree import NO_NAME
from kilter.core.dependency_tree_column import tree_faults
from kilter.core.token_column import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
KEPT = (2, 4, 5, 8, 9)
"""Columns that scoring does not look at, and writing puts back."""
_WIDTH = len(COLUMNS)
_ID, _FORM, _UPOS, _HEAD, _DEPREL = 0, 1, 3, 6, 7
_COMMENT = re.compile(r"#\s*(sent_id|parse|text)\s*=\s*(.*?)\s*")
_NUMBER = r"[1-9][0-9]{0,8}"
_RANGE = re.compile(rf"({_NUMBER})-({_NUMBER})")
_EMPTY_NODE = re.compile(rf"(0|{_NUMBER})\.({_NUMBER})")
_NAMES = {"sent_id", "text"}
OTHER_WORDS = "the words are not those of parse 1 of this sentence; parses share their words"


class ConlluFault(NamedTuple):
    """A line, the sentence it belongs to, and what is wrong with it."""

    line: int
    sentence: str | None
    reason: str


class ConlluParser:
    """Takes sentences piece by piece; what it holds is complete unless there are faults."""

    def __init__(self, *, kept: bool, before: int = 0) -> None:
        """Take sentences that stand in a file below so many lines."""
        self.vocabulary = Vocabulary()
        self.faults: list[ConlluFault] = []
        self.comments: list[tuple[str, ...]] = []
        self.names: list[dict[str, str]] = []
        """What the comments of each tree say of sent_id, parse and text."""
        self.extra: dict[int, list[tuple[int, str]]] = {}
        self.parses = [0]
        self._kept = KEPT if kept else ()
        self._columns: dict[int, list[NDArray[np.int32]]] = {
            column: [] for column in (_FORM, _UPOS, _HEAD, _DEPREL, *self._kept)
        }
        self._lengths: list[NDArray[np.int64]] = []
        self._lines: list[NDArray[np.int64]] = []
        self._read = before
        self._wordless = False
        """Whether the last sentence that was read has no word, and no fault."""

    def feed(self, text: str) -> None:
        """Take whole sentences, each with the empty line that ends it."""
        piece = _Piece(text, self._read)
        first = len(self.names)
        self._lines.append(piece.starts + self._read + 1)
        self._read += len(piece.lines)
        self.comments.extend(piece.comments)
        self.names.extend(piece.names)
        piece.check_layout()
        fields = piece.split_rows()
        words = piece.check_ids(fields)
        heads = piece.check_heads(fields, words)
        self.faults += piece.faults
        self._wordless = bool(piece.sound[-1]) and not piece.counts[-1]
        if piece.faults:
            return
        marks = words.tolist()
        for column, parts in self._columns.items():
            if column == _HEAD:
                parts.append(heads)
            else:
                parts.append(self.vocabulary.numbers(compress(fields[column::_WIDTH], marks)))
        self._lengths.append(piece.counts)
        self.extra.update({first + place: lines for place, lines in piece.extra.items()})

    def refuse_cut_comments(self) -> None:
        """Take a last sentence without a word for a fault: nothing ended it, so its words are missing."""
        if self._wordless:
            self.faults.append(
                ConlluFault(
                    int(self._lines[-1][-1]),
                    self.names[-1].get("sent_id"),
                    "the file ends before the first word of a sentence, it may have been cut off; write a segment without words as a "
                    "line '# text =' and an empty line",
                )
            )

    def finish(self) -> None:
        """Put the parses of each segment together, and sort the faults by line."""
        lines, offsets, words = self.lines().tolist(), self.offsets(), self.words()
        complete = not self.faults

        def differ(first: int, second: int) -> bool:
            one, other = (words[offsets[tree] : offsets[tree + 1]] for tree in (first, second))
            return not np.array_equal(one, other)

        for place, names in enumerate(self.names):
            number = names.get("parse", "1")
            if number == "1" or not place:
                self.parses.append(place + 1)
            else:
                self.parses[-1] = place + 1
            if number == "1":
                continue
            reason = _why_no_parse(number, names, self.names[place - 1] if place else None)
            if reason is None and complete and differ(self.parses[-2], place):
                reason = OTHER_WORDS
            if reason is not None:
                self.faults.append(ConlluFault(lines[place], names.get("sent_id"), reason))
        self.faults.sort()

    def lines(self) -> NDArray[np.int64]:
        """Return the first line of each tree, counted from 1."""
        return np.concatenate(self._lines)

    def offsets(self) -> NDArray[np.int64]:
        """Return where the words of each tree begin, and where the last end."""
        return np.cumsum(np.concatenate([np.zeros(1, np.int64), *self._lengths]))

    def words(self) -> NDArray[np.int32]:
        """Return column FORM."""
        return self._joined(_FORM)

    def heads(self) -> NDArray[np.int32]:
        """Return heads, zero-based in their sentence, -1 for roots."""
        return self._joined(_HEAD)

    def labels(self) -> NDArray[np.int32]:
        """Return column DEPREL."""
        return self._joined(_DEPREL)

    def tags(self) -> NDArray[np.int32]:
        """Return column UPOS."""
        return self._joined(_UPOS)

    def kept(self) -> NDArray[np.int32]:
        """Return the columns that are kept for writing, one row each."""
        return np.stack([self._joined(column) for column in self._kept])

    def _joined(self, column: int) -> NDArray[np.int32]:
        return np.concatenate([np.zeros(0, np.int32), *self._columns[column]])


def said_in(comments: Iterable[str]) -> dict[str, str]:
    """Return what comments of a sentence say of its sent_id, parse and text.

    >>> said_in(["# sent_id = 7", "# parse = 2", "# by hand"])
    {'sent_id': '7', 'parse': '2'}
    """
    return {found[1]: found[2] for found in map(_COMMENT.fullmatch, comments) if found}


def _why_no_parse(
    number: str, names: dict[str, str], previous: dict[str, str] | None
) -> str | None:
    if not re.fullmatch(_NUMBER, number):
        return f"parse is {number!r}; number the parses of a sentence 1, 2, 3, ..."
    before = None if previous is None else previous.get("parse", "1")
    if previous is None or before != str(int(number) - 1):
        after = "no other parse" if previous is None else f"parse {before}"
        return f"parse {number} follows {after}; number the parses of a sentence 1, 2, 3, ..."
    if previous.get("sent_id") != names.get("sent_id"):
        return f"parse {number} has another sent_id than parse {before}; the parses of a sentence share it"
    return None


class _Piece:
    """Some sentences of a file as lists of lines and fields."""

    def __init__(self, text: str, read: int) -> None:
        self.lines = text.split("\n")[:-1]
        self.read = read
        kinds = np.array([line[:1] for line in self.lines])
        self.blank = kinds == ""
        self.comment = kinds == "#"
        self.row = ~(self.blank | self.comment)
        self.sentence = np.cumsum(self.blank) - self.blank
        ends = np.flatnonzero(self.blank)
        self.starts = np.concatenate([np.zeros(1, np.int64), ends[:-1] + 1])
        self.sound = np.ones(len(ends), dtype=bool)
        self.faults: list[ConlluFault] = []
        self.extra: dict[int, list[tuple[int, str]]] = {}
        self.rows = np.zeros(0, dtype=np.int64)
        self.counts = np.zeros(len(ends), dtype=np.int64)
        listed: list[list[str]] = [[] for _ in ends]
        for place in np.flatnonzero(self.comment).tolist():
            listed[self.sentence[place]].append(self.lines[place])
        self.comments = [tuple(lines) for lines in listed]
        self.names = list(map(said_in, listed))

    def fault(self, lines: Iterable[int], reason: Callable[[int], str]) -> None:
        """Report the first of these lines in each sentence that is sound so far."""
        for line in lines:
            sentence = int(self.sentence[line])
            if self.sound[sentence]:
                self.sound[sentence] = False
                name = self.names[sentence].get("sent_id")
                self.faults.append(ConlluFault(self.read + line + 1, name, reason(line)))

    def check_layout(self) -> None:
        """Check that comments come before words, that there is something, and columns."""
        empty = self.starts[self.blank[self.starts]]
        self.fault(
            empty.tolist(),
            lambda _: (
                "an empty line ends a sentence, but there is none before it; write a segment without "
                "words as a line '# text =' and an empty line"
            ),
        )
        with_words = np.zeros(len(self.sound), dtype=bool)
        with_words[self.sentence[self.row]] = True
        wordless = np.flatnonzero(~with_words)
        self.fault(
            [int(self.starts[s]) for s in wordless.tolist() if not self.names[s].keys() & _NAMES],
            lambda _: (
                "comments without words; remove the empty line after them, or write a segment without "
                "words as a line '# text =' and an empty line"
            ),
        )
        late = np.flatnonzero(self.comment[1:] & self.row[:-1]) + 1
        self.fault(
            late.tolist(),
            lambda _: "a comment stands below words; comments come first in a sentence",
        )
        tabs = _WIDTH - 1
        places = np.flatnonzero(self.row).tolist()
        self.fault(
            [place for place in places if self.lines[place].count("\t") != tabs],
            lambda line: (
                f"has {counted(self.lines[line].count(chr(9)) + 1, 'column')}; CoNLL-U has {_WIDTH}, "
                "separated by tabs"
            ),
        )

    def split_rows(self) -> list[str]:
        """Return the fields of all rows of sound sentences, one after another."""
        self.rows = np.flatnonzero(self.row & self.sound[self.sentence])
        fields = self._fields()
        if "" in fields:
            width = _WIDTH
            holes = {k // width: k % width for k in range(len(fields) - 1, -1, -1) if not fields[k]}
            columns = {int(self.rows[row]): COLUMNS[column] for row, column in holes.items()}
            self.fault(
                sorted(columns),
                lambda line: f"column {columns[line]} is empty; write _ where there is nothing",
            )
            self.rows = np.flatnonzero(self.row & self.sound[self.sentence])
            fields = self._fields()
        return fields

    def _fields(self) -> list[str]:
        lines = [self.lines[place] for place in self.rows.tolist()]
        return "\t".join(lines).split("\t") if lines else []

    def check_ids(self, fields: list[str]) -> NDArray[np.bool_]:
        """Return which rows are words, after checking that these are numbered from 1."""
        ids = fields[_ID::_WIDTH]
        words = np.array([entry.isdecimal() for entry in ids], dtype=bool)
        owners = self.sentence[self.rows]
        self.counts = np.bincount(owners[words], minlength=len(self.sound))
        earlier = np.cumsum(words) - words
        earlier -= (np.cumsum(self.counts) - self.counts)[owners]
        texts = [str(number) for number in range(int(self.counts.max(initial=0)) + 2)]
        expected = (earlier + 1).tolist()
        numbered = [texts[number] for number in expected]
        self._check_special(ids, words, earlier)
        if not words.all() or ids != numbered:
            wrong = [row for row in np.flatnonzero(words).tolist() if ids[row] != numbered[row]]
            by_line = {int(self.rows[row]): row for row in wrong}
            self.fault(
                sorted(by_line),
                lambda line: (
                    f"the id is {ids[by_line[line]]}, but {numbered[by_line[line]]} is expected; words "
                    "are numbered 1, 2, 3, ... in each sentence"
                ),
            )
        return words

    def _check_special(
        self,
        ids: list[str],
        words: NDArray[np.bool_],
        earlier: NDArray[np.int64],
    ) -> None:
        """Check multiword tokens and empty nodes, and keep their lines."""
        last_range, last_node = (-1, 0), (-1, 0, 0)
        for row in np.flatnonzero(~words).tolist():
            line, place = int(self.rows[row]), int(earlier[row])
            sentence = int(self.sentence[line])
            reason = None
            if match := _RANGE.fullmatch(ids[row]):
                first, last = int(match[1]), int(match[2])
                free = last_range[1] if last_range[0] == sentence else 0
                if first != place + 1 or not first < last <= self.counts[sentence] or first <= free:
                    reason = (
                        f"the multiword token {ids[row]} must stand before its first word, end with a "
                        "later word, and share no word with another"
                    )
                last_range = (sentence, last)
            elif match := _EMPTY_NODE.fullmatch(ids[row]):
                after = last_node[2] if last_node[:2] == (sentence, place) else 0
                if int(match[1]) != place or int(match[2]) != after + 1:
                    reason = (
                        f"the empty node {ids[row]} must be numbered {place}.{after + 1}: after word "
                        f"{place}, the first of them with .1"
                    )
                last_node = (sentence, place, after + 1)
            else:
                reason = (
                    f"the id is {ids[row]!r}; it must be a word (3), a multiword token (3-4) or an empty "
                    "node (3.1)"
                )
            if reason is not None:
                self.fault([line], lambda _, reason=reason: reason)  # type: ignore[misc]
            lines = self.extra.setdefault(sentence, [])
            lines.append((place, self.lines[line]))

    def check_heads(self, fields: list[str], words: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Return zero-based heads, -1 for a root, after checking that they make trees."""
        rows = np.flatnonzero(words)
        texts = fields[_HEAD::_WIDTH]
        table = {str(number): number - 1 for number in range(int(self.counts.max(initial=0)) + 1)}
        unknown = -2
        heads = np.array([table.get(texts[row], unknown) for row in rows.tolist()], dtype=np.int32)
        owners = self.sentence[self.rows[rows]]
        sizes = self.counts[owners]
        bad = np.flatnonzero((heads == unknown) | (heads >= sizes))
        by_line = {int(self.rows[rows[k]]): k for k in bad.tolist()}
        self.fault(
            sorted(by_line),
            lambda line: _why_no_head(
                fields[int(rows[by_line[line]]) * _WIDTH],
                texts[rows[by_line[line]]],
                int(sizes[by_line[line]]),
            ),
        )
        kept = self.sound[owners]
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(self.counts * self.sound)])
        for fault in tree_faults(heads[kept], offsets):
            word = int(offsets[fault.tree]) + fault.word
            line = int(self.rows[rows[kept]][word])
            self.fault([line], lambda _, fault=fault: fault.reason(base=1))  # type: ignore[misc]
        return heads


def _why_no_head(word: str, head: str, size: int) -> str:
    if head == NO_NAME:
        return f"word {word} has no head; column HEAD holds a number, 0 for the root"
    if not re.fullmatch("0|[1-9][0-9]*", head):
        return f"the head of word {word} is {head!r}, which is no number; the root has 0"
    return f"the head of word {word} is {head}, but the sentence has {counted(size, 'word')}"
