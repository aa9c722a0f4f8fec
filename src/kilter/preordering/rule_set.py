"""Rule sets: how the children of a head and the head itself are ordered. [FRS]"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from kilter.core.errors import OptionError
from kilter.preordering.condition import ANY, Condition, fits_label

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["ANY", "HEAD", "OTHER", "Group", "Method", "Rule", "RuleSet"]

OTHER = "OTHER"
"""The group of all children whose label no group of the rule names."""
HEAD = "HEAD"
"""The head itself."""


class Method(StrEnum):
    """What a rule set does with a tree."""

    PRECEDENCE = "precedence"
    NONE = "none"
    REVERSE = "reverse"
    HEAD_FINAL_LEFT_REVERSED = "head-final-left-reversed"
    HEAD_FINAL_RIGHT_REVERSED = "head-final-right-reversed"


@dataclass(frozen=True, kw_only=True)
class Group:
    """Labels of children that stand side by side: in their order, or in reverse.

    With `when`, only those of them of which the condition holds.
    """

    labels: tuple[str, ...]
    reverse: bool = False
    when: Condition | None = None

    def __str__(self) -> str:
        listed = self.labels[0] if len(self.labels) == 1 else f"[{' '.join(self.labels)}]"
        held = "" if self.when is None else f" when {self.when}"
        return listed + (" reversed" if self.reverse else "") + held

    @property
    def is_special(self) -> bool:
        """Whether it is OTHER or HEAD."""
        return self.labels in ((OTHER,), (HEAD,))

    def specificity(self, label: str) -> int:
        """Return how closely the group names a label: -1 not at all, larger where it names more of it.

        >>> group = Group(labels=("obl:*", "nmod:poss"))
        >>> [group.specificity(label) for label in ("obl", "obl:tmod", "nmod", "nmod:poss")]
        [3, 3, -1, 10]
        """
        return max(fits_label(pattern, label) for pattern in self.labels)


@dataclass(frozen=True, kw_only=True)
class Rule:
    """The order of the children of heads of some categories, and of the head among them.

    With `when`, only of heads of which the condition holds.
    """

    heads: tuple[str, ...]
    groups: tuple[Group, ...]
    when: Condition | None = None

    @property
    def name(self) -> str:
        """The categories and the condition, as messages and tables name the rule."""
        return " ".join(self.heads) + ("" if self.when is None else f" when {self.when}")

    def slot(self, label: str) -> int:
        """Return the number of the group that a child with this label belongs to, if no condition holds of it."""
        named = [-1 if group.when else group.specificity(label) for group in self.groups]
        best = max(named)
        return named.index(best) if best >= 0 else self.place(OTHER)

    def place(self, special: str) -> int:
        """Return the number of the group OTHER or HEAD."""
        return next(k for k, group in enumerate(self.groups) if group.labels == (special,))

    def without_group(self, place: int) -> Rule:
        """Return the rule in which the labels of a group fall under OTHER."""
        return replace(self, groups=self.groups[:place] + self.groups[place + 1 :])

    def with_only_group(self, place: int) -> Rule:
        """Return the rule with this group, OTHER and HEAD, in their order."""
        kept = [group for k, group in enumerate(self.groups) if k == place or group.is_special]
        return replace(self, groups=tuple(kept))


@dataclass(frozen=True, kw_only=True)
class RuleSet:
    """A name and a method; for precedence rules, the rules by head category.

    The first rule that names the category of a head, and whose condition holds, is the one that orders its children;
    rules for `*` come after all others.
    """

    name: str
    method: Method = Method.PRECEDENCE
    rules: tuple[Rule, ...] = ()
    keep_final_punctuation: bool = False
    description: str = field(default="", compare=False)

    def rule_of(self, tag: str) -> int:
        """Return the number of the rule for heads with this tag, or -1; `*` is for all others.

        Rules with a condition do not count: it is the one that is left where none of them holds.
        """
        return self.rules_of([tag])[0]

    def rules_of(self, tags: Iterable[str]) -> list[int]:
        """Return the same for each of several tags."""
        places = {
            head: k for k, rule in enumerate(self.rules) if rule.when is None for head in rule.heads
        }
        others = places.get(ANY, -1)
        return [places.get(tag, others) for tag in tags]

    def conditions(self) -> list[Condition]:
        """Return every condition of the rules and their groups, with all that these hold."""
        held = [rule.when for rule in self.rules]
        held += [group.when for rule in self.rules for group in rule.groups]
        return [each for when in held if when is not None for each in when.below()]

    @property
    def needs_details(self) -> bool:
        """Whether some condition looks at lemmas or fine tags, which trees are mostly read without."""
        return any(each.lemma or each.xpos for each in self.conditions())

    def check_for_parser(self) -> None:
        """Raise an `OptionError` if a condition looks at lemmas: parsers give none."""
        if any(each.lemma for each in self.conditions()):
            raise OptionError(
                f"rule set {self.name} looks at lemmas, and no parser gives any; write word instead of lemma in its "
                "conditions, or run kilter preorder search without --lemmas"
            )

    def without_rule(self, place: int) -> RuleSet:
        """Return the set less one rule: its categories fall to the rule for `*`, or keep their words in place."""
        return replace(self, rules=self.rules[:place] + self.rules[place + 1 :])

    def with_only_rule(self, rule: Rule) -> RuleSet:
        """Return the set with this rule and no other."""
        return replace(self, rules=(rule,))

    def with_rule(self, place: int, rule: Rule) -> RuleSet:
        """Return the set with another rule at this place."""
        return replace(self, rules=(*self.rules[:place], rule, *self.rules[place + 1 :]))
