"""Dependency trees in CoNLL-U: files of real treebanks and of parsers, n-best parses included."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.core.corpus import Vocabulary
from kilter.core.counted import counted
from kilter.core.dependency_tree import NO_NAME
from kilter.core.dependency_tree_column import (
    DependencyTreeColumn,
    DependencyTreeOrigin,
    tree_faults,
)
from kilter.core.errors import InputError
from kilter.core.settings import checked
from kilter.io.stream import ByteSource, byte_source
from kilter.io.table import is_only_table
from kilter.io.text import bounded
from kilter.io.text import problems as text_problems
from kilter.io.text_file import text_part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from kilter.core.corpus import TokenColumn

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
        self.extra.update({first + index: lines for index, lines in piece.extra.items()})

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

        for index, names in enumerate(self.names):
            number = names.get("parse", "1")
            if number == "1" or not index:
                self.parses.append(index + 1)
            else:
                self.parses[-1] = index + 1
            if number == "1":
                continue
            reason = _why_no_parse(number, names, self.names[index - 1] if index else None)
            if reason is None and complete and differ(self.parses[-2], index):
                reason = OTHER_WORDS
            if reason is not None:
                self.faults.append(ConlluFault(lines[index], names.get("sent_id"), reason))
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
        for index in np.flatnonzero(self.comment).tolist():
            listed[self.sentence[index]].append(self.lines[index])
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
        rows = np.flatnonzero(self.row).tolist()
        self.fault(
            [index for index in rows if self.lines[index].count("\t") != tabs],
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
        lines = [self.lines[index] for index in self.rows.tolist()]
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
            line, index = int(self.rows[row]), int(earlier[row])
            sentence = int(self.sentence[line])
            reason = None
            if match := _RANGE.fullmatch(ids[row]):
                first, last = int(match[1]), int(match[2])
                free = last_range[1] if last_range[0] == sentence else 0
                if first != index + 1 or not first < last <= self.counts[sentence] or first <= free:
                    reason = (
                        f"the multiword token {ids[row]} must stand before its first word, end with a "
                        "later word, and share no word with another"
                    )
                last_range = (sentence, last)
            elif match := _EMPTY_NODE.fullmatch(ids[row]):
                after = last_node[2] if last_node[:2] == (sentence, index) else 0
                if int(match[1]) != index or int(match[2]) != after + 1:
                    reason = (
                        f"the empty node {ids[row]} must be numbered {index}.{after + 1}: after word "
                        f"{index}, the first of them with .1"
                    )
                last_node = (sentence, index, after + 1)
            else:
                reason = (
                    f"the id is {ids[row]!r}; it must be a word (3), a multiword token (3-4) or an empty "
                    "node (3.1)"
                )
            if reason is not None:
                self.fault([line], lambda _, reason=reason: reason)  # type: ignore[misc]
            lines = self.extra.setdefault(sentence, [])
            lines.append((index, self.lines[line]))

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
        return f"the head of word {word} is {head!r}, which is not a number; the root has 0"
    return f"the head of word {word} is {head}, but the sentence has {counted(size, 'word')}"


_PIECE = 1 << 22
_ENOUGH = 10_000
"""Faults after which nothing more is looked at."""
_FIRST_WORD = re.compile(r"1(?:\t[^\t]+){9}$")
"""The first word of a tree."""
_LINES_LOOKED_AT = 1000
"""Where a first word stands in any file of trees."""
_LEMMA, _XPOS = (KEPT.index(COLUMNS.index(name)) for name in ("LEMMA", "XPOS"))


@dataclass(frozen=True, slots=True, eq=False)
class Treebank:
    """Trees with everything else that their file says, so that it can be written again.

    `kept` has a row of numbers of the trees' vocabulary for each of LEMMA, XPOS, FEATS, DEPS and MISC.
    `comments` are the comment lines of each tree. `extra[t]` are lines of tree t that are no words,
    multiword tokens and empty nodes, each with the number of words before it. `ending` is what follows
    the last line.
    """

    trees: DependencyTreeColumn
    kept: NDArray[np.int32]
    comments: tuple[tuple[str, ...], ...]
    extra: dict[int, list[tuple[int, str]]]
    ending: str = "\n\n"

    @classmethod
    def of(
        cls, trees: DependencyTreeColumn, comments: Sequence[Sequence[str]] | None = None
    ) -> Treebank:
        """Return trees as a treebank that can be written.

        Without `comments` every tree gets its segment's number as sent_id, its words as text, and, where a
        segment has several parses, the number of the parse.
        """
        nothing = trees.vocabulary.number(NO_NAME)
        kept = np.full((len(KEPT), len(trees.heads)), nothing, dtype=np.int32)
        if comments is None:
            comments = [
                _comments_of(trees, segment, tree)
                for segment in range(len(trees))
                for tree in range(int(trees.parses[segment]), int(trees.parses[segment + 1]))
            ]
        return cls(trees, kept, tuple(tuple(lines) for lines in comments), {})

    @property
    def has_language_tags(self) -> bool:
        """Whether any word has a tag of the language's own tag set (XPOS)."""
        return bool((self.kept[_XPOS] != self.trees.vocabulary.number(NO_NAME)).any())


