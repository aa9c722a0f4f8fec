"""Parsers x rule sets against reference reorderings: what `kilter preorder evaluate` found."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter import __version__
from kilter.results.score_result import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.core.dependency_tree import DependencyTree
    from kilter.core.estimate import Estimate
    from kilter.results.comparison import Comparison
    from kilter.results.document import Document

SCHEMA = "kilter.preorder/1"


class ParserAccuracy(NamedTuple):
    """Shares of all words: head and label right, head right, tag right; 1 where there is no word.

    A label is right if it is the same to the last letter, subtype included. None where it is not known.
    """

    las: float | None
    uas: float | None
    tags: float | None


@dataclass(frozen=True, kw_only=True)
class PreorderSystem:
    """A parser and a rule set, both by their index and name: `P2R5` is the second and the fifth that were given."""

    name: str
    parser: str
    rules: str


@dataclass(frozen=True, kw_only=True, eq=False)
class PreorderEvaluation:
    """Every parser x rule set: intervals, comparisons, scores of segments; parsers against gold trees."""

    systems: tuple[PreorderSystem, ...]
    comparison: Comparison
    accuracies: Mapping[str, ParserAccuracy]
    scores: Mapping[tuple[str, str], NDArray[np.float64]] = field(repr=False)
    """By metric and system, one score per segment."""

    def accuracy(self, system: PreorderSystem) -> ParserAccuracy:
        """Return the accuracy of a system's parser, of which nothing is known without gold trees."""
        return self.accuracies.get(system.parser, ParserAccuracy(None, None, None))

    def to_dict(self) -> Document:
        """Return the JSON document `kilter.preorder/1`."""
        compared = self.comparison.to_dict()
        return {
            "schema": SCHEMA,
            **{
                key: compared[key]
                for key in ("version", "segments", "seed", "resamples", "level", "metrics")
            },
            "systems": [
                {
                    "name": system.name,
                    "parser": system.parser,
                    "rules": system.rules,
                    "scores": scores["scores"],
                    **self.accuracy(system)._asdict(),
                }
                for system, scores in zip(self.systems, compared["systems"], strict=True)
            ],
            "comparisons": [
                {
                    key: pair[key]
                    for key in (
                        "metric",
                        "first",
                        "second",
                        "difference",
                        "low",
                        "high",
                        "share",
                        "mark",
                    )
                }
                for pair in compared["comparisons"]
            ],
        }

    def segments(self) -> ScoreTable:
        """Return every metric x system x segment (from 1) as a long table."""
        count = self.comparison.segments
        return ScoreTable(
            {
                "system": np.repeat([system for _, system in self.scores], count).astype(object),
                "segment": np.tile(np.arange(1, count + 1), len(self.scores)),
                "metric": np.repeat([metric for metric, _ in self.scores], count).astype(object),
                "score": np.concatenate(list(self.scores.values())),
            }
        )


ANALYSIS_RESULT_SCHEMA = "kilter.preordering.analysis/1"


class Analysis(StrEnum):
    """What is looked at: words, classes of words, sentences, rules."""

    WORDS = "words"
    CLASSES = "classes"
    SENTENCES = "sentences"
    RULES = "rules"


class RowOrder(StrEnum):
    """By what words and classes of words are sorted, the most first."""

    WRONG_PAIRS = "wrong-pairs"
    MISORDERED = "misordered"
    RATE = "rate"
    COUNT = "count"

    @property
    def field(self) -> str:
        """The field of a row that it looks at."""
        return self.value.replace("-", "_")


@dataclass(frozen=True, kw_only=True)
class AfterChange:
    """How a word or class fares under the second of two rule sets."""

    misordered: int
    rate: float
    wrong_pairs: int

    def to_dict(self, before: MisorderedWord | MisorderedClass) -> Document:
        """Return the further columns of a row."""
        return {
            "after_misordered": self.misordered,
            "after_rate": self.rate,
            "after_wrong_pairs": self.wrong_pairs,
            "change": self.wrong_pairs - before.wrong_pairs,
        }


