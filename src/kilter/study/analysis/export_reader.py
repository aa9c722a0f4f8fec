"""Exports of a survey, read from their folder. Section 12.6"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.errors import InputError
from kilter.io.spreadsheet import unguarded
from kilter.io.stream import ByteSource, exists, is_folder
from kilter.io.table import DataTable, is_only_table, read_table
from kilter.study.analysis.score_file import scores_of
from kilter.study.analysis.study_table import study_of_tables

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from kilter.study.analysis.judgment_study import JudgmentStudy

_NEEDED = ("judgments", "items")
_TABLES = (*_NEEDED, "participants", "dictionary", "scores", "recruitment")


def read_export(folder: Path) -> JudgmentStudy:
    """Return the study in a folder that `kilter survey export` or `simulate` wrote, as CSV or JSON lines.

    Judgments and items must be there; without participants nothing is known of them, without a
    dictionary every question has five boxes. The first thing that is wrong is an `InputError`.
    """
    if not is_folder(folder):
        raise InputError(
            "is no folder; name one that 'kilter survey export' wrote", where=str(folder)
        )
    tables = {}
    for name in _TABLES:
        table = _read(folder, name)
        if table is not None:
            tables[name] = table
        elif name in _NEEDED:
            raise InputError(
                f"holds no {name}.csv and no {name}.jsonl; name a folder that 'kilter survey export' "
                "wrote in one of these formats",
                where=str(folder),
            )
    return _study(tables, str(folder))


def _study(tables: Mapping[str, DataTable], source: str) -> JudgmentStudy:
    study = study_of_tables(tables, source=source)
    if "scores" not in tables:
        return study
    return study.with_tools(scores_of(tables["scores"], study, external=False))


def _read(folder: Path, name: str) -> DataTable | None:
    paths = [path for form in ("csv", "jsonl") if exists(path := folder / f"{name}.{form}")]
    if len(paths) > 1:
        raise InputError(f"is beside {paths[1].name}; remove one of them", where=str(paths[0]))
    if not paths:
        return None
    source = ByteSource(str(paths[0]))
    table = read_table(source)
    if is_only_table(source.path):
        return table
    # An export puts a quote before what a spreadsheet would take for a formula.
    columns = {column: tuple(map(unguarded, cells)) for column, cells in table.columns.items()}
    return DataTable(table.name, columns, table.lines)
