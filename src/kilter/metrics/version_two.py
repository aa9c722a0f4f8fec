"""Version 2 of `order` and `kilter`, for scores that were published with it: `weights=2`. Section 6.12"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.metrics.fitted_weight import WordModel, packaged
from kilter.results.measure import ORDER, Measure, ScoreParts, Term

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation

    Floats = NDArray[np.float64]

VERSION_TWO = "2"
_LEAST = 2.0
_USUAL_LENGTH = 20.0
_CHANCE, _NOISE = 0.5, 5e-05
_NEIGHBOURS = 0.9
_LENGTH_POWER, _SOFT_LENGTH_POWER = 0.4, 0.2
_SHARE_POWER, _LEAST_SHARE = 0.75, 0.35


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OrderTwo:
    """The order of each segment against one reference as version 2 defines it.

    `pairs` is the share of pairs of linked words in order, `neighbours` that of neighbours that stayed neighbours;
    soft links have no neighbours: None. `linked` is the number of linked words or the mass of soft links.
    """

    pairs: Floats
    neighbours: Floats | None
    linked: Floats
    length: Floats

    @classmethod
    def of(
        cls, evaluation: Evaluation, reference: int, encoder: WordModel = WordModel.NONE
    ) -> OrderTwo:
        """Return the order against one reference, by links or by the soft links of a model."""
        length = evaluation.references[reference].tokens.lengths.astype(np.float64)
        options = encoder.meaning_options()
        if options is not None:
            soft = evaluation.meaning(reference, options)
            total = soft.concordant + soft.discordant
            pairs = np.divide(soft.concordant, total, out=np.ones(len(total)), where=total > 0.0)
            return cls(pairs=pairs, neighbours=None, linked=soft.linked, length=length)
        permutations = evaluation.permutations(reference)
        scores = permutations.scores()
        linked = np.where(permutations.lengths > 0, evaluation.linked_words(reference), 0)
        return cls(
            pairs=scores["kendall"],
            neighbours=scores["fuzzy"],
            linked=linked.astype(np.float64),
            length=length,
        )

    @property
    def evidence(self) -> NDArray[np.bool_]:
        """Whether two words or more are linked."""
        return self.linked >= _LEAST

    @property
    def weights(self) -> Floats:
        """What each segment weighs in a corpus: its linked words, or 1 with soft links; 0 without evidence."""
        return np.where(self.evidence, self.linked if self.neighbours is not None else 1.0, 0.0)

    @property
    def scores(self) -> Floats:
        """1 - discount x disorder, at least 0; 0 without a link."""
        length = np.maximum(self.length, 1.0)
        if self.neighbours is None:
            stretch = (length / _USUAL_LENGTH) ** _SOFT_LENGTH_POWER
            loss = np.maximum(1.0 - self.pairs - _NOISE, 0.0) / _CHANCE * stretch
        else:
            stretch = (_USUAL_LENGTH / length) ** _LENGTH_POWER
            share = np.minimum(self.linked / length, 1.0) * (self.length > 0.0)
            discount = np.maximum(share, _LEAST_SHARE) ** _SHARE_POWER
            far, near = 1.0 - self.pairs, (1.0 - self.neighbours) * stretch
            loss = discount * ((1.0 - _NEIGHBOURS) * far + _NEIGHBOURS * near)
        return np.where(self.linked > 0.0, np.maximum(1.0 - loss, 0.0), 0.0)


def kilter_two(
    evaluation: Evaluation, encoder: WordModel, parts: Callable[[int], Mapping[str, Floats]]
) -> Measure:
    """Return the overall score of version 2: a weighted sum, of order too, with other weights for a corpus.

    `parts` returns the parts against one reference, but for order.
    """
    weights: Mapping[str, tuple[float, float]] = packaged("kilter-2.json")["weights"][encoder]
    by_reference, evidence, scores = [], [], []
    for reference in range(len(evaluation.references)):
        found = OrderTwo.of(evaluation, reference, encoder)
        values = {**parts(reference), ORDER: found.scores}
        by_reference.append(values)
        evidence.append(found.evidence)
        total = np.zeros(len(evaluation))
        for name, (segment, _) in weights.items():
            total += segment * values[name]
        scores.append(total)
    best, segments = np.argmax(scores, axis=0), np.arange(len(evaluation))
    terms, total, sizes = [], np.zeros(len(evaluation)), np.ones(len(evaluation))
    for name, (_, system) in weights.items():
        values_of = np.stack([values[name] for values in by_reference])[best, segments]
        terms.append(Term(system, {name: values_of}))
        total += system * values_of
    chosen = ScoreParts(tuple(terms), np.stack(evidence)[best, segments], sizes, added=True)
    return Measure(np.column_stack([total, sizes]), np.stack(scores)[best, segments], (chosen,))
