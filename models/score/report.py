"""What the report on fitted weights says: agreement by language pair, order by itself, perturbed sentences."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.stats import spearmanr

import kilter
from models.score import fit

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from kilter.metrics.fitted_weight import WordModel
    from models.score.wmt12 import JudgedTexts

    Floats = NDArray[np.float64]

HEAD = """# Training report of `kilter` and `order`

Written by `python -m models.score.train FOLDER`. Everything is fitted and chosen on WMT 2012. Segment agreement is Kendall's tau
over pairs of ranked outputs, ties of the metric left out; systems are compared with the share of pairs that they won.
*Held out*: weights fitted without the language pair of the row; [ ] is the 95% interval of the difference to chrF, over 1000
resamples of segments.
"""
_SCORES = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
_SAME = 0.05
_WORDS = (5, 10, 20, 40)
_STEPS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 1.0)
_CHANGES = {
    "swap": "minor_id14_word_swap",
    "shuffle": "critical_id20_shuffled",
    "antonym": "critical_id7_antonym",
}


class Measured(NamedTuple):
    """Systems x segments of one corpus; order is NaN where too little is linked, `ordered` is that of systems."""

    parts: dict[str, Floats]
    left: Floats
    """What disorder leaves of the parts."""
    order: Floats
    ordered: Floats
    chrf: Floats
    covered: Floats
    words: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """The parts of several corpora, to be weighed: each parts x systems x segments."""

    names: list[str]
    judged: Sequence[JudgedTexts]
    parts: Sequence[Floats]
    left: Sequence[Floats]
    """What disorder leaves: systems x segments."""
    chrf: Sequence[Floats]
    words: Sequence[NDArray[np.int64]]
    """Of each segment's reference."""

    def _segment(self, left_out: int | None = None) -> Floats:
        rows = [
            fit.differences(parts, judged.preferences)
            for place, (parts, judged) in enumerate(zip(self.parts, self.judged, strict=True))
            if place != left_out
        ]
        return fit.segment_weights(rows)

    def weights(self) -> dict[str, float]:
        """Return the weight of each part."""
        return dict(zip(self.names, fit.rounded(self._segment()), strict=True))

    def _scores(self, place: int, weights: Floats) -> Floats:
        """Return the scores of a corpus under weights: systems x segments."""
        return np.tensordot(weights, self.parts[place], 1) * self.left[place]

    def gained(self) -> Floats:
        """Return what the better output of each preference has more than the worse, under the weights."""
        return np.concatenate(self._gained(np.array([*self.weights().values()])))

    def _gained(self, weights: Floats) -> list[Floats]:
        return [
            fit.differences(self._scores(place, weights)[np.newaxis], judged.preferences)[:, 0]
            for place, judged in enumerate(self.judged)
        ]

    def _lengths(self) -> list[Floats]:
        return [
            lengths[judged.preferences[:, 0]].astype(np.float64)
            for judged, lengths in zip(self.judged, self.words, strict=True)
        ]

    def slopes(self) -> Floats:
        """Return how fast agreement rises with a difference, of usual sentences and by the logarithm of length."""
        return fit.margin_slopes(self.gained(), fit.by_length(np.concatenate(self._lengths())))

    def _three_of_four(self) -> str:
        alike = f"\nThree of four agree with a difference of {fit.margin(self.gained()):.2f}."
        return (
            f"{alike} Judges agree sooner on long sentences: by the\n"
            f"words of the reference, three of four agree with {self._by_length()}. How well this"
        )

    def _by_length(self) -> str:
        slopes = fit.by_length(np.array(_WORDS, dtype=np.float64)) @ self.slopes()
        found = np.log(3.0) / slopes
        return ", ".join(
            f"{value:.2f} ({words})" for words, value in zip(_WORDS, found, strict=True)
        )

    def _margins(self) -> list[str]:
        """Return how well agreement is foreseen in each pair, by all differences alike and by length too."""
        rows = []
        lengths = self._lengths()
        for place, judged in enumerate(self.judged):
            gained = self._gained(self._segment(place))
            kept = [k for k in range(len(gained)) if k != place]
            others = np.concatenate([gained[k] for k in kept])
            shown = []
            for columns in (lambda words: fit.by_length(words)[:, :1], fit.by_length):
                slopes = fit.margin_slopes(
                    others, columns(np.concatenate([lengths[k] for k in kept]))
                )
                shown.append(fit.agreement_loss(gained[place], columns(lengths[place]), slopes))
            rows.append(f"| {judged.pair} | {shown[0]:.4f} | {shown[1]:.4f} |")
        return rows

    def _agreed(self) -> list[str]:
        gained = self.gained()
        rows = []
        for low, high in pairwise(_STEPS):
            inside = (np.abs(gained) >= low) & (np.abs(gained) < high)
            share = (gained[inside] > 0).mean()
            rows.append(f"| {low:g} to {high:g} | {inside.sum()} | {100 * share:.0f}% |")
        return rows

    def table(self, encoder: WordModel) -> str:
        """Return agreement by language pair, and the weights."""
        weights = self.weights()
        fitted = np.array([*weights.values()])
        rows = []
        for place, judged in enumerate(self.judged):
            chrf, preferences = self.chrf[place], judged.preferences
            out, own = (self._scores(place, each) for each in (self._segment(place), fitted))
            bare = np.tensordot(fitted, self.parts[place], 1)
            low, high = fit.tau_interval(out, chrf, preferences)
            taus = [fit.segment_tau(each, preferences) for each in (chrf, out, own, bare)]
            whole = [
                fit.system_agreement(each.mean(axis=1), judged.wins())[0]
                for each in (chrf, out, own, bare)
            ]
            shown = [f"{value:.3f}" for value in taus] + [f"{value:.2f}" for value in whole]
            shown.insert(2, f"[{low:+.3f}, {high:+.3f}]")
            rows.append(f"| {judged.pair} | {len(preferences)} | " + " | ".join(shown) + " |")
        alone = [
            f"| {name} | {weights[name]:.2f} | "
            + " | ".join(
                f"{fit.segment_tau(parts[part], judged.preferences):.3f}"
                for parts, judged in zip(self.parts, self.judged, strict=True)
            )
            + " |"
            for part, name in enumerate(self.names)
        ]
        titles = " | ".join(judged.pair for judged in self.judged)
        return "\n".join(
            [
                f"\n## `kilter:encoder={encoder}`\n",
                "| pair | preferences | chrF | held out | to chrF | all | without order | systems: chrF | held out | all | without order |",
                "| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
                *rows,
                "\nWeights, and tau of each part alone:\n",
                f"| part | weight | {titles} |",
                "| --- | ---: |" + " ---: |" * len(self.judged),
                *alone,
                "\nHow often a judge agrees with a difference of two outputs, by its size (weights fitted on all):\n",
                "| difference | preferences | agree |",
                "| --- | ---: | ---: |",
                *self._agreed(),
                self._three_of_four(),
                "foresees agreement in a pair that it was not fitted on (mean surprise at judges in nats, less is better):\n",
                "| pair | all lengths alike | by length |",
                "| --- | ---: | ---: |",
                *self._margins(),
            ]
        )


