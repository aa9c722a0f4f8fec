"""Segment scores in a file: TSV, JSON lines or Parquet, compressed or not."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from kilter.errors import MissingToolError, OptionError
from kilter.formats.output import check_output, written, written_text
from kilter.reports.table.table import TableFormat, table_writer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from kilter.reports.table.table import Column
    from kilter.structures.result.score_table import ScoreTable

_BLOCK = 50_000
_FORMS = {".tsv": TableFormat.TSV, ".jsonl": TableFormat.JSONL}


def write_segments(table: ScoreTable, path: str) -> None:
    """Write a long table by the suffix of the path; the file appears complete or not at all."""
    target = Path(path)
    plain = target.name.removesuffix(".gz")
    if plain.endswith(".parquet") and not target.name.endswith(".gz"):
        with written(target) as stream:
            _write_parquet(table, stream)
        return
    form = _FORMS.get(Path(plain).suffix)
    if form is None:
        raise _unknown_suffix(path)
    with written_text(target) as out:
        writer = table_writer(form, out, table.names, header={})
        writer.start()
        for start in range(0, len(table), _BLOCK):
            writer.rows({name: _plain(table[name][start : start + _BLOCK]) for name in table.names})
        writer.end()


def check_segments_path(path: str, inputs: Iterable[str], *, called: str) -> None:
    """Raise before anything is scored if segments cannot be written there, or would replace an input.

    Messages name the file as it is `called` where the user gave it.
    """
    target = Path(path)
    plain = Path(target.name.removesuffix(".gz"))
    if target.name.endswith(".parquet"):
        if find_spec("pyarrow") is None:
            raise MissingToolError(called, install="pip install 'kilter[arrow]'")
    elif plain.suffix not in _FORMS:
        raise _unknown_suffix(called)
    check_output(target, inputs, called=called)


def _unknown_suffix(name: str) -> OptionError:
    return OptionError(f"{name}: the name must end in .tsv, .jsonl, .tsv.gz, .jsonl.gz or .parquet")


def _plain(column: NDArray[Any]) -> Column:
    """Return a column that the writer can format: texts are objects to numpy, and lists to it."""
    return column.tolist() if column.dtype.kind == "O" else column


def _write_parquet(table: ScoreTable, stream: IO[bytes]) -> None:
    arrow = table.to_arrow()
    import pyarrow as pa  # noqa: PLC0415 - optional and heavy
    import pyarrow.parquet as pq  # noqa: PLC0415 - the same

    whole = (
        pa.BufferOutputStream()
    )  # Parquet asks for its place in the file, which a pipe cannot tell
    pq.write_table(arrow, whole)
    stream.write(whole.getvalue())
