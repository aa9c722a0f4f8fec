"""One sentence and what rules do with it, before and after an edit of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kilter.core.counted import counted
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import OptionError
from kilter.core.reordering import PrintedOrder
from kilter.core.settings import checked
from kilter.metrics.frs import Frs
from kilter.preordering.fired_rule import applied_rules
from kilter.preordering.rule_file import as_rule_set
from kilter.preordering.rule_set import Method, RuleSet
from kilter.results.preordering import (
    AppliedRules,
    PreorderExplanation,
    RuleDifference,
)
from kilter.run.preordering.analyse import reference_text
from kilter.run.preordering.evaluate import ReorderingScorer

_AS_IT_STANDS = RuleSet(name="source", method=Method.NONE)


@checked
def explain_preorder(
    trees: DependencyTreeColumn,
    rule_sets: Sequence[RuleSet | str],
    *,
    segment: int,
    reference: PrintedOrder | None = None,
    metric: Frs | None = None,
) -> PreorderExplanation:
    """Return what one rule set, or two, do with a sentence (counted from 1).

    The first parse of each sentence counts. With a reference, the sentence is scored as it stands and as each
    set orders it.
    """
    sets = [as_rule_set(rules) for rules in rule_sets]
    if len(sets) not in (1, 2):
        raise OptionError("give one rule set, or two to compare")
    first = trees.first_parses()
    if not 1 <= segment <= len(first):
        raise OptionError(
            f"there is no sentence {segment}; the trees are those of "
            f"{counted(len(first), 'sentence')}, counted from 1"
        )
    place = segment - 1
    alone = first.picked(np.array([place]))
    tree = alone.tree(0)
    scores: list[float | None] = [None] * (1 + len(sets))
    if reference is not None:
        scores = [*_scores(first, [_AS_IT_STANDS, *sets], reference, metric or Frs(), place)]
    applied = [
        applied_rules(alone, rules, score=score)
        for rules, score in zip(sets, scores[1:], strict=True)
    ]
    if len(applied) == 2 and applied[0].rules == applied[1].rules:
        # Two editions of one file may say the same name.
        applied = [
            replace(each, rules=f"{each.rules} ({number})")
            for number, each in enumerate(applied, 1)
        ]
    return PreorderExplanation(
        segment=segment,
        tree=tree,
        applied=tuple(applied),
        differences=_differences(applied),
        reference=None if reference is None else reference_text(reference, tree.words, place),
        score=scores[0],
    )


def _scores(
    trees: DependencyTreeColumn,
    rule_sets: Sequence[RuleSet],
    reference: PrintedOrder,
    metric: Frs,
    place: int,
) -> list[float]:
    scorer = ReorderingScorer(trees, reference, match=metric.match)
    return [float(metric.match_scores(scorer.score(rules).match)[place]) for rules in rule_sets]


def _differences(applied: Sequence[AppliedRules]) -> tuple[RuleDifference, ...]:
    """Return the heads whose parts two sets put in different orders; no rule leaves them in place."""
    if len(applied) != 2:
        return ()
    first, second = ({fired.head: fired for fired in each.fired} for each in applied)
    found = []
    for head in sorted({*first, *second}):
        one, other = first.get(head), second.get(head)
        orders = [[part.word for part in fired.after] if fired else None for fired in (one, other)]
        stays = sorted(orders[0] or orders[1] or [])
        if (orders[0] or stays) != (orders[1] or stays):
            found.append(RuleDifference(head=head, first=one, second=other))
    return tuple(found)
