"""How a network learns to tag and parse from a treebank: steps of Adam on small batches of sentences [Kingma and Ba 2015]."""

from __future__ import annotations

import ctypes
import math
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter import _core
from kilter.core.errors import InputError
from kilter.parsers.network import network_trees
from kilter.parsers.network_file import (
    LARGEST_NUMBER,
    LARGEST_WEIGHT,
    USED_PARTS,
    ParserNetwork,
    known_rows,
    piece_rows,
)
from kilter.parsers.perceptron_training import counted_accuracy, learned_tags

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from kilter.parsers.perceptron_training import Lessons
    from kilter.results.parser_card import HeldOutAccuracy

    Singles = NDArray[np.float32]
    Named = Mapping[str, Singles]
    Back = Callable[[Singles], Singles]
    Progress = Callable[[int, int], None]

SLOPE = 0.1
"""Of a leaky ReLU below zero."""
SMALL = 1e-5
"""Added to a variance, so that no norm divides by zero."""
UNLIKELY = -1e30
"""The score of an arc from a word to itself."""


@dataclass(frozen=True, kw_only=True)
class NetworkSizes:
    """Numbers of units: of the network and its layers, of arcs and labels, of a word and its nine pieces.

    Pieces share a table of `piece_rows`; heads farther away than `reach` are all equally far.
    """

    width: int = 256
    depth: int = 3
    arc: int = 128
    label: int = 64
    word: int = 96
    piece: int = 32
    piece_rows: int = 1 << 13
    reach: int = 20

    def shapes(self, words: int, tags: int, labels: int) -> dict[str, tuple[int, ...]]:
        """Return the shapes of all weights for so many vectors of words, tags and labels."""
        outputs = 2 * self.arc + 2 * self.label + tags
        return {
            "words": (words, self.word),
            "pieces": (self.piece_rows, self.piece),
            "input": (self.word + USED_PARTS * self.piece, self.width),
            "input_bias": (self.width,),
            "layers": (self.depth, self.width, 3 * self.width),
            "layer_bias": (self.depth, 3 * self.width),
            "heads": (self.width, outputs),
            "head_bias": (outputs,),
            "arcs": (self.arc, self.arc),
            "arc_bias": (self.arc,),
            "root_arc": (self.arc,),
            "root_label": (self.label,),
            "distance": (2 * self.reach + 1,),
            "labels": (self.label, labels),
            "label_bias": (labels,),
        }


@dataclass(frozen=True, eq=False)
class LessonBatch:
    """Some sentences, an entry a word: rows of its vectors, tag, head (-1: the root) and label."""

    words: NDArray[np.int64]
    pieces: NDArray[np.int64]
    offsets: NDArray[np.int64]
    tags: NDArray[np.int32]
    heads: NDArray[np.int32]
    labels: NDArray[np.int32]


