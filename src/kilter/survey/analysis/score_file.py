"""Scores of sentences by tools, of an export or of any other file. Section 12.6"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.counted import counted
from kilter.errors import InputError
from kilter.formats.delimited import read_delimited
from kilter.formats.json_table import read_json_table
from kilter.formats.stream import ByteSource
from kilter.metrics.registry import metric_names
from kilter.survey.analysis.judgment_study import ToolScores
from kilter.survey.design.study import ItemKind

if TYPE_CHECKING:
    from pathlib import Path

    from kilter.formats.delimited import DelimitedTable
    from kilter.survey.analysis.judgment_study import JudgmentStudy

    Key = tuple[str, str, str]


def read_scores(path: Path, study: JudgmentStudy) -> tuple[ToolScores, ...]:
    """Return scores of external tools from CSV, TSV or JSON lines.

    Columns are `sentence`, or `system` and `segment` of a translation; `tool` (or `metric`); `value` (or
    `score`); and perhaps `variant` and `configuration`. Sentences that nobody judged are left out, but
    some must have been. The tool `wmt-rank` gives the rank scores of sentences.
    """
    source = ByteSource(str(path))
    table = read_json_table(source) if ".jsonl" in path.suffixes[-2:] else read_delimited(source)
    own = metric_names()
    for row, name in enumerate(table.columns[table.need("tool", "metric")]):
        if name.partition(":")[0] in own:
            raise InputError(
                f"{name!r} is a metric of Kilter's own; call the external tool something else",
                where=table.where(row),
            )
    return scores_of(table, study, external=True)


def scores_of(
    table: DelimitedTable, study: JudgmentStudy, *, external: bool
) -> tuple[ToolScores, ...]:
    """Return the scores in a table by tool, variant and configuration, in the order of the table."""
    tool, value = table.need("tool", "metric"), table.need("value", "score")
    numbers = table.numbers(value)
    by_tool: dict[Key, ToolScores] = {}
    lines: dict[tuple[Key, int], int] = {}
    for row, place in enumerate(_places(table, study, external=external)):
        if place is None:
            continue
        key = _key(table, row, tool)
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


def _key(table: DelimitedTable, row: int, tool: str) -> Key:
    name = table.columns[tool][row]
    if not name:
        raise InputError(f"{tool} is empty; name what gave the score", where=table.where(row))
    name, _, options = name.partition(":")
    further = [
        table.columns[column][row] if column in table.columns else ""
        for column in ("variant", "configuration")
    ]
    return name, further[0] or options, further[1]


def _places(table: DelimitedTable, study: JudgmentStudy, *, external: bool) -> list[int | None]:
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
