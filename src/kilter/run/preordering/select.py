"""The parse whose reordering scores best: trees for targeted self-training. [FRS]"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import OptionError
from kilter.core.reordering import PrintedOrder
from kilter.core.settings import check_fields, checked, flag, setting
from kilter.io.conllu import Treebank, detailed, write_conllu
from kilter.metrics.frs import Frs
from kilter.metrics.tied_order import Matching
from kilter.preordering.rule_file import as_rule_set
from kilter.preordering.rule_set import RuleSet
from kilter.results.score_result import ScoreTable
from kilter.run.preordering.evaluate import ReorderingScorer, check_one_source

if TYPE_CHECKING:
    from numpy.typing import NDArray


_OWN_COMMENT = re.compile(r"#\s*(parse|rank|frs)\s*=")
"""What selection says anew; a file may say it already."""


class Candidate(NamedTuple):
    """A parse of a sentence: its file, its tree there, and the score of its reordering."""

    bank: int
    tree: int
    score: float


@dataclass(frozen=True, kw_only=True)
class ParseChoice:
    """What was selected for a sentence (zero-based): its rank among the parses, from 1."""

    segment: int
    rank: int
    candidates: tuple[Candidate, ...]

    @property
    def selected(self) -> Candidate:
        """The parse that was selected."""
        return self.candidates[self.rank - 1]


@dataclass(frozen=True, kw_only=True)
class Selection:
    """One choice per sentence, and which of them are written."""

    choices: tuple[ParseChoice, ...]
    written: tuple[ParseChoice, ...]

    def means(self) -> dict[str, float]:
        """Return the mean score of first, selected and worst parses over all sentences."""
        scores = [[candidate.score for candidate in each.candidates] for each in self.choices]
        if not scores:
            return {}
        return {
            "first": float(np.mean([each[0] for each in scores])),
            "selected": float(np.mean([max(each) for each in scores])),
            "worst": float(np.mean([min(each) for each in scores])),
        }

    def statistics(self) -> ScoreTable:
        """Return a row per sentence, counted from 1: parses, rank, scores, whether it was written."""
        listed: list[dict[str, object]] = [
            {
                "segment": each.segment + 1,
                "parses": len(each.candidates),
                "rank": each.rank,
                "first": each.candidates[0].score,
                "selected": each.selected.score,
                "worst": min(candidate.score for candidate in each.candidates),
                "written": each in self.written,
            }
            for each in self.choices
        ]
        names = ("segment", "parses", "rank", "first", "selected", "worst", "written")
        return ScoreTable({name: np.array([row[name] for row in listed]) for name in names})


def best_rank(scores: Sequence[float]) -> int:
    """Return the place, from 0, of the highest score; of equal ones the first (A30).

    >>> best_rank([0.5, 0.7, 0.7])
    1
    """
    return max(range(len(scores)), key=lambda place: (scores[place], -place))


@dataclass(frozen=True, kw_only=True)
class SelectSettings:
    """Which parses are written."""

    minimum: float = setting(
        default=0.0, low=0, high=1, description="Leave out sentences whose best parse scores lower."
    )
    changed_only: bool = flag(description="Leave out sentences whose first parse is the best.")
    matching: Matching = field(default_factory=Matching)

    def __post_init__(self) -> None:
        check_fields(self)


@checked
def select_parses(
    banks: Sequence[Treebank],
    rules: RuleSet | str,
    reference: PrintedOrder,
    *,
    metric: Frs | None = None,
    minimum: float = 0.0,
    changed_only: bool = False,
    jobs: int = 1,
) -> Selection:
    """Return for each sentence the parse whose reordering has the highest score. Section 11.5

    The parses of a sentence are those of the first file in their order, then those of the next. With
    `minimum` and `changed_only`, sentences that score lower, or whose first parse is the best, are not
    written. The rule set may be given by name, or by the path of its file.
    """
    if not banks:
        raise OptionError("give at least one file of trees")
    if not 0.0 <= minimum <= 1.0:
        raise OptionError(f"minimum is {minimum}; it must lie between 0 and 1")
    check_one_source([bank.trees for bank in banks])
    chosen = metric or Frs()
    rule_set = as_rule_set(rules)
    scores = [_tree_scores(bank, rule_set, reference, chosen, jobs) for bank in banks]
    choices = []
    for segment in range(len(reference)):
        candidates = tuple(
            Candidate(number, tree, float(score[tree]))
            for number, (bank, score) in enumerate(zip(banks, scores, strict=True))
            for tree in range(int(bank.trees.parses[segment]), int(bank.trees.parses[segment + 1]))
        )
        rank = best_rank([candidate.score for candidate in candidates]) + 1
        choices.append(ParseChoice(segment=segment, rank=rank, candidates=candidates))
    kept = (
        each
        for each in choices
        if each.selected.score >= minimum and (each.rank > 1 or not changed_only)
    )
    return Selection(choices=tuple(choices), written=tuple(kept))


@checked
def write_selection(banks: Sequence[Treebank], selection: Selection) -> Iterator[str]:
    """Yield the selected trees as CoNLL-U, with comments that say their rank and score."""
    last = max((each.selected.bank for each in selection.written), default=-1)
    if last >= len(banks):
        raise OptionError(
            f"the selection is from {counted(last + 1, 'file')} of trees, but there are {len(banks)}; give the same"
        )
    return _written(banks, selection)


def _written(banks: Sequence[Treebank], selection: Selection) -> Iterator[str]:
    extra: list[dict[int, list[str]]] = [{} for _ in banks]
    for each in selection.written:
        choice = each.selected
        extra[choice.bank][choice.tree] = [f"# rank = {each.rank}", f"# frs = {choice.score:.6f}"]
    pieces = []
    for bank, more in zip(banks, extra, strict=True):
        comments = tuple(
            (*(line for line in lines if not _OWN_COMMENT.match(line)), *more.get(tree, []))
            for tree, lines in enumerate(bank.comments)
        )
        pieces.append(list(write_conllu(replace(bank, comments=comments, ending="\n\n"))))
    for each in selection.written:
        yield pieces[each.selected.bank][each.selected.tree]


def _tree_scores(
    bank: Treebank, rules: RuleSet, reference: PrintedOrder, metric: Frs, jobs: int
) -> NDArray[np.float64]:
    """Return the score of every tree, each parse counted."""
    # Checks sentence by sentence, so that messages name the right lines; all parses share their words.
    column = detailed(bank.trees, bank.kept)
    ReorderingScorer(column.first_parses(), reference, match=metric.match, jobs=jobs)
    counts = np.diff(column.parses)
    if (counts == 1).all():
        trees, expected = column, reference
    else:
        trees = replace(column, parses=np.arange(column.trees + 1), joined=())
        expected = reference.repeated(counts)
    scorer = ReorderingScorer(trees, expected, match=metric.match, jobs=jobs)
    return metric.match_scores(scorer.score(rules).match)
