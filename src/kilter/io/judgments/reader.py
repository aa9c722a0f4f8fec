"""Judgments from a file of any known format."""

from __future__ import annotations

import csv
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError, KilterWarning, OptionError, Setting
from kilter.core.judgments import JudgedScores, Judgments
from kilter.core.language import same_pair
from kilter.core.settings import Choice, checked
from kilter.io.compression import uncompressed_name
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
from kilter.io.judgments.system_name import SystemNames
from kilter.io.score_file import read_score_rows
from kilter.io.stream import ByteSource, display_name, exists, is_folder
from kilter.io.table import is_only_table, read_table

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from kilter.io.table import DataTable

SUFFIX = ".seg.score"


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
        "is not a table of judgments: its first line names neither system1Id and system1rank (a ranking), nor "
        "better and worse (pairs), nor system, segment and score (scores), nor category and severity (MQM), "
        "nor participant, questionnaire, position and sentence (a survey); it names: "
        f"{table.header()}",
        where=f"{table.name}:1",
    )


def _checked(judgments: Judgments) -> Judgments:
    if not len(judgments.pairs) and not len(judgments.scores):
        raise InputError("holds no judgment that can be used", where=judgments.source)
    return judgments


_HEAD = ("srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId")
_COMPARED = ["segment", "one", "sign", "other"]
_SIGNS = ("<", "=", ">")
_RANK = re.compile(r"-1|[0-9]{1,2}|")
_NUMBER = re.compile(r"[0-9]{1,9}")
_PAIR = re.compile(r"[A-Za-z_]{2,}-[A-Za-z_]{2,}")


def read_judgment_table(
    source: ByteSource, *, check: Callable[[DataTable], object] | None = None
) -> DataTable:
    """Return a table of judgments; the columns of one without header are told with a `KilterWarning`.

    Those are known of rankings as WMT writes them, and of pairs: `SEGMENT BETTER WORSE`, the same with the
    language pair before each system, and `SEGMENT ONE > OTHER` (or `<`, `=`). A header
    is checked by `check` before its rows are.
    """
    if is_only_table(source.path):
        return read_table(source, check=check)
    first = b""
    for piece in source.chunks(again=True):
        first += piece
        if b"\n" in piece:
            break
    line = first.partition(b"\n")[0].decode(errors="replace").strip()
    names = _names(line)
    if names is None:
        return read_table(source, check=check)
    told = ", ".join(names)
    warnings.warn(
        f"{source.name}: has no header; its columns are taken as {told}",
        KilterWarning,
        stacklevel=2,
    )
    table = read_table(source, columns=names)
    return _preferred(table) if names == _COMPARED else table


def _preferred(table: DataTable) -> DataTable:
    """Return comparisons of two systems as pairs of the better and the worse."""
    better, worse, tie = [], [], []
    rows = zip(*(table.columns[name] for name in _COMPARED), strict=True)
    for row, (_, one, sign, other) in enumerate(rows):
        if sign not in _SIGNS:
            raise InputError(
                f"{sign!r} stands between systems; it must be >, < or =", where=table.where(row)
            )
        better.append(other if sign == "<" else one)
        worse.append(one if sign == "<" else other)
        tie.append(str(int(sign == "=")))
    columns = {"better": better, "worse": worse, "tie": tie}
    kept = {
        "segment": table.columns["segment"],
        **{name: tuple(cells) for name, cells in columns.items()},
    }
    return replace(table, columns=kept)


def _fields(line: str) -> list[str]:
    """Return what stands between the commas of a line; nothing, if it is no line of CSV."""
    try:
        return next(csv.reader([line]), [])
    except csv.Error:
        return []


def _names(line: str) -> list[str] | None:
    """Return the columns of a row that is no header; None for a header."""
    fields = _fields(line)
    cells = [cell.strip().strip('"') for cell in fields]
    systems, rest = divmod(len(cells) - len(_HEAD), 3)
    if systems > 1 and not rest and all(map(_RANK.fullmatch, cells[-systems:])):
        shown = [f"system{k}{part}" for k in range(1, systems + 1) for part in ("Number", "Id")]
        return [*_HEAD, *shown, *(f"system{k}rank" for k in range(1, systems + 1))]
    cells = line.split("\t") if "\t" in line else fields if "," in line else line.split()
    if not cells or not _NUMBER.fullmatch(cells[0]):
        return None
    if len(cells) == 3:
        return ["segment", "better", "worse"]
    if len(cells) == 4 and cells[2] in _SIGNS:
        return _COMPARED
    if len(cells) == 5 and cells[1] == cells[3] and _PAIR.fullmatch(cells[1]):
        return ["segment", "lp", "better", "lp of the worse", "worse"]
    return None


def human_score_file(folder: str, *, pair: str | None = None, name: str | None = None) -> str:
    """Return the file of human segment scores in a folder of mt-metrics-eval.

    The only one is taken; of several, `pair` and `name` have to leave one.
    """
    below = Path(folder) / "human-scores"
    if not is_folder(below):
        raise InputError(
            "is a directory without human-scores/ in it; name a judgment file", where=folder
        )
    names = sorted(path.name for path in below.glob(f"*{SUFFIX}"))
    kept = [
        entry
        for entry in names
        if (pair is None or same_pair(entry.partition(".")[0], pair))
        and (name is None or entry.removesuffix(SUFFIX).partition(".")[2] == name)
    ]
    if len(kept) != 1:
        listed = ", ".join(names) or "there is none"
        raise InputError(
            f"{len(kept)} of its files of human segment scores fit: {listed}"
            + ("; choose one, such as" if names else ""),
            where=str(below),
            advice=_choice(kept or names),
        )
    return str(below / kept[0])


def _choice(files: list[str]) -> Setting | None:
    """Return what chooses among files: the language pair of the first, or the name if all have one pair."""
    parts = [entry.removesuffix(SUFFIX).partition(".") for entry in files]
    if not parts:
        return None
    if len({pair for pair, _, _ in parts}) > 1:
        return Setting("pair", parts[0][0])
    return Setting("judgment_name", parts[0][2])


def metrics_eval(path: str, *, known: Container[str] = ()) -> Judgments:
    """Return the scores of a `.seg.score` file: rows of one system are its segments in order."""
    source = ByteSource(path)
    names = SystemNames(known)
    rows = read_score_rows(source)
    systems = names.single([row.system for row in rows])
    filled = [index for index, row in enumerate(rows) if row.score is not None]
    kept = [rows[index] for index in filled]
    counts = {"rows": len(rows), "scores": len(kept), "missing": len(rows) - len(kept)}
    return Judgments(
        source=source.name,
        systems=names.names,
        scores=JudgedScores(
            segment=np.array([row.segment for row in kept], dtype=np.int64),
            system=systems[filled],
            value=np.array([row.score for row in kept], dtype=np.float64),
            line=np.array([row.line for row in kept], dtype=np.int64),
        ),
        counts=counts,
    )
