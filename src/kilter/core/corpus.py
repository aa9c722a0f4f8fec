"""Everything that is scored: systems, references, a source, read and interned once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from kilter import _core
from kilter.core.language import lowered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class TextColumn:
    """One text of a corpus: its name, its lines as they came, and its words."""

    name: str
    lines: tuple[str, ...]
    tokens: TokenColumn

    def __len__(self) -> int:
        return len(self.lines)


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Texts of equally many segments over one vocabulary."""

    vocabulary: Vocabulary
    systems: tuple[TextColumn, ...]
    references: tuple[TextColumn, ...]
    source: TextColumn | None = None
    tokenizer: str = "13a"
    lowercase: bool = False

    def __len__(self) -> int:
        return len(self.references[0]) if self.references else 0


@dataclass(frozen=True, slots=True, eq=False)
class TokenColumn:
    """The words of segment s are `ids[offsets[s]:offsets[s + 1]]`, numbers into a `Vocabulary`."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of words of each segment."""
        return np.diff(self.offsets)

    def __getitem__(self, segment: int) -> NDArray[np.int32]:
        return self.ids[self.offsets[segment] : self.offsets[segment + 1]]

    def chosen(self, segments: NDArray[np.int64]) -> TokenColumn:
        """Return some segments, in the order in which they are named.

        >>> column = TokenColumn(np.array([7, 8, 9], dtype=np.int32), np.array([0, 2, 3]))
        >>> column.chosen(np.array([1, 0, 1])).ids.tolist()
        [9, 7, 8, 9]
        """
        rows, offsets = ragged_rows(self.offsets, segments)
        return TokenColumn(self.ids[rows], offsets)


