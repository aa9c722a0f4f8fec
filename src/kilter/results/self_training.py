"""What targeted self-training has found, round by round. [FRS]"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from kilter import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kilter.results.comparison import Interval
    from kilter.results.document import Document
    from kilter.results.preorder_evaluation import ParserAccuracy

SCHEMA = "kilter.selftraining/1"


@dataclass(frozen=True, kw_only=True)
class ParsePick:
    """What was picked among the n-best parses of the training sentences, and their mean FRS."""

    picked: int
    changed: int
    """Sentences whose picked parse is not the first."""
    first: float
    selected: float
    worst: float


@dataclass(frozen=True, kw_only=True)
class LearnedParser:
    """A parser that was learned: how the rules reorder by it, on training and on held-out sentences.

    Held-out scores have intervals; `accuracy` is that on gold trees, None without any.
    """

    name: str
    what: str
    model: str
    """Its file, in the folder of the run."""
    training: float
    frs: Interval
    kendall: Interval
    accuracy: ParserAccuracy | None
    pick: ParsePick | None = None
    """What it learned from beside the treebank; None for nothing."""


@dataclass(frozen=True, kw_only=True)
class HeldOutGain:
    """One parser against another on the same held-out sentences, by one score."""

    first: str
    second: str
    metric: str
    difference: float
    low: float | None
    high: float | None
    p: float | None = None
    """Of a sign-flip test on the same sentences, not corrected for the number of comparisons."""

    @property
    def verdict(self) -> str:
        """What the interval says."""
        if self.low is None or self.high is None:
            return "too little to say"
        return (
            "a gain"
            if self.low > 0
            else "a loss"
            if self.high < 0
            else "no difference beyond chance"
        )


@dataclass(frozen=True, kw_only=True)
class SelfTrainingResult:
    """The rounds of a run; round 0 has learned from the treebank alone.

    `contrasts` are other parsers from the same data: greedy, beam, plain, targeted, lowercase.
    """

    folder: str
    rules: str
    sentences: int
    held_out: int
    treebank: int
    """Trees of it."""
    settings: Mapping[str, object]
    rounds: tuple[LearnedParser, ...]
    converged: bool
    """Whether the last round gained too little on the training sentences to go on."""
    gains: tuple[HeldOutGain, ...]
    """Of each round against the first."""
    contrasts: tuple[LearnedParser, ...] = ()
    contrast_gains: tuple[HeldOutGain, ...] = ()
    """Of each contrast against the first, and of targeted against plain self-training."""

    def to_dict(self) -> Document:
        """Return the JSON document `kilter.selftraining/1`."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            **{
                name: getattr(self, name)
                for name in ("folder", "rules", "sentences", "held_out", "treebank", "converged")
            },
            "settings": dict(self.settings),
            "rounds": [_parser_document(each) for each in self.rounds],
            "gains": [_gain_document(each) for each in self.gains],
            "contrasts": [_parser_document(each) for each in self.contrasts],
            "contrast_gains": [_gain_document(each) for each in self.contrast_gains],
        }


def _parser_document(parser: LearnedParser) -> Document:
    return {
        **asdict(parser),
        "accuracy": None if parser.accuracy is None else parser.accuracy._asdict(),
    }


def _gain_document(gain: HeldOutGain) -> Document:
    return {**asdict(gain), "verdict": gain.verdict}