def holds_trees(lines: Sequence[str]) -> bool:
    r"""Return whether lines of a text are those of trees: the first word of a tree is among the first of them.

    >>> holds_trees(["# sent_id = 1", "\t".join("1 Yes yes INTJ UH _ 0 root _ _".split())])
    True
    """
    return any(_FIRST_WORD.match(line) for line in lines[:_LINES_LOOKED_AT])


def _comments_of(trees: DependencyTreeColumn, segment: int, tree: int) -> list[str]:
    names = trees.vocabulary.words
    rows = trees.words[trees.offsets[tree] : trees.offsets[tree + 1]].tolist()
    text = " ".join(names[number] for number in rows)
    first, last = int(trees.parses[segment]), int(trees.parses[segment + 1])
    number = [f"# parse = {tree - first + 1}"] if last - first > 1 else []
    return [f"# sent_id = {segment + 1}", *number, f"# text = {text}".rstrip()]


@checked
def read_conllu(source: ByteSource | str, *, most: int | None = None) -> Treebank:
    """Return the treebank in a file; the first thing that is wrong with it is an `InputError`.

    A sentence is a block of lines before an empty line. Consecutive blocks that say `# parse = 1`,
    `# parse = 2`, ... and have one sent_id and the same words are the parses of one segment, the best
    first. A block of comments with a sent_id or a text is a segment without words. A file of more than `most`
    bytes is an `InputError` before all of it is read.
    """
    source = byte_source(source)
    parser, ending = _parsed(source, kept=True, most=most)
    trees = parsed_trees(parser, source.name)
    return Treebank(trees, parser.kept(), tuple(parser.comments), parser.extra, ending)


@checked
def read_trees(
    source: ByteSource | str, *, details: bool = False, most: int | None = None
) -> DependencyTreeColumn:
    """Return only the trees of a file, with `details` also their lemmas and fine tags; see `read_conllu`.

    A file of more than `most` bytes is an `InputError` before all of it is read.
    """
    source = byte_source(source)
    parser, _ = _parsed(source, kept=details, most=most)
    trees = parsed_trees(parser, source.name)
    return detailed(trees, parser.kept()) if details else trees


def segment_trees(segments: Sequence[str], *, name: str, line: int = 1) -> DependencyTreeColumn:
    """Return the trees of some segments of a file, which begin in this line of it.

    Each is the text of its sentences, with the empty lines that end them; see `ConlluStream`.
    """
    parser = ConlluParser(kept=False, before=line - 1)
    parser.feed("".join(segments))
    parser.finish()
    return parsed_trees(parser, name)


def detailed(trees: DependencyTreeColumn, kept: NDArray[np.int32]) -> DependencyTreeColumn:
    """Return trees with the lemmas and fine tags that their treebank keeps."""
    return replace(trees, lemmas=kept[_LEMMA], fine_tags=kept[_XPOS])


def checked_trees(
    source: ByteSource,
    *,
    words: TokenColumn | None = None,
    vocabulary: Vocabulary | None = None,
    text: str = "the text",
    most: int | None = None,
) -> tuple[DependencyTreeColumn | None, list[InputError]]:
    """Return the trees of a file, or everything that is wrong with it in the order of its lines.

    No more than `most` bytes are read, and little more after ten thousand faults.

    `words` are those of the segments of `text`, which the trees must have, too.
    """
    try:
        parser, _ = _parsed(source, kept=False, most=most)
    except InputError as error:
        return None, [error]
    if parser.faults:
        return None, [fault_error(source.name, fault) for fault in parser.faults]
    trees = parsed_trees(parser, source.name)
    if words is None or vocabulary is None:
        return trees, []
    faults = list(trees.problems(words, vocabulary, text=text))
    return (None if faults else trees), faults


