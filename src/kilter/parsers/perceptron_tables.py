"""The weights of the perceptron tagger and parsers, and the files that hold them."""

from __future__ import annotations

import io
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kilter.core.errors import InputError
from kilter.core.once import ARRAY_FILES, loaded_once
from kilter.parsers.encoder.model_folder import model_folder
from kilter.parsers.encoder.word_shape import word_shape
from kilter.parsers.model_file import ARRAYS, REMEDY, ModelContent, model_bytes, read_model
from kilter.parsers.perceptron_beam import WIDEST

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

FILE = "perceptron.npz"
"""The weights among the files of the installed model."""
FORMATS = ("kilter-parser/1", "kilter-parser/2")
"""Of models that know six parts of a word, and of those that know ten, which know something of single words."""
DIGITS = 8
"""Digits of the checksum that name a model in signatures."""
TRANSITIONS = 3
_WORDS = ("forms", "form_tags")
"""What models of the second format know of single words."""
FEW_PARTS, MANY_PARTS = 6, 10


class KnownWords(NamedTuple):
    """Frequent words, as the numbers of their forms in rising order, and a number for the tags that each has had."""

    forms: NDArray[np.uint32]
    form_tags: NDArray[np.uint32]

    def tags_of(self, forms: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """Return the numbers of the tags of forms, 0 for unknown ones."""
        if not len(self.forms):
            return np.zeros(len(forms), dtype=np.uint32)
        places = np.minimum(np.searchsorted(self.forms, forms), len(self.forms) - 1)
        return np.where(self.forms[places] == forms, self.form_tags[places], 0).astype(np.uint32)


@dataclass(frozen=True, eq=False)
class Tables:
    """The weights of the tagger, and of moves and labels of each voter; the names of classes.

    `card` says what was learned from what, with which settings, and how well: it is written beside the weights.
    Those that know ten parts of a word have `known` words.
    """

    tagger: NDArray[np.int8]
    moves: NDArray[np.int8]
    labels: NDArray[np.int8]
    backwards: NDArray[np.bool_]
    tag_names: list[tuple[str, str]]
    label_names: list[str]
    card: dict[str, Any] = field(default_factory=dict)
    known: KnownWords | None = None

    @property
    def lowercase(self) -> bool:
        """Whether words are read without their capitals."""
        return self._settings.get("lowercase") is True

    @property
    def _settings(self) -> dict[str, Any]:
        # Whoever writes a file may write anything on its card.
        said = self.card.get("settings")
        return said if isinstance(said, dict) else {}

    @property
    def beam(self) -> int:
        """How many derivations were kept beside one another when it was learned, 1 where none were."""
        said = self._settings.get("beam", 1)
        return said if isinstance(said, int) and 1 <= said <= WIDEST else 1

    def to_bytes(self) -> bytes:
        """Return the file that holds them: the same bytes for the same weights, whenever it is written."""
        arrays = {
            "tagger": self.tagger,
            "moves": self.moves,
            "labels": self.labels,
            "backwards": self.backwards,
            "tag_names": np.array(self.tag_names),
            "label_names": np.array(self.label_names),
        }
        if self.known is not None:
            arrays |= self.known._asdict()
        return model_bytes(FORMATS[self.known is not None], arrays, self.card)


_MOST_COLUMNS = 4096
"""Of a table of weights, as the kernel takes it."""


@loaded_once(2)
def load_tables(folder: str = "") -> Tables:
    """Return the weights of a folder, or the installed ones; loaded once."""
    found = model_folder(folder)
    content = io.BytesIO(found.read(FILE))
    with ARRAY_FILES, np.load(content, allow_pickle=False) as archive:
        names = ARRAYS[FORMATS[_WORDS[0] in archive]]
        return _tables({name: archive[name] for name in names}, {})


def load_model(path: str) -> Tables:
    """Return the weights that `kilter train parser` wrote; loaded once, and again when the file changes."""
    return _load(read_model(path))


@loaded_once(2)
def _load(content: ModelContent) -> Tables:
    if content.form not in FORMATS:
        raise InputError(
            f"it holds a network, where perceptrons are needed; {REMEDY} with --kind perceptron",
            where=content.path,
        )
    if not _fitting(content.arrays):
        raise content.misfit()
    return _tables(content.arrays, content.card)


def _fitting(arrays: dict[str, NDArray[Any]]) -> bool:
    """Return whether tables fit together, whoever wrote them."""
    tagger, moves, labels = (arrays[name] for name in ("tagger", "moves", "labels"))
    voters = len(arrays["backwards"]) if arrays["backwards"].ndim == 1 else 0
    return (
        voters > 0
        and all(each.dtype == np.int8 for each in (tagger, moves, labels))
        and arrays["backwards"].dtype == np.bool_
        and arrays["tag_names"].dtype.kind == arrays["label_names"].dtype.kind == "U"
        and arrays["tag_names"].ndim == 2
        and arrays["tag_names"].shape == (tagger.shape[-1], 2)
        and arrays["label_names"].shape == (labels.shape[-1],)
        and tagger.ndim == 2
        and (moves.ndim, labels.ndim) == (3, 3)
        and len(moves) == len(labels) == voters
        and moves.shape[2] == TRANSITIONS
        and all(_is_power(rows) for rows in (len(tagger), moves.shape[1], labels.shape[1]))
        and all(0 < columns <= _MOST_COLUMNS for columns in (tagger.shape[1], labels.shape[2]))
        and all(arrays[name].dtype == np.uint32 for name in _WORDS if name in arrays)
        and len({arrays[name].shape for name in _WORDS if name in arrays}) <= 1
        and all(arrays[name].ndim == 1 for name in _WORDS if name in arrays)
    )


def _is_power(rows: int) -> bool:
    """Return whether a number is a power of two."""
    return rows > 0 and rows & (rows - 1) == 0


def _tables(arrays: dict[str, NDArray[Any]], card: dict[str, Any]) -> Tables:
    return Tables(
        arrays["tagger"],
        arrays["moves"],
        arrays["labels"],
        arrays["backwards"],
        [(upos, xpos) for upos, xpos in arrays["tag_names"].tolist()],
        arrays["label_names"].tolist(),
        card,
        KnownWords(*(arrays[name] for name in _WORDS)) if _WORDS[0] in arrays else None,
    )


def word_parts(words: Iterable[str], *, lowercase: bool = False) -> NDArray[np.uint32]:
    """Return what the classifiers know of words: form, three endings, beginning and shape as numbers.

    With `lowercase` a word has the shape of its small letters, so that capitals play no part. Four more parts follow,
    an ending, two beginnings, and the place of the tags that a word has had; see `known_parts`.
    """
    if lowercase:
        words = (word.lower() for word in words)
    rows = []
    for word in words:
        pieces = _pieces(word.lower())
        numbers = [zlib.crc32(part.encode("utf-8", "surrogatepass")) for part in pieces]
        shape = int(word_shape(word)) | any(map(str.isdigit, word)) << 4 | ("-" in word) << 5
        rows.append([*numbers[:5], shape, *numbers[5:], 0])
    return np.array(rows, dtype=np.uint32).reshape(len(rows), MANY_PARTS)


def known_parts(parts: NDArray[np.uint32], known: KnownWords | None) -> NDArray[np.uint32]:
    """Return the parts that tables with such known words look at: six of them, or ten with tags of words."""
    if known is None:
        return np.ascontiguousarray(parts[:, :FEW_PARTS])
    found = parts.copy()
    found[:, -1] = known.tags_of(parts[:, 0])
    return found


def _pieces(plain: str) -> tuple[str, ...]:
    digits = "".join("0" if sign.isdigit() else sign for sign in plain)
    few = digits, digits[-3:], digits[-2:], digits[-1:], digits[:3]
    return *few, digits[-4:], digits[:2], digits[:4]
