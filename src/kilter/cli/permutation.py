"""`kilter permutation`: scores, trees, forests and drawings of permutations."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from kilter import __version__
from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.form import choice, format_option
from kilter.cli.option.run import jobs_option, quiet_option
from kilter.cli.talk.standard_error import say
from kilter.counted import counted
from kilter.errors import InputError, OptionError
from kilter.formats.permutation_tree import PermutationTreeFormat
from kilter.formats.stream import ByteSource
from kilter.metrics.kendall import Kendall
from kilter.metrics.pef import Pef
from kilter.metrics.permutation_metric import PermutationMetric
from kilter.metrics.pet import Pet
from kilter.metrics.registry import metric, metric_class, metric_names
from kilter.pipeline.permutation import (
    LineCount,
    OnError,
    block_columns,
    metric_columns,
    pair_columns,
    read_lines,
)
from kilter.reports.table.table import FULL_FORMATS, TableFormat, table_writer
from kilter.structures.permutation.branching import Branching

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from kilter.formats.permutation import PermutationBlock
    from kilter.structures.permutation.permutation import Permutation

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


class _ChoiceWithDefault(click.Choice[str]):
    """A choice that may be left out, so that the word behind it may have been meant as the file."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if isinstance(value, str) and value not in self.choices:
            allowed = ", ".join(self.choices)
            option = param.opts[0]
            self.fail(
                f"{value!r} is not one of {allowed}; put the file before {option}, or write "
                f"{option}={self.choices[0]}",
                param,
                ctx,
            )
        return super().convert(value, param, ctx)


@dataclass(frozen=True)
class _Job:
    """Everything the options say."""

    source: ByteSource
    form: TableFormat
    pairs: bool
    zero_based: bool
    on_error: OnError
    jobs: int
    quiet: bool
    count: LineCount

    def blocks(self) -> Iterator[PermutationBlock]:
        """Yield the input block by block."""
        return read_lines(
            self.source,
            pairs=self.pairs,
            zero_based=self.zero_based,
            jobs=self.jobs,
            on_error=self.on_error,
            count=self.count,
        )

    def report(self) -> None:
        """Say on standard error what was left out."""
        count = self.count
        if not count.bad or count.first is None or self.quiet:
            return
        did = "skipped" if self.on_error is OnError.SKIP else "marked"
        say(
            f"{did} {count.bad} of {counted(count.bad + count.good, 'line')}; the first is "
            f"{self.source.name}:{count.first.line}: {count.first.reason}"
        )


@click.command("permutation")
@click.argument("file", default="-", type=FILE_NAME)
@format_option
@click.option("-m", "--metric", "specifications", multiple=True, metavar="NAME[:OPTION=VALUE,...]",
              help="Score with this metric ; may be repeated. all: every one.")  # fmt: skip
@click.option(
    "--beta", default=0.6, show_default=True, help="Weight of a node's own operator in pef and pet."
)
@click.option(
    "--gamma", default=0.0, show_default=True, help="Score of the operator <2,1> in pef and pet."
)
@click.option("--branching", type=choice(Branching), default="left", show_default=True,
              help="The canonical tree of pet, and of --tree --binary.")  # fmt: skip
@click.option("--tree", "tree", type=_ChoiceWithDefault([str(form) for form in PermutationTreeFormat]), is_flag=False,
              flag_value="bracketed", help="Write trees instead of scores.")  # fmt: skip
@click.option(
    "--binary", is_flag=True, help="With --tree or --draw: the binary tree, not the flattened one."
)
@click.option("--forest", is_flag=True, help="Write the chart of all trees as JSON, one a line.")
@click.option("--draw", type=_ChoiceWithDefault(["text", "svg"]), is_flag=False, flag_value="text",
              help="Draw the tree over the permutation diagram; svg takes one permutation.")  # fmt: skip