@dataclass(frozen=True, kw_only=True)
class MisorderedWord:
    """How often a word occurs, how often it is misordered, that share, and its wrong pairs."""

    word: str
    count: int
    misordered: int
    rate: float
    wrong_pairs: int
    after: AfterChange | None = None
    """None where there is one rule set only."""

    def to_dict(self) -> Document:
        """Return a row of the analysis."""
        row = {
            "word": self.word,
            "count": self.count,
            "misordered": self.misordered,
            "rate": self.rate,
            "wrong_pairs": self.wrong_pairs,
        }
        return row if self.after is None else row | self.after.to_dict(self)


@dataclass(frozen=True, kw_only=True)
class MisorderedClass:
    """The same of a class of words, such as those with one tag."""

    kind: str
    """What makes words a class: `tag`, `label`, `head tag > label`."""
    name: str
    count: int
    misordered: int
    rate: float
    wrong_pairs: int
    after: AfterChange | None = None
    """None where there is one rule set only."""

    def to_dict(self) -> Document:
        """Return a row of the analysis."""
        row = {
            "kind": self.kind,
            "class": self.name,
            "count": self.count,
            "misordered": self.misordered,
            "rate": self.rate,
            "wrong_pairs": self.wrong_pairs,
        }
        return row if self.after is None else row | self.after.to_dict(self)


@dataclass(frozen=True, kw_only=True)
class OtherSentence:
    """The same sentence by a second parser, with both trees, or by a second rule set."""

    score: float
    difference: float
    """Second less first."""
    system: str
    tree: str | None = None
    other_tree: str | None = None
    """None of two rule sets, which have one tree."""


@dataclass(frozen=True, kw_only=True)
class AnalysedSentence:
    """A sentence (counted from 1), its score, and its words as they are, were put and should stand."""

    segment: int
    score: float
    chunks: int
    source: str
    system: str
    reference: str
    other: OtherSentence | None = None
    """None where there is one parser and one rule set."""
    drawn: tuple[DependencyTree, ...] = ()
    """The tree of each parser, where trees were asked for."""

    def to_dict(self) -> Document:
        """Return a row of the analysis."""
        row = {
            "segment": self.segment,
            "score": self.score,
            "chunks": self.chunks,
            "source": self.source,
            "system": self.system,
            "reference": self.reference,
        }
        if self.other is not None:
            row |= {
                "other_score": self.other.score,
                "difference": self.other.difference,
                "other_system": self.other.system,
            }
        if self.other is not None and self.other.tree is not None:
            row |= {"tree": self.other.tree, "other_tree": self.other.other_tree}
        elif self.drawn:
            row["tree"] = tree_line(self.drawn[0])
        return row


def tree_line(tree: DependencyTree) -> str:
    """Return a tree in a line: each word with its tag, the number of its head (0: none) and its label.

    >>> from kilter.core.dependency_tree import DependencyTree
    >>> tree = DependencyTree(["cats", "sleep"], [1, -1], labels=["nsubj", "root"], tags=["NOUN", "VERB"])
    >>> tree_line(tree)
    'cats/NOUN/2:nsubj sleep/VERB/0:root'
    """
    columns = zip(tree.words, tree.tags, tree.heads, tree.labels, strict=True)
    return " ".join(f"{word}/{tag}/{head + 1}:{label}" for word, tag, head, label in columns)


@dataclass(frozen=True, kw_only=True)
class RuleCost:
    """What a rule, or one of its groups, does: scores with all rules, without it, and with it alone.

    The difference that it makes, with its interval, is that of the sentences in which it fires.
    """

    rule: str
    group: str | None
    """None for the whole rule."""
    fires: int
    sentences: int
    whole: float | None
    without: float | None
    alone: float | None
    difference: float | None
    low: float | None
    high: float | None
    rules: str | None = None
    """The rule set, where there are two."""

    def to_dict(self) -> Document:
        """Return a row of the analysis."""
        named: Document = {} if self.rules is None else {"rules": self.rules}
        return named | {
            "rule": self.rule,
            "group": self.group,
            "fires": self.fires,
            "sentences": self.sentences,
            "with": self.whole,
            "without": self.without,
            "alone": self.alone,
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
        }


