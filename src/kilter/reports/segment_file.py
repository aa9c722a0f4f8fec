"""Segment scores in a file: TSV, JSON lines or Parquet, compressed or not."""

from __future__ import annotations

import gzip
import io
import os
import tempfile
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TextIO, cast

from kilter.errors import InputError, MissingToolError, OptionError
from kilter.reports.table import TableFormat, table_writer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from kilter.reports.table import Column
    from kilter.structures.score_table import ScoreTable

_BLOCK = 50_000
_FORMS = {".tsv": TableFormat.TSV, ".jsonl": TableFormat.JSONL}


def write_segments(table: ScoreTable, path: str) -> None:
    """Write a long table by the suffix of the path; the file appears complete or not at all."""
    target = Path(path)
    plain = target.name.removesuffix(".gz")
    if plain.endswith(".parquet") and not target.name.endswith(".gz"):
        with appearing(target) as temporary:
            _write_parquet(table, temporary)
        return
    form = _FORMS.get(Path(plain).suffix)
    if form is None:
        raise _unknown_suffix(path)
    with appearing_text(target) as out:
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
    for given in inputs:
        if target.exists() and Path(given).exists() and target.samefile(given):
            raise OptionError(f"{called} would replace an input; choose another name")


def _unknown_suffix(name: str) -> OptionError:
    return OptionError(f"{name}: the name must end in .tsv, .jsonl, .tsv.gz, .jsonl.gz or .parquet")


def _plain(column: NDArray[Any]) -> Column:
    """Return a column that the writer can format: texts are objects to numpy, and lists to it."""
    return column.tolist() if column.dtype.kind == "O" else column


def _write_parquet(table: ScoreTable, path: Path) -> None:
    arrow = table.to_arrow()
    import pyarrow.parquet as pq  # noqa: PLC0415 - optional and heavy

    pq.write_table(arrow, path)


@contextmanager
def appearing_text(target: Path) -> Iterator[TextIO]:
    """Yield a text file that takes the target's place when all is written; `.gz` is compressed."""
    with appearing(target) as temporary:
        raw: IO[bytes] = (
            cast("IO[bytes]", gzip.GzipFile(temporary, "wb", mtime=0))
            if target.suffix == ".gz"
            else temporary.open("wb")
        )
        with raw, io.TextIOWrapper(raw, encoding="utf-8", newline="\n") as out:
            yield out


@contextmanager
def appearing(target: Path) -> Iterator[Path]:
    """Yield a path beside the target that takes its place when all is written."""
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        temporary = Path(name)
        os.close(handle)
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(target)
    except OSError as error:
        raise InputError(
            f"cannot be written: {error.strerror or error}", where=str(target)
        ) from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