@click.option(
    "--pairs",
    is_flag=True,
    help="Compare two permutations a line, separated by |||, a tab or brackets.",
)
@click.option("--zero-based", is_flag=True, help="The input counts from 0.")
@click.option("--on-error", type=choice(OnError), default="stop", show_default=True,
              help="A bad line stops everything, is skipped, or is marked in its row.")  # fmt: skip
@jobs_option
@quiet_option
@click.pass_context
def command(
    context: click.Context,
    *,
    file: str,
    form: str,
    specifications: tuple[str, ...],
    beta: float,
    gamma: float,
    branching: str,
    tree: str | None,
    binary: bool,
    forest: bool,
    draw: str | None,
    pairs: bool,
    zero_based: bool,
    on_error: str,
    jobs: int,
    quiet: bool,
) -> None:
    """Score permutations, one a line: integers from 1, blanks or commas, optional brackets.

    FILE may be - for standard input, and .gz or .xz. With --on-error=stop nothing is written unless
    every line is good.

    \b
    Examples:
      echo "2 4 5 6 1 3" | kilter permutation
      echo "2 4 5 6 1 3" | kilter permutation --draw
      kilter permutation orders.txt --format jsonl -m pef:variant=beer
    """
    Pef(beta=beta, gamma=gamma)  # checks the bounds before anything is read
    _check_combination(context, tree, draw, specifications=specifications, on_error=on_error)
    job = _Job(
        ByteSource(file),
        TableFormat(form),
        pairs,
        zero_based,
        OnError(on_error),
        jobs,
        quiet,
        LineCount(),
    )
    chosen_branching = Branching(branching)
    if tree is not None or forest or draw is not None:
        _write_structures(
            job, tree, forest=forest, draw=draw, binary=binary, branching=chosen_branching
        )
    elif pairs:
        _write_table(job, _PAIRS, pair_columns, {"pairs": {"kendall": "d_tau", "hamming": "d_H"}})
    elif specifications:
        metrics = dict(map(_permutation_metric, _wanted(specifications)))
        names = list(metrics)
        signatures = {name: {"signature": m.signature()} for name, m in metrics.items()}
        _write_table(
            job,
            ("n", *names),
            lambda block: metric_columns(block, metrics),
            {"metrics": signatures},
        )
    else:
        exact = job.form in FULL_FORMATS
        metrics = dict(map(_permutation_metric, _FLAT))
        metrics["kendall-sqrt"] = Kendall(root=True, penalty=False)
        metrics["pef"] = Pef(beta=beta, gamma=gamma, penalty=False)
        metrics["pet"] = Pet(beta=beta, gamma=gamma, branching=chosen_branching, penalty=False)
        signatures = {name: {"signature": m.signature()} for name, m in metrics.items()}
        _write_table(
            job,
            _ALL[1:] if exact else _FOR_PEOPLE[1:],
            lambda block: block_columns(
                block, beta=beta, gamma=gamma, branching=chosen_branching, exact_trees=exact
            ),
            {"metrics": signatures},
        )
    job.report()


def _check_combination(
    context: click.Context,
    tree: str | None,
    draw: str | None,
    *,
    specifications: tuple[str, ...],
    on_error: str,
) -> None:
    """Refuse options that would have no effect: nothing is ignored in silence."""
    given = {
        name
        for name in context.params
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT
    }
    flags = {"tree": "--tree", "forest": "--forest", "draw": "--draw", "pairs": "--pairs"}
    modes = [flag for name, flag in flags.items() if context.params[name] not in (None, False)]
    if specifications:
        modes.append("-m")
    if len(modes) > 1:
        raise click.UsageError(f"{' and '.join(modes)} cannot be combined; choose one")
    mode = modes[0] if modes else "the table of all scores"
    unused = {"binary": "--binary"} if tree is None and draw is None else {}
    if modes:
        unused |= {"beta": "--beta", "gamma": "--gamma"}
    if modes and not context.params["binary"]:
        unused |= {"branching": "--branching"}
    if mode in ("--tree", "--forest", "--draw"):
        unused |= {"form": "--format", "jobs": "--jobs"}
    for name, flag in unused.items():
        if name in given:
            raise click.UsageError(f"{flag} has no effect with {mode}; leave it out{_advice(mode)}")
    if draw == "svg" and on_error == OnError.MARK:
        raise click.UsageError("an SVG picture cannot carry marks; use --on-error=stop or skip")


