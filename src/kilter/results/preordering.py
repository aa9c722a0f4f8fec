"""Parsers x rule sets against reference reorderings: what `kilter preorder evaluate` found."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from importlib import import_module
from itertools import compress
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from kilter import __version__
from kilter.core.counted import counted
from kilter.core.estimate import MISSING, Estimate, p_text
from kilter.core.table import NAME, Column, Note, Table
from kilter.results.comparison import mark_note
from kilter.results.document import Document, Result
from kilter.results.score_result import ScoreTable
from kilter.results.verdict import leader
from kilter.stats.significance import LEAST_SEGMENTS, LIKELY, TIE, evidence_note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.core.dependency_tree import DependencyTree
    from kilter.results.comparison import Comparison, MetricComparison

_PUBLISHED_RULES = re.compile("r([1-5])")
"""The rule sets that are named after those of [FRS]."""


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
class PreorderEvaluation(Result):
    """Every parser x rule set: intervals, comparisons, scores of segments; parsers against gold trees."""

    schema: ClassVar[str] = "kilter.preorder/1"
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
            "schema": self.schema,
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

    def data(self) -> Table:
        columns = [Column(metric.name, ".4f[]") for metric in self.comparison.metrics]
        names = [*map(Column, ("name", "parser", "rules")), *columns]
        accuracies = list(map(Column, ParserAccuracy._fields))
        return Table("", [*names, *accuracies], [self._row(k) for k in range(len(self.systems))])

    def _row(self, place: int) -> list[object]:
        system = self.systems[place]
        intervals = [metric.intervals[place] for metric in self.comparison.metrics]
        return [system.name, system.parser, system.rules, *intervals, *self.accuracy(system)]

    def tables(self) -> list[Table]:
        """Return scores, then a triangle of marks for each metric."""
        metrics = [Column(metric.name, ".4f[]") for metric in self.comparison.metrics]
        known = [value is not None for value in self.accuracy(self.systems[0])]
        shares = [Column(name, ".4f") for name in compress(ParserAccuracy._fields, known)]
        count = len(known)
        rows = [
            [*row[:-count], *compress(row[-count:], known)]
            for row in map(self._row, range(len(self.systems)))
        ]
        columns = [
            Column("system"),
            Column("parser", NAME),
            Column("rules", NAME),
            *metrics,
            *shares,
        ]
        triangles = self.comparison.metrics if len(self.systems) > 1 else ()
        notes = Table(
            "", [], [], [*_evaluation_notes(self.comparison), *_number_note(self.systems)]
        )
        best = [Table(notes=[leader(self.comparison, triangles[0])])] if triangles else []
        return [*best, Table("", columns, rows, left=3), *map(self._triangle, triangles), notes]

    def _triangle(self, metric: MetricComparison) -> Table:
        names = self.comparison.systems
        marks = {(pair.first, pair.second): pair.mark for pair in metric.pairs}
        rows = [
            [row, *(str(marks[column, row] or MISSING) if k < place else "" for k, column in enumerate(names[:-1]))]
            for place, row in enumerate(names[1:], start=1)
        ]  # fmt: skip
        return Table(f"{metric.name}: row against column", ["", *names[:-1]], rows, matrix=True)

    def change_since(self, before: PreorderEvaluation) -> Table:
        """Return for each system whose scores changed the mean change, and sentences better and worse.

        Sentences are counted from 1, those that changed most first.
        """
        rows = []
        systems = {system.name: system for system in self.systems}
        for metric, name in self.scores:
            change = self.scores[metric, name] - before.scores[metric, name]
            better, worse = np.flatnonzero(change > TIE), np.flatnonzero(change < -TIE)
            if better.size or worse.size:
                row = [
                    metric,
                    name,
                    systems[name].parser,
                    systems[name].rules,
                    float(change.mean()),
                ]
                most = (
                    f"{better.size}{_most(change, better)}",
                    f"{worse.size}{_most(-change, worse)}",
                )
                rows.append([*row, *most])
        if not rows:
            return Table("nothing has changed", [], [])
        names = map(Column, ("metric", "system", "parser", "rules"))
        sentences = map(Column, ("better (most)", "worse (most)"))
        return Table(
            "change since the last run",
            [*names, Column("change", "+.4f"), *sentences],
            rows,
            left=4,
        )


_SHOWN = 5


def _most(change: NDArray[np.float64], places: NDArray[np.int64]) -> str:
    if not places.size:
        return ""
    order = places[np.argsort(-change[places], kind="stable")][:_SHOWN]
    return f" ({' '.join(str(place + 1) for place in order.tolist())})"


def _evaluation_notes(comparison: Comparison) -> Iterator[Note]:
    segments, drawn = comparison.segments, comparison.resampling
    samples = counted(drawn.count, "bootstrap sample")
    drawing = f"; 95% intervals from {samples}, seed {drawn.seed}"
    yield Note(
        counted(segments, "sentence") + (drawing if segments >= LEAST_SEGMENTS else "") + "."
    )
    rough = evidence_note(segments)
    if rough:
        yield Note(rough)
    for metric in comparison.metrics:
        yield Note("", metric.signature)
    if len(comparison.systems) > 1:
        yield mark_note(comparison)
    for note in comparison.notes:
        yield Note(f"{note[0].upper()}{note[1:]}.")


def _number_note(systems: Sequence[PreorderSystem]) -> Iterator[Note]:
    """Yield that P1R2 is not the R2 of [FRS], where a rule set of [FRS] stands under another number."""
    for system in systems:
        published = _PUBLISHED_RULES.fullmatch(system.rules)
        if published and not system.name.endswith(f"R{published[1]}"):
            yield Note(
                "P and R count parsers and rule sets in the order given: "
                f"{system.name} is {system.rules}, R{published[1]} of [FRS]."
            )
            return


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


WORD = "word"
"""The kind of class that words of one form are."""


@dataclass(frozen=True, kw_only=True)
class MisorderedClass:
    """How many words a class has, how many of them are misordered, that share, and their wrong pairs."""

    kind: str
    """What makes words a class: `word`, `tag`, `label`, `head tag > label`."""
    name: str
    count: int
    misordered: int
    rate: float
    wrong_pairs: int
    after: MisorderedClass | None = None
    """The same under the second of two rule sets; None where there is one only."""

    def to_dict(self) -> Document:
        """Return a row of the analysis."""
        named = {WORD: self.name} if self.kind == WORD else {"kind": self.kind, "class": self.name}
        row = named | {
            "count": self.count,
            "misordered": self.misordered,
            "rate": self.rate,
            "wrong_pairs": self.wrong_pairs,
        }
        if self.after is not None:
            row |= {
                "after_misordered": self.after.misordered,
                "after_rate": self.after.rate,
                "after_wrong_pairs": self.after.wrong_pairs,
                "change": self.after.wrong_pairs - self.wrong_pairs,
            }
        return row


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


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleCost(Estimate):
    """What a rule, or one of its groups, does: scores with all rules, without it, and with it alone.

    The value is the difference that it makes in the sentences in which it fires.
    """

    rule: str
    group: str | None
    """None for the whole rule."""
    fires: int
    sentences: int
    whole: float | None
    without: float | None
    alone: float | None
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
            "difference": self.value,
            "low": self.low,
            "high": self.high,
        }


AnalysisRow = MisorderedClass | AnalysedSentence | RuleCost


@dataclass(frozen=True, kw_only=True)
class AnalysisResult(Result):
    """Rows of each analysis that was asked for, the costliest first."""

    schema: ClassVar[str] = "kilter.preordering.analysis/1"
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
            "schema": self.schema,
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

    def data(self) -> Table:
        """Return the rows of the one analysis."""
        (analysed,) = self.analyses.values()
        rows = [row.to_dict() for row in analysed]
        return Table.of(list(rows[0]) if rows else ["segment"], rows)

    def tables(self) -> list[Table]:
        """Return the rows of each analysis."""
        rules = [self.rules] + ([] if self.after_rules is None else [self.after_rules])
        found: list[Table] = []
        for name, rows in self.analyses.items():
            sentences = [row for row in rows if isinstance(row, AnalysedSentence)]
            compared = any(row.other is not None for row in sentences)
            title = "sentences that differ most" if compared else self._title(name)
            title = f"{title}: {self.parser} x {', '.join(rules)}"
            if not rows:
                found.append(Table(title, [], [], text="none"))
            elif sentences:
                for row in sentences:
                    found += _sentence_tables(row, title)
                    title = ""
            else:
                listed = [row.to_dict() for row in rows]
                left = _LEFT[name] + (name is Analysis.RULES and self.after_rules is not None)
                columns = [Column(each, _cell) for each in listed[0]]
                found.append(Table.of(columns, listed, title=title, left=left))
        after = "" if self.after_score is None else f", then {self.after_score:.4f}"
        summary = f"{counted(self.segments, 'sentence')}, frs {self.score:.4f}{after}."
        return [Table(notes=[summary]), *found, Table("", [], [], [Note("", self.signature)])]

    def _title(self, name: Analysis) -> str:
        if name not in (Analysis.WORDS, Analysis.CLASSES):
            return _TITLES[name]
        if self.after_rules is not None and self.sort is not RowOrder.COUNT:
            return f"{_TITLES[name]} that changed most by {self.sort.field.replace('_', ' ')}"
        return f"{_TITLES[name]} {_SORTED[self.sort]}"


def _sentence_tables(row: AnalysedSentence, title: str) -> Iterator[Table]:
    """Yield each sentence by itself: whole sentences side by side are wider than any page."""
    short, long = _figures(row), _orders(row)
    trees = [f"    {line}" for tree in row.drawn for line in tree.draw().splitlines()]
    orders = [f"  {name:12}  {text}" for name, text in long.items()]
    figures = "  ".join(f"{name} {value}" for name, value in short.items())
    yield Table(title, list(short), [list(short.values())], text=figures)
    yield Table("", ["order", "words"], long.items(), left=2, text="\n".join([*orders, *trees]))


_SORTED = {
    RowOrder.WRONG_PAIRS: "in the most wrong pairs",
    RowOrder.MISORDERED: "most often misordered",
    RowOrder.RATE: "with the highest rate of misordered ones",
    RowOrder.COUNT: "that occur most",
}
_TITLES = {
    Analysis.WORDS: "words",
    Analysis.CLASSES: "classes of words",
    Analysis.SENTENCES: "worst sentences",
    Analysis.RULES: "rules and their groups, the costliest first",
}
# How many columns hold text; everything else is a number.
_LEFT = {Analysis.WORDS: 1, Analysis.CLASSES: 2, Analysis.RULES: 2}


def _figures(row: AnalysedSentence) -> dict[str, str]:
    figures = {
        "segment": _cell(row.segment),
        "score": _cell(row.score),
        "chunks": _cell(row.chunks),
    }
    if row.other is None:
        return figures
    compared = {"other_score": _cell(row.other.score), "difference": _cell(row.other.difference)}
    return figures | compared


def _orders(row: AnalysedSentence) -> dict[str, str]:
    orders = {"source": row.source, "system": row.system}
    if row.other is not None:
        orders["other system"] = row.other.system
    orders["reference"] = row.reference
    if row.other is not None and row.other.tree is not None and not row.drawn:
        orders |= {"tree": row.other.tree, "other tree": row.other.other_tree or ""}
    return orders


def _cell(value: float | str | None) -> str:
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


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
    """Punctuation that was kept at the end, whatever the rules say, and is not part of any."""
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


def _shown() -> Any:
    """Return what shows explanations: a room further up, which knows this one."""
    return import_module("kilter.render.explanation.preorder_explanation")


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

    def __str__(self) -> str:
        return "\n".join(_shown().explanation_lines(self))

    def _repr_html_(self) -> str:
        return str(_shown().preorder_picture(self))

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
class RuleSearchResult(Result):
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

    def data(self) -> Table:
        """Return a row for every step."""
        return Table("", _STEP_COLUMNS, self._steps())

    def _steps(self) -> Iterator[list[object]]:
        before: RuleScores | None = None
        for number, step in enumerate(self.steps):
            gain = None if before is None else step.training.objective - before.objective
            held = (
                (None, None)
                if step.held_out is None
                else (step.held_out.frs, step.held_out.kendall)
            )
            yield [number, step.what, gain, step.training.frs, step.training.kendall, *held]
            before = step.training

    def tables(self) -> list[Table]:
        """Return what each step changed and gained, and what held-out sentences say of it."""
        columns = [Column(name, _cell, name.replace("_", " ")) for name in _STEP_COLUMNS]
        shown = len(columns) if self.held_out > 0 else -2
        rows = [row[:shown] for row in self._steps()]
        steps = Table(
            "the search" if self.levels else "", columns[:shown], rows, _search_notes(self), left=2
        )
        return [self._level_table(), steps] if self.levels else [steps]

    def _level_table(self) -> Table:
        scores = [Column(name, ".4f") for name in ("frs", "kendall")]
        gain = [Column(name, "+.4f") for name in ("gain", "low", "high")]
        columns = [
            Column("level"), Column("least gain", ".4g"), Column("steps", ".1f"), *scores, *gain,
            Column("chosen"),
        ]  # fmt: skip
        rows = [
            [
                str(number),
                level.minimum_gain,
                level.steps,
                level.held_out.frs,
                level.held_out.kendall,
                *level.gain,
                "*" if number == self.level else "",
            ]
            for number, level in enumerate(self.levels)
        ]
        return Table("how far to go: cross-validation", columns, rows)


_STEP_COLUMNS = ("step", "change", "gain", "frs", "kendall", "held_out_frs", "held_out_kendall")
_FEW_HELD_OUT = 30


def _search_notes(result: RuleSearchResult) -> list[str]:
    found = [
        f"{counted(result.tried, 'rule set')} scored on {counted(result.sentences, 'sentence')}; objective "
        f"{result.objective}" + (" (frs + kendall / 2)" if result.objective == "mix" else "")
    ]
    if result.levels:
        found.append(
            f"how small a gain may be was decided by {result.folds} folds of these sentences, each scored by rules that were "
            "searched on the others; the level with the best objective was taken"
        )
    if not result.finished:
        found.append(
            "the search was stopped before every change had been tried in vain; --passes goes on"
        )
    if result.gain is None:
        found.append("nothing was held out: what the rules gain elsewhere is not known")
        return found
    gain, low, high = result.gain
    verdict = "a gain" if low > 0 else "a loss" if high < 0 else "no difference beyond chance"
    found.append(
        f"on {counted(result.held_out, 'held-out sentence')} the objective changed by {gain:+.4f} "
        f"[{low:+.4f}, {high:+.4f}]: {verdict}"
    )
    if result.held_out < _FEW_HELD_OUT:
        found.append(f"{counted(result.held_out, 'sentence')} are few to say so")
    return found


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


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOutGain(Estimate):
    """What one parser gains over another on the same held-out sentences, by one score.

    Its p-value is that of a sign-flip test on the same sentences, not corrected for the number of comparisons.
    """

    first: str
    second: str
    metric: str

    @property
    def verdict(self) -> str:
        """What the interval and the test both say: of few sentences, resamples alone say too much."""
        if self.low is None or self.high is None:
            return "too little to say"
        if self.p is None or self.p >= LIKELY or self.low <= 0 <= self.high:
            return "no difference beyond chance"
        return "a gain" if self.low > 0 else "a loss"


@dataclass(frozen=True, kw_only=True)
class SelfTrainingResult(Result):
    """The rounds of a run; round 0 has learned from the treebank alone.

    `contrasts` are other parsers from the same data: greedy, beam, plain, targeted, lowercase.
    """

    schema: ClassVar[str] = "kilter.selftraining/1"
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
            "schema": self.schema,
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

    def data(self) -> Table:
        """Return a row for every parser."""
        columns = (
            "table", "parser", "what", *_PICKED, "training", Column("frs", ".4f[]"), Column("kendall", ".4f[]"),
            *_ACCURACY, "model",
        )  # fmt: skip
        tables = (("round", self.rounds), ("contrast", self.contrasts))
        rows = [_parser_row(name, parser) for name, listed in tables for parser in listed]
        return Table("", columns, rows)

    def tables(self) -> list[Table]:
        """Return what each round picked and scores, and whether the last is better than the first."""
        names = ("picked", "changed", "first", "selected")
        rows = [
            [str(number), *_fields(parser.pick, names), parser.training, *_held_out(parser)]
            for number, parser in enumerate(self.rounds)
        ]
        columns = [*map(Column, ("round", *names, "training")), *_held_out_columns(self.rounds)]
        found = [Table("rounds", columns, rows)]
        if self.contrasts:
            others = [[each.name, each.what, *_held_out(each)] for each in self.contrasts]
            columns = [
                Column("parser"),
                Column("what it has learned from"),
                *_held_out_columns(self.contrasts),
            ]
            found.append(Table("other ways to learn from the same", columns, others, left=2))
        return [*found[:-1], found[-1].noted(*_training_notes(self))]


_PICKED = ("picked", "changed", "first", "selected", "worst")
_ACCURACY = ("las", "uas", "tags")


def _fields(record: object, names: Sequence[str]) -> list[object]:
    """Return fields of a record, as many None of none."""
    return [getattr(record, name, None) for name in names]


def _parser_row(table: str, parser: LearnedParser) -> list[object]:
    return [
        table, parser.name, parser.what, *_fields(parser.pick, _PICKED), parser.training, parser.frs, parser.kendall,
        *_fields(parser.accuracy, _ACCURACY), parser.model,
    ]  # fmt: skip


def _held_out_columns(parsers: Sequence[LearnedParser]) -> list[Column]:
    scores = [Column(name, ".4f[]") for name in ("held-out frs", "held-out kendall")]
    return [*scores, *([] if parsers[0].accuracy is None else [Column("las")])]


def _held_out(parser: LearnedParser) -> list[object]:
    accuracy = parser.accuracy
    return [parser.frs, parser.kendall, *([] if accuracy is None else [accuracy.las])]


def _training_notes(result: SelfTrainingResult) -> Iterator[Note]:
    yield Note(
        f"rules {result.rules}; {counted(result.treebank, 'tree')}, {counted(result.sentences, 'training sentence')}, "
        f"{counted(result.held_out, 'held-out sentence')}, which decide nothing; 95% intervals from 1000 resamples"
    )
    yield Note(
        "first, selected: mean frs of the first and of the picked parse among the n-best of the round before; "
        "training: of the parser that has learned from them"
    )
    rough = evidence_note(result.held_out, noun="held-out sentence")
    if rough:
        yield Note(rough)
    if result.converged:
        yield Note("the last round gained too little on the training sentences to go on")
    if result.gains or result.contrast_gains:
        yield Note("differences on the same held-out sentences; p: sign-flip test, not corrected")
    for gain in (*result.gains, *result.contrast_gains):
        yield Note(_gain_text(gain))
    if not result.gains:
        yield Note("there was one round: nothing was picked yet")


def _gain_text(gain: HeldOutGain) -> str:
    return (
        f"{gain.second} against {gain.first}, held-out {gain.metric}: {gain:+.4f[]}, p {p_text(gain.p)}: "
        f"{gain.verdict}"
    )


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
    named = {"first": gain.first, "second": gain.second, "metric": gain.metric}
    difference = {"difference": gain.value, "low": gain.low, "high": gain.high, "p": gain.p}
    return named | difference | {"verdict": gain.verdict}
