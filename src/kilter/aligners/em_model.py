"""What a statistical aligner has learned: word translation tables of both directions."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from kilter import _core
from kilter.core.errors import InputError
from kilter.core.link_rule import Symmetrization, symmetrize
from kilter.core.links import LinkBatch
from kilter.core.once import ARRAY_FILES
from kilter.io.output import written
from kilter.io.stream import DAMAGE, check_regular, check_unpacked_size

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from kilter.core.corpus import TokenColumn, Vocabulary

    Archive = Mapping[str, Any]

UNSEEN = 1e-12
"""The probability of a pair of words that the table does not hold; less than this is not kept."""


@dataclass(frozen=True, slots=True, eq=False)
class TranslationTable:
    """p(target word | source word) as sparse rows, row 0 for NULL, and the weights of jumps."""

    offsets: NDArray[np.int64]
    targets: NDArray[np.int32]
    probabilities: NDArray[np.float64]
    jumps: NDArray[np.float64]

    @classmethod
    def trained(cls, trainer: _core.EmTrainer, direction: int) -> Self:
        """Return what a trainer has learned, without the pairs that have become improbable."""
        offsets, targets, probabilities = trainer.table(direction)
        keep = probabilities >= UNSEEN
        keep[: offsets[1]] = True
        kept = np.zeros(len(keep) + 1, dtype=np.int64)
        np.cumsum(keep, out=kept[1:])
        jumps = trainer.jumps(direction)
        return cls(kept[offsets], targets[keep], probabilities[keep], jumps)


@dataclass(frozen=True, slots=True, eq=False)
class EmModel:
    """A trained model: the words of each side by number, and a table for each direction.

    Words that training never saw are unknown. Model 1 leaves an unknown word without a link; the
    hidden Markov model gives every pair that is not in its table the same small probability, so that
    the position of an unknown word decides.
    """

    kind: str
    lowercase: bool
    training: str
    """The options that it was trained with, as an aligner is asked for them."""
    first_words: tuple[str, ...]
    second_words: tuple[str, ...]
    forward: TranslationTable
    reverse: TranslationTable
    null: float
    uniform: float

    def links(
        self,
        first: TokenColumn,
        second: TokenColumn,
        vocabulary: Vocabulary,
        *,
        decoding: _core.Decoding,
        rule: Symmetrization,
        jobs: int = 1,
    ) -> LinkBatch:
        """Return the links between the words of each pair of segments.

        Forward links give each word of `second` at most one word of `first`, reverse links the other
        way round.
        """
        one = numbered(first, vocabulary, self.first_words, lowercase=self.lowercase)
        two = numbered(second, vocabulary, self.second_words, lowercase=self.lowercase)
        batches: list[LinkBatch] = []
        if rule is not Symmetrization.REVERSE:
            sides = (one, first.offsets, two, second.offsets)
            batches.append(_linked(self._positions(*sides, self.forward, decoding, jobs), second))
        if rule is not Symmetrization.FORWARD:
            sides = (two, second.offsets, one, first.offsets)
            batches.append(
                _linked(self._positions(*sides, self.reverse, decoding, jobs), first).swapped()
            )
        return batches[0] if len(batches) == 1 else symmetrize(*batches, rule=rule)

    def _positions(
        self,
        source: NDArray[np.int32],
        source_offsets: NDArray[np.int64],
        target: NDArray[np.int32],
        target_offsets: NDArray[np.int64],
        table: TranslationTable,
        decoding: _core.Decoding,
        jobs: int,
    ) -> NDArray[np.int32]:
        return _core.em_decode(
            source,
            source_offsets,
            target,
            target_offsets,
            table.offsets,
            table.targets,
            table.probabilities,
            table.jumps,
            self.null,
            self.uniform,
            decoding,
            jobs,
        )


def words_of(column: TokenColumn, vocabulary: Vocabulary, *, lowercase: bool) -> tuple[str, ...]:
    """Return the distinct words of a column in the order in which they first occur."""
    numbers, places = np.unique(column.ids, return_index=True)
    words = (vocabulary.words[number] for number in numbers[np.argsort(places)].tolist())
    return tuple(dict.fromkeys(_folded(words, lowercase=lowercase)))


def numbered(
    column: TokenColumn, vocabulary: Vocabulary, words: Iterable[str], *, lowercase: bool
) -> NDArray[np.int32]:
    """Return the words of a column as positions in `words`, -1 for those that are not there."""
    position = {word: place for place, word in enumerate(words)}
    numbers, inverse = np.unique(column.ids, return_inverse=True)
    listed = _folded((vocabulary.words[number] for number in numbers.tolist()), lowercase=lowercase)
    places = np.array([position.get(word, -1) for word in listed], dtype=np.int32)
    return np.ascontiguousarray(places[inverse.reshape(-1)])


def _folded(words: Iterable[str], *, lowercase: bool) -> Iterable[str]:
    return (word.lower() for word in words) if lowercase else words


def _linked(positions: NDArray[np.int32], targets: TokenColumn) -> LinkBatch:
    """Return a source position for each target word as links, sorted."""
    own = np.arange(len(positions)) - np.repeat(targets.offsets[:-1], targets.lengths)
    owner = np.repeat(np.arange(len(targets)), targets.lengths)
    linked = positions >= 0
    links = np.stack([positions[linked], own[linked].astype(np.int32)], axis=1)
    order = np.lexsort((links[:, 1], links[:, 0], owner[linked]))
    offsets = np.zeros(len(targets) + 1, dtype=np.int64)
    np.cumsum(np.bincount(owner[linked], minlength=len(targets)), out=offsets[1:])
    return LinkBatch(links[order], offsets)

    # What the file of a model holds, by name: arrays, of which nobody knows more before they are checked.


FORMAT = "kilter-em-model"
VERSION = 2
_ARCHIVE = b"PK\x03\x04"
_COLUMNS = {
    "offsets": "int64",
    "targets": "int32",
    "probabilities": "float64",
    "jumps": "float64",
}


def save(model: EmModel, path: str | Path) -> None:
    """Write a model to a file, whole or not at all."""
    arrays = _parts(model)
    with written(path) as stream:
        np.savez_compressed(stream, **arrays)


def _parts(model: EmModel) -> dict[str, Any]:
    """Return what the file of a model holds, by name."""
    arrays: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "kind": model.kind,
        "lowercase": model.lowercase,
        "training": model.training,
        "null": model.null,
        "uniform": model.uniform,
    }
    for side, words in (("first", model.first_words), ("second", model.second_words)):
        encoded = [word.encode("utf-8", "surrogatepass") for word in words]
        arrays[f"{side}_text"] = np.frombuffer(b"".join(encoded), dtype=np.uint8)
        arrays[f"{side}_ends"] = np.cumsum([len(word) for word in encoded], dtype=np.int64)
    for side, table in (("forward", model.forward), ("reverse", model.reverse)):
        arrays |= {f"{side}_{name}": getattr(table, name) for name in _COLUMNS}
    return arrays


def load(path: str | Path) -> EmModel:
    """Read a model from a file; a damaged or foreign file is an `InputError`."""
    where = str(path)
    try:
        check_regular(path)
        with Path(path).open("rb") as stream:
            if stream.read(len(_ARCHIVE)) != _ARCHIVE:
                raise _foreign(where)
            stream.seek(0)
            with ARRAY_FILES, np.load(stream, allow_pickle=False) as archive:
                check_unpacked_size(archive.zip)
                return _model(archive, where)
    except InputError:
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"the model cannot be read: {reason}", where=where) from None
    except DAMAGE as error:
        raise InputError(f"the model is damaged: {error}", where=where) from None


def checksum(path: str | Path) -> str:
    """Return eight hexadecimal digits of what a model holds, however its file is compressed."""
    digest = sha256()
    for part in _parts(load(path)).values():
        array = np.asarray(part)
        digest.update(f"{array.dtype.str}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:8]


def _foreign(where: str) -> InputError:
    return InputError("this is no model of a Kilter aligner", where=where)


def _model(archive: Archive, where: str) -> EmModel:
    if "format" not in archive or str(archive["format"]) != FORMAT:
        raise _foreign(where)
    version = int(archive["version"])
    if version != VERSION:
        raise InputError(
            f"the model has format version {version}; this Kilter reads version {VERSION}",
            where=where,
        )
    first, second = (_words(archive, side) for side in ("first", "second"))
    model = EmModel(
        kind=str(archive["kind"]),
        lowercase=bool(archive["lowercase"]),
        training=str(archive["training"]),
        first_words=first,
        second_words=second,
        forward=_table(archive, "forward", len(first), len(second)),
        reverse=_table(archive, "reverse", len(second), len(first)),
        null=float(archive["null"]),
        uniform=float(archive["uniform"]),
    )
    named = model.kind.isprintable() and model.training.isprintable()
    _require(named, "what it was made with is no plain text")
    _require(0 < model.null < 1 and 0 <= model.uniform < 1, "a probability is not between 0 and 1")
    return model


def _words(archive: Archive, side: str) -> tuple[str, ...]:
    text = _array(archive, f"{side}_text", "uint8").tobytes()
    bounds = [0, *_array(archive, f"{side}_ends", "int64").tolist()]
    fits = bounds[-1] == len(text) and bounds == sorted(bounds)
    _require(fits, "the words do not fit their text")
    words = tuple(
        text[start:end].decode("utf-8", "surrogatepass") for start, end in pairwise(bounds)
    )
    _require(len(set(words)) == len(words), "a word is there twice")
    return words


def _table(archive: Archive, side: str, source_words: int, target_words: int) -> TranslationTable:
    """Return a table that the kernel can trust."""
    columns = {name: _array(archive, f"{side}_{name}", kind) for name, kind in _COLUMNS.items()}
    table = TranslationTable(**columns)
    offsets, targets, entries = table.offsets, table.targets, len(table.targets)
    _require(len(offsets) == source_words + 2, "the rows do not fit the words")
    lengths = np.diff(offsets)
    fits = offsets[0] == 0 and offsets[-1] == entries and (lengths >= 0).all()
    _require(fits and lengths[0] == target_words, "the rows do not fit the pairs")
    owner = np.repeat(np.arange(len(lengths)), lengths)
    rising = ((np.diff(targets) > 0) | (np.diff(owner) > 0)).all()
    known = ((targets >= 0) & (targets < target_words)).all()
    _require(rising and known, "a word number is out of place")
    _require(len(table.probabilities) == entries, "there is not one probability for each pair")
    share = (table.probabilities >= 0) & (table.probabilities <= 1 + 1e-9)
    _require(share.all(), "a probability is not between 0 and 1")
    weights = np.isfinite(table.jumps) & (table.jumps > 0)
    _require(len(weights) % 2 == 1 and weights.all(), "a jump has no weight")
    return table


def _array(archive: Archive, name: str, kind: str) -> NDArray[Any]:
    array: NDArray[Any] = archive[name]
    _require(array.ndim == 1 and array.dtype == kind, f"{name} is not a list of {kind}")
    return np.ascontiguousarray(array)


def _require(condition: object, otherwise: str) -> None:
    if not condition:
        raise ValueError(otherwise)