@checked
def write_conllu(treebank: Treebank) -> Iterator[str]:
    """Yield the text of a file in pieces, one for each tree.

    A word, label or tag that CoNLL-U cannot hold is an `InputError`.
    """
    _check_writable(treebank)
    trees, names = treebank.trees, treebank.trees.vocabulary.words
    heads = (trees.heads + 1).tolist()
    lemmas, language_tags, features, deps, misc = treebank.kept.tolist()
    columns = [trees.words.tolist(), lemmas, trees.tags.tolist(), language_tags, features]
    ends = [trees.labels.tolist(), deps, misc]
    starts = trees.offsets.tolist()
    for tree, comments in enumerate(treebank.comments):
        begin, end = starts[tree], starts[tree + 1]
        lines = []
        for word, row in enumerate(range(begin, end), start=1):
            before = "\t".join([names[column[row]] for column in columns])
            after = "\t".join([names[column[row]] for column in ends])
            lines.append(f"{word}\t{before}\t{heads[row]}\t{after}")
        for index, line in reversed(treebank.extra.get(tree, [])):
            lines.insert(index, line)
        closing = "\n\n" if tree + 1 < trees.trees else treebank.ending
        yield "\n".join([*comments, *lines] or ["# text ="]) + closing


def _check_writable(treebank: Treebank) -> None:
    trees, names = treebank.trees, treebank.trees.vocabulary.words
    if len(treebank.comments) != trees.trees:
        raise InputError(
            f"there are comments for {len(treebank.comments)} trees, but {trees.trees} trees"
        )
    used = np.concatenate([trees.words, trees.labels, trees.tags, treebank.kept.ravel()])
    for number in np.unique(used).tolist():
        if not names[number] or any(sign in names[number] for sign in "\t\n\r"):
            raise InputError(
                f"{names[number]!r} cannot be written as CoNLL-U, which has one line a word and tabs "
                "between columns"
            )
    for lines in treebank.comments:
        for line in lines:
            if not line.startswith("#") or "\n" in line or "\r" in line:
                raise InputError(f"the comment {line!r} must be one line that starts with #")


def _parsed(source: ByteSource, *, kept: bool, most: int | None = None) -> tuple[ConlluParser, str]:
    """Return what a file holds, and what follows its last line."""
    refuse_table(source)
    data = b"".join(bounded(source.chunks(), most, what="trees", name=source.name))
    if not data:
        raise no_trees(source.name)
    for problem in text_problems(data):
        raise InputError(problem.reason, where=f"{source.name}:{problem.line}")
    ending = next(end for end in ("\n\n", "\n", "") if data.endswith(end.encode()))
    data += b"\n\n"[len(ending) :]
    parser = ConlluParser(kept=kept)
    begin = 0
    while begin < len(data) and len(parser.faults) < _ENOUGH:
        end = data.find(b"\n\n", begin + _PIECE)
        end = len(data) if end < 0 else end + 2
        parser.feed(data[begin:end].decode())
        begin = end
    if ending != "\n\n" and begin == len(data):
        parser.refuse_cut_comments()
    parser.finish()
    return parser, ending


def parsed_trees(parser: ConlluParser, name: str) -> DependencyTreeColumn:
    """Return what a parser that has finished holds of a file; its first fault is an `InputError`."""
    for fault in parser.faults:
        raise fault_error(name, fault)
    names = tuple(said.get("sent_id") for said in parser.names)
    return DependencyTreeColumn(
        words=parser.words(),
        heads=parser.heads(),
        labels=parser.labels(),
        tags=parser.tags(),
        offsets=parser.offsets(),
        parses=np.array(parser.parses),
        vocabulary=parser.vocabulary,
        origin=DependencyTreeOrigin(name, parser.lines(), names),
    )


def refuse_table(source: ByteSource) -> None:
    """Raise an `InputError` for a table, whose rows have no lines to name."""
    if is_only_table(text_part(source.path).path):
        raise InputError(
            "is a table, and trees are read from CoNLL-U text; `kilter parse -o FILE.conllu` writes it",
            where=source.name,
        )


def no_trees(name: str) -> InputError:
    """Return what is wrong with a file without a byte."""
    return InputError("the file is empty; it must hold trees in CoNLL-U", where=name)


def fault_error(name: str, fault: ConlluFault) -> InputError:
    """Return what is wrong in a line of a file."""
    sentence = f" (sentence {fault.sentence})" if fault.sentence else ""
    return InputError(fault.reason, where=f"{name}:{fault.line}{sentence}")