def order_table(
    encoder: WordModel,
    judged: Sequence[JudgedTexts],
    measured: Sequence[Measured],
) -> str:
    """Return how order agrees with people, and what else it depends on; then the calibration."""
    rows = []
    orders, covered = ([getattr(each, name) for each in measured] for name in ("order", "covered"))
    for each, found, order, coverage in zip(judged, measured, orders, covered, strict=True):
        known = ~np.isnan(order)
        lengths = np.array([len(line.split()) for line in each.reference], dtype=np.float64)
        lengths = np.broadcast_to(lengths, order.shape)
        agreed = fit.system_agreement(found.ordered, each.wins())[0]
        others = [
            value
            for other in (lengths, coverage)
            for value in (
                np.corrcoef(order[known], other[known])[0, 1],
                spearmanr(order[known], other[known]).statistic,
            )
        ]
        tau = _known_tau(order, each.preferences)
        shown = " | ".join(f"{value:+.3f}" for value in others)
        rows.append(
            f"| {each.pair} | {tau:.3f} | {agreed:.2f} | {shown} | {1 - known.mean():.3f} |"
        )
    return "\n".join(
        [
            f"\n## `order`, links {'of match' if encoder == 'none' else 'of match and the English model'}\n",
            "Correlations are Pearson's (r) and Spearman's (rho), over all outputs with enough evidence.\n",
            "| pair | tau | systems | length r | rho | coverage r | rho | too little evidence |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
            *rows,
            "\nOutputs of WMT 2012 with a lower order than this:\n",
            "| order | " + " | ".join(f"{value:g}" for value in _SCORES) + " |",
            "| --- |" + " ---: |" * len(_SCORES),
            "| lower | " + " | ".join(_lower(orders)) + " |",
            "\nHow often judges preferred the output with the better order, by the difference; on the right where both",
            "have about the same coverage (less than 0.05 apart):\n",
            "| difference | preferences | better order preferred | same coverage | better order preferred |",
            "| --- | ---: | ---: | ---: | ---: |",
            *_calibration(judged, orders, covered),
        ]
    )


