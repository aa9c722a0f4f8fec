"""The sentences that all questionnaires share, with their tags and answers. Section 12.4"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.render.page.sub_report import Cell, SubReport
from kilter.stats.undefined import Undefined
from kilter.study.judgments.judgment_study import SentenceGroup
from kilter.study.judgments.study_table import TAGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.study.judgments.judgment_study import JudgmentStudy


_SHOWN = {
    SentenceGroup.TRANSLATION: ("hypothesis", "reference", *TAGS),
    SentenceGroup.PERMUTATION: ("hypothesis", "reference", "type", "degree"),
}
_WORDS = ("sentence", "kind", "type", *TAGS, "hypothesis", "reference")


def shared_sentence_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of shared translations and permutations, and the mean answers to each question."""
    numbers = ("judgments", *(f"mean {question.name}" for question in study.questions))
    columns = (*_WORDS, "degree", *numbers)
    rows = {
        kind: [_row(study, at) for at in np.flatnonzero(study.shared & study.group(kind)).tolist()]
        for kind in _SHOWN
    }
    tables = tuple(
        _table(kind, [*_SHOWN[kind], *numbers], columns, listed)
        for kind, listed in rows.items()
        if listed
    )
    count = sum(map(len, rows.values()))
    return SubReport(
        name="shared",
        title="Sentences of all questionnaires",
        text=(
            f"All questionnaires share {counted(count, 'sentence')}."
            if count
            else "No sentence is in all questionnaires.",
        ),
        data=Table(
            columns=columns,
            rows=tuple(row for listed in rows.values() for row in listed),
            left=len(_WORDS),
        ),
        shown=tables,
        notes=(
            (
                "n: judgments of each sentence; means are of the answers that were given, as scores from 0, the worst, to "
                "1. Tags are those of picked items; others have none."
            ),
        ),
    )


def _row(study: JudgmentStudy, at: int) -> tuple[Cell, ...]:
    sentence = study.sentences[at]
    judged = study.sentence == at
    return (
        sentence.id,
        str(sentence.kind),
        sentence.type,
        *(sentence.tags.get(tag) for tag in TAGS),
        sentence.hypothesis,
        sentence.reference,
        sentence.degree,
        int(np.count_nonzero(judged)),
        *(_mean(study.scores(question.name)[judged]) for question in study.questions),
    )


def _mean(scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Cell:
    known = scores[~np.isnan(scores)]
    return float(known.mean()) if len(known) else Undefined("nobody has answered")


def _table(
    kind: SentenceGroup,
    shown: Sequence[str],
    columns: Sequence[str],
    rows: Sequence[tuple[Cell, ...]],
) -> Table:
    at = [columns.index(name) for name in shown]
    return Table(
        columns=tuple(shown),
        rows=tuple(tuple(row[place] for place in at) for row in rows),
        left=sum(name in _WORDS for name in shown),
        title=f"{str(kind).capitalize()}s that all questionnaires have",
    )
