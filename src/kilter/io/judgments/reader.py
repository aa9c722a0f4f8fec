"""Judgments from a file of any known format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kilter.core.errors import InputError, OptionError
from kilter.core.judgments import Judgments
from kilter.core.settings import Choice, checked
from kilter.io.compression import uncompressed_name
from kilter.io.judgments.headerless import read_judgment_table
from kilter.io.judgments.metrics_eval import SUFFIX, human_score_file, metrics_eval
from kilter.io.judgments.ranking import is_ranking, ranking
from kilter.io.judgments.segment_scores import (
    assessment,
    better_worse,
    is_assessment,
    is_better_worse,
    is_mqm,
    mqm,
)
from kilter.io.judgments.survey_export import DEFAULT_QUESTION, is_survey_export, survey_export
from kilter.io.stream import ByteSource, display_name, exists, is_folder
from kilter.io.table import read_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from kilter.io.table import DataTable


class JudgmentFormat(Choice):
    """How judgments are written; `auto` looks at the header of the table."""

    AUTO = "auto"
    RANKING = "ranking"
    PAIRS = "pairs"
    SCORES = "scores"
    MQM = "mqm"
    METRICS_EVAL = "mt-metrics-eval"
    SURVEY = "survey"


# In this order: an MQM table may also have a column score, a survey export one called system.
_TABLES: dict[JudgmentFormat, Callable[[DataTable], bool]] = {
    JudgmentFormat.RANKING: is_ranking,
    JudgmentFormat.PAIRS: is_better_worse,
    JudgmentFormat.SURVEY: is_survey_export,
    JudgmentFormat.MQM: is_mqm,
    JudgmentFormat.SCORES: is_assessment,
}

_QUESTIONS = "questions, as the export of a survey has"
_PAIRS = "language pairs, as a table of judgments may have"


@checked
def read_judgments(
    path: str,
    *,
    form: JudgmentFormat = JudgmentFormat.AUTO,
    outputs: Mapping[str, Sequence[str]] | None = None,
    pair: str | None = None,
    name: str | None = None,
    question: str | None = None,
) -> Judgments:
    """Return the judgments of a file, or of a folder of mt-metrics-eval.

    `outputs` are the systems' lines by name, as far as they are known: they tell how files write names, and
    which texts of a ranking are the same. `pair` chooses a language pair where there are several, `name` a
    file of a folder, `question` what participants of a survey answered, order where None is given. Either
    is an `OptionError` where there is nothing to choose from.
    """
    known = outputs or {}
    if not is_folder(path):
        _refuse_choice(path, "files of human scores, as a folder of mt-metrics-eval has", name)
    else:
        if form not in (JudgmentFormat.AUTO, JudgmentFormat.METRICS_EVAL):
            raise OptionError(
                f"{display_name(path)} is a folder, as mt-metrics-eval has, and not of the format {form}; "
                "name a file in it"
            )
        path = human_score_file(path, pair=pair, name=name)
        form, pair = JudgmentFormat.METRICS_EVAL, None
    if form is JudgmentFormat.METRICS_EVAL or (
        form is JudgmentFormat.AUTO and uncompressed_name(path).endswith(SUFFIX)
    ):
        _refuse_choice(path, _QUESTIONS, question)
        _refuse_choice(path, _PAIRS, pair)
        return _checked(metrics_eval(path, known=known))
    table = read_judgment_table(ByteSource(path), check=lambda header: _chosen(header, form))
    chosen = _chosen(table, form)
    if chosen is JudgmentFormat.SURVEY:
        _refuse_choice(path, _PAIRS, pair)
        asked, dictionary = question or DEFAULT_QUESTION, _beside(path, "dictionary")
        return _checked(survey_export(table, known=known, question=asked, dictionary=dictionary))
    _refuse_choice(path, _QUESTIONS, question)
    if chosen is JudgmentFormat.RANKING:
        return _checked(ranking(table, outputs=known, pair=pair))
    reader = {
        JudgmentFormat.PAIRS: better_worse,
        JudgmentFormat.MQM: mqm,
        JudgmentFormat.SCORES: assessment,
    }[chosen]
    return _checked(reader(table, known=known, pair=pair))


def _refuse_choice(path: str, lacking: str, chosen: str | None) -> None:
    """Raise an `OptionError` for a choice of something that judgments do not have."""
    if chosen is not None:
        raise OptionError(
            f"{display_name(path)} has no {lacking}; leave {chosen!r} out, or name other judgments"
        )


def _beside(path: str, name: str) -> DataTable | None:
    """Return another table of the export that a file belongs to, if it is there."""
    other = Path(path).with_name(f"{name}.csv")
    return read_table(ByteSource(str(other))) if path != "-" and exists(other) else None


def _chosen(table: DataTable, form: JudgmentFormat) -> JudgmentFormat:
    """Return the format of a table, which must have its columns."""
    chosen = _recognised(table) if form is JudgmentFormat.AUTO else form
    if not _TABLES[chosen](table):
        raise InputError(
            f"has not the columns of the format {chosen}; its columns are: {table.header()}",
            where=f"{table.name}:1",
        )
    return chosen


def _recognised(table: DataTable) -> JudgmentFormat:
    for form, recognises in _TABLES.items():
        if recognises(table):
            return form
    raise InputError(
        "is no table of judgments: its first line names neither system1Id and system1rank (a ranking), nor "
        "better and worse (pairs), nor system, segment and score (scores), nor category and severity (MQM), "
        "nor participant, questionnaire, position and sentence (a survey); it names: "
        f"{table.header()}",
        where=f"{table.name}:1",
    )


def _checked(judgments: Judgments) -> Judgments:
    if not len(judgments.pairs) and not len(judgments.scores):
        raise InputError("holds no judgment that can be used", where=judgments.source)
    return judgments
