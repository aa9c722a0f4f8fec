"""Tables of `kilter permutation`: all scores, those of chosen metrics, or distances of pairs."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter import __version__
from kilter.cli.talk.standard_error import say
from kilter.counted import counted
from kilter.errors import OptionError
from kilter.formats.permutation import PermutationBlock
from kilter.metrics.kendall import Kendall
from kilter.metrics.pef import Pef
from kilter.metrics.permutation_metric import PermutationMetric
from kilter.metrics.pet import Pet
from kilter.metrics.registry import metric, metric_class, metric_names
from kilter.pipeline.permutation import (
    COMPLEXITY_COLUMNS,
    OnError,
    block_columns,
    metric_columns,
    pair_columns,
    pair_metric_columns,
)
from kilter.reports.table.parquet import StreamedParquetWriter
from kilter.reports.table.parquet_parts import PartedParquetWriter, PartFolder
from kilter.reports.table.table import FULL_FORMATS, TableFormat, table_writer
from kilter.structures.permutation.permutation_batch import PermutationBatch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TextIO

    from kilter.cli.permutation.input_lines import InputLines
    from kilter.cli.permutation.target import TableTarget
    from kilter.reports.table.writer import TableWriter
    from kilter.structures.permutation.branching import Branching

_FOR_PEOPLE = (
    "line", "n", "kendall", "spearman", "hamming", "ulam", "fuzzy", "pet-size", "pet-count", "max-op",
    "pef", "pet",
)  # fmt: skip
_ALL = (
    "permutation", "n", "kendall", "kendall-sqrt", "spearman", "hamming", "ulam", "fuzzy", "pet-size",
    "pet-count", "max-op", "pef", "pet", "nodes", "max-operator", "trees", "chunks", "primal",
)  # fmt: skip
_FLAT = ("kendall", "spearman", "hamming", "ulam", "fuzzy", "pet-size", "pet-count", "max-op")
_PAIRS = ("n", "kendall", "hamming", "spearman", "footrule")


def write_pairs(lines: InputLines, target: TableTarget) -> None:
    """Write the distances between the two permutations of each line."""
    header = {"pairs": {"kendall": "d_tau", "hamming": "d_H"}}
    _write_table(lines, target, _PAIRS, pair_columns, header)


def write_chosen(lines: InputLines, target: TableTarget, specifications: Sequence[str]) -> None:
    """Write the scores of each permutation, or pair of them, by the metrics that were named."""
    metrics = dict(map(_permutation_metric, _wanted(specifications)))
    columns = pair_metric_columns if lines.pairs else metric_columns
    _write_table(
        lines,
        target,
        ("n", *metrics),
        lambda block: columns(block, metrics),
        _signatures(metrics),
    )


def write_all(
    lines: InputLines,
    target: TableTarget,
    *,
    beta: float,
    gamma: float,
    branching: Branching,
    complexity: bool = False,
) -> None:
    """Write every score of each permutation, for people as many as fit a page."""
    exact = target.form in FULL_FORMATS
    metrics = dict(map(_permutation_metric, _FLAT))
    metrics["kendall-sqrt"] = Kendall(root=True, penalty=False)
    metrics["pef"] = Pef(beta=beta, gamma=gamma, penalty=False)
    metrics["pet"] = Pet(beta=beta, gamma=gamma, branching=branching, penalty=False)
    _write_table(
        lines,
        target,
        (*(_ALL[1:] if exact else _FOR_PEOPLE[1:]), *(COMPLEXITY_COLUMNS if complexity else ())),
        lambda block: block_columns(
            block,
            beta=beta,
            gamma=gamma,
            branching=branching,
            exact_trees=exact,
            complexity=complexity,
        ),
        _signatures(metrics),
    )


def _signatures(metrics: Mapping[str, PermutationMetric]) -> dict[str, Any]:
    return {"metrics": {name: {"signature": each.signature()} for name, each in metrics.items()}}


def _wanted(specifications: Sequence[str]) -> list[str]:
    """Return the specifications with `all` spelled out in its place, each once."""
    every = [name for name in metric_names() if issubclass(metric_class(name), PermutationMetric)]
    spelled: list[str] = []
    for specification in specifications:
        spelled.extend(every if specification == "all" else [specification])
    return list(dict.fromkeys(spelled))


def _permutation_metric(specification: str) -> tuple[str, PermutationMetric]:
    """Return the metric under its name; without a reference there is no brevity penalty."""
    chosen = metric(specification)
    if not isinstance(chosen, PermutationMetric):
        raise OptionError(f"{chosen.name} needs {', '.join(chosen.needs)}, not permutations alone")
    return chosen.specification(), replace(chosen, penalty=False)


def _write_table(
    lines: InputLines,
    target: TableTarget,
    names: Sequence[str],
    columns_of: Callable[[PermutationBlock], dict[str, Any]],
    header: dict[str, Any],
) -> None:
    full = target.form in FULL_FORMATS
    # Programs can count rows, unless some lines are left out.
    numbered = not full or lines.on_error is not OnError.STOP
    first = (
        *(("line",) if numbered else ()),
        *(("permutation",) if full and not lines.pairs else ()),
    )
    last = ("error",) if lines.on_error is OnError.MARK else ()
    blocks = lines.blocks()
    # The first block comes when the input has proved good: before any output.
    block: PermutationBlock | None = next(blocks)
    document = {"schema": "kilter.permutation/1", "version": __version__, **header}
    with target.opened() as out:
        writer = _writer(lines, target, out, (*first, *names, *last), document, columns_of)
        writer.list_base = 0 if lines.zero_based else 1
        writer.start()
        while block is not None:
            rows = len(block.lines) + (len(block.bad) if last else 0)
            if not isinstance(writer, PartedParquetWriter) or not writer.has(rows):
                writer.rows(_columns(block, columns_of, lines.on_error, writer.list_base))
            block = next(blocks, None)
        writer.end()
    if isinstance(writer, PartedParquetWriter):
        writer.parts.remove()
        if writer.kept and not lines.quiet:
            say(f"went on after {counted(writer.kept, 'part')} of an earlier run")


def _columns(
    block: PermutationBlock,
    columns_of: Callable[[PermutationBlock], dict[str, Any]],
    on_error: OnError,
    base: int,
) -> dict[str, Any]:
    """Return all columns of a block, bad lines among its rows if they are marked."""
    columns = columns_of(block)
    columns["line"] = block.lines
    columns["permutation"] = (block.batch.values, block.batch.offsets)
    if block.bad and on_error is OnError.MARK:
        return _with_marked(columns, block, base)
    return columns | {"error": [None] * len(block.lines)}


def _writer(
    lines: InputLines,
    target: TableTarget,
    out: TextIO,
    names: Sequence[str],
    header: dict[str, Any],
    columns_of: Callable[[PermutationBlock], dict[str, Any]],
) -> TableWriter:
    """Return what writes the table; that of Parquet learns the types of columns from those of no rows."""
    if target.form is not TableFormat.PARQUET:
        return table_writer(target.form, out, names, header=header)
    values, offsets, places = np.empty(0, np.int32), np.zeros(1, np.int64), np.empty(0, np.int64)
    nothing = PermutationBlock(PermutationBatch.trusted(values, offsets), places, [])
    like = _columns(nothing, columns_of, lines.on_error, 0)
    if not target.resume:
        return StreamedParquetWriter(out, names, header=header, like=like)
    made_of = {
        "version": header["version"],
        "input": lines.digest(),
        "choice of options": {
            **header,
            "columns": list(names),
            "column": lines.column,
            "zero-based": lines.zero_based,
            "on-error": str(lines.on_error),
        },
    }
    parts = PartFolder(path=Path(f"{target.path}.parts"), made_of=made_of)
    return PartedParquetWriter(out, names, header=header, like=like, parts=parts)


def _with_marked(columns: dict[str, Any], block: PermutationBlock, base: int) -> dict[str, Any]:
    """Return the columns with a row of missing values for each bad line, in the order of lines."""
    reasons = {bad.line: bad.reason for bad in block.bad}
    good = {line: place for place, line in enumerate(block.lines.tolist())}
    order = sorted([*good, *reasons])
    marked = {}
    for name, column in columns.items():
        values = _listed(column, base)
        marked[name] = [values[good[line]] if line in good else None for line in order]
    marked["line"] = order
    marked["error"] = [reasons.get(line) for line in order]
    return marked


def _listed(column: Any, base: int) -> list[Any]:
    if isinstance(column, tuple):
        values, offsets = column
        printed = (values + base).tolist()
        return [printed[start:end] for start, end in pairwise(offsets.tolist())]
    return column if isinstance(column, list) else list(column.tolist())
