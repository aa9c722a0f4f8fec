"""What metrics notice: what `kilter meta sensitivity` computes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.argument import checked
from kilter.core.errors import InputError, OptionError
from kilter.core.rounding import rounding
from kilter.io.perturbation import read_labelled, read_perturbed
from kilter.io.stream import ByteSource, repeated_files
from kilter.io.text_file import read_text_file
from kilter.results.sensitivity_result import LabelResult, PerturbationResult, Reaction
from kilter.run.meta.sensitivity import noticed, separation
from kilter.run.scoring.corpus import Texts, build_corpus
from kilter.run.scoring.measurement import measure
from kilter.run.scoring.run import chosen_tokenizer
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.structure_files import StructureFiles
from kilter.stats.significance import evidence_note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.changed_translation import PerturbedPairs
    from kilter.run.scoring.measured import Measured
    from kilter.run.scoring.measurement import Measurement

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
