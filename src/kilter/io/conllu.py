"""Dependency trees in CoNLL-U: files of real treebanks and of parsers, n-best parses included."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.argument import checked
from kilter.core.dependency_tree import NO_NAME
from kilter.core.dependency_tree_column import (
    DependencyTreeColumn,
    DependencyTreeOrigin,
)
from kilter.core.errors import InputError
from kilter.io.conllu_parser import COLUMNS, KEPT, ConlluFault, ConlluParser
from kilter.io.stream import ByteSource, byte_source
from kilter.io.text import problems as text_problems
from kilter.io.text_file import text_part
from kilter.io.text_table import is_only_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.core.token_column import TokenColumn, Vocabulary

_PIECE = 1 << 22
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
def read_conllu(source: ByteSource | str) -> Treebank:
    """Return the treebank in a file; the first thing that is wrong with it is an `InputError`.

    A sentence is a block of lines before an empty line. Consecutive blocks that say `# parse = 1`,
    `# parse = 2`, ... and have one sent_id and the same words are the parses of one segment, the best
    first. A block of comments with a sent_id or a text is a segment without words.
    """
    source = byte_source(source)
    parser, ending = _parsed(source, kept=True)
    trees = parsed_trees(parser, source.name)
    return Treebank(trees, parser.kept(), tuple(parser.comments), parser.extra, ending)


@checked
def read_trees(source: ByteSource | str, *, details: bool = False) -> DependencyTreeColumn:
    """Return only the trees of a file, with `details` also their lemmas and fine tags; see `read_conllu`."""
    source = byte_source(source)
    parser, _ = _parsed(source, kept=details)
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
) -> tuple[DependencyTreeColumn | None, list[InputError]]:
    """Return the trees of a file, or everything that is wrong with it in the order of its lines.

    `words` are those of the segments of `text`, which the trees must have, too.
    """
    try:
        parser, _ = _parsed(source, kept=False)
    except InputError as error:
        return None, [error]
    if parser.faults:
        return None, [fault_error(source.name, fault) for fault in parser.faults]
    found = parsed_trees(parser, source.name)
    if words is None or vocabulary is None:
        return found, []
    faults = list(found.problems(words, vocabulary, text=text))
    return (None if faults else found), faults


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
        for place, line in reversed(treebank.extra.get(tree, [])):
            lines.insert(place, line)
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


def _parsed(source: ByteSource, *, kept: bool) -> tuple[ConlluParser, str]:
    """Return what a file holds, and what follows its last line."""
    refuse_table(source)
    data = b"".join(source.chunks())
    if not data:
        raise no_trees(source.name)
    for problem in text_problems(data):
        raise InputError(problem.reason, where=f"{source.name}:{problem.line}")
    ending = next(end for end in ("\n\n", "\n", "") if data.endswith(end.encode()))
    data += b"\n\n"[len(ending) :]
    parser = ConlluParser(kept=kept)
    begin = 0
    while begin < len(data):
        end = data.find(b"\n\n", begin + _PIECE)
        end = len(data) if end < 0 else end + 2
        parser.feed(data[begin:end].decode())
        begin = end
    if ending != "\n\n":
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
