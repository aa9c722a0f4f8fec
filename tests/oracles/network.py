"""The network that parses, by its definition: plain loops over words, in double precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]


def norm(rows: Doubles) -> Doubles:
    apart = rows - rows.mean(axis=1, keepdims=True)
    found: Doubles = apart / np.sqrt((apart**2).mean(axis=1, keepdims=True) + 1e-5)
    return found


def rounded(rows: Doubles) -> Doubles:
    """Return rows in whole steps, 127 of which reach the number of the row furthest from 0."""
    steps = abs(rows).max(axis=1, keepdims=True) / 127
    found: Doubles = np.rint(rows / np.where(steps == 0, 1, steps)) * steps
    return found


def gate(values: Doubles) -> Doubles:
    found: Doubles = 1 / (1 + np.exp(-values))
    return found


def leaky(values: Doubles) -> Doubles:
    return np.where(values > 0, values, 0.1 * values)


@dataclass(frozen=True)
class NaiveNetwork:
    """The arguments of `_core.ParserNetwork`; `exact` leaves out that rows are rounded before products."""

    parts: dict[str, Any]
    exact: bool = False

    def _product(self, rows: Doubles, weights: Any, scales: Any, bias: Any) -> Doubles:
        taken = norm(rows) if self.exact else rounded(norm(rows))
        found: Doubles = taken @ (weights.astype(np.float64) * scales.astype(np.float64)) + bias
        return found

    def inputs(self, words: Sequence[int], pieces: Sequence[Sequence[int]]) -> Doubles:
        """Return the rows of words before the first layer."""
        given = self.parts
        return np.array(
            [
                np.concatenate([given["words"][word], *(given["pieces"][piece] for piece in own)])
                @ given["input"].astype(np.float64)
                + given["input_bias"]
                for word, own in zip(words, pieces, strict=True)
            ]
        )

    def layer(self, rows: Doubles, place: int) -> Doubles:
        """Return the rows of a sentence after one layer."""
        names = ("layers", "layer_scales", "layer_bias")
        said = self._product(rows, *(self.parts[name][place] for name in names))
        half = rows.shape[1] // 2
        out = rows.copy()
        for backward in (False, True):
            part = said[:, 3 * half :] if backward else said[:, : 3 * half]
            contents, kept, shown = (part[:, k * half : (k + 1) * half] for k in range(3))
            carried = np.zeros(half)
            words = range(len(rows))
            for word in reversed(words) if backward else words:
                share = gate(kept[word])
                carried = share * carried + (1 - share) * contents[word]
                out[word, half * backward : half * (backward + 1)] += gate(shown[word]) * carried
        return out

    def said(self, rows: Doubles) -> tuple[Doubles, Doubles, Doubles, Doubles]:
        """Return of the last rows of a sentence: scores of tags, of arcs, and both sides of labels.

        Arcs have the head in the column, the root in the first; sides of labels have the root in the first row.
        """
        given = self.parts
        out = self._product(rows, *(given[name] for name in ("heads", "head_scales", "head_bias")))
        arcs, labels = len(given["arcs"]), len(given["labels"])
        dependent, head, one, other, tags = np.split(
            out, np.cumsum([arcs, arcs, labels, labels]), axis=1
        )
        weighed = leaky(dependent) @ given["arcs"].astype(np.float64) + given["arc_bias"]
        scores = weighed @ np.vstack([given["root_arc"], leaky(head)]).T
        reach = len(given["distance"]) // 2
        for word in range(len(rows)):
            for place in range(len(rows)):
                apart = min(max(place - word, -reach), reach)
                scores[word, place + 1] += given["distance"][apart + reach]
        return tags, scores, one, np.vstack([given["root_label"], other])

    def label_scores(self, one: Doubles, other: Doubles) -> Doubles:
        """Return the scores of all labels of an arc."""
        sums = leaky(one + other) @ self.parts["labels"].astype(np.float64)
        found: Doubles = sums + self.parts["label_bias"]
        return found