def _advice(mode: str) -> str:
    return ", or write it as -m pef:beta=0.5" if mode == "-m" else ""


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
    job: _Job,
    names: Sequence[str],
    columns_of: Callable[[PermutationBlock], dict[str, Any]],
    header: dict[str, Any],
) -> None:
    full = job.form in FULL_FORMATS
    # Programs can count rows, unless some lines are left out.
    numbered = not full or job.on_error is not OnError.STOP
    first = (
        *(("line",) if numbered else ()),
        *(("permutation",) if full and not job.pairs else ()),
    )
    last = ("error",) if job.on_error is OnError.MARK else ()
    blocks = job.blocks()
    # The first block comes when the input has proved good: before any output.
    block: PermutationBlock | None = next(blocks)
    document = {"schema": "kilter.permutation/1", "version": __version__, **header}
    writer = table_writer(job.form, sys.stdout, (*first, *names, *last), header=document)
    writer.list_base = 0 if job.zero_based else 1
    writer.start()
    while block is not None:
        columns = columns_of(block)
        columns["line"] = block.lines
        if "permutation" in first:
            columns["permutation"] = (block.batch.values, block.batch.offsets)
        if block.bad and job.on_error is OnError.MARK:
            columns = _with_marked(columns, block, writer.list_base)
        elif job.on_error is OnError.MARK:
            columns["error"] = [None] * len(block.lines)
        writer.rows(columns)
        block = next(blocks, None)
    writer.end()


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


def _write_structures(
    job: _Job,
    tree: str | None,
    *,
    forest: bool,
    draw: str | None,
    binary: bool,
    branching: Branching,
) -> None:
    from kilter.structures.permutation.permutation import Permutation  # noqa: PLC0415 - only for structures

    write = _structure_writer(tree, forest=forest, draw=draw, binary=binary, branching=branching)
    picture: Permutation | None = None  # kept back until it proves to be the only one
    for block in job.blocks():
        marks = {bad.line: bad.reason for bad in block.bad} if job.on_error is OnError.MARK else {}
        places = {line: place for place, line in enumerate(block.lines.tolist())}
        for line in sorted([*places, *marks]):
            if line in marks:
                if forest:
                    sys.stdout.write(json.dumps({"line": line, "error": marks[line]}) + "\n")
                else:
                    sys.stdout.write(f"# {job.source.name}:{line}: {marks[line]}\n")
                continue
            permutation = Permutation(block.batch[places[line]])
            if draw != "svg":
                write(permutation)
            elif picture is None:
                picture = permutation
            else:
                raise InputError(
                    "an SVG picture holds one permutation; give one line",
                    where=f"{job.source.name}:{line}",
                )
    if picture is not None:
        write(picture)


def _structure_writer(
    tree: str | None, *, forest: bool, draw: str | None, binary: bool, branching: Branching
) -> Callable[[Permutation], None]:
    from kilter.formats.permutation_forest import write_forest  # noqa: PLC0415
    from kilter.formats.permutation_tree import write_tree  # noqa: PLC0415
    from kilter.reports.chart.permutation_picture import permutation_svg  # noqa: PLC0415

    def write(permutation: Permutation) -> None:
        out = sys.stdout
        if forest:
            write_forest(permutation.forest(), out)
            return
        shown = permutation.tree().binary(branching) if binary else permutation.tree()
        if draw == "svg":
            out.write(permutation_svg(shown))
        elif draw == "text":
            out.write(shown.draw() + "\n\n")
        elif tree is not None:
            out.write(write_tree(shown, PermutationTreeFormat(tree)) + "\n")

    return write
