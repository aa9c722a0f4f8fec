"""Scores of sentences by tools, of an export or of any other file. Section 12.6"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.core.language import same_pair
from kilter.io.judgments.system_name import SystemNames
from kilter.io.score_file import read_metric_scores
from kilter.io.stream import ByteSource
from kilter.io.table import DataTable, is_only_table, read_table
from kilter.io.text import read_table_lines
from kilter.metrics.registry import metric_names
from kilter.study.design.study import ItemKind
from kilter.study.judgments.judgment_study import RANK_TOOL, ToolScores

if TYPE_CHECKING:
    from pathlib import Path

    from kilter.study.judgments.judgment_study import JudgmentStudy

    Key = tuple[str, str, str]


# Of each the first name that is there counts.
_TOOL = ("tool", "metric")
_VALUE = ("value", "score")


def read_scores(path: Path, study: JudgmentStudy) -> tuple[ToolScores, ...]:
    """Return scores of external tools from a table of any format.

    Columns are `sentence`, or `system` and `segment` of a translation; `tool` (or `metric`); `value` (or
    `score`); and perhaps `variant` and `configuration`. Sentences that nobody judged are left out, but
    some must have been. The tool `wmt-rank` gives the rank scores of sentences. A file of WMT's metrics tasks
    needs no header: its rows are METRIC PAIR TESTSET SYSTEM SEGMENT SCORE. A tool that is called like one of
    Kilter's metrics stays apart from it, as `NAME (external)`.
    """
    source = ByteSource(str(path))
    of_task = not is_only_table(source.path) and _is_of_a_task(source)
    table = _task_table(source, study) if of_task else read_table(source, check=_check_columns)
    for row, name in enumerate(table.columns[table.need(*_TOOL)]):
        if name == RANK_TOOL and any(scores.tool == RANK_TOOL for scores in study.tools):
            raise InputError(
                f"{name} scores sentences whose rank scores the items of the study hold already; leave it "
                "out",
                where=table.where(row),
            )
    return scores_of(table, study, external=True)


def _check_columns(table: DataTable) -> None:
    table.need_all("scores", _TOOL, _VALUE, ("sentence", "system"))


def _is_of_a_task(source: ByteSource) -> bool:
    """Return whether a file has rows of WMT's metrics tasks: no header, and the fifth field is a segment."""
    first = read_table_lines(source, held="one score a line")[0].split()
    return len(first) in _TASK_WIDTHS and first[4].isdigit()


_TASK_WIDTHS = (6, 8)


def _task_table(source: ByteSource, study: JudgmentStudy) -> DataTable:
    """Return the rows of a metrics task about the study's pairs and systems, as sentences of the study.

    Systems may be written as their output was called, `newstest2014.de-en.uedin`.
    """
    lines = read_table_lines(source, held="one score a line")
    pairs = {text.split()[1] for text in lines}
    kept = list[tuple[int, str, str, str]]()
    for pair in dict.fromkeys(sentence.pair for sentence in study.sentences):
        written = [each for each in pairs if pair is not None and same_pair(each, pair)]
        if pair is not None and not written:
            continue
        places = {
            (sentence.system or "", sentence.segment): sentence.id
            for sentence in study.sentences
            if sentence.kind is ItemKind.TRANSLATION and sentence.pair == pair
        }
        names = SystemNames({system for system, _ in places})
        for metric, rows in read_metric_scores(source, name="", pair=(*written, None)[0]).items():
            kept += [
                (row.line, places[system, row.segment + 1], metric, repr(row.score))
                for row in rows
                if row.score is not None
                for system in names.members(row.system)
                if (system, row.segment + 1) in places
            ]
    if not kept:
        raise InputError(
            f"scores no translation of the study, which has {_said_systems(study)}; rows are METRIC PAIR TESTSET "
            "SYSTEM SEGMENT SCORE",
            where=source.name,
        )
    kept.sort()
    columns = dict(zip(("sentence", "tool", "value"), [*zip(*kept, strict=True)][1:], strict=True))
    return DataTable(source.name, columns, np.array([row[0] for row in kept]))


def _said_systems(study: JudgmentStudy) -> str:
    there = {(s.system, s.pair) for s in study.sentences if s.kind is ItemKind.TRANSLATION}
    return ", ".join(sorted(f"{system} ({pair})" for system, pair in there))


def scores_of(table: DataTable, study: JudgmentStudy, *, external: bool) -> tuple[ToolScores, ...]:
    """Return the scores in a table by tool, variant and configuration, in the order of the table."""
    tool, value = table.need(*_TOOL), table.need(*_VALUE)
    numbers = table.numbers(value)
    by_tool: dict[Key, ToolScores] = {}
    lines: dict[tuple[Key, int], int] = {}
    for row, place in enumerate(_places(table, study, external=external)):
        if place is None:
            continue
        key = _key(table, row, tool, external=external)
        if (key, place) in lines:
            raise InputError(
                f"{':'.join(filter(None, key[:2]))} scores {study.sentences[place].id!r} twice, first at "
                f"line {lines[key, place]}; keep one of the rows",
                where=table.where(row),
            )
        lines[key, place] = int(table.lines[row])
        if key not in by_tool:
            empty = np.full(len(study.sentences), np.nan)
            by_tool[key] = ToolScores(
                tool=key[0], variant=key[1], configuration=key[2], values=empty, external=external
            )
        by_tool[key].values[place] = numbers[row]
    return tuple(by_tool.values())


def _key(table: DataTable, row: int, tool: str, *, external: bool) -> Key:
    name = table.columns[tool][row]
    if not name:
        raise InputError(f"{tool} is empty; name what gave the score", where=table.where(row))
    name, _, options = name.partition(":")
    if external and name in metric_names():
        name = f"{name} (external)"
    further = [
        table.columns[column][row] if column in table.columns else ""
        for column in ("variant", "configuration")
    ]
    return name, further[0] or options, further[1]


def _places(table: DataTable, study: JudgmentStudy, *, external: bool) -> list[int | None]:
    """Return the sentence of each row, None for one that nobody judged."""
    if "sentence" in table.columns:
        names: dict[object, int] = {
            sentence.id: place for place, sentence in enumerate(study.sentences)
        }
        asked: list[object] = list(table.columns["sentence"])
    else:
        system, segment = table.need("sentence", "system"), table.need("segment")
        asked = list(
            zip(table.columns[system], table.integers(segment, low=1).tolist(), strict=True)
        )
        names = _translations(study, table.name)
    places = [names.get(name) for name in asked]
    missing = [row for row, place in enumerate(places) if place is None]
    if missing and (not external or len(missing) == len(places)):
        raise InputError(
            f"{asked[missing[0]]!r} is no sentence of the study, and "
            f"{counted(len(missing) - 1, 'row')} more like this; scores are for its items",
            where=table.where(missing[0]),
        )
    return places


def _translations(study: JudgmentStudy, name: str) -> dict[object, int]:
    places: dict[object, int] = {}
    for place, sentence in enumerate(study.sentences):
        if sentence.kind is ItemKind.TRANSLATION:
            key = (sentence.system, sentence.segment)
            if key in places:
                raise InputError(
                    f"names sentences by system and segment, but {sentence.system} has several of "
                    f"segment {sentence.segment}; add the column sentence",
                    where=name,
                )
            places[key] = place
    return places
