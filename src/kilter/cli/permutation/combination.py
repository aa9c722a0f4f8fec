"""Options of `kilter permutation` that go together, and those that do not."""

from __future__ import annotations

import click
from click.core import ParameterSource

from kilter.cli.permutation.input_lines import has_columns
from kilter.run.permutation import OnError


def check_combination(
    context: click.Context,
    draw: str | None,
    *,
    metrics: tuple[str, ...],
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
    if metrics and modes != ["--pairs"]:
        modes.append("-m")
    modes = _with_trees(context, modes)
    if len(modes) > 1:
        raise click.UsageError(f"{' and '.join(modes)} cannot be combined; choose one")
    mode = "-m" if metrics else modes[0] if modes else "the table of all scores"
    for name, flag in _unused(context, mode).items():
        if name in given:
            raise click.UsageError(
                f"{flag} has no effect with {mode}; leave it out{_advice(mode, flag)}"
            )
    file, column = context.params["file"], context.params["column"]
    if "column" in given and not has_columns(file, column):
        raise click.UsageError(
            f"--column names a column, but {file} is not .parquet, .arrow or .jsonl; leave it out"
        )
    if "pairs" in given and has_columns(file, column):
        raise click.UsageError(
            "--pairs compares permutations of lines of text; .parquet, .arrow and .jsonl hold one a row"
        )
    if draw == "svg" and on_error == OnError.MARK:
        raise click.UsageError("an SVG picture cannot carry marks; use --on-error=stop or skip")


def _with_trees(context: click.Context, modes: list[str]) -> list[str]:
    """Return the modes with `--trees` where it is one by itself, or one that does not fit the others."""
    which, binary, draw = (context.params[name] for name in ("which", "binary", "draw"))
    if which == "flattened":
        return modes
    if draw == "svg":
        raise click.UsageError("an SVG picture holds one tree; use --draw=text with --trees")
    if binary:
        raise click.UsageError(f"--binary has no effect with --trees {which}; leave it out")
    return modes if modes in (["--tree"], ["--draw"]) else [*modes, "--trees"]


def _unused(context: click.Context, mode: str) -> dict[str, str]:
    """Return the options that have no effect in a mode, with their flags."""
    unused = {} if mode in ("--tree", "--draw") else {"binary": "--binary"}
    if context.params["which"] == "flattened":
        unused |= {"most": "--most"}
    if mode != "the table of all scores":
        unused |= {"beta": "--beta", "gamma": "--gamma", "complexity": "--complexity"}
        if not context.params["binary"]:
            unused |= {"branching": "--branching"}
    if mode in ("--tree", "--trees", "--forest", "--draw"):
        unused |= {"form": "--format", "output": "--output", "jobs": "--jobs"}
        unused |= {"workers": "--workers"}
        if context.params["engine"] != "local":
            unused |= {"engine": "--engine"}
    return unused


def _advice(mode: str, flag: str) -> str:
    return ", or write it as -m pef:beta=0.5" if mode == "-m" and flag != "--complexity" else ""
