"""Options of `kilter permutation` that go together, and those that do not."""

from __future__ import annotations

import click
from click.core import ParameterSource

from kilter.pipeline.permutation import OnError


def check_combination(
    context: click.Context,
    tree: str | None,
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
    if len(modes) > 1:
        raise click.UsageError(f"{' and '.join(modes)} cannot be combined; choose one")
    mode = "-m" if metrics else modes[0] if modes else "the table of all scores"
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
