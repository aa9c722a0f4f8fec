"""Segment scores in a file: TSV, CSV, JSON lines or Parquet, compressed or not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kilter.errors import OptionError
from kilter.formats.output import check_output, is_stream, written, written_text
from kilter.formats.score_file import statistics_cell
from kilter.reports.table.parquet import check_parquet, parquet_bytes
from kilter.reports.table.table import TableFormat, table_writer
from kilter.structures.result.score_table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from kilter.reports.table.writer import Column
    from kilter.structures.result.score_result import ScoreResult

_BLOCK = 50_000
_FORMS = {".tsv": TableFormat.TSV, ".csv": TableFormat.CSV, ".jsonl": TableFormat.JSONL}


def write_segments(table: ScoreTable, path: str) -> None:
    """Write a long table by the suffix of the path; the file appears complete or not at all.

    A device or a pipe whose name says nothing is written to as TSV.
    """
    target = Path(path)
    plain = target.name.removesuffix(".gz")
    if plain.endswith(".parquet") and not target.name.endswith(".gz"):
        with written(target) as stream:
            stream.write(parquet_bytes(table.to_arrow()))
        return
    form = _form(Path(plain), path)
    if form is None:
        raise _unknown_suffix(path)
    with written_text(target) as out:
        writer = table_writer(form, out, table.names, header={})
        writer.start()
        for start in range(0, len(table), _BLOCK):
            writer.rows({name: _plain(table[name][start : start + _BLOCK]) for name in table.names})
        writer.end()


def segment_table(
    result: ScoreResult, *, statistics: bool = False, margins: bool = False
) -> ScoreTable:
    """Return the long table of segment scores, with columns of margins and additive statistics if asked for.

    A metric that tells no margin has none: not a number.
    """
    table = result.segments
    if margins:
        unknown = np.full(result.count, np.nan)
        found = [
            result.margin_arrays.get((name, system), unknown)
            for name in result.metrics
            for system in result.systems
        ]
        columns = {name: table[name] for name in table.names}
        table = ScoreTable({**columns, "margin": np.concatenate(found)})
    if not statistics:
        return table
    cells = [
        statistics_cell(row, facts.configurations)
        for name, facts in result.metrics.items()
        for system in result.systems
        for row in result.statistic_arrays[name, system]
    ]
    columns = {name: table[name] for name in table.names}
    return ScoreTable({**columns, "statistics": np.array(cells, dtype=object)})


def check_segments_path(path: str, inputs: Iterable[str], *, called: str) -> None:
    """Raise before anything is scored if segments cannot be written there, or would replace an input.

    Messages name the file as it is `called` where the user gave it.
    """
    target = Path(path)
    plain = Path(target.name.removesuffix(".gz"))
    if target.name.endswith(".parquet"):
        check_parquet(called)
    elif _form(plain, path) is None:
        raise _unknown_suffix(called)
    check_output(target, inputs, called=called)


def segments_format(path: str) -> TableFormat:
    """Return the format that the name of a file says; one that says none is an `OptionError`."""
    if path.endswith(".parquet"):
        return TableFormat.PARQUET
    form = _form(Path(Path(path).name.removesuffix(".gz")), path)
    if form is None:
        raise _unknown_suffix(path)
    return form


def _form(plain: Path, path: str) -> TableFormat | None:
    return _FORMS.get(plain.suffix, TableFormat.TSV if is_stream(path) else None)


def _unknown_suffix(name: str) -> OptionError:
    return OptionError(
        f"{name}: the name must end in .tsv, .csv or .jsonl, which may be followed by .gz, or in .parquet"
    )


def _plain(column: NDArray[np.generic]) -> Column:
    """Return a column that the writer can format: texts are objects to numpy, and lists to it."""
    return column.tolist() if column.dtype.kind == "O" else column
