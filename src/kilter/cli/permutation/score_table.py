"""Tables of `kilter permutation`: all scores, those of chosen metrics, or distances of pairs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter import __version__
from kilter.cli.resumed import end_parts
from kilter.core.errors import OptionError
from kilter.core.permutation_batch import PermutationBatch
from kilter.io.permutation import PermutationBlock
from kilter.metrics.kendall import Kendall
from kilter.metrics.pef import Pef
from kilter.metrics.permutation_metric import PermutationMetric
from kilter.metrics.pet import Pet
from kilter.metrics.registry import group_names, is_group, metric, metric_class
from kilter.render.table.parquet import StreamedParquetWriter, packed, unpacked
from kilter.render.table.table import FULL_FORMATS, TableFormat, table_writer
from kilter.run.engine.choice import chosen_engine
from kilter.run.engine.run import KeptParts, PartFolder, made_ahead, run_batches
from kilter.run.permutation import (
    COMPLEXITY_COLUMNS,
    OnError,
    PermutationTask,
    block_columns,
    metric_columns,
    pair_columns,
    pair_metric_columns,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TextIO

    from kilter.cli.permutation.input_lines import InputLines
    from kilter.cli.permutation.target import TableTarget
    from kilter.core.permutation_batch import Branching
    from kilter.render.table.writer import TableWriter

_FOR_PEOPLE = (
    "line", "n", "kendall", "spearman", "hamming", "ulam", "fuzzy", "pet-size", "pet-count", "max-op",
    "pef", "pet",
)  # fmt: skip
_ALL = (
    "permutation", "n", "kendall", "kendall-sqrt", "spearman", "hamming", "ulam", "fuzzy", "pet-size",
    "pet-count", "max-op", "pef", "pet", "nodes", "max-operator", "trees", "chunks", "primal",
)  # fmt: skip
_FLAT = ("kendall", "spearman", "hamming", "ulam", "fuzzy", "pet-size", "pet-count", "max-op")
_LEGEND = """
higher is better, 1 for 1 2 3 ...; pet-size, pet-count, max-op: how simply the order can be taken
apart (in how many steps and ways, and the hardest step), also 1 for its reversal
"""
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
        partial(columns, metrics=metrics),
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
        partial(
            block_columns,
            beta=beta,
            gamma=gamma,
            branching=branching,
            exact_trees=exact,
            complexity=complexity,
        ),
        _signatures(metrics),
        legend=_LEGEND,
    )


def _signatures(metrics: Mapping[str, PermutationMetric]) -> dict[str, Any]:
    return {"metrics": {name: {"signature": each.signature()} for name, each in metrics.items()}}


def _wanted(specifications: Sequence[str]) -> list[str]:
    """Return the specifications with groups spelled out in their places, each once."""
    spelled: list[str] = []
    for specification in specifications:
        if is_group(specification):
            names = group_names(specification)
            spelled.extend(n for n in names if issubclass(metric_class(n), PermutationMetric))
        else:
            spelled.append(specification)
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
    *,
    legend: str = "",
) -> None:
    full = target.form in FULL_FORMATS
    # Programs can count rows, unless some lines are left out.
    numbered = not full or lines.on_error is not OnError.STOP
    first = (
        *(("line",) if numbered else ()),
        *(("permutation",) if full and not lines.pairs else ()),
    )
    last = ("error",) if lines.on_error is OnError.MARK else ()
    batches = lines.batches()
    # The first one comes when the input has proved good: before any output.
    batches = chain([next(batches)], batches)
    document = {"schema": "kilter.permutation/1", "version": __version__, **header}
    task = PermutationTask(
        columns_of=columns_of, on_error=lines.on_error, base=0 if lines.zero_based else 1
    )
    with (
        made_ahead(batches) as batches,
        chosen_engine(lines.engine, threads=True) as engine,
        target.opened() as out,
    ):
        writer = _writer(target, out, (*first, *names, *last), document, task)
        parts = _parts(lines, target, writer) if target.resume else None
        if isinstance(writer, StreamedParquetWriter):
            task = replace(task, form=writer.form)
        writer.start()
        for block in run_batches(engine, task, batches, parts=parts, progress=lines.progress):
            if isinstance(writer, StreamedParquetWriter):
                writer.write(block)
            else:
                writer.rows(block)
        writer.end()
        if target.form is TableFormat.TEXT:
            out.write(legend)
    end_parts(parts, target.path, quiet=lines.quiet)


def _writer(
    target: TableTarget,
    out: TextIO,
    names: Sequence[str],
    header: dict[str, Any],
    task: PermutationTask,
) -> TableWriter:
    """Return what writes the table; that of Parquet learns the types of columns from those of no rows."""
    if target.form is TableFormat.PARQUET:
        values, offsets = np.empty(0, np.int32), np.zeros(1, np.int64)
        places = np.empty(0, np.int64)
        nothing = PermutationBlock(PermutationBatch.trusted(values, offsets), places, [])
        like = task.columns(nothing)
        writer: TableWriter = StreamedParquetWriter(out, names, header=header, like=like)
    else:
        writer = table_writer(target.form, out, names, header=header)
    writer.list_base = task.base
    return writer


def _parts(lines: InputLines, target: TableTarget, writer: TableWriter) -> KeptParts[Any]:
    """Return where blocks of a Parquet file are kept until it is complete."""
    made_of = {
        "version": writer.header["version"],
        "input": lines.source.digest(),
        "choice of options": {
            **writer.header,
            "columns": writer.names,
            "column": lines.column,
            "zero-based": lines.zero_based,
            "on-error": str(lines.on_error),
        },
    }
    folder = PartFolder(path=Path(f"{target.path}.parts"), made_of=made_of)
    return KeptParts(folder=folder, pack=packed, unpack=unpacked)
