"""Why a parser and a rule set score as they do: what `kilter preorder analyse` found."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from kilter import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.core.dependency_tree import DependencyTree
    from kilter.results.document import Document

SCHEMA = "kilter.preordering.analysis/1"


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
            "schema": SCHEMA,
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