AnalysisRow = MisorderedWord | MisorderedClass | AnalysedSentence | RuleCost


@dataclass(frozen=True, kw_only=True)
class AnalysisResult:
    """Rows of each analysis that was asked for, the costliest first."""

    parser: str
    rules: str
    segments: int
    score: float
    signature: str
    analyses: Mapping[Analysis, Sequence[AnalysisRow]]
    sort: RowOrder = RowOrder.WRONG_PAIRS
    after_rules: str | None = None
    """The second of two rule sets, if there are two."""
    after_score: float | None = None

    def top(self, count: int) -> AnalysisResult:
        """Return the result with at most so many rows of each analysis, and of each kind of class."""
        return replace(
            self, analyses={name: _top(rows, count) for name, rows in self.analyses.items()}
        )

    def to_dict(self) -> Document:
        """Return the JSON document `kilter.preordering.analysis/1`."""
        return {
            "schema": ANALYSIS_RESULT_SCHEMA,
            "version": __version__,
            "parser": self.parser,
            "rules": self.rules,
            "segments": self.segments,
            "frs": self.score,
            "signature": self.signature,
            "sort": str(self.sort),
            "analyses": {
                str(name): [row.to_dict() for row in rows] for name, rows in self.analyses.items()
            },
        } | self._after()

    def _after(self) -> Document:
        if self.after_rules is None:
            return {}
        return {"after_rules": self.after_rules, "after_frs": self.after_score}


def _top(rows: Sequence[AnalysisRow], count: int) -> list[AnalysisRow]:
    seen: Counter[str | None] = Counter()
    kept = []
    for row in rows:
        kind = row.kind if isinstance(row, MisorderedClass) else None
        seen[kind] += 1
        if seen[kind] <= count:
            kept.append(row)
    return kept


PREORDER_EXPLANATION_SCHEMA = "kilter.preordering.explanation/1"


@dataclass(frozen=True, kw_only=True)
class OrderedPart:
    """A head, or one of its children with all that hangs from it; places are zero-based."""

    word: int
    """The head itself, or the child."""
    words: tuple[int, ...]
    """All words of the part, in the order of the source."""
    label: str
    group: str
    """The group of the rule that it belongs to."""
    moved: bool
    """Whether it is out of the most parts that keep their order."""


@dataclass(frozen=True, kw_only=True)
class FiredRule:
    """A rule at a head with children: its parts as they stand in the source, and as it puts them."""

    head: int
    tag: str
    rule: str
    """The categories that the rule is for; the method of a set without rules."""
    when: str | None
    """The condition of the rule, which holds of this head; None for a rule without one."""
    order: str
    """The groups of the rule in sequence."""
    before: tuple[OrderedPart, ...]
    after: tuple[OrderedPart, ...]

    @property
    def changed(self) -> bool:
        """Whether the rule moved anything."""
        return self.before != self.after

    @property
    def moved(self) -> tuple[OrderedPart, ...]:
        """The parts that moved, in the order in which the rule puts them."""
        return tuple(part for part in self.after if part.moved)


@dataclass(frozen=True, kw_only=True)
class AppliedRules:
    """What one rule set does with the sentence."""

    rules: str
    method: str
    fired: tuple[FiredRule, ...]
    """In the order of their heads."""
    final: tuple[int, ...]
    """Punctuation that was kept at the end, whatever the rules say, and is no part of any."""
    order: tuple[int, ...]
    """Places in the source, in the new order."""
    score: float | None = None
    """frs against the reference, where there is one."""


@dataclass(frozen=True, kw_only=True)
class RuleDifference:
    """A head at which two rule sets do not do the same; None where a set has no rule for it."""

    head: int
    first: FiredRule | None
    second: FiredRule | None


