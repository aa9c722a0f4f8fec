"""Options that the commands over reordered sentences share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kilter.cli.command import FILE_NAME
from kilter.cli.option.form import choice, link_format_option, reference_form_option
from kilter.cli.option.option_list import option_list
from kilter.core.reordering import TiedSpans
from kilter.io.reordering import ReorderingForm, form_of, read_reorderings
from kilter.io.stream import ByteSource
from kilter.io.text_file import read_text_file
from kilter.metrics.fuzzy import Joints
from kilter.metrics.reordering_metric import WordMatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.cli.option.option_list import Decorator
    from kilter.core.reordering import PrintedOrder


def _source_link_options(*, required: bool) -> Decorator:
    return option_list(
        click.option("-a", "--links", required=required, type=FILE_NAME, metavar="FILE",
                     help="Source-target links."),
        link_format_option,
        click.option("--possible", is_flag=True, help="Use links that are only possible, too."),
    )  # fmt: skip


source_link_options = _source_link_options(required=True)
"""The options of the links that reference reorderings are made from."""
optional_source_link_options = _source_link_options(required=False)
match_options = option_list(
    click.option("--match", type=choice(WordMatch), default="form", show_default=True,
                 help="Words are the same by form, or by place in the source."),
    click.option("--ties", type=choice(TiedSpans), default="best", show_default=True,
                 help="Tied words: best reading of all, or pair by pair."),
    click.option("--joints", type=choice(Joints), default="inner", show_default=True,
                 help="Count the joints at the sentence ends too, or not."),
)  # fmt: skip
"""The options of the fuzzy reordering score."""


def rules_option(description: str, *, multiple: bool = False) -> Decorator:
    """Return the option that chooses a rule set, or several."""
    return click.option(
        "-r",
        "--rules",
        multiple=multiple,
        required=True,
        type=FILE_NAME,
        metavar="NAME|FILE.toml",
        help=description,
    )


def _reference_options(description: str, *, required: bool) -> Decorator:
    return option_list(
        click.option("-R", "--reference", required=required, type=FILE_NAME, metavar="FILE",
                     help=description),
        reference_form_option("How references are written.  [default: by the suffix]"),
    )  # fmt: skip


reference_options = _reference_options("Reference reorderings.", required=True)
optional_reference_options = _reference_options(
    "Reference reorderings, to score the sentence by.", required=False
)
rule_options = option_list(rules_option("A rule set."), reference_options)
"""The options that choose a rule set and references to measure it by."""


def read_source(path: str) -> Sequence[str | Sequence[str]]:
    """Return the lines of a text, or the words of each sentence of a `.jsonl` file of reorderings."""
    if form_of(path) is ReorderingForm.JSONL:
        return read_reorderings(ByteSource(path)).sources or ()
    return read_text_file(path)


def read_orders(
    names: Sequence[str], paths: Sequence[str], form: str | None
) -> dict[str, PrintedOrder]:
    """Return reordered sentences by the names of their systems."""
    return {
        name: read_reorderings(ByteSource(path), form=form)
        for name, path in zip(names, paths, strict=True)
    }