@dataclass(frozen=True)
class Dropout:
    """What is left out at random while learning: words as if unknown, and shares of what layers take in and give."""

    chance: np.random.Generator
    words: float = 0.25
    inputs: float = 0.3
    layers: float = 0.15
    outputs: float = 0.3

    def kept(self, shape: tuple[int, ...], share: float) -> Singles:
        """Return a factor for each number: 0 for the share that is left out, and more than 1 for the others."""
        drawn = np.frombuffer(self.chance.bytes(int(np.prod(shape))), dtype=np.uint8)
        least = round(share * 256)
        found: Singles = (drawn >= least).reshape(shape) * np.float32(256 / (256 - least))
        return found

    def known(self, words: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return rows of words, some of them that of unknown words."""
        return np.where(self.chance.random(len(words)) < self.words, 0, words)


def by_name(flat: Singles, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Singles]:
    """Return views of the weights, which stand one after another."""
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()]).tolist()
    starts = [0, *ends[:-1]]
    spans = zip(shapes.items(), starts, ends, strict=True)
    return {name: flat[start:end].reshape(shape) for (name, shape), start, end in spans}


def loss_gradient(weights: Named, gradient: Named, batch: LessonBatch, dropout: Dropout) -> float:
    """Return the mean loss of a word: that of its head, its label and its tag; write the gradient by all weights."""
    values, back = _input(weights, gradient, batch, dropout)
    backs = [back]
    for layer in range(len(weights["layers"])):
        values, back = _layer(weights, gradient, layer, batch.offsets, dropout, values)
        backs.append(back)
    loss, slope = _outputs(weights, gradient, batch, dropout, values)
    for back in reversed(backs):
        slope = back(slope)
    return loss


def _input(
    weights: Named, gradient: Named, batch: LessonBatch, dropout: Dropout
) -> tuple[Singles, Back]:
    rows = dropout.known(batch.words)
    count, width = len(rows), weights["words"].shape[1]
    pieces = weights["pieces"][batch.pieces].reshape(count, -1)
    entered = np.concatenate([weights["words"][rows], pieces], axis=1)
    kept = dropout.kept(entered.shape, dropout.inputs)
    entered *= kept

    def back(slope: Singles) -> Singles:
        np.matmul(entered.T, slope, out=gradient["input"])
        gradient["input_bias"][:] = slope.sum(axis=0)
        below: Singles = slope @ weights["input"].T
        below *= kept
        words = np.ascontiguousarray(below[:, :width])
        gradient["words"][:] = _core.row_sums(words, rows, len(weights["words"]))
        split = np.ascontiguousarray(below[:, width:]).reshape(-1, weights["pieces"].shape[1])
        places = np.ascontiguousarray(batch.pieces).reshape(-1)
        gradient["pieces"][:] = _core.row_sums(split, places, len(weights["pieces"]))
        return below

    return entered @ weights["input"] + weights["input_bias"], back


def _normed(values: Singles) -> tuple[Singles, Back]:
    """Return rows with mean 0 and variance 1."""
    found = values - values.mean(axis=1, keepdims=True)
    size = np.float32(values.shape[1])
    inverse = 1 / np.sqrt(np.einsum("ij,ij->i", found, found)[:, None] / size + np.float32(SMALL))
    found *= inverse

    def back(slope: Singles) -> Singles:
        along = np.einsum("ij,ij->i", slope, found)[:, None] / size
        below: Singles = slope - slope.mean(axis=1, keepdims=True)
        below -= found * along
        below *= inverse
        return below

    return found, back


def _layer(
    weights: Named,
    gradient: Named,
    layer: int,
    offsets: NDArray[np.int64],
    dropout: Dropout,
    values: Singles,
) -> tuple[Singles, Back]:
    normed, back_norm = _normed(values)
    sums = normed @ weights["layers"][layer]
    sums += weights["layer_bias"][layer]
    gates, states, outputs = _core.recurrent_layer(sums, offsets)
    kept = dropout.kept(outputs.shape, dropout.layers)
    outputs *= kept

    def back(slope: Singles) -> Singles:
        below = _core.recurrent_gradient(gates, states, slope * kept, offsets)
        np.matmul(normed.T, below, out=gradient["layers"][layer])
        gradient["layer_bias"][layer] = below.sum(axis=0)
        return slope + back_norm(below @ weights["layers"][layer].T)

    return values + outputs, back


def _outputs(
    weights: Named, gradient: Named, batch: LessonBatch, dropout: Dropout, values: Singles
) -> tuple[float, Singles]:
    """Return the loss, and its gradient by the values of the last layer."""
    arc, label = len(weights["arcs"]), len(weights["root_label"])
    normed, back_norm = _normed(values)
    found = normed @ weights["heads"] + weights["head_bias"]
    slope = np.empty_like(found)
    begins = (2 * arc, 2 * arc + 2 * label)
    hidden, back_hidden = _leaky_relu_dropout(found[:, : begins[0]], dropout)
    arc_loss, by_arcs = _arcs(weights, gradient, batch, hidden)
    slope[:, : begins[0]] = back_hidden(by_arcs)
    label_loss = _labels(
        weights,
        gradient,
        batch,
        dropout,
        found[:, begins[0] : begins[1]],
        slope[:, begins[0] : begins[1]],
    )
    tag_loss, slope[:, begins[1] :] = _cross_entropy(found[:, begins[1] :], batch.tags, len(found))
    np.matmul(normed.T, slope, out=gradient["heads"])
    gradient["head_bias"][:] = slope.sum(axis=0)
    return arc_loss + label_loss + tag_loss, back_norm(slope @ weights["heads"].T)


def _leaky_relu_dropout(values: Singles, dropout: Dropout) -> tuple[Singles, Back]:
    """Return a leaky ReLU of values with dropout, and what takes a gradient back."""
    factors = dropout.kept(values.shape, dropout.outputs)
    factors *= np.where(values > 0, np.float32(1), np.float32(SLOPE))
    return values * factors, lambda slope: slope * factors


def _cross_entropy(scores: Singles, right: NDArray[np.int32], count: int) -> tuple[float, Singles]:
    """Return the cross-entropy of softmax scores and right classes, over `count`, and its gradient by scores."""
    rows = np.arange(len(scores))
    spread = scores - scores.max(axis=1, keepdims=True)
    wanted = spread[rows, right].astype(np.float64)
    np.exp(spread, out=spread)
    sums = spread.sum(axis=1, keepdims=True)
    loss = float((np.log(sums[:, 0].astype(np.float64)) - wanted).sum()) / count
    spread /= sums
    spread[rows, right] -= 1
    spread /= np.float32(count)
    return loss, spread


def _arcs(
    weights: Named, gradient: Named, batch: LessonBatch, hidden: Singles
) -> tuple[float, Singles]:
    """Return the loss of heads, and its gradient by what words are as dependents and as heads."""
    arc = len(weights["arcs"])
    dependents, heads = hidden[:, :arc], hidden[:, arc:]
    sought = dependents @ weights["arcs"] + weights["arc_bias"]
    by_sought, slope = np.empty_like(sought), np.empty_like(hidden)
    lengths = np.diff(batch.offsets)
    places = np.arange(lengths.max())
    reach = len(weights["distance"]) // 2
    steps = np.clip(places[None, :] - places[:, None], -reach, reach) + reach
    by_distance = np.zeros(2 * reach + 1)
    gradient["root_arc"][:] = 0
    loss = 0.0
    for begin, end in pairwise(batch.offsets.tolist()):
        size = end - begin
        mine, theirs, steps_here = sought[begin:end], heads[begin:end], steps[:size, :size]
        scores = np.empty((size, size + 1), dtype=np.float32)
        scores[:, 0] = mine @ weights["root_arc"]
        np.matmul(mine, theirs.T, out=scores[:, 1:])
        scores[:, 1:] += weights["distance"][steps_here]
        scores[places[:size], places[:size] + 1] = UNLIKELY
        missed, found = _cross_entropy(scores, batch.heads[begin:end] + 1, len(hidden))
        loss += missed
        by_root, by_words = found[:, 0], found[:, 1:]
        by_sought[begin:end] = by_words @ theirs + by_root[:, None] * weights["root_arc"]
        slope[begin:end, arc:] = by_words.T @ mine
        gradient["root_arc"][:] += by_root @ mine
        by_distance += np.bincount(steps_here.ravel(), by_words.ravel(), 2 * reach + 1)
    gradient["distance"][:] = by_distance
    np.matmul(dependents.T, by_sought, out=gradient["arcs"])
    gradient["arc_bias"][:] = by_sought.sum(axis=0)
    slope[:, :arc] = by_sought @ weights["arcs"].T
    return loss, slope


def _labels(
    weights: Named,
    gradient: Named,
    batch: LessonBatch,
    dropout: Dropout,
    found: Singles,
    slope: Singles,
) -> float:
    """Return the loss of the labels of the right arcs; write its gradient by what words are in them."""
    label = len(weights["root_label"])
    rooted = batch.heads < 0
    starts = np.repeat(batch.offsets[:-1], np.diff(batch.offsets))
    places = np.where(rooted, 0, starts + batch.heads)
    heads = np.where(rooted[:, None], weights["root_label"], found[:, label:][places])
    hidden, back_hidden = _leaky_relu_dropout(found[:, :label] + heads, dropout)
    loss, by_scores = _cross_entropy(
        hidden @ weights["labels"] + weights["label_bias"], batch.labels, len(found)
    )
    np.matmul(hidden.T, by_scores, out=gradient["labels"])
    gradient["label_bias"][:] = by_scores.sum(axis=0)
    below = back_hidden(by_scores @ weights["labels"].T)
    gradient["root_label"][:] = below[rooted].sum(axis=0)
    slope[:, :label] = below
    slope[:, label:] = _core.row_sums(below[~rooted], places[~rooted], len(found))
    return loss


_NAMES = (
    ("scipy_openblas_get_num_threads64_", "scipy_openblas_set_num_threads64_"),
    ("scipy_openblas_get_num_threads", "scipy_openblas_set_num_threads"),
    ("openblas_get_num_threads64_", "openblas_set_num_threads64_"),
    ("openblas_get_num_threads", "openblas_set_num_threads"),
)
"""What OpenBLAS calls the two functions: in numpy's own packages, in those of systems."""


@contextmanager
def matrix_threads(count: int) -> Iterator[None]:
    """Let products of matrices use so many threads of the process, and afterwards as many as before.

    Small products gain nothing by more threads than cores are free, and wait for one another. Without OpenBLAS the
    number stays what it is: no other library has told how to ask for it.
    """
    # A library finds the functions of those that it needs, so that nobody has to know where they lie.
    library = ctypes.CDLL(import_module("numpy.linalg._umath_linalg").__file__)
    found = next((names for names in _NAMES if hasattr(library, names[1])), None)
    if found is None:
        yield
        return
    before, choose = (getattr(library, name) for name in found)
    threads = before()
    choose(count)
    try:
        yield
    finally:
        choose(threads)


RATE = 2e-3
"""How far a step goes at most; it rises to this, and falls to nothing along half a wave."""
DECAY = 0.01
"""What weights lose with each step, times its rate."""
MAX_GRADIENT_NORM = 2.0
"""Longer gradients are made as short as this."""
WARMUP_STEPS = 200
"""Steps on which the rate rises; a tenth of them at most."""
MOST_WORDS, FEWEST_WORDS, BATCHES = 1000, 100, 100
"""Words of a batch, so that small texts have so many batches."""
MIN_COUNT = 2
"""How often a word is in the text for a vector of its own."""
NOISE = 3
"""Words by which sentences of a batch may differ in length beside the order of lengths."""


@dataclass(frozen=True, kw_only=True)
class NetworkSettings:
    """How often the text is read, and whether capitals count."""

    passes: int = 16
    lowercase: bool = False
    seed: int = 1


def learned_network(
    lessons: Lessons,
    settings: NetworkSettings,
    *,
    sizes: NetworkSizes | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> ParserNetwork:
    """Return the network that a text teaches; matrices are multiplied in so many threads."""
    with matrix_threads(jobs):
        return _NetworkTrainer(lessons, settings, sizes or NetworkSizes()).network(progress)


def network_accuracy(network: ParserNetwork, lessons: Lessons) -> HeldOutAccuracy:
    """Return how many words of held-out sentences get what their treebank says."""
    found = network_trees(network, lessons.parts, lessons.offsets)
    return counted_accuracy(lessons, network.tag_names, network.label_names, *found)


class _NetworkTrainer:
    """Everything that a text says, as numbers, and the weights that follow it."""

    def __init__(self, lessons: Lessons, settings: NetworkSettings, sizes: NetworkSizes) -> None:
        self._lessons, self._settings, self._sizes = lessons, settings, sizes
        self._tag_names, self._tags = learned_tags(lessons.tags)
        self._label_names = sorted(set(lessons.labels))
        numbers = {name: k for k, name in enumerate(self._label_names)}
        self._labels = np.array([numbers[name] for name in lessons.labels], dtype=np.int32)
        forms, counts = np.unique(lessons.parts[:, 0], return_counts=True)
        self._forms = forms[counts >= MIN_COUNT]
        self._words = known_rows(self._forms, lessons.parts[:, 0])
        self._pieces = piece_rows(lessons.parts, sizes.piece_rows)
        self._shapes = sizes.shapes(
            len(self._forms) + 1, len(self._tag_names), len(self._label_names)
        )
        self._chance = np.random.default_rng(settings.seed)

    def network(self, progress: Progress | None) -> ParserNetwork:
        """Return the network after all passes."""
        weights = self._first()
        gradient = np.zeros_like(weights)
        learner = _core.AdamLearner(weights)
        dropout = Dropout(chance=self._chance)
        names = by_name(gradient, self._shapes)
        passes = self._settings.passes
        done, steps = 0, passes * sum(1 for _ in self._batches())
        for number in range(passes):
            batches = list(self._batches())
            # Batches of a pass may be a few more or fewer; the rate follows the text that was read.
            for place, chosen in enumerate(batches):
                part = (number + place / len(batches)) / passes
                loss = loss_gradient(
                    by_name(weights, self._shapes), names, self._batch(chosen), dropout
                )
                if not math.isfinite(loss):
                    raise InputError(
                        "the network does not learn from these trees: its loss is not a number"
                    )
                length = float(np.linalg.norm(gradient))
                share = min(1.0, MAX_GRADIENT_NORM / length) if length > 0 else 1.0
                weights = learner.step(gradient, share, _rate(done, steps, part), DECAY)
                done += 1
                if progress is not None:
                    progress(min(done, steps), steps)
        return self._made(by_name(weights, self._shapes))

    def _first(self) -> Singles:
        """Return the weights that learning starts with."""
        flat = np.zeros(sum(math.prod(shape) for shape in self._shapes.values()), dtype=np.float32)
        named, chance = by_name(flat, self._shapes), self._chance
        for name, deviation in (
            ("words", 0.1),
            ("pieces", 0.1),
            ("arcs", 0.02),
            ("root_arc", 0.1),
            ("root_label", 0.1),
        ):
            named[name][:] = chance.normal(0, deviation, named[name].shape)
        for name in ("input", "layers", "heads", "labels"):
            most = named[name].shape[-2] ** -0.5
            named[name][:] = chance.uniform(-most, most, named[name].shape)
        half = self._sizes.width // 2
        # Units start by remembering.
        named["layer_bias"][:, half : 2 * half] = 1
        named["layer_bias"][:, 4 * half : 5 * half] = 1
        return flat

    def _batches(self) -> Iterator[NDArray[np.int64]]:
        """Yield the sentences of each batch, all about equally long, in an order of chance."""
        lengths = np.diff(self._lessons.offsets)
        most = min(MOST_WORDS, max(FEWEST_WORDS, int(lengths.sum()) // BATCHES))
        order = np.argsort(lengths + self._chance.random(len(lengths)) * NOISE, kind="stable")
        cuts, words = [0], 0
        for place, length in enumerate(lengths[order].tolist()):
            if words and words + length > most:
                cuts.append(place)
                words = 0
            words += length
        cuts.append(len(order))
        for k in self._chance.permutation(len(cuts) - 1).tolist():
            yield order[cuts[k] : cuts[k + 1]]

    def _batch(self, chosen: NDArray[np.int64]) -> LessonBatch:
        rows, offsets = self._lessons.rows(chosen)
        return LessonBatch(
            self._words[rows],
            self._pieces[rows],
            offsets,
            self._tags[rows],
            self._lessons.heads[rows],
            self._labels[rows],
        )

    def _made(self, weights: dict[str, Singles]) -> ParserNetwork:
        """Return the network with its large matrices rounded to small integers."""
        bounded = {
            name: np.clip(each, -LARGEST_NUMBER, LARGEST_NUMBER) for name, each in weights.items()
        }
        layers, layer_scales = _rounded(bounded["layers"])
        heads, head_scales = _rounded(bounded["heads"])
        listed: dict[str, NDArray[Any]] = {
            **bounded,
            "words": bounded["words"].astype(np.float16),
            "pieces": bounded["pieces"].astype(np.float16),
            "layers": layers,
            "heads": heads,
        }
        return ParserNetwork(
            **listed,
            forms=self._forms,
            layer_scales=layer_scales,
            head_scales=head_scales,
            tag_names=self._tag_names,
            label_names=self._label_names,
            card={"settings": asdict(self._settings)},
        )


def _rate(done: int, steps: int, part: float) -> float:
    """Return how far a step goes: `done` of about `steps`, with this part of the text read."""
    rising = min(WARMUP_STEPS, max(1, steps // 10))
    return RATE * min(1.0, (done + 1) / rising) * (0.5 + 0.5 * math.cos(math.pi * part))


def _rounded(matrix: Singles) -> tuple[NDArray[np.int8], Singles]:
    """Return a matrix as small integers, and a scale for each column."""
    scales = np.abs(matrix).max(axis=-2, keepdims=True) / np.float32(LARGEST_WEIGHT)
    scales[scales == 0] = 1
    return np.round(matrix / scales).astype(np.int8), scales[..., 0, :]
