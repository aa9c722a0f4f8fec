"""Options of `kilter permutation`, and which of them go together."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from kilter.cli.fields import format_setting, jobs_setting, metrics_setting, quiet_setting
from kilter.cli.permutation.input_lines import has_columns
from kilter.cli.permutation.structure import WhichPermutationTrees
from kilter.core.permutation_batch import Branching
from kilter.core.settings import Group, InputFile, OutputFile, argument, declared, flag, setting
from kilter.io.permutation_tree import PermutationTreeFormat
from kilter.render.table.table import TableFormat
from kilter.run.engine.choice import EngineChoice
from kilter.run.permutation import OnError


@dataclass(frozen=True, kw_only=True)
class PermutationOptions:
    """What is read, what is computed, and how it is written."""

    file: InputFile = argument(default="-", description="Permutations, one per line.")
    format: TableFormat = format_setting()
    output: OutputFile | None = setting(
        "-o",
        "--output",
        default=None,
        description="Write the table to FILE (.tsv, .csv, .jsonl, .parquet).",
    )
    resume: bool = flag(
        group=Group.ADVANCED,
        description="With -o FILE.parquet: continue a run that was interrupted.",
    )
    column: str | None = setting(
        default=None,
        group=Group.INPUT,
        metavar="NAME",
        description="Column or field with the permutations.",
    )
    metrics: tuple[str, ...] = metrics_setting("Metric, or all; repeatable.")
    beta: float = setting(default=0.6, description="pef and pet: weight of a node's own operator.")
    gamma: float = setting(default=0.0, description="pef and pet: score of the operator <2,1>.")
    branching: Branching = setting(
        default=Branching.LEFT, description="Canonical tree of pet and of --tree --binary."
    )
    tree: str | None = setting(
        default=None,
        choices=tuple(map(str, PermutationTreeFormat)),
        without_value="bracketed",
        description="Print trees instead of scores.",
        group=Group.OUTPUT,
    )
    binary: bool = flag(
        description="With --tree or --draw: binary, not flattened.", group=Group.OUTPUT
    )
    which: WhichPermutationTrees = setting(
        "--trees",
        default=WhichPermutationTrees.FLATTENED,
        description="With --tree or --draw: which trees.",
        group=Group.OUTPUT,
    )
    most: int = setting(
        "--max-trees",
        old=("--most",),
        default=1000,
        low=1,
        description="With --trees all or weak: maximum number.",
        group=Group.OUTPUT,
    )
    complexity: bool = flag(
        description="Add arity, operator length, number of weak factorizations.", group=Group.OUTPUT
    )
    forest: bool = flag(description="Print the chart of all trees as JSON.", group=Group.OUTPUT)
    draw: str | None = setting(
        default=None,
        choices=("text", "svg"),
        without_value="text",
        description="Draw the tree above the permutation diagram.",
        group=Group.OUTPUT,
    )
    pairs: bool = flag(
        group=Group.INPUT,
        description="Each line has two permutations, separated by ||| or a tab.",
    )
    zero_based: bool = flag(group=Group.INPUT, description="Permutations count from 0.")
    on_error: OnError = setting(
        group=Group.INPUT,
        default=OnError.STOP,
        description="At a bad line: stop, skip it, or mark it.",
    )
    engine: EngineChoice = field(default_factory=EngineChoice)
    jobs: int = jobs_setting()
    quiet: bool = quiet_setting()

    def problems(self, given: Collection[str]) -> Iterator[str]:
        """Yield what would have no effect: nothing is ignored in silence."""
        if self.which is not WhichPermutationTrees.FLATTENED:
            if self.draw == "svg":
                yield "an SVG picture holds one tree; use --draw=text with --trees"
            if self.binary:
                yield f"--binary has no effect with --trees {self.which}; leave it out"
        modes = self._modes()
        if len(modes) > 1:
            yield f"{' and '.join(modes)} cannot be combined; choose one"
            return
        mode = "-m" if self.metrics else modes[0] if modes else "the table of all scores"
        for name in self._unused(mode):
            if name in given:
                called = declared(PermutationOptions)[name].called
                yield f"{called} has no effect with {mode}; leave it out{_advice(mode, called)}"
        yield from self._unreadable(given)

    def _modes(self) -> list[str]:
        """Return what is asked for instead of the table of all scores; only one of them can be."""
        flags = {"tree": "--tree", "forest": "--forest", "draw": "--draw", "pairs": "--pairs"}
        modes = [flag for name, flag in flags.items() if getattr(self, name) not in (None, False)]
        if self.metrics and modes != ["--pairs"]:
            modes.append("-m")
        flattened = self.which is WhichPermutationTrees.FLATTENED
        return modes if flattened or modes in (["--tree"], ["--draw"]) else [*modes, "--trees"]

    def _unreadable(self, given: Collection[str]) -> Iterator[str]:
        """Yield what does not fit the input, or the picture."""
        columns = has_columns(self.file, self.column)
        if "column" in given and not columns:
            yield f"--column names a column, but {self.file} is not .parquet, .arrow or .jsonl; leave it out"
        if self.pairs and columns:
            yield "--pairs compares permutations of lines of text; .parquet, .arrow and .jsonl hold one a row"
        if self.draw == "svg" and self.on_error is OnError.MARK:
            yield "an SVG picture cannot carry marks; use --on-error=stop or skip"

    def _unused(self, mode: str) -> Iterator[str]:
        """Yield the options that have no effect in a mode."""
        if mode not in ("--tree", "--draw"):
            yield "binary"
        if self.which is WhichPermutationTrees.FLATTENED:
            yield "most"
        if mode != "the table of all scores":
            yield from ("beta", "gamma", "complexity")
            if not self.binary:
                yield "branching"
        if mode in ("--tree", "--trees", "--forest", "--draw"):
            yield from ("format", "output", "jobs", "workers")
            if self.engine.engine != "local":
                yield "engine"


def _advice(mode: str, flag: str) -> str:
    return ", or write it as -m pef:beta=0.5" if mode == "-m" and flag != "--complexity" else ""
