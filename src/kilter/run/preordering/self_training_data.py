"""What targeted self-training learns from, and how far it goes."""

from __future__ import annotations

import warnings
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError, KilterWarning, OptionError
from kilter.core.settings import Choice, check_fields, flag, mixed, setting
from kilter.io.conllu import Treebank
from kilter.metrics.tied_order import Matching
from kilter.parsers.perceptron_training import TrainingSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.core.dependency_tree_column import DependencyTreeColumn
    from kilter.core.reordering import PrintedOrder
    from kilter.metrics.frs import Frs
    from kilter.preordering.rule_set import RuleSet

Named: TypeAlias = tuple[str, Treebank]

FEWEST_SENTENCES = 10
"""Sentences below which there is nothing to pick from."""


class ParseChoosing(Choice):
    """Which parse of a sentence is learned from: the one that reorders best, or the first, as in plain self-training."""

    BEST = "best"
    FIRST = "first"


@dataclass(frozen=True, kw_only=True)
class SelfTrainingSettings:
    """How far self-training goes, and what it learns from."""

    rounds: int = setting(default=3, low=0, high=100, description="Maximum number of rounds.")
    nbest: int = setting(
        default=20, low=1, high=1024, description="Parses per sentence to select from."
    )
    pick: ParseChoosing = setting(
        default=ParseChoosing.BEST,
        description="Learn from the best or the first parse.",
    )
    minimum: float = setting(
        default=0.0, low=0, high=1, description="Ignore parses that reorder worse than this."
    )
    changed_only: bool = flag(
        description="Learn only from sentences whose first parse is not best."
    )
    weight: int = setting(
        default=1, low=1, high=1000, description="Repetitions of each selected parse per epoch."
    )
    treebank_weight: int = setting(
        default=1, low=1, high=1000, description="Repetitions of each tree of TREEBANKS per epoch."
    )
    minimum_gain: float = setting(
        default=0.001,
        low=0,
        description="Stop after a round that gains less.",
    )
    contrasts: bool = flag(description="Add baselines: greedy, plain self-training, lowercased.")
    training: TrainingSettings = mixed(
        lambda: TrainingSettings(beam=8),
        beam="Beam size; 1 is greedy.",
        passes="Training epochs per round.",
        voters="Number of parsers that vote.",
        lowercase="Lowercase words.",
    )
    matching: Matching = field(default_factory=Matching)

    def __post_init__(self) -> None:
        check_fields(self)
        for name in ("weight", "treebank_weight", "nbest"):
            if getattr(self, name) < 1:
                raise OptionError(f"{name} is {getattr(self, name)}; it must be 1 or more")
        if self.rounds < 0:
            raise OptionError(f"rounds is {self.rounds}; it must be 0 or more")
        if not 0.0 <= self.minimum <= 1.0:
            raise OptionError(f"minimum is {self.minimum}; it must lie between 0 and 1")

    def document(self) -> dict[str, Any]:
        """Return the settings as a file keeps them."""
        known = asdict(self)
        del known["matching"], known["contrasts"]
        training = known.pop("training")
        return {
            **known,
            "pick": str(self.pick),
            "metric": self.metric.signature(),
            "training": training,
        }

    @property
    def metric(self) -> Frs:
        """What picks parses, and measures."""
        return self.matching.frs()


class Sentences(NamedTuple):
    """Sentences by their words, with the reference reordering of each."""

    words: Sequence[Sequence[str]]
    reference: PrintedOrder

    @classmethod
    def of(
        cls, reference: PrintedOrder, source: Sequence[Sequence[str]] | None = None
    ) -> Sentences:
        """Return sentences whose words the references know, or a source gives."""
        words = reference.sources if source is None else source
        if words is None:
            raise InputError(
                "does not say how the sentences read before they were reordered; give the source, or "
                "references as jsonl",
                where=reference.name,
            )
        if len(words) != len(reference):
            raise InputError(
                f"has {counted(len(reference), 'line')}, but the source has {len(words)}; both need one line per "
                "sentence",
                where=reference.name,
            )
        return cls(words, reference)


@dataclass(frozen=True, kw_only=True, eq=False)
class SelfTrainingData:
    """Treebanks by name, sentences with references to pick parses by, and what every round is measured on.

    `held_out` are other sentences, or a share of the training sentences that is drawn by the seed and not learned
    from. `gold` are trees that nothing learns from.
    """

    treebanks: Sequence[Named]
    training: Sentences
    held_out: Sentences | float = 0.2
    gold: DependencyTreeColumn | None = None

    def check_rules(self, rules: RuleSet) -> None:
        """Raise an `OptionError` if rules look at what a parser of these treebanks will not give."""
        rules.check_for_parser()
        if rules.needs_details and not any(bank.has_language_tags for _, bank in self.treebanks):
            raise OptionError(
                f"rule set {rules.name} looks at fine tags (XPOS), and the treebanks have none; give treebanks that have "
                "them, or rules that look at words, tags and labels"
            )


class Parts(NamedTuple):
    """Training and held-out sentences; both may be parts of the same."""

    training: Sentences
    training_rows: NDArray[np.bool_]
    held: Sentences
    held_rows: NDArray[np.bool_]


def _refuse_learned(
    held: Sequence[Sequence[str]], learned: Sequence[Sequence[str]], where: str
) -> None:
    """Raise an `InputError` if all that a parser is tried on is what it learns from."""
    known = {tuple(words) for words in learned}
    seen = sum(tuple(words) in known for words in held)
    if seen == len(held):
        raise InputError(
            "all its sentences are learned from, so that they show nothing; hold out others",
            where=where,
        )
    if seen:
        warnings.warn(
            f"{where}: {seen} of {counted(len(held), 'sentence')} are learned from, too, and flatter",
            KilterWarning,
            stacklevel=2,
        )


def split(data: SelfTrainingData, seed: int) -> Parts:
    """Return which sentences are learned from, and which are held out; too few are an `InputError`."""
    training, held_out = data.training, data.held_out
    trained = [words for _, bank in data.treebanks for words in bank.trees.sentences()]
    if data.gold is not None:
        _refuse_learned(data.gold.sentences(), trained, data.gold.where(0))
    count = len(training.reference)
    if isinstance(held_out, Sentences):
        learned = [*training.words, *trained]
        _refuse_learned(held_out.words, learned, held_out.reference.name)
        parts = Parts(
            training,
            np.ones(count, dtype=np.bool_),
            held_out,
            np.ones(len(held_out.reference), dtype=np.bool_),
        )
    else:
        if not 0.0 < held_out <= 0.9:
            raise OptionError(
                f"held_out is {held_out}; it must be more than 0, up to 0.9, or other sentences: without any "
                "it is unknown whether self-training helps"
            )
        held = np.zeros(count, dtype=np.bool_)
        chance = np.random.default_rng(seed)
        held[chance.permutation(count)[: round(held_out * count)]] = True
        parts = Parts(training, ~held, training, held)
    for rows, reference, what in (
        (parts.training_rows, parts.training.reference, "to learn from"),
        (parts.held_rows, parts.held.reference, "held out"),
    ):
        if rows.sum() < FEWEST_SENTENCES:
            raise InputError(
                f"there are {counted(int(rows.sum()), 'sentence')} {what}; at least {FEWEST_SENTENCES} are "
                "needed",
                where=reference.name,
            )
    return parts
