"""The embedded network: a MiniLM encoder that tags and parses, run in 8-bit integers."""

from __future__ import annotations

import io
import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from kilter import __version__
from kilter.core.errors import InputError
from kilter.core.once import ARRAY_FILES, ProcessLock, loaded_once
from kilter.parsers.encoder.model_folder import INSTALL, ModelFolder, model_folder
from kilter.parsers.encoder.network import network, read_network
from kilter.parsers.encoder.word_shape import word_shape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.core.corpus import TokenColumn, Vocabulary
    from kilter.parsers.encoder.network import Network

    Floats = NDArray[np.float32]
    Progress = Callable[[int, int], None]

ENDS = frozenset({".", "!", "?", ";", "...", "…"})
"""Words after which a long line is best cut."""


def windows(sizes: Sequence[int], words: Sequence[str], *, most: int) -> list[tuple[int, int]]:
    """Return half-open spans that cover all words, each of at most `most` pieces.

    A span ends after the last sentence-final sign in its second half; without one it is as long as it
    can be. No word is longer than `most`.

    >>> windows([1, 1, 1, 1, 1], ["a", "b", ".", "c", "d"], most=4)
    [(0, 3), (3, 5)]
    """
    spans: list[tuple[int, int]] = []
    start = 0
    while start < len(sizes):
        stop, used, cut = start, 0, start
        while stop < len(sizes) and used + sizes[stop] <= most:
            used += sizes[stop]
            stop += 1
            if words[stop - 1] in ENDS and 2 * used >= most:
                cut = stop
        end = cut if cut > start and stop < len(sizes) else stop
        spans.append((start, end))
        start = end
    return spans


PADDING, UNKNOWN, START, END = "[PAD]", "[UNK]", "[CLS]", "[SEP]"
LONGEST_PART = 100
"""Characters; a longer run without punctuation is one unknown piece."""
MOST_PIECES = 8
"""Pieces of one word; of a longer one the beginning and the last piece stay."""

_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class WordPieces:
    """Splits words, whatever their script, into numbers of pieces; never into none."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self.unknown = self._numbers[UNKNOWN]
        self.start = self._numbers[START]
        self.end = self._numbers[END]

    def split(self, word: str) -> list[int]:
        """Return the numbers of the pieces of a word, one to `MOST_PIECES` of them."""
        pieces = [number for part in _parts(word) for number in self._longest_matches(part)]
        if not pieces:
            return [self.unknown]
        if len(pieces) > MOST_PIECES:
            return [*pieces[: MOST_PIECES - 1], pieces[-1]]
        return pieces

    def _longest_matches(self, part: str) -> list[int]:
        if len(part) > LONGEST_PART:
            return [self.unknown]
        pieces: list[int] = []
        start = 0
        while start < len(part):
            for end in range(len(part), start, -1):
                piece = part[start:end] if start == 0 else "##" + part[start:end]
                number = self._numbers.get(piece)
                if number is not None:
                    break
            else:
                return [self.unknown]
            pieces.append(number)
            start = end
        return pieces


def _parts(word: str) -> list[str]:
    """Return a word in lower case without accents, cut around punctuation and ideographs."""
    plain = unicodedata.normalize("NFD", word).lower()
    return [part for part in "".join(map(_spaced, plain)).split(" ") if part]


@cache
def _spaced(character: str) -> str:
    """Return what a character leaves in its word, with blanks where the word is cut."""
    return {"alone": f" {character} ", "gap": " ", "part": character}.get(_kind(character), "")


def _kind(character: str) -> str:
    """Return what a character does to its word: part, alone, gap or nothing."""
    code = ord(character)
    category = unicodedata.category(character)
    if character in "\t\n\r" or category == "Zs":
        return "gap"
    if code in (0, 0xFFFD) or category[0] == "C" or category == "Mn":
        return "nothing"
    # Every ASCII sign counts as punctuation, also those that Unicode calls symbols ($, +, ^).
    if category[0] == "P" or (code < 0x7F and not character.isalnum()):
        return "alone"
    if any(low <= code <= high for low, high in _IDEOGRAPHS):
        return "alone"
    return "part"


POSITIONS = 512
"""Pieces that the network can see at once, the two marks at the ends included."""
BATCH_PIECES = 512
"""Pieces of a batch: small enough for the cache of a core."""
NETWORK = "model.onnx"
_LOADING = ProcessLock()


@dataclass(frozen=True, slots=True)
class Window:
    """Words `start` to `stop` of a segment, with their pieces and the places of each word's ends."""

    segment: int
    start: int
    stop: int
    pieces: list[int]
    shapes: list[int]
    first: list[int]
    last: list[int]


@dataclass(frozen=True, slots=True, eq=False)
class EncoderOutput:
    """What the network says about some windows: rows of window w are `offsets[w]` to `offsets[w + 1]`.

    The arrays about whole sentences have one more row, the last: that of the root.
    """

    windows: Sequence[Window]
    offsets: NDArray[np.int64]
    arrays: dict[str, Floats]


