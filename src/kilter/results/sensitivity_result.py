"""What metrics notice: what `kilter meta sensitivity` found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from kilter import __version__
from kilter.core.counted import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kilter.results.document import Document


class Share(NamedTuple):
    """A value with its interval; None where undefined."""

    value: float | None = None
    low: float | None = None
    high: float | None = None

    def to_dict(self) -> dict[str, float | None]:
        """Return the same for JSON."""
        return self._asdict()


class Reaction(NamedTuple):
    """How a metric takes a kind of change: how often it scores lower, the same or higher, and by how much."""

    items: int
    lower: int
    equal: int
    higher: int
    unscored: int
    share: Share
    """Of the items, those that score lower after the change."""
    drop: Share
    """Mean of original less perturbed score."""

    def to_dict(self) -> Document:
        """Return the part of the JSON document that is about this metric and kind."""
        return {
            "items": self.items,
            "lower": self.lower,
            "equal": self.equal,
            "higher": self.higher,
            "unscored": self.unscored,
            "noticed": self.share.to_dict(),
            "drop": self.drop.to_dict(),
        }


class Separation(NamedTuple):
    """How well scores separate wrong outputs from right ones, and over how many pairs."""

    auc: Share
    pairs: int

    def to_dict(self) -> Document:
        """Return the area under the curve as JSON holds it."""
        return {**self.auc.to_dict(), "pairs": self.pairs}


FEW_LABELLED = 10
"""Below so many outputs of a kind an area under the curve says little."""


@dataclass(frozen=True, kw_only=True)
class PerturbationResult:
    """How each metric takes each kind of change."""

    resamples: int
    seed: int
    lexical: tuple[str, ...]
    """Kinds that change words, not order."""
    kinds: Mapping[str, int]
    """How many pairs of texts there are of each kind."""
    unchanged: int
    """Pairs of two equal texts; they are left out."""
    signatures: Mapping[str, str]
    metrics: Mapping[str, Mapping[str, Reaction]]
    of_scores: tuple[str, ...] = ()
    """What is to be known of the scores that were compared."""

    @property
    def notes(self) -> list[str]:
        """What is to be known of the scores, and what was left out."""
        if not self.unchanged:
            return [*self.of_scores]
        left = f"{counted(self.unchanged, 'pair')} left out: the perturbed text is the original"
        return [*self.of_scores, left]

    def to_dict(self) -> Document:
        """Return the JSON document `kilter.sensitivity/1`."""
        return {
            **_head(self.resamples, self.seed),
            "unchanged": self.unchanged,
            "kinds": {
                kind: {"items": count, "lexical": kind in self.lexical}
                for kind, count in self.kinds.items()
            },
            "metrics": {
                name: {
                    "signature": self.signatures[name],
                    "kinds": {kind: reaction.to_dict() for kind, reaction in row.items()},
                }
                for name, row in self.metrics.items()
            },
        }


@dataclass(frozen=True, kw_only=True)
class LabelResult:
    """How well each metric separates outputs with errors of order from those without."""

    resamples: int
    seed: int
    window: int
    """Lengths that differ by up to so many words are matched."""
    outputs: int
    wrong: int
    signatures: Mapping[str, str]
    metrics: Mapping[str, tuple[Separation, Separation]]
    """All pairs, and pairs of outputs of about the same length."""
    of_scores: tuple[str, ...] = ()
    """What is to be known of the scores that were compared."""

    @property
    def notes(self) -> list[str]:
        """Whether areas rest on few outputs, and why there is none among those of the same length."""
        notes = [*self.of_scores]
        for kind, count in (("wrong", self.wrong), ("right", self.outputs - self.wrong)):
            if count < FEW_LABELLED:
                few = f"{counted(count, f'{kind} output')} {'is' if count == 1 else 'are'} few"
                notes.append(f"{few}: areas are rough below {FEW_LABELLED}")
        if not any(matched.pairs for _, matched in self.metrics.values()):
            near = f"up to {counted(self.window, 'word')}"
            notes.append(
                f"no wrong output is as long as a right one, {near}; a wider window may help"
            )
        return notes

    def to_dict(self) -> Document:
        """Return the JSON document `kilter.sensitivity/1`."""
        return {
            **_head(self.resamples, self.seed),
            "outputs": self.outputs,
            "wrong": self.wrong,
            "window": self.window,
            "metrics": {
                name: {
                    "signature": self.signatures[name],
                    "auc": every.to_dict(),
                    "matched_auc": matched.to_dict(),
                }
                for name, (every, matched) in self.metrics.items()
            },
        }


def _head(resamples: int, seed: int) -> Document:
    return {
        "schema": "kilter.sensitivity/1",
        "version": __version__,
        "resamples": resamples,
        "seed": seed,
    }
