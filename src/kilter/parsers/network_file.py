"""The weights of the network that tags and parses, and the files that hold them."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kilter.core.errors import InputError
from kilter.core.once import loaded_once
from kilter.parsers.model_file import NETWORK, REMEDY, ModelContent, model_bytes, read_model

if TYPE_CHECKING:
    from numpy.typing import NDArray

USED_PARTS = 9
"""Parts of a word that the network looks at: all but the tags that it has had."""
LARGEST_WEIGHT = 64
"""Of the matrices of small integers, in either direction."""
LARGEST_NUMBER = 1e4
"""In size, of all others: what is computed from such numbers cannot leave those of 32 bits."""
INPUTS, LANES = 64, 16
"""What the width of the network is a multiple of, and what that of arcs is one of: what the kernels compute at once."""
WIDEST = 4096
"""Numbers of a word in any one part of the network."""
_STEP, _MIX = 0x9E3779B9, 0x85EBCA6B
"""Numbers without a pattern: one tells the columns of parts apart, one spreads them over the rows of the table."""
_LOW_BITS = 0xFFFFFFFF


class WordRows(NamedTuple):
    """Where words have their vectors: a row of `words` each, 0 for unknown ones, and nine of `pieces`."""

    words: NDArray[np.int64]
    pieces: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ParserNetwork:
    """The weights of a network, under the names that docs/parsers.md has for them.

    Matrices have a row for each input. Those of small integers have a scale for each output. `card` says what was
    learned from what, with which settings, and how well.
    """

    forms: NDArray[np.uint32]
    words: NDArray[np.float16]
    pieces: NDArray[np.float16]
    input: NDArray[np.float32]
    input_bias: NDArray[np.float32]
    layers: NDArray[np.int8]
    layer_scales: NDArray[np.float32]
    layer_bias: NDArray[np.float32]
    heads: NDArray[np.int8]
    head_scales: NDArray[np.float32]
    head_bias: NDArray[np.float32]
    arcs: NDArray[np.float32]
    arc_bias: NDArray[np.float32]
    root_arc: NDArray[np.float32]
    root_label: NDArray[np.float32]
    distance: NDArray[np.float32]
    labels: NDArray[np.float32]
    label_bias: NDArray[np.float32]
    tag_names: list[tuple[str, str]]
    label_names: list[str]
    card: dict[str, Any] = field(default_factory=dict)

    @property
    def lowercase(self) -> bool:
        """Whether words are read without their capitals."""
        # Whoever writes a file may write anything on its card.
        said = self.card.get("settings")
        return isinstance(said, dict) and said.get("lowercase") is True

    def to_bytes(self) -> bytes:
        """Return the file that holds them: the same bytes for the same weights, whenever it is written."""
        arrays = {each.name: getattr(self, each.name) for each in fields(self)[:-1]}
        named = {name: np.array(arrays[name]) for name in ("tag_names", "label_names")}
        return model_bytes(NETWORK, arrays | named, self.card)

    def rows(self, parts: NDArray[np.uint32]) -> WordRows:
        """Return where words have their vectors, by their parts (`word_parts`)."""
        return WordRows(known_rows(self.forms, parts[:, 0]), piece_rows(parts, len(self.pieces)))


def known_rows(forms: NDArray[np.uint32], wanted: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Return the places of wanted forms among rising ones, counted from 1; 0 for one that is not among them.

    >>> known_rows(np.array([3, 8], np.uint32), np.array([8, 4, 3], np.uint32)).tolist()
    [2, 0, 1]
    """
    if not len(forms):
        return np.zeros(len(wanted), dtype=np.int64)
    places = np.minimum(np.searchsorted(forms, wanted), len(forms) - 1)
    return np.where(forms[places] == wanted, places + 1, 0).astype(np.int64)


