"""How a network learns to tag and parse from a treebank: steps of Adam on small batches of sentences [Kingma and Ba 2015]."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter import _core
from kilter.core.errors import InputError
from kilter.parsers.matrix_threads import matrix_threads
from kilter.parsers.network import network_trees
from kilter.parsers.network_file import (
    LARGEST_NUMBER,
    LARGEST_WEIGHT,
    ParserNetwork,
    known_rows,
    piece_rows,
)
from kilter.parsers.network_gradient import (
    Dropout,
    LessonBatch,
    NetworkSizes,
    by_name,
    loss_gradient,
)
from kilter.parsers.perceptron_training import counted_accuracy, learned_tags

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from kilter.parsers.perceptron_training import Lessons
    from kilter.results.parser_card import HeldOutAccuracy

    Progress = Callable[[int, int], None]
    Singles = NDArray[np.float32]

RATE = 2e-3
"""How far a step goes at most; it rises to this, and falls to nothing along half a wave."""
DECAY = 0.01
"""What weights lose with each step, times its rate."""
STEEPEST = 2.0
"""Longer gradients are made as short as this."""
RISING = 200
"""Steps on which the rate rises; a tenth of them at most."""
MOST_WORDS, FEWEST_WORDS, BATCHES = 1000, 100, 100
"""Words of a batch, so that small texts have so many batches."""
SEEN = 2
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
        return _NetworkSchool(lessons, settings, sizes or NetworkSizes()).network(progress)


def network_accuracy(network: ParserNetwork, lessons: Lessons) -> HeldOutAccuracy:
    """Return how many words of held-out sentences get what their treebank says."""
    found = network_trees(network, lessons.parts, lessons.offsets)
    return counted_accuracy(lessons, network.tag_names, network.label_names, *found)


class _NetworkSchool:
    """Everything that a text says, as numbers, and the weights that follow it."""

    def __init__(self, lessons: Lessons, settings: NetworkSettings, sizes: NetworkSizes) -> None:
        self._lessons, self._settings, self._sizes = lessons, settings, sizes
        self._tag_names, self._tags = learned_tags(lessons.tags)
        self._label_names = sorted(set(lessons.labels))
        numbers = {name: k for k, name in enumerate(self._label_names)}
        self._labels = np.array([numbers[name] for name in lessons.labels], dtype=np.int32)
        forms, counts = np.unique(lessons.parts[:, 0], return_counts=True)
        self._forms = forms[counts >= SEEN]
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
                        "the network does not learn from these trees: its loss is no number"
                    )
                length = float(np.linalg.norm(gradient))
                share = min(1.0, STEEPEST / length) if length > 0 else 1.0
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
    rising = min(RISING, max(1, steps // 10))
    return RATE * min(1.0, (done + 1) / rising) * (0.5 + 0.5 * math.cos(math.pi * part))


def _rounded(matrix: Singles) -> tuple[NDArray[np.int8], Singles]:
    """Return a matrix as small integers, and a scale for each column."""
    scales = np.abs(matrix).max(axis=-2, keepdims=True) / np.float32(LARGEST_WEIGHT)
    scales[scales == 0] = 1
    return np.round(matrix / scales).astype(np.int8), scales[..., 0, :]
