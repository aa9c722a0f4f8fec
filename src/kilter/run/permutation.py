"""Scores of permutations: from arrays, and from lines of text in a stream."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter import _core
from kilter.core.errors import InputError
from kilter.core.permutation import Permutation
from kilter.core.permutation_batch import (
    COUNT_COLUMNS,
    SCORE_COLUMNS,
    Branching,
    PermutationBatch,
)
from kilter.core.permutation_factorization import weak_factorization_count
from kilter.core.permutation_input import as_unproved_batch
from kilter.core.permutation_tree import tree_count_digits
from kilter.core.settings import checked
from kilter.io.column_file import column_format
from kilter.io.permutation import (
    BadLine,
    PermutationBlock,
    read_permutation_json,
    read_permutation_table,
    read_permutations,
)
from kilter.metrics.pef import Pef
from kilter.metrics.pet import Pet
from kilter.render.table.writer import RepeatedText
from kilter.results.score_result import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from kilter.io.stream import ByteSource
    from kilter.metrics.permutation_metric import PermutationMetric
    from kilter.render.table.parquet import ArrowForm
    from kilter.run.engine.engine import Batch


COMPLEXITY_COLUMNS = ("arity", "average-operator", "factorizations")


@checked
def permutation_scores(
    values: object,
    offsets: object = None,
    *,
    beta: float = 0.6,
    gamma: float = 0.0,
    branching: Branching | str = Branching.LEFT,
    empty: float = 0.0,
    jobs: int = 1,
) -> ScoreTable:
    """Return every permutation score of many permutations at once.

    `values` are zero-based: a list of lists, a 2-D array (one permutation a row), a flat array with
    `offsets` (segment s is `values[offsets[s]:offsets[s + 1]]`), or an Arrow list array. The result
    is the same for every number of `jobs`. A permutation of no words scores `empty`.

    >>> table = permutation_scores([[1, 3, 4, 5, 0, 2], [0, 1]])
    >>> table["pef"].tolist(), table["max-operator"].tolist()
    ([0.4, 1.0], [4, 2])
    """
    Pef(beta=beta, gamma=gamma, empty=empty)  # checks the options
    batch = as_unproved_batch(values, offsets, jobs=jobs)
    columns = batch.scores(beta=beta, gamma=gamma, branching=_branching(branching))
    table: dict[str, NDArray[Any]] = {
        name: columns[name] for name in (*SCORE_COLUMNS, *COUNT_COLUMNS)
    }
    if empty and not batch.lengths.all():
        none = batch.lengths == 0
        table |= {name: np.where(none, empty, table[name]) for name in SCORE_COLUMNS}
    table["primal"] = table["primal"].astype(np.bool_)
    return ScoreTable(table)


def _branching(branching: Branching | str) -> Branching:
    return Pet(branching=branching).branching  # type: ignore[arg-type]


class OnError(StrEnum):
    """What to do with a line that is not a permutation."""

    STOP = "stop"
    SKIP = "skip"
    MARK = "mark"


@dataclass(slots=True)
class LineCount:
    """How many lines were read, how many of them were bad, and the first bad one."""

    good: int = 0
    bad: int = 0
    first: BadLine | None = None


def read_lines(
    source: ByteSource,
    *,
    pairs: bool = False,
    zero_based: bool = False,
    jobs: int = 1,
    on_error: OnError = OnError.STOP,
    count: LineCount | None = None,
    once: bool = False,
) -> Iterator[PermutationBlock]:
    """Yield the lines of a source; with `stop`, only after all of them proved to be good.

    Reading twice is what makes it true that a bad line leaves nothing half-written; `once` is enough
    where the result appears complete or not at all.
    """
    if on_error is OnError.STOP and not once:
        _prove(source, read_permutations(source, pairs=pairs, zero_based=zero_based, again=True))
    blocks = read_permutations(source, pairs=pairs, zero_based=zero_based, jobs=jobs)
    yield from _counted(source, blocks, on_error, LineCount() if count is None else count)


def read_rows(
    source: ByteSource,
    column: str | None = None,
    *,
    zero_based: bool = False,
    jobs: int = 1,
    on_error: OnError = OnError.STOP,
    count: LineCount | None = None,
    once: bool = False,
) -> Iterator[PermutationBlock]:
    """Yield the rows of a file of columns, or JSON lines, as `read_lines` does lines of text."""
    if on_error is OnError.STOP and not once:
        _prove(source, _table_rows(source, column, zero_based=zero_based, again=True))
    blocks = _table_rows(source, column, zero_based=zero_based, jobs=jobs)
    yield from _counted(source, blocks, on_error, LineCount() if count is None else count)


def _table_rows(
    source: ByteSource, column: str | None, *, zero_based: bool, jobs: int = 1, again: bool = False
) -> Iterator[PermutationBlock]:
    if column_format(source.path) is not None:
        return read_permutation_table(source, column, zero_based=zero_based, jobs=jobs)
    return read_permutation_json(source, column, zero_based=zero_based, jobs=jobs, again=again)


def _prove(source: ByteSource, blocks: Iterable[PermutationBlock]) -> None:
    """Raise an `InputError` for the first bad line."""
    for block in blocks:
        if block.bad:
            worst = block.bad[0]
            raise InputError(worst.reason, where=f"{source.name}:{worst.line}")


def _counted(
    source: ByteSource, blocks: Iterable[PermutationBlock], on_error: OnError, count: LineCount
) -> Iterator[PermutationBlock]:
    for block in blocks:
        if on_error is OnError.STOP:  # it was read once only, or changed in between
            _prove(source, [block])
        count.good += len(block.lines)
        count.bad += len(block.bad)
        if block.bad and count.first is None:
            count.first = block.bad[0]
        yield block


def block_columns(
    block: PermutationBlock,
    *,
    beta: float = 0.6,
    gamma: float = 0.0,
    branching: Branching = Branching.LEFT,
    exact_trees: bool = True,
    complexity: bool = False,
) -> dict[str, Any]:
    """Return every column of `kilter permutation` for a block, in the published order.

    With `complexity` also those of [PC] section 4 that need the tree of each permutation.
    """
    batch = block.batch
    scores = batch.scores(beta=beta, gamma=gamma, branching=branching)
    columns: dict[str, object] = {"n": batch.lengths}
    for name in (*SCORE_COLUMNS, "nodes", "max-operator"):
        columns[name] = scores[name]
    if exact_trees:
        columns["trees"] = _tree_digits(batch, scores["trees"])
    columns["chunks"] = scores["chunks"]
    columns["primal"] = scores["primal"].astype(np.bool_)
    return columns | _complexities(batch) if complexity else columns


def _complexities(batch: PermutationBatch) -> dict[str, Any]:
    listed = [Permutation(batch[segment]) for segment in range(len(batch))]
    trees = [permutation.tree() for permutation in listed]
    found = (
        np.array([tree.arity for tree in trees], dtype=np.int64),
        np.array([tree.average_operator_length for tree in trees], dtype=np.float64),
        # Decimal, because Python writes no integer of more than 4300 digits.
        [f"{Decimal(weak_factorization_count(permutation)):f}" for permutation in listed],
    )
    return dict(zip(COMPLEXITY_COLUMNS, found, strict=True))


def metric_columns(
    block: PermutationBlock, metrics: Mapping[str, PermutationMetric]
) -> dict[str, Any]:
    """Return one column per metric, under its name."""
    columns: dict[str, object] = {"n": block.batch.lengths}
    for name, chosen in metrics.items():
        columns[name] = chosen.permutation_scores(block.batch)
    return columns


def pair_columns(block: PermutationBlock) -> dict[str, Any]:
    """Return the similarities of the two permutations of each line."""
    first, second = block.sides()
    return {"n": first.lengths, **first.pair_scores(second)}


def pair_metric_columns(
    block: PermutationBlock, metrics: Mapping[str, PermutationMetric]
) -> dict[str, Any]:
    """Return one column per metric: its score of the second order, listed as the first one orders it."""
    first, second = block.sides()
    relative = first.relative(second)
    columns: dict[str, Any] = {"n": first.lengths}
    for name, chosen in metrics.items():
        columns[name] = chosen.permutation_scores(relative)
    return columns


@dataclass(frozen=True, kw_only=True, eq=False)
class PermutationTask:
    """Makes columns of blocks, bad lines among their rows if they are marked; runs in any worker."""

    columns_of: Callable[[PermutationBlock], dict[str, Any]]
    on_error: OnError
    base: int
    """What permutations count from where they are written."""
    form: ArrowForm | None = None
    """Of the Arrow table that is made of columns, if one is."""

    def __call__(self, batch: Batch[PermutationBlock]) -> Any:
        """Return the columns of a block, or their table."""
        columns = self.columns(batch.data)
        if self.form is not None:
            return self.form.table(columns)
        return {name: _spelled(column) for name, column in columns.items()}

    def columns(self, block: PermutationBlock) -> dict[str, Any]:
        """Return all columns of a block."""
        columns = self.columns_of(block)
        columns["line"] = block.lines
        columns["permutation"] = (block.batch.values, block.batch.offsets)
        if block.bad and self.on_error is OnError.MARK:
            return _with_marked(columns, block, self.base)
        return columns | {"error": [None] * len(block.lines)}


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
    spelled = _spelled(column)
    return spelled if isinstance(spelled, list) else list(spelled.tolist())


def _spelled(column: Any) -> Any:
    return column.listed() if isinstance(column, RepeatedText) else column


def _tree_digits(batch: PermutationBatch, trees: NDArray[np.uint64]) -> RepeatedText:
    """Return the exact numbers of trees; few are different, and each of them is spelled once."""
    different, inverse = np.unique(trees, return_inverse=True)
    words = [str(count) for count in different.tolist()]
    indices = inverse.astype(np.int32)
    for segment in np.flatnonzero((trees == 0) & (batch.lengths > 0)).tolist():
        widths = _core.linear_widths(np.ascontiguousarray(batch[segment]))
        indices[segment] = len(words)
        words.append(tree_count_digits(widths.tolist()))
    return RepeatedText(words, indices)
