"""Options that the commands over reordered sentences share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kilter.cli.option.file_name import FILE_NAME
from kilter.formats.reordering import ReorderingForm, form_of, read_reorderings
from kilter.formats.stream import ByteSource
from kilter.formats.text import read_text
from kilter.metrics.fuzzy import Joints
from kilter.metrics.reordering_metric import WordMatch
from kilter.structures.reordering.order_match import TiedSpans

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kilter.structures.reordering.printed_order import PrintedOrder

_MATCH = [
    click.option("--match", type=click.Choice([str(match) for match in WordMatch]), default="form",
                 show_default=True, help="Words are the same by form, or by place in the source."),
    click.option("--ties", type=click.Choice([str(ties) for ties in TiedSpans]), default="best",
                 show_default=True, help="Tied words: best reading of all, or pair by pair."),
    click.option("--joints", type=click.Choice([str(joints) for joints in Joints]), default="inner",
                 show_default=True, help="Count the joints at the sentence ends too, or not."),
]  # fmt: skip
_RULES = [
    click.option("-r", "--rules", required=True, type=FILE_NAME, metavar="NAME|FILE.toml",
                 help="A rule set."),
    click.option("-R", "--reference", required=True, type=FILE_NAME, metavar="FILE",
                 help="Reference reorderings."),
    click.option("--reference-form", type=click.Choice([str(form) for form in ReorderingForm]),
                 help="How references are written.  [default: by the suffix]"),
]  # fmt: skip
_RESAMPLING = [
    click.option("--resamples", default=1000, show_default=True, type=click.IntRange(1),
                 help="Bootstrap samples."),
    click.option("--seed", default=1, show_default=True, type=click.IntRange(0), help="Seed of chance."),
    click.option("-j", "--jobs", default=1, show_default=True, type=click.IntRange(1),
                 help="Threads; the result is the same for every number."),
]  # fmt: skip


def rule_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that choose a rule set and references to measure it by."""
    for option in reversed(_RULES):
        function = option(function)
    return function


def match_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of the fuzzy reordering score."""
    for option in reversed(_MATCH):
        function = option(function)
    return function


def resampling_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of the bootstrap."""
    for option in reversed(_RESAMPLING):
        function = option(function)
    return function


def read_source(path: str) -> Sequence[str | Sequence[str]]:
    """Return the lines of a text, or the words of each sentence of a `.jsonl` file of reorderings."""
    source = ByteSource(path)
    if form_of(path) is ReorderingForm.JSONL:
        return read_reorderings(source).sources or ()
    return read_text(source)


def read_orders(
    names: Sequence[str], paths: Sequence[str], form: str | None
) -> dict[str, PrintedOrder]:
    """Return reordered sentences by the names of their systems."""
    return {
        name: read_reorderings(ByteSource(path), form=form)
        for name, path in zip(names, paths, strict=True)
    }
