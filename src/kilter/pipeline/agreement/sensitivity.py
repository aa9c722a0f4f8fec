"""What metrics notice: what `kilter meta sensitivity` computes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter import __version__
from kilter.agreement.sensitivity import Noticed, Separation, Share, noticed, separation
from kilter.counted import counted
from kilter.errors import InputError, OptionError
from kilter.formats.delimited import read_delimited
from kilter.formats.perturbation import labelled_outputs, read_perturbed
from kilter.formats.stream import ByteSource, repeated_files
from kilter.options.argument import check_fields, checked
from kilter.pipeline.scoring.corpus import Texts, build_corpus
from kilter.pipeline.scoring.score import score_texts
from kilter.pipeline.scoring.settings import Settings
from kilter.statistics.resampling import Resampling
from kilter.statistics.rounding import rounding

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from kilter.structures.judgment.changed_translation import PerturbedPairs
    from kilter.structures.result.score_result import ScoreResult

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


@dataclass(frozen=True, kw_only=True)
class SensitivitySettings:
    """Every knob that is not a file."""

    metrics: tuple[str, ...] = SENSITIVITY_METRICS
    lexical: tuple[str, ...] = ()
    """Kinds that change words, not order: the control that an order metric should ignore."""
    aligner: str | None = None
    tokenize: str | None = None
    language: str | None = None
    lowercase: bool = False
    window: int = 1
    resampling: Resampling = field(default_factory=Resampling)

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, kw_only=True)
class PerturbationResult:
    """How each metric takes each kind of change."""

    settings: SensitivitySettings
    kinds: Mapping[str, int]
    unchanged: int
    """Pairs of two equal texts; they are left out."""
    signatures: Mapping[str, str]
    metrics: Mapping[str, Mapping[str, Noticed]]

    @property
    def notes(self) -> list[str]:
        """What was left out."""
        if not self.unchanged:
            return []
        return [f"{counted(self.unchanged, 'pair')} left out: the perturbed text is the original"]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document `kilter.sensitivity/1`."""
        return {
            **_head(self.settings),
            "unchanged": self.unchanged,
            "kinds": {
                kind: {"items": count, "lexical": kind in self.settings.lexical}
                for kind, count in self.kinds.items()
            },
            "metrics": {
                name: {
                    "signature": self.signatures[name],
                    "kinds": {kind: _noticed(found) for kind, found in row.items()},
                }
                for name, row in self.metrics.items()
            },
        }


