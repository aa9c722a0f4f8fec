"""What metrics notice: what `kilter meta sensitivity` found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from kilter import __version__
from kilter.core.counted import counted
from kilter.core.table import Column, Note, Table
from kilter.results.document import Document, Result
from kilter.results.score_result import short_signature

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from kilter.core.estimate import Estimate
    from kilter.core.table import Kind


class Reaction(NamedTuple):
    """How a metric takes a kind of change: how often it scores lower, the same or higher, and by how much."""

    items: int
    lower: int
    equal: int
    higher: int
    unscored: int
    share: Estimate
    """Of the items, those that score lower after the change."""
    drop: Estimate
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

    auc: Estimate
    pairs: int

    def to_dict(self) -> Document:
        """Return the area under the curve as JSON holds it."""
        return {**self.auc.to_dict(), "pairs": self.pairs}


FEW_LABELLED = 10
"""Below so many outputs of a kind an area under the curve says little."""


@dataclass(frozen=True, kw_only=True)
class PerturbationResult(Result):
    """How each metric takes each kind of change."""

    schema: ClassVar[str] = "kilter.sensitivity/1"
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
            "schema": self.schema,
            "version": __version__,
            "resamples": self.resamples,
            "seed": self.seed,
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

    def data(self) -> Table:
        counts = ("items", "lower", "equal", "higher")
        rows = [
            [name, kind, kind in self.lexical, *(getattr(reaction, count) for count in counts), reaction.share, reaction.drop]
            for name, row in self.metrics.items()
            for kind, reaction in row.items()
        ]  # fmt: skip
        bounds = (Column("noticed", ".4f±"), Column("drop", ".4f±"))
        return Table("", ["metric", "kind", "lexical", *counts, *bounds], rows)

    def detailed_tables(self) -> list[Table]:
        """Return the tables with the signature of each metric."""
        return [*self.tables(), _signatures(self.signatures, self.metrics)]

    def tables(self) -> list[Table]:
        listed = ", ".join(f"{items} {kind}" for kind, items in self.kinds.items())
        note = (
            f"{listed}; {counted(self.unchanged, 'unchanged pair')} left out; ± half-width of the "
            f"95% interval over pairs, {counted(self.resamples, 'resample')}, seed {self.seed}"
        )
        shares = self._table("noticed, %", _percent, lambda found: found.share)
        higher = self._table("scored higher, %", ".1f", _percentage_higher)
        drops = self._table("mean drop", ".4f±", lambda found: found.drop)
        return [shares, higher, drops.noted(note, _short(self.signatures, self.metrics))]

    def _table(self, title: str, kind: Kind, value: Callable[[Reaction], object]) -> Table:
        names = [f"{each} (lexical)" if each in self.lexical else each for each in self.kinds]
        rows = [[name, *(value(row[k]) for k in self.kinds)] for name, row in self.metrics.items()]
        columns = (Column(name, kind, missing="undefined") for name in names)
        return Table("", [title, *columns], rows)


def _percent(share: Estimate) -> str:
    if share.value is None:
        return "undefined"
    half = "" if share.bounds is None else f" ±{100 * (share.bounds[1] - share.bounds[0]) / 2:.1f}"
    return f"{100 * share.value:.1f}{half}"


def _percentage_higher(found: Reaction) -> float | None:
    return 100 * found.higher / found.items if found.items else None


def _short(signatures: Mapping[str, str], metrics: Iterable[str]) -> Note:
    """Return how texts were read and linked, in a line."""
    return Note(
        " (--details: full signatures)", short_signature(signatures[name] for name in metrics)
    )


def _signatures(signatures: Mapping[str, str], metrics: Iterable[str]) -> Table:
    return Table("", [], [], [Note("", signatures[name]) for name in metrics])


@dataclass(frozen=True, kw_only=True)
class LabelResult(Result):
    """How well each metric separates outputs with errors of order from those without."""

    schema: ClassVar[str] = "kilter.sensitivity/1"
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
            "schema": self.schema,
            "version": __version__,
            "resamples": self.resamples,
            "seed": self.seed,
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

    def data(self) -> Table:
        columns = ("metric", "auc", "auc_low", "auc_high", "matched_auc", "matched_low", "matched_high", "matched_pairs")  # fmt: skip
        rows = [
            [name, *every.auc.triple, *matched.auc.triple, matched.pairs]
            for name, (every, matched) in self.metrics.items()
        ]
        return Table("", columns, rows)

    def detailed_tables(self) -> list[Table]:
        """Return the tables with the signature of each metric."""
        return [*self.tables(), _signatures(self.signatures, self.metrics)]

    def tables(self) -> list[Table]:
        rows = [
            [name, every.auc, matched.auc, matched.pairs]
            for name, (every, matched) in self.metrics.items()
        ]
        auc = (Column(name, ".4f±", missing="undefined") for name in ("auc", "auc, matched length"))
        note = (
            f"{self.wrong} of {counted(self.outputs, 'output')} labelled as wrong; "
            f"lengths matched up to {self.window}; ± half-width of the 95% interval over outputs, "
            f"{counted(self.resamples, 'resample')}, seed {self.seed}"
        )
        table = Table("", ["metric", *auc, "pairs"], rows, [note])
        return [table.noted(_short(self.signatures, self.metrics))]