class Encoder:
    """A loaded model. What it says about a segment does not depend on the other segments."""

    def __init__(self, folder: ModelFolder) -> None:
        self.folder = folder
        vocabulary = folder.read("vocab.txt").decode().removesuffix("\n").split("\n")
        self._splitter = WordPieces(vocabulary)
        self._known: dict[str, tuple[list[int], int]] = {}
        self._network: Network | None = None

    def _loaded(self) -> Network:
        """Return the network, read once."""
        with _LOADING:
            if self._network is None:
                try:
                    self._network = network(read_network(self.folder.read(NETWORK)))
                except ValueError as error:
                    raise InputError(
                        f"Kilter {__version__} cannot compute it ({error}); use a newer one: {INSTALL}",
                        where=str(self.folder.path / NETWORK),
                    ) from None
            return self._network

    @property
    def width(self) -> int:
        """The size of a word's vector."""
        return self._size("vector")

    def names(self, kind: str) -> list[str]:
        """Return the names of tags, one for each number of this output of the network."""
        return self.folder.names(kind, self._size(kind))

    def _size(self, output: str) -> int:
        return self._loaded().sizes[output]

    def matrix(self, name: str) -> Floats:
        """Return a matrix that is part of the model."""
        content = io.BytesIO(self.folder.read(name))
        with ARRAY_FILES:
            loaded: Floats = np.load(content, allow_pickle=False)
        return loaded

    def answers(
        self,
        words: TokenColumn,
        vocabulary: Vocabulary,
        outputs: Sequence[str],
        *,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> Iterator[EncoderOutput]:
        """Yield the asked outputs for all windows of all segments with words, shortest windows first.

        `progress` is called with the numbers of words done and of all words.
        """
        from concurrent.futures import ThreadPoolExecutor

        batches = list(_batches(self._windows(words, vocabulary)))
        # Read before threads ask for it.
        if batches:
            self._loaded()

        def answer(batch: list[Window]) -> EncoderOutput:
            return _answer(batch, outputs, self._loaded())

        done, total = 0, len(words.ids)
        with ThreadPoolExecutor(jobs) as pool:
            # A few batches at a time, so that answers do not pile up before they are used.
            for begin in range(0, len(batches), 16 * jobs):
                part = batches[begin : begin + 16 * jobs]
                for found in pool.map(answer, part) if jobs > 1 else map(answer, part):
                    yield found
                    done += int(found.offsets[-1])
                    if progress is not None:
                        progress(done, total)

    def _windows(self, words: TokenColumn, vocabulary: Vocabulary) -> Iterator[Window]:
        for segment in range(len(words)):
            text = vocabulary.text(words, segment)
            split = [self._split(word) for word in text]
            sizes = [len(pieces) for pieces, _ in split]
            spans = (
                [(0, len(text))]
                if sum(sizes) <= POSITIONS - 2
                else windows(sizes, text, most=POSITIONS - 2)
            )
            for start, stop in spans:
                if start < stop:
                    yield self._window(segment, start, stop, split[start:stop])

    def _split(self, word: str) -> tuple[list[int], int]:
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = (self._splitter.split(word), int(word_shape(word)))
        return known

    def _window(
        self, segment: int, start: int, stop: int, split: Iterable[tuple[list[int], int]]
    ) -> Window:
        pieces, shapes, first, last = [self._splitter.start], [0], [], []
        for own, shape in split:
            first.append(len(pieces))
            pieces.extend(own)
            shapes.extend([shape] * len(own))
            last.append(len(pieces) - 1)
        pieces.append(self._splitter.end)
        shapes.append(0)
        return Window(segment, start, stop, pieces, shapes, first, last)


def _answer(batch: list[Window], outputs: Sequence[str], loaded: Network) -> EncoderOutput:
    length = len(batch[0].pieces)
    counts = [window.stop - window.start for window in batch]
    before = np.repeat(np.arange(len(batch), dtype=np.int64) * length, counts)
    arrays = loaded.answer(
        np.array([window.pieces for window in batch], dtype=np.int64),
        np.array([window.shapes for window in batch], dtype=np.int64),
        before + np.array([k for window in batch for k in window.first]),
        before + np.array([k for window in batch for k in window.last]),
        outputs,
    )
    return EncoderOutput(batch, np.concatenate([[0], np.cumsum(counts)]), arrays)


def _batches(found: Iterable[Window]) -> Iterator[list[Window]]:
    """Yield windows of exactly the same number of pieces: without padding there is nothing to mask."""
    by_length: dict[int, list[Window]] = defaultdict(list)
    for window in found:
        by_length[len(window.pieces)].append(window)
    for length, alike in sorted(by_length.items()):
        size = max(1, BATCH_PIECES // length)
        yield from (alike[begin : begin + size] for begin in range(0, len(alike), size))


def network_identity(folder: str) -> str:
    """Return what decides the answers of the model of a folder: its files, and what computes them.

    Products add up integers, and all else is rounded as IEEE 754 says: every machine gives the same.
    """
    return f"{model_folder(folder).identity()},kilter:{__version__}"


@loaded_once(2)
def load_encoder(folder: str = "") -> Encoder:
    """Return the model of a folder, or the installed one; loaded once."""
    return Encoder(model_folder(folder))