def piece_rows(parts: NDArray[np.uint32], rows: int) -> NDArray[np.int64]:
    """Return the rows that parts of words have in a table of a power of two of rows, a column for each part."""
    columns = np.arange(USED_PARTS, dtype=np.uint64) * np.uint64(_STEP)
    mixed = (parts[:, :USED_PARTS].astype(np.uint64) + columns) & np.uint64(_LOW_BITS)
    mixed = (mixed * np.uint64(_MIX)) & np.uint64(_LOW_BITS)
    return (mixed >> np.uint64(33 - rows.bit_length())).astype(np.int64)


def is_network(path: str) -> bool:
    """Return whether a learned model is a network; otherwise it is one of perceptrons."""
    return read_model(path).form == NETWORK


def load_network(path: str) -> ParserNetwork:
    """Return the network that `kilter train parser` wrote; loaded once, and again when the file changes."""
    return _load(read_model(path))


@loaded_once(2)
def _load(content: ModelContent) -> ParserNetwork:
    if content.form != NETWORK:
        raise InputError(
            f"it holds perceptrons, where a network is needed; {REMEDY} with --kind network",
            where=content.path,
        )
    arrays = content.arrays
    if not (_numbers_fit(arrays) and _shapes_fit(arrays)):
        raise content.misfit()
    weights = {name: arrays[name] for name in arrays if not name.endswith("_names")}
    pairs = [(upos, xpos) for upos, xpos in arrays["tag_names"].tolist()]
    names = arrays["label_names"].tolist()
    return ParserNetwork(**weights, tag_names=pairs, label_names=names, card=content.card)


_TYPES = {
    "forms": "uint32",
    "words": "float16",
    "pieces": "float16",
    "layers": "int8",
    "heads": "int8",
    "tag_names": "str",
    "label_names": "str",
}
"""Of the arrays that are not numbers of 32 bits."""


def _numbers_fit(arrays: dict[str, NDArray[Any]]) -> bool:
    typed = all(
        np.issubdtype(array.dtype, _TYPES.get(name, "float32")) for name, array in arrays.items()
    )
    forms = arrays["forms"]
    return (
        typed
        and forms.ndim == 1
        and bool((forms[1:] > forms[:-1]).all())
        and all(
            _within(array, LARGEST_WEIGHT if array.dtype == np.int8 else LARGEST_NUMBER)
            for name, array in arrays.items()
            if name not in {"forms", "tag_names", "label_names"}
        )
    )


def _within(array: NDArray[Any], most: float) -> bool:
    """Return whether no number is larger in size; one that is none is."""
    return not array.size or bool(array.min() >= -most and array.max() <= most)


def _shapes_fit(arrays: dict[str, NDArray[Any]]) -> bool:
    if any(arrays[name].ndim != 2 for name in ("words", "pieces", "input", "heads", "labels")):
        return False
    inputs, width = arrays["input"].shape
    depth = len(arrays["layers"]) if arrays["layers"].ndim == 3 else 0
    arc, label = arrays["arc_bias"].size, arrays["root_label"].size
    tags, names = len(arrays["tag_names"]), arrays["label_names"].size
    rows, piece = arrays["pieces"].shape
    outputs = 2 * arc + 2 * label + tags
    expected = {
        "words": (len(arrays["forms"]) + 1, inputs - USED_PARTS * piece),
        "input_bias": (width,),
        "layers": (depth, width, 3 * width),
        "layer_scales": (depth, 3 * width),
        "layer_bias": (depth, 3 * width),
        "heads": (width, outputs),
        "head_scales": (outputs,),
        "head_bias": (outputs,),
        "arcs": (arc, arc),
        "arc_bias": (arc,),
        "root_arc": (arc,),
        "root_label": (label,),
        "labels": (label, names),
        "label_bias": (names,),
        "tag_names": (tags, 2),
        "label_names": (names,),
    }
    distance = arrays["distance"]
    return (
        all(arrays[name].shape == shape for name, shape in expected.items())
        and min(width, depth, arc, label, tags, names, piece) > 0
        and max(inputs, width, arc, label, tags, names) <= WIDEST
        and width % INPUTS == 0
        and arc % LANES == 0
        and rows > 1
        and rows & (rows - 1) == 0
        and distance.ndim == 1
        and distance.size % 2 == 1
    )