@dataclass(frozen=True, kw_only=True)
class LabelResult:
    """How well each metric separates outputs with errors of order from those without."""

    settings: SensitivitySettings
    outputs: int
    wrong: int
    signatures: Mapping[str, str]
    metrics: Mapping[str, tuple[Separation, Separation]]
    """All pairs, and pairs of outputs of about the same length."""

    @property
    def notes(self) -> list[str]:
        """Why there is no area among outputs of the same length, if there is none."""
        if any(matched.pairs for _, matched in self.metrics.values()):
            return []
        near = f"up to {counted(self.settings.window, 'word')}"
        return [f"no wrong output is as long as a right one, {near}; a wider window may help"]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document `kilter.sensitivity/1`."""
        return {
            **_head(self.settings),
            "outputs": self.outputs,
            "wrong": self.wrong,
            "window": self.settings.window,
            "metrics": {
                name: {
                    "signature": self.signatures[name],
                    "auc": _separation(every),
                    "matched_auc": _separation(matched),
                }
                for name, (every, matched) in self.metrics.items()
            },
        }


@checked
def perturbation_sensitivity(
    paths: Sequence[str], settings: SensitivitySettings | None = None
) -> PerturbationResult:
    """Return how often and by how much metrics notice the changes in some files, by kind."""
    chosen = settings or SensitivitySettings()
    pairs = _all_pairs(paths)
    changed = pairs.changed()
    kinds = np.array(changed.kinds, dtype=object)
    listed = list(dict.fromkeys(pairs.kinds))
    unknown = [kind for kind in chosen.lexical if kind not in listed]
    if unknown:
        raise OptionError(
            f"there is no kind {unknown[0]!r} to be lexical; there are: {', '.join(listed)}"
        )
    if not len(changed):
        raise OptionError("no text differs from its original; there is nothing to notice")
    result = _scored(
        {"original": changed.originals, "perturbed": changed.perturbed}, changed.references, chosen
    )
    found: dict[str, dict[str, Noticed]] = {}
    for name in result.metrics:
        original, perturbed = (_oriented(result, name, side) for side in ("original", "perturbed"))
        tie = rounding(np.stack([original, perturbed]))
        found[name] = {
            kind: noticed(
                original[kinds == kind],
                perturbed[kinds == kind],
                tie=tie,
                resampling=chosen.resampling,
            )
            for kind in dict.fromkeys(changed.kinds)
        }
    return PerturbationResult(
        settings=chosen,
        kinds={kind: changed.kinds.count(kind) for kind in dict.fromkeys(changed.kinds)},
        unchanged=len(pairs) - len(changed),
        signatures=result.signatures,
        metrics=found,
    )


@checked
def label_sensitivity(
    path: str, settings: SensitivitySettings | None = None, *, tag: str | None = None
) -> LabelResult:
    """Return how well metrics separate labelled outputs, with length alone as a baseline."""
    chosen = settings or SensitivitySettings()
    labelled = labelled_outputs(read_delimited(ByteSource(path)), tag=tag)
    wrong = np.array(labelled.wrong, dtype=np.bool_)
    result = _scored({"output": labelled.outputs}, labelled.references, chosen)
    lengths = _lengths(labelled.outputs, labelled.references, chosen)
    rows = {"length": -lengths.astype(np.float64)}
    rows |= {name: _oriented(result, name, "output") for name in result.metrics}
    return LabelResult(
        settings=chosen,
        outputs=len(labelled),
        wrong=int(wrong.sum()),
        signatures={"length": "length|longer outputs first", **result.signatures},
        metrics={
            name: (
                separation(scores, wrong, resampling=chosen.resampling),
                separation(
                    scores,
                    wrong,
                    lengths=lengths,
                    window=chosen.window,
                    resampling=chosen.resampling,
                ),
            )
            for name, scores in rows.items()
        },
    )


def _all_pairs(paths: Sequence[str]) -> PerturbedPairs:
    if not paths:
        raise OptionError("there is no file of perturbed texts; give at least one")
    for path, fault in repeated_files(paths):
        raise InputError(fault, where=path)
    first, *others = (read_perturbed(ByteSource(path)) for path in paths)
    for other in others:
        first = first.joined(other)
    return first


def _scored(
    systems: Mapping[str, Sequence[str]], references: Sequence[str], settings: SensitivitySettings
) -> ScoreResult:
    return score_texts(
        Texts(systems=systems, references={"reference": references}),
        Settings(
            metrics=settings.metrics,
            aligner=settings.aligner,
            tokenize=settings.tokenize,
            language=settings.language,
            lowercase=settings.lowercase,
            resampling=Resampling(resamples=1),
            jobs=settings.resampling.jobs,
        ),
    )


def _oriented(result: ScoreResult, name: str, system: str) -> NDArray[np.float64]:
    """Return segment scores with more for better."""
    sign = 1.0 if result.metrics[name].higher_is_better else -1.0
    return sign * result.segment_arrays[name, system]


def _lengths(
    outputs: Sequence[str], references: Sequence[str], settings: SensitivitySettings
) -> NDArray[np.int64]:
    corpus = build_corpus(
        Texts(systems={"output": outputs}, references={"reference": references}),
        tokenize=settings.tokenize,
        language=settings.language,
    )
    return corpus.systems[0].tokens.lengths


def _head(settings: SensitivitySettings) -> dict[str, Any]:
    return {
        "schema": "kilter.sensitivity/1",
        "version": __version__,
        "resamples": settings.resampling.resamples,
        "seed": settings.resampling.seed,
    }


def _noticed(found: Noticed) -> dict[str, Any]:
    return {
        "items": found.items,
        "lower": found.lower,
        "equal": found.equal,
        "higher": found.higher,
        "unscored": found.unscored,
        "noticed": _share(found.share),
        "drop": _share(found.drop),
    }


def _separation(found: Separation) -> dict[str, Any]:
    return {**_share(found.auc), "pairs": found.pairs}


def _share(found: Share) -> dict[str, float | None]:
    return {
        "value": None if isnan(found.value) else found.value,
        "low": None if isnan(found.low) else found.low,
        "high": None if isnan(found.high) else found.high,
    }