def ragged_rows(
    offsets: NDArray[np.int64], parts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows of some parts, one after another, and where each part begins among them."""
    lengths = np.diff(offsets)[parts]
    borders = np.zeros(len(parts) + 1, dtype=np.int64)
    np.cumsum(lengths, out=borders[1:])
    rows = np.arange(borders[-1]) + np.repeat(offsets[:-1][parts] - borders[:-1], lengths)
    return rows, borders


def ragged_ranges(begins: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return begin, begin + 1, ... for each begin, so many of them.

    >>> ragged_ranges(np.array([7, 3]), np.array([2, 1])).tolist()
    [7, 8, 3]
    """
    borders = row_offsets(sizes)
    rows: NDArray[np.int64] = np.arange(borders[-1]) + np.repeat(begins - borders[:-1], sizes)
    return rows


def row_offsets(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where parts of these sizes begin, one after another, and where the last ends.

    >>> row_offsets(np.array([2, 0, 1])).tolist()
    [0, 2, 2, 3]
    """
    offsets = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return offsets


def word_counts(lines: Sequence[str]) -> NDArray[np.int64]:
    """Return the number of words of each line: those between blanks.

    >>> word_counts(["a b", "", " c "]).tolist()
    [2, 0, 1]
    """
    return np.fromiter((len(line.split()) for line in lines), dtype=np.int64, count=len(lines))


def joined_columns(columns: Sequence[TokenColumn]) -> TokenColumn:
    """Return the segments of columns over one vocabulary, one column after another.

    >>> one = TokenColumn(np.array([7, 8], dtype=np.int32), np.array([0, 1, 2]))
    >>> joined_columns([one, one]).offsets.tolist()
    [0, 1, 2, 3, 4]
    """
    offsets = np.zeros(1 + sum(map(len, columns)), dtype=np.int64)
    np.cumsum(np.concatenate([column.lengths for column in columns]), out=offsets[1:])
    return TokenColumn(np.concatenate([column.ids for column in columns]), offsets)


def distinct_segments(column: TokenColumn) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return a number for each segment, the same for equal ones, and where each number comes first.

    >>> column = TokenColumn(np.array([7, 8, 7], dtype=np.int32), np.array([0, 1, 2, 3]))
    >>> [found.tolist() for found in distinct_segments(column)]
    [[0, 1, 0], [0, 1]]
    """
    numbers: dict[bytes, int] = {}
    raw, ends = column.ids.tobytes(), (column.offsets * column.ids.itemsize).tolist()
    found = [numbers.setdefault(raw[begin:end], len(numbers)) for begin, end in pairwise(ends)]
    first = np.full(len(numbers), len(found), dtype=np.int64)
    array = np.array(found, dtype=np.int64)
    np.minimum.at(first, array, np.arange(len(found)))
    return array, first


@dataclass(frozen=True, slots=True, eq=False)
class WordSpelling:
    """Words by number: their characters in lower case, and what they weigh by their length.

    A word weighs the square root of the number of its characters, and nothing without a letter or digit.
    """

    characters: TokenColumn
    weights: NDArray[np.float64]


def characters_of(lines: Sequence[str]) -> TokenColumn:
    """Return the code points of lines as a column.

    >>> characters_of(["ab", "", "c"]).offsets.tolist()
    [0, 2, 2, 3]
    """
    joined = "".join(lines).encode("utf-32-le", "surrogatepass")
    sizes = np.fromiter(map(len, lines), dtype=np.int64, count=len(lines))
    return TokenColumn(np.frombuffer(joined, dtype="<i4").astype(np.int32), row_offsets(sizes))


def visible_characters_of(lines: Sequence[str]) -> TokenColumn:
    r"""Return the code points of lines without blanks of any kind, as `"".join(line.split())` leaves them.

    >>> visible_characters_of(["a b", " ", "c\u3000"]).offsets.tolist()
    [0, 2, 2, 3]
    """
    every = characters_of(lines)
    blank = _blank()
    shown = ~blank[np.minimum(every.ids, len(blank) - 1)]
    before = np.zeros(len(shown) + 1, dtype=np.int64)
    np.cumsum(shown, out=before[1:])
    return TokenColumn(every.ids[shown], before[every.offsets])


@cache
def _blank() -> NDArray[np.bool_]:
    """Return which code points are blank; the last entry stands for all that follow, none of which is."""
    return np.array([chr(point).isspace() for point in range(0x3002)])


class Vocabulary:
    """Every word once, with a number; the same word has the same number in all columns.

    The words of a `turkic` one are in Turkish or Azerbaijani, and in lower case by the rules of these.
    """

    def __init__(self, *, turkic: bool = False) -> None:
        self.turkic = turkic
        self._interner = _core.Interner()
        self._words: list[str] = []
        self._lowercase: dict[bool, NDArray[np.int32]] = {}
        self._letters: NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self._alphanumeric: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)
        self._spelling = WordSpelling(characters_of([]), np.zeros(0))

    def __len__(self) -> int:
        return len(self._interner)

    def __reduce__(self) -> tuple[Callable[[list[str], bool], Vocabulary], tuple[list[str], bool]]:
        # A copy, or another process, numbers the same words alike.
        return _numbered, (self.words, self.turkic)

    @property
    def words(self) -> list[str]:
        """The words by number."""
        words = self._words
        if len(words) < len(self._interner):
            # A new list: two threads that extended one would both append the same words.
            words = self._words = [*words, *self._interner.words(len(words))]
        return words

    def lowercase(self, *, turkic: bool = True) -> NDArray[np.int32]:
        """Return for each word the number of the first one that is equal to it in lower case.

        Unless `turkic`, Turkish words are lowered as those of other languages.

        >>> vocabulary = Vocabulary()
        >>> column = vocabulary.column([["The", "cat", "the"]])
        >>> vocabulary.lowercase().tolist()
        [0, 1, 0]
        """
        rules = turkic and self.turkic
        words, numbers = self.words, self._lowercase.get(rules)
        if numbers is None or len(numbers) < len(words):
            first: dict[str, int] = {}
            forms = [
                first.setdefault(lowered(word, turkic=rules), place)
                for place, word in enumerate(words)
            ]
            numbers = self._lowercase[rules] = np.array(forms, dtype=np.int32)
        return numbers

    def letters(self) -> NDArray[np.int32]:
        """Return the number of characters of each word.

        >>> vocabulary = Vocabulary()
        >>> column = vocabulary.column([["The", "mat", "lies"]])
        >>> vocabulary.letters().tolist()
        [3, 3, 4]
        """
        words, sizes = self.words, self._letters
        if len(sizes) < len(words):
            sizes = self._letters = np.fromiter(map(len, words), dtype=np.int32, count=len(words))
        return sizes

    def alphanumeric(self) -> NDArray[np.bool_]:
        """Return whether each word has a letter or digit.

        >>> vocabulary = Vocabulary()
        >>> column = vocabulary.column([["mat", ",", "5%"]])
        >>> vocabulary.alphanumeric().tolist()
        [True, False, True]
        """
        words, known = self.words, self._alphanumeric
        if len(known) < len(words):
            known = self._alphanumeric = np.fromiter(
                (any(map(str.isalnum, word)) for word in words), dtype=np.bool_, count=len(words)
            )
        return known

    def spelling(self) -> WordSpelling:
        """Return how each word is spelled in lower case.

        >>> vocabulary = Vocabulary()
        >>> column = vocabulary.column([["The", "..."]])
        >>> vocabulary.spelling().characters.ids.tolist(), vocabulary.spelling().weights.round(2).tolist()
        ([116, 104, 101, 46, 46, 46], [1.73, 0.0])
        """
        words, spelling = self.words, self._spelling
        if len(spelling.weights) < len(words):
            small = [lowered(word, turkic=self.turkic) for word in words]
            sizes = np.sqrt(self.letters()[: len(words)])
            named = self.alphanumeric()[: len(words)]
            spelling = self._spelling = WordSpelling(
                characters_of(small), np.where(named, sizes, 0.0)
            )
        return spelling

    def number(self, word: str) -> int:
        """Return the number of a word, a new one if it was never seen."""
        return self._interner.number(word)

    def numbers(self, words: Iterable[str]) -> NDArray[np.int32]:
        """Return the numbers of words, new ones for those never seen."""
        listed = list(words)
        numbers = {word: self._interner.number(word) for word in dict.fromkeys(listed)}
        return np.fromiter(map(numbers.__getitem__, listed), dtype=np.int32, count=len(listed))

    def column(self, segments: Iterable[Sequence[str]]) -> TokenColumn:
        """Return segments of words as a column of numbers."""
        numbers: list[int] = []
        lengths: list[int] = []
        for words in segments:
            numbers.extend(map(self._interner.number, words))
            lengths.append(len(words))
        offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
        np.cumsum(lengths, out=offsets[1:])
        return TokenColumn(np.array(numbers, dtype=np.int32), offsets)

    def column_of_lines(self, lines: Sequence[str], *, tokenized: bool) -> TokenColumn:
        """Return lines as a column: split at white space, after the rules of 13a if `tokenized`."""
        return TokenColumn(*self._interner.lines(list(lines), tokenized))

    def text(self, column: TokenColumn, segment: int) -> list[str]:
        """Return the words of a segment."""
        return [self.words[number] for number in column[segment].tolist()]


def _numbered(words: list[str], turkic: bool) -> Vocabulary:  # noqa: FBT001 - of a pickle
    """Return a vocabulary that gives these words the numbers of their places."""
    vocabulary = Vocabulary(turkic=turkic)
    vocabulary.numbers(words)
    return vocabulary


KEY_SIZE = 16
"""Bytes of a key; so many that no two texts will ever share one by accident."""


def segment_keys(column: TokenColumn, vocabulary: Vocabulary) -> list[bytes]:
    """Return a key for each segment, made of its words and of nothing else.

    >>> from kilter.core.corpus import Vocabulary
    >>> vocabulary = Vocabulary()
    >>> one, other, same = segment_keys(vocabulary.column([["a", "b"], ["ab"], ["a", "b"]]), vocabulary)
    >>> one == other, one == same
    (False, True)
    """
    spelled: dict[int, bytes] = {}
    words, ids, offsets = vocabulary.words, column.ids.tolist(), column.offsets.tolist()
    for number in set(ids):
        word = words[number].encode("utf-8", "surrogatepass")
        spelled[number] = (
            len(word).to_bytes(4, "little") + word
        )  # so that no word runs into the next
    return [
        blake2b(b"".join([spelled[k] for k in ids[begin:end]]), digest_size=KEY_SIZE).digest()
        for begin, end in pairwise(offsets)
    ]


def pair_key(first: bytes, second: bytes) -> bytes:
    """Return the key of a pair of segments, in this order."""
    return blake2b(first + second, digest_size=KEY_SIZE).digest()