def _lower(orders: Sequence[Floats]) -> list[str]:
    found = np.concatenate([order[~np.isnan(order)] for order in orders])
    return [f"{100 * (found < value).mean():.0f}%" for value in _SCORES]


def _known_tau(order: Floats, preferences: NDArray[np.int64]) -> float:
    segment, better, worse = preferences.T
    both = ~np.isnan(order[better, segment]) & ~np.isnan(order[worse, segment])
    return fit.segment_tau(order, preferences[both])


def _calibration(
    judged: Sequence[JudgedTexts], orders: Sequence[Floats], covered: Sequence[Floats]
) -> list[str]:
    columns = []
    for each, order, coverage in zip(judged, orders, covered, strict=True):
        segment, better, worse = each.preferences.T
        columns.append([one[better, segment] - one[worse, segment] for one in (order, coverage)])
    gained, apart = (np.concatenate(column) for column in zip(*columns, strict=True))
    rows = []
    for low, high in pairwise(_STEPS[1:]):
        inside = (np.abs(gained) >= low) & (np.abs(gained) < high)
        same = inside & (np.abs(apart) < _SAME)
        cells = [
            cell
            for chosen in (inside, same)
            for cell in (f"{chosen.sum()}", f"{100 * (gained[chosen] > 0).mean():.0f}%")
        ]
        rows.append(f"| {low:g} to {high:g} | " + " | ".join(cells) + " |")
    return rows


def perturbed(folder: Path) -> str:
    """Return what becomes of order where words of a translation are moved or exchanged, beside the translation."""
    rows = []
    for name, file in _CHANGES.items():
        with gzip.open(folder / f"{file}.json.gz", "rt", encoding="utf-8") as opened:
            entries = json.load(opened)
        before, after = ([entry[key] for entry in entries] for key in ("mt_sent", "pert_sent"))
        for language in (None, "en"):
            scored = kilter.score(
                {"before": before, "after": after}, before, metrics=["order"], language=language
            )
            table = {name: np.asarray(scored.segments[name]) for name in ("system", "score")}
            found = [table["score"][table["system"] == name] for name in ("before", "after")]
            moved = found[1] - found[0]
            moved = moved[~np.isnan(moved)]
            shares = [(moved < -1e-9).mean(), (moved > 1e-9).mean(), (np.abs(moved) > 0.01).mean()]
            shown = " | ".join(f"{100 * share:.1f}%" for share in shares)
            model = language or "none"
            rows.append(f"| {name} | {model} | {len(moved)} | {shown} | {moved.mean():+.4f} |")
    return "\n".join(
        [
            "\n## Changed sentences\n",
            "`order` of 1000 changed translations against the translation itself, and what the change moved.\n",
            "| change | model | with evidence | lower | higher | by more than 0.01 | mean |",
            "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
            *rows,
            "",
        ]
    )
