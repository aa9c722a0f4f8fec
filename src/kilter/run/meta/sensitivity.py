"""What a metric notices: changes to translations, and outputs with labelled errors.

M. Karpinska et al., DEMETR (EMNLP 2022), for the first; the area under the curve for the second.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError, OptionError
from kilter.core.estimate import Estimate
from kilter.core.judgments import rounding
from kilter.core.settings import checked
from kilter.io.perturbation import read_labelled, read_perturbed
from kilter.io.stream import ByteSource, repeated_files
from kilter.io.text_file import read_text_file
from kilter.results.sensitivity_result import (
    LabelResult,
    PerturbationResult,
    Reaction,
    Separation,
)
from kilter.run.scoring.corpus import Texts, build_corpus
from kilter.run.scoring.measurement import measure
from kilter.run.scoring.run import chosen_tokenizer
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.structure_files import StructureFiles
from kilter.stats.resampling import Resampling, bootstrap_indices, bootstrap_sums
from kilter.stats.significance import LEAST_SEGMENTS, evidence_note, percentile_intervals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.judgments import PerturbedPairs
    from kilter.run.scoring.measured import Measured
    from kilter.run.scoring.measurement import Measurement

    Floats = NDArray[np.float64]

# Resampled weights are kept for so many values at a time.
_MOST_WEIGHTS = 1 << 22


def noticed(
    original: Floats, perturbed: Floats, *, tie: float, resampling: Resampling | None = None
) -> Reaction:
    """Return how scores change, more for better; differences up to `tie` are none. Items are resampled.

    >>> import numpy as np
    >>> found = noticed(np.array([1.0, 1.0]), np.array([0.5, 1.0]), tie=0.0)
    >>> found.share.value, found.drop.value
    (0.5, 0.25)
    """
    drawn = resampling or Resampling()
    difference = original - perturbed
    known = ~np.isnan(difference)
    difference = difference[known]
    lower, higher = difference > tie, difference < -tie
    count = len(difference)
    if not count:
        return Reaction(0, 0, 0, 0, int((~known).sum()), Estimate(), Estimate())
    rows = np.column_stack([lower.astype(np.float64), difference])[np.newaxis]
    sums = bootstrap_sums(rows, drawn)
    ends = percentile_intervals(sums.resampled()[0].T / count, level=drawn.level)
    if count < LEAST_SEGMENTS:  # what cannot vary is no evidence
        ends[:] = np.nan
    observed = sums.total()[0] / count
    shares = [Estimate(float(observed[k]), *ends[k].tolist()) for k in range(2)]
    return Reaction(
        items=count,
        lower=int(lower.sum()),
        equal=count - int(lower.sum()) - int(higher.sum()),
        higher=int(higher.sum()),
        unscored=int((~known).sum()),
        share=shares[0],
        drop=shares[1],
    )


def separation(
    scores: Floats,
    wrong: NDArray[np.bool_],
    *,
    lengths: NDArray[np.int64] | None = None,
    window: int = 0,
    resampling: Resampling | None = None,
) -> Separation:
    """Return the area under the curve: how often a wrong output scores below a right one, ties half.

    With `lengths` only pairs whose lengths differ by no more than `window` count. Outputs are resampled.
    Regressing length out would mislead: scores that are mostly 1 have residuals that are mostly length.

    >>> import numpy as np
    >>> separation(np.array([0.1, 0.9, 0.5]), np.array([True, False, False])).auc.value
    1.0
    """
    drawn = resampling or Resampling()
    known = ~np.isnan(scores)
    scores, wrong = scores[known], wrong[known]
    groups = _groups(wrong, None if lengths is None else lengths[known], window)
    ones = np.ones((1, len(scores)))
    won, whole = _won(scores, ones, groups)
    value = float(won[0] / whole[0]) if whole[0] else np.nan
    if not len(scores):
        return Separation(Estimate(), 0)
    resampled = []
    places = bootstrap_indices(len(scores), resamples=drawn.count, seed=drawn.seed)
    step = max(1, _MOST_WEIGHTS // len(scores))
    for start in range(0, len(places), step):
        rows = places[start : start + step]
        weights = np.stack([np.bincount(row, minlength=len(scores)) for row in rows])
        part, total = _won(scores, weights.astype(np.float64), groups)
        resampled.append(np.divide(part, total, out=np.full(len(part), np.nan), where=total > 0))
    (ends,) = percentile_intervals(np.concatenate(resampled)[np.newaxis], level=drawn.level)
    return Separation(Estimate(value, *ends.tolist()), int(whole[0]))


Group = tuple["NDArray[np.int64]", "NDArray[np.int64]"]


def _groups(
    wrong: NDArray[np.bool_], lengths: NDArray[np.int64] | None, window: int
) -> list[Group]:
    """Return places of wrong outputs and of the right ones that each group is compared with."""
    if lengths is None:
        return [(np.flatnonzero(wrong), np.flatnonzero(~wrong))]
    groups = []
    for length in np.unique(lengths[wrong]).tolist():
        near = np.abs(lengths - length) <= window
        groups.append((np.flatnonzero(wrong & (lengths == length)), np.flatnonzero(~wrong & near)))
    return groups


def _won(scores: Floats, weights: Floats, groups: list[Group]) -> tuple[Floats, Floats]:
    """Return per row of weights how many pairs are in order, a tie half, and how many there are.

    Weights are whole numbers, so that sums are exact in any order.
    """
    won, whole = np.zeros(len(weights)), np.zeros(len(weights))
    for wrong, right in groups:
        if not len(wrong) or not len(right):
            continue
        order = right[np.argsort(scores[right], kind="stable")]
        upto = np.concatenate(
            [np.zeros((len(weights), 1)), np.cumsum(weights[:, order], axis=1)], axis=1
        )
        below = np.searchsorted(scores[order], scores[wrong], side="left")
        not_above = np.searchsorted(scores[order], scores[wrong], side="right")
        # Right ones that score higher, and half of those that score the same.
        higher = upto[:, -1:] - 0.5 * (upto[:, below] + upto[:, not_above])
        won += (weights[:, wrong] * higher).sum(axis=1)
        whole += weights[:, wrong].sum(axis=1) * upto[:, -1]
    return won, whole


# Order by itself, without the penalty that notices every word that lost its link; what notices words.
_ORDER = ("kendall", "spearman", "hamming", "ulam", "fuzzy", "pef")
SENSITIVITY_METRICS = (
    *(f"{name}:penalty=false" for name in _ORDER),
    "ribes",
    "full",
    "bleu",
    "f1",
    "coverage",
)
SENSITIVITY_SETTINGS = Settings(metrics=SENSITIVITY_METRICS)


@checked
def perturbation_sensitivity(
    paths: Sequence[str],
    settings: Settings | None = None,
    *,
    lexical: Sequence[str] = (),
    source: str | None = None,
    structure: StructureFiles | None = None,
) -> PerturbationResult:
    """Return how often and by how much metrics notice the changes in some files, by kind.

    `lexical` are kinds that change words, not order: the control that an order metric should ignore. The
    source, links and trees are those of all pairs in the order of the files; originals are the first system
    and what was made of them the second.
    """
    chosen = settings or SENSITIVITY_SETTINGS
    pairs = _all_pairs(paths)
    changed = np.array(pairs.originals, dtype=object) != np.array(pairs.perturbed, dtype=object)
    kinds = np.array(pairs.kinds, dtype=object)[changed]
    counts = Counter(kinds.tolist())  # in the order of the files
    listed = list(dict.fromkeys(pairs.kinds))
    unknown = [kind for kind in lexical if kind not in listed]
    if unknown:
        raise OptionError(
            f"there is no kind {unknown[0]!r} to be lexical; there are: {', '.join(listed)}"
        )
    if not len(kinds):
        raise OptionError("no text differs from its original; there is nothing to notice")
    texts = _texts(
        {"original": pairs.originals, "perturbed": pairs.perturbed},
        pairs.references,
        source,
        structure,
    )
    measurement = measure(texts, chosen)
    reactions: dict[str, dict[str, Reaction]] = {}
    for entry in measurement.measured:
        original, perturbed = (
            _oriented(measurement, entry, side)[changed] for side in ("original", "perturbed")
        )
        tie = rounding(np.stack([original, perturbed]))
        reactions[entry.name] = {
            kind: noticed(
                original[kinds == kind],
                perturbed[kinds == kind],
                tie=tie,
                resampling=chosen.resampling,
            )
            for kind in counts
        }
    return PerturbationResult(
        resamples=chosen.resampling.count,
        seed=chosen.resampling.seed,
        lexical=tuple(lexical),
        kinds=dict(counts),
        unchanged=len(pairs) - len(kinds),
        signatures=_signatures(measurement),
        metrics=reactions,
        of_scores=_of_scores(measurement),
    )


@checked
def label_sensitivity(
    path: str,
    settings: Settings | None = None,
    *,
    tag: str | Sequence[str] | None = None,
    window: int = 1,
    source: str | None = None,
    structure: StructureFiles | None = None,
) -> LabelResult:
    """Return how well metrics separate labelled outputs, with length alone as a baseline.

    Lengths that differ by up to `window` words are matched; `tag` is what marks an error of order, one or
    several, in which `*` and `?` stand for other letters.
    """
    chosen = settings or SENSITIVITY_SETTINGS
    tags = () if tag is None else (tag,) if isinstance(tag, str) else tuple(tag)
    labelled = read_labelled(ByteSource(path), tags=tags)
    wrong = np.array(labelled.wrong, dtype=np.bool_)
    texts = _texts({"output": labelled.outputs}, labelled.references, source, structure)
    measurement = measure(texts, chosen)
    lengths = _lengths(texts, chosen)
    rows = {"length": -lengths.astype(np.float64)}
    rows |= {each.name: _oriented(measurement, each, "output") for each in measurement.measured}
    return LabelResult(
        resamples=chosen.resampling.count,
        seed=chosen.resampling.seed,
        window=window,
        outputs=len(labelled),
        wrong=int(wrong.sum()),
        signatures={"length": "length|longer outputs first", **_signatures(measurement)},
        metrics={
            name: (
                separation(scores, wrong, resampling=chosen.resampling),
                separation(
                    scores,
                    wrong,
                    lengths=lengths,
                    window=window,
                    resampling=chosen.resampling,
                ),
            )
            for name, scores in rows.items()
        },
        of_scores=_of_scores(measurement),
    )


def _of_scores(measurement: Measurement) -> tuple[str, ...]:
    """Return the notes of scoring, but for the number of segments: results tell what they rest on."""
    few = evidence_note(measurement.segments)
    return tuple(note for note in measurement.notes if note != few)


def _texts(
    systems: dict[str, Sequence[str]],
    references: Sequence[str],
    source: str | None,
    structure: StructureFiles | None,
) -> Texts:
    texts = Texts(
        systems=systems,
        references={"reference": references},
        source=(source, read_text_file(source)) if source else None,
    )
    return (structure or StructureFiles()).beside(texts)


def _all_pairs(paths: Sequence[str]) -> PerturbedPairs:
    if not paths:
        raise OptionError("there is no file of perturbed texts; give at least one")
    for path, fault in repeated_files(paths):
        raise InputError(fault, where=path)
    first, *others = (read_perturbed(ByteSource(path)) for path in paths)
    for other in others:
        first = first.joined(other)
    return first


def _oriented(measurement: Measurement, entry: Measured, system: str) -> NDArray[np.float64]:
    """Return segment scores with more for better."""
    sign = 1.0 if entry.metric.higher_is_better else -1.0
    return sign * measurement.scores[entry.name, system]


def _signatures(measurement: Measurement) -> dict[str, str]:
    return {entry.name: entry.signature for entry in measurement.measured}


def _lengths(texts: Texts, settings: Settings) -> NDArray[np.int64]:
    corpus = build_corpus(texts, tokenize=chosen_tokenizer(settings, trees=False))
    return corpus.systems[0].tokens.lengths
