"""Why a sentence was reordered as it was: the rules that fired, and what each moved."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from kilter import __version__

if TYPE_CHECKING:
    from kilter.core.dependency_tree import DependencyTree
    from kilter.results.document import Document

SCHEMA = "kilter.preordering.explanation/1"


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
            "schema": SCHEMA,
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
