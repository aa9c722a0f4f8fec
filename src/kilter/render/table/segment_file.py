"""Segment scores in a file: TSV, CSV, JSON lines or Parquet, compressed or not."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.core.errors import OptionError
from kilter.io.column_file import column_format
from kilter.io.compression import SUFFIX_LIST, compression, format_suffix
from kilter.io.output import check_output, is_stream, written, written_text
from kilter.io.score_file import statistics_cell
from kilter.render.table.parquet import (
    ROW_GROUP,
    StreamedParquetWriter,
    check_parquet,
    stream_row_groups,
)
from kilter.render.table.table import TableFormat, table_writer
from kilter.results.score_result import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.render.table.writer import ArrayColumn
    from kilter.results.score_result import ScoreResult

    Write = Callable[[Sequence[str]], None]

_BLOCK = 50_000
_FORMATS = {".tsv": TableFormat.TSV, ".csv": TableFormat.CSV, ".jsonl": TableFormat.JSONL}


def write_segments(table: ScoreTable, path: str) -> None:
    """Write a long table by the suffix of the path; the file appears complete or not at all.

    A device or a pipe whose name says nothing is written to as TSV.
    """
    starts = range(0, max(1, len(table)), _BLOCK)
    _write(path, table.names, (_rows(table, start, start + _BLOCK) for start in starts))


def write_segment_scores(
    result: ScoreResult,
    path: str,
    *,
    statistics: bool = False,
    margins: bool = False,
) -> None:
    """Write every metric x system x segment, with margins and additive statistics if asked for.

    A metric that tells no margin has none: not a number. Memory does not grow with the segments.
    """
    names = (
        *("system", "segment", "metric", "score"),
        *(("margin",) if margins else ()),
        *(("statistics",) if statistics else ()),
    )
    _write(path, names, _segment_blocks(result, names))


def _segment_blocks(result: ScoreResult, names: Sequence[str]) -> Iterator[ScoreTable]:
    for name, facts in result.metrics.items():
        for system in result.systems:
            for start in range(0, result.count, _BLOCK):
                end = min(start + _BLOCK, result.count)
                columns: dict[str, NDArray[Any]] = {
                    "system": np.full(end - start, system, dtype=object),
                    "segment": np.arange(start + 1, end + 1),
                    "metric": np.full(end - start, name, dtype=object),
                    "score": result.segment_arrays[name, system][start:end],
                }
                if "margin" in names:
                    none = np.full(end - start, np.nan)
                    found = result.margin_arrays.get((name, system))
                    columns["margin"] = none if found is None else found[start:end]
                if "statistics" in names:
                    rows = result.statistic_arrays[name, system][start:end]
                    cells = [statistics_cell(row, facts.configurations) for row in rows]
                    columns["statistics"] = np.array(cells, dtype=object)
                yield ScoreTable(columns)


def _rows(table: ScoreTable, start: int, end: int) -> ScoreTable:
    return ScoreTable({name: table[name][start:end] for name in table.names})


def _write(path: str, names: Sequence[str], blocks: Iterable[ScoreTable]) -> None:
    target = Path(path)
    if segments_format(path) is TableFormat.PARQUET:
        with written(target) as stream:
            stream_row_groups(stream, (table.to_arrow() for table in _groups(names, blocks)))
        return
    with written_text(target) as out:
        writer = table_writer(segments_format(path), out, names, header={})
        writer.start()
        for block in blocks:
            writer.rows({name: _plain(block[name]) for name in names})
        writer.end()


def _groups(names: Sequence[str], blocks: Iterable[ScoreTable]) -> Iterator[ScoreTable]:
    """Yield the same rows in tables of as many as a row group has, at the end fewer."""
    begun: list[ScoreTable] = []
    for block in blocks:
        begun.append(block)
        while sum(map(len, begun)) >= ROW_GROUP:
            whole = _joined(names, begun)
            yield _rows(whole, 0, ROW_GROUP)
            begun = [_rows(whole, ROW_GROUP, len(whole))]
    if begun:
        yield _joined(names, begun)


def _joined(names: Sequence[str], tables: Sequence[ScoreTable]) -> ScoreTable:
    return ScoreTable({name: np.concatenate([each[name] for each in tables]) for name in names})


def check_segments_path(path: str, inputs: Iterable[str], *, called: str) -> None:
    """Raise before anything is scored if segments cannot be written there, or would replace an input.

    Messages name the file as it is `called` where the user gave it.
    """
    if segments_format(path, called=called) is TableFormat.PARQUET:
        check_parquet(called)
    check_output(path, inputs, called=called)


def segments_format(path: str, *, called: str | None = None) -> TableFormat:
    """Return the format that the name of a file says; one that says none is an `OptionError`."""
    suffix = format_suffix(path)
    if suffix == ".parquet" and not compression(path):
        return TableFormat.PARQUET
    if suffix in _FORMATS:
        return _FORMATS[suffix]
    if is_stream(path):
        return TableFormat.TSV
    raise OptionError(
        f"{called or path}: the name must end in .tsv, .csv or .jsonl, which may be followed by {SUFFIX_LIST}, or "
        "in .parquet"
    )


def _plain(column: NDArray[np.generic]) -> ArrayColumn:
    """Return a column that the writer can format: texts are objects to numpy, and lists to it."""
    return column.tolist() if column.dtype.kind == "O" else column


def row_form(path: str) -> TableFormat | None:
    """Return what table a file is by its name: JSON lines, Parquet, or None for plain text.

    >>> row_form("a.links"), row_form("a.jsonl.gz"), row_form("a.parquet")
    (None, <TableFormat.JSONL: 'jsonl'>, <TableFormat.PARQUET: 'parquet'>)
    """
    return {".jsonl": TableFormat.JSONL, ".parquet": TableFormat.PARQUET}.get(format_suffix(path))


def check_rows_path(path: str, inputs: Iterable[str], *, called: str) -> None:
    """Raise before anything is computed if texts cannot be written there."""
    if row_form(path) is TableFormat.PARQUET:
        if suffix := compression(path):
            raise OptionError(f"{called}: Parquet is compressed inside; leave {suffix} out")
        check_parquet(called)
    if column_format(path) == "Arrow":
        raise OptionError(f"{called}: Arrow is read, not written; name a .parquet or .jsonl file")
    check_output(path, inputs, called=called)


@contextmanager
def written_rows(path: str, column: str, *, end: str) -> Iterator[Write]:
    """Yield a function that writes more texts into a file, which appears when all is written.

    In a table each text is a row with this column; otherwise texts follow one another, each with its `end`.
    """
    form = row_form(path)
    with written_text(path) as out:
        if form is None:
            yield lambda texts: out.writelines(text + end for text in texts)
            return
        nothing: list[str] = []
        writer = (
            StreamedParquetWriter(out, [column], header={}, like={column: nothing})
            if form is TableFormat.PARQUET
            else table_writer(form, out, [column], header={})
        )
        writer.start()
        yield lambda texts: writer.rows({column: [*texts]})
        writer.end()
