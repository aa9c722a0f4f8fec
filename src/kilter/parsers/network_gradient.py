"""The loss of a network that tags and parses, and its gradient, by hand [Dozat and Manning 2017; Lei et al. 2018]."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from kilter import _core
from kilter.parsers.network_file import USED_PARTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    Singles = NDArray[np.float32]
    Named = Mapping[str, Singles]
    Back = Callable[[Singles], Singles]

SLOPE = 0.1
"""Of the part below zero of what is bent at zero."""
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
    bent, back_bent = _bent(found[:, : begins[0]], dropout)
    arc_loss, by_arcs = _arcs(weights, gradient, batch, bent)
    slope[:, : begins[0]] = back_bent(by_arcs)
    label_loss = _labels(
        weights,
        gradient,
        batch,
        dropout,
        found[:, begins[0] : begins[1]],
        slope[:, begins[0] : begins[1]],
    )
    tag_loss, slope[:, begins[1] :] = _surprise(found[:, begins[1] :], batch.tags, len(found))
    np.matmul(normed.T, slope, out=gradient["heads"])
    gradient["head_bias"][:] = slope.sum(axis=0)
    return arc_loss + label_loss + tag_loss, back_norm(slope @ weights["heads"].T)


def _bent(values: Singles, dropout: Dropout) -> tuple[Singles, Back]:
    """Return values, those below zero made small, some left out."""
    factors = dropout.kept(values.shape, dropout.outputs)
    factors *= np.where(values > 0, np.float32(1), np.float32(SLOPE))
    return values * factors, lambda slope: slope * factors


def _surprise(scores: Singles, right: NDArray[np.int32], count: int) -> tuple[float, Singles]:
    """Return the sum of what right classes lack in logarithmic probability, over `count`, and its gradient by scores."""
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
    weights: Named, gradient: Named, batch: LessonBatch, bent: Singles
) -> tuple[float, Singles]:
    """Return the loss of heads, and its gradient by what words are as dependents and as heads."""
    arc = len(weights["arcs"])
    dependents, heads = bent[:, :arc], bent[:, arc:]
    sought = dependents @ weights["arcs"] + weights["arc_bias"]
    by_sought, slope = np.empty_like(sought), np.empty_like(bent)
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
        missed, found = _surprise(scores, batch.heads[begin:end] + 1, len(bent))
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
    bent, back_bent = _bent(found[:, :label] + heads, dropout)
    loss, by_scores = _surprise(
        bent @ weights["labels"] + weights["label_bias"], batch.labels, len(found)
    )
    np.matmul(bent.T, by_scores, out=gradient["labels"])
    gradient["label_bias"][:] = by_scores.sum(axis=0)
    below = back_bent(by_scores @ weights["labels"].T)
    gradient["root_label"][:] = below[rooted].sum(axis=0)
    slope[:, :label] = below
    slope[:, label:] = _core.row_sums(below[~rooted], places[~rooted], len(found))
    return loss
