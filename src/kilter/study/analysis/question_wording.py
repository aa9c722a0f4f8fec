"""What participants were asked, word for word. Section 12.5"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.render.page.sub_report import SubReport

if TYPE_CHECKING:
    from kilter.study.judgments.judgment_study import JudgmentStudy


_ABOUT = {
    "judgments": ("sentences", "Questions about each sentence"),
    "participants": ("participants", "Questions about participants"),
}


def wording_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of the wording of all questions, as the dictionary of the data has it."""
    asked = {table: study.wording[table] for table in _ABOUT if study.wording.get(table)}
    return SubReport(
        name="wording",
        title="Wording of the questions",
        text=(_text(study),),
        data=Table(
            columns=("about", "question", "wording"),
            rows=tuple(
                (_ABOUT[table][0], *entry)
                for table, names in asked.items()
                for entry in names.items()
            ),
            left=3,
        ),
        shown=tuple(
            Table(
                columns=("question", "wording"),
                rows=tuple(names.items()),
                left=2,
                title=_ABOUT[table][1],
            )
            for table, names in asked.items()
        ),
        notes=(
            (
                "n: all questions of the dictionary, in English; consent and what the survey records by itself are not "
                "among them."
            ),
        ),
    )


def _text(study: JudgmentStudy) -> str:
    if not study.wording:
        return "The data has no dictionary: the wording of the questions is not known."
    sentences, people = (len(study.wording.get(table, {})) for table in _ABOUT)
    return (
        f"Participants were asked {counted(sentences, 'question')} about each sentence, and {people} about "
        "themselves."
    )