@dataclass(frozen=True, kw_only=True)
class PreorderExplanation:
    """One sentence (counted from 1) with its tree, and what one rule set or two do with it."""

    segment: int
    tree: DependencyTree
    applied: tuple[AppliedRules, ...]
    differences: tuple[RuleDifference, ...] = ()
    """Of two rule sets, where they differ."""
    reference: str | None = None
    """The order that is right, tied words in brackets."""
    score: float | None = None
    """frs of the source as it stands, where there is a reference."""

    def text(self, order: tuple[int, ...] | None = None) -> str:
        """Return the sentence, in the order of the source or in another."""
        words = self.tree.words
        return " ".join(words if order is None else [words[place] for place in order])

    def to_dict(self) -> Document:
        """Return the document that `--format json` prints."""
        return {
            "schema": PREORDER_EXPLANATION_SCHEMA,
            "version": __version__,
            "segment": self.segment,
            "tree": {
                "words": list(self.tree.words),
                "heads": list(self.tree.heads),
                "labels": list(self.tree.labels),
                "tags": list(self.tree.tags),
            },
            "source": self.text(),
            "reference": self.reference,
            "score": self.score,
            "applied": [
                {
                    "rules": applied.rules,
                    "method": applied.method,
                    "fired": [_fired(fired) for fired in applied.fired],
                    "final": list(applied.final),
                    "order": list(applied.order),
                    "text": self.text(applied.order),
                    "score": applied.score,
                }
                for applied in self.applied
            ],
            "differences": [
                {
                    "head": difference.head,
                    "first": _fired(difference.first),
                    "second": _fired(difference.second),
                }
                for difference in self.differences
            ],
        }


def _fired(fired: FiredRule | None) -> Document | None:
    if fired is None:
        return None
    document = asdict(fired)
    for side in ("before", "after"):
        document[side] = [{**part, "words": list(part["words"])} for part in document[side]]
    return {**document, "changed": fired.changed}


@dataclass(frozen=True)
class RuleScores:
    """Mean scores of a rule set over some sentences."""

    objective: float
    frs: float
    kendall: float


@dataclass(frozen=True)
class SearchStep:
    """What was changed, and how the rules then score on the sentences they are fitted to, and on the others.

    The first step changes nothing: it is where the search began. `held_out` is None where nothing is held out.
    """

    what: str
    training: RuleScores
    held_out: RuleScores | None


@dataclass(frozen=True, kw_only=True)
class SearchLevel:
    """How far a search may go, and what cross-validation says of going so far.

    `held_out` are mean scores of sentences of which the climbs saw nothing, `steps` the mean number of their changes, `gain` what
    the objective gains over the beginning, with its interval.
    """

    minimum_gain: float | None
    """What every change gained at least; None where nothing was changed."""
    steps: float
    held_out: RuleScores
    gain: tuple[float, float, float]


@dataclass(frozen=True, kw_only=True)
class RuleSearchResult:
    """The steps of a search. `gain` is what the held-out objective has gained in all, with its interval."""

    start: str
    objective: str
    sentences: int
    held_out: int
    tried: int
    """Rule sets that were scored, those of cross-validation included."""
    finished: bool
    """Whether no further change would have gained anything; else the search was stopped."""
    steps: tuple[SearchStep, ...]
    gain: tuple[float, float, float] | None
    """Held-out gain, and the ends of its interval."""
    folds: int
    """Parts of the training sentences that cross-validation left out in turn; 0 for none."""
    levels: tuple[SearchLevel, ...]
    """What cross-validation says of each level, the beginning first; none without folds."""
    level: int
    """The level up to which the rules were searched, 0 for the beginning."""
    digest: str
    """Eight digits of what the rules say."""

    def to_dict(self) -> Document:
        """Return the result as `--format json` prints it."""
        return asdict(self)


SELF_TRAINING_SCHEMA = "kilter.selftraining/1"


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
    frs: Estimate
    kendall: Estimate
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
            "schema": SELF_TRAINING_SCHEMA,
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
        **{name: _interval(getattr(parser, name)) for name in ("frs", "kendall")},
        "accuracy": None if parser.accuracy is None else parser.accuracy._asdict(),
    }


def _interval(estimate: Estimate) -> Document:
    row = {"score": estimate.value, "low": estimate.low, "high": estimate.high}
    return row | {"undefined": estimate.undefined, "reason": estimate.reason}


def _gain_document(gain: HeldOutGain) -> Document:
    return {**asdict(gain), "verdict": gain.verdict}
