"""Figures that [TH] prints about its judgments, beside those of another study. Section 13"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.table import Table, people_text
from kilter.io.published import study_figures, study_outcomes
from kilter.render.page.sub_report import Cell, SubReport
from kilter.stats.undefined import Number, Undefined
from kilter.study.analysis.answer_distribution import question_table
from kilter.study.analysis.score_distribution import token_changes
from kilter.study.analysis.sentence_length import sentence_lengths
from kilter.study.judgments.judgment_study import SentenceGroup

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kilter.run.meta.hypothesis import HypothesisResult
    from kilter.study.analysis.adjustment import Adjustment
    from kilter.study.judgments.judgment_study import JudgmentStudy


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedValue:
    """One figure or outcome: what the publication prints, and what this study gives."""

    name: str
    place: str
    published: float | int | str
    ours: Number | int | str


def published_values(
    study: JudgmentStudy,
    *,
    adjustments: Mapping[str, Adjustment] | None = None,
    results: Sequence[HypothesisResult] = (),
) -> tuple[PrintedValue, ...]:
    """Return every printed figure beside ours; `results` are the study's hypotheses."""
    ours = _Ours(study, adjustments or {}, {each.id: each for each in results})
    values = [
        PrintedValue(
            name=figure.name,
            place=figure.place,
            published=figure.printed,
            ours=ours.value(figure.key),
        )
        for figure in study_figures()
    ]
    values += [
        PrintedValue(
            name=f"hypothesis {name}", place="chapter 7", published=outcome, ours=ours.outcome(name)
        )
        for name, outcome in study_outcomes().items()
    ]
    return tuple(values)


@dataclass(frozen=True, eq=False)
class _Ours:
    """What a study gives, by the keys of printed figures."""

    study: JudgmentStudy
    adjustments: Mapping[str, Adjustment]
    results: Mapping[str, HypothesisResult]

    def value(self, key: str) -> Number | int:
        """Return the figure of a key."""
        plain: dict[str, Callable[[], Number | int]] = {
            "participants": lambda: len(self.study.participants),
            "judgments": self._judgments,
            "length_r": self._length,
            "translation_r": lambda: self._r(SentenceGroup.TRANSLATION),
            "permutation_r": lambda: self._r(SentenceGroup.PERMUTATION),
            "both_best": lambda: self._corner(-1, -1),
            "both_worst": lambda: self._corner(0, 0),
            "worst_holistic": lambda: self._corner(0, -1),
            "worst_order": lambda: self._corner(-1, 0),
            "threshold": lambda: self._spread("threshold"),
            "spread_structured": lambda: self._spread("structured"),
            "spread_flattened": lambda: self._spread("flattened"),
        }
        if key in plain:
            return plain[key]()
        subject, _, detail = key.rpartition("_")
        return self._changed(detail) if subject == "changed" else self._change(detail)

    def outcome(self, name: str) -> str | Undefined:
        """Return what became of a hypothesis."""
        if name not in self.results:
            return Undefined("the hypothesis was not tested")
        result = self.results[name]
        return result.supported if isinstance(result.supported, Undefined) else result.result

    def _judgments(self) -> int:
        known = [~np.isnan(self.study.levels[each.name]) for each in self.study.questions]
        return int(np.count_nonzero(np.any(known, axis=0) & self.study.rows())) if known else 0

    def _length(self) -> Number:
        line = sentence_lengths(self.study).regression
        return line if isinstance(line, Undefined) else line.pearson

    def _r(self, group: SentenceGroup) -> Number:
        table = question_table(self.study, sentences=group)
        return table if isinstance(table, Undefined) else table.pearson

    def _corner(self, row: int, column: int) -> int | Undefined:
        table = question_table(self.study)
        return table if isinstance(table, Undefined) else table.counts[row][column]

    def _changed(self, kind: str) -> Number:
        changes = token_changes(self.study)
        if isinstance(changes, Undefined):
            return changes
        return next(change.changed for change in changes if change.type == kind)

    def _change(self, question: str) -> Number:
        if question not in self.adjustments:
            return Undefined("answers to this question were not adjusted")
        test = self.adjustments[question].change
        return test if isinstance(test, Undefined) else test.p

    def _spread(self, which: str) -> Number:
        result = self.results.get("EVAL_CONF")
        if result is None or isinstance(result.supported, Undefined):
            return Undefined("no structured variant was scored in two configurations")
        if which == "threshold":
            return result.numbers[which]
        spreads = [
            spread
            for name, spread in result.numbers.items()
            if name != "threshold" and name.startswith("f") is (which == "flattened")
        ]
        return max(spreads) if spreads else Undefined(f"no {which} variant has correlations")


def published_report(values: Sequence[PrintedValue], *, simulated: bool) -> SubReport:
    """Return the sub-report of published figures beside ours."""
    outcomes = [each for each in values if isinstance(each.published, str)]
    same = sum(each.ours == each.published for each in outcomes)
    whose = "These judgments are simulated" if simulated else "This is another study"
    return SubReport(
        name="published",
        title="Published figures beside ours",
        text=(
            (
                f"{same} of {len(outcomes)} hypotheses have the published outcome. {whose}: other people, sentences and "
                "tools, so that figures need not agree."
            ),
        ),
        data=Table(
            columns=("name", "place", "published", "ours"),
            rows=tuple(
                (each.name, each.place, _cell(each.published), each.ours) for each in values
            ),
            left=2,
        ),
        shown=(
            Table(
                columns=("name", "place", "published", "ours"),
                rows=tuple(
                    (each.name, each.place, _cell(each.published), _shown(each.ours))
                    for each in values
                ),
                left=4,
            ),
        ),
        notes=(
            (
                "n: figures that [TH] prints about its judgments, which are deposited elsewhere; where this study "
                "cannot give one it is missing, with the reason."
            ),
            (
                "The test of original against adjusted answers cannot differ from zero where effects are centred, as here; "
                "how the published p came about is not known."
            ),
        ),
    )


def _cell(value: float | str) -> str:
    """Return a printed figure as it is printed."""
    return value if isinstance(value, str) else f"{value:g}"


def _shown(value: float | str | Undefined) -> Cell:
    return value if isinstance(value, str | Undefined) else people_text(value)
