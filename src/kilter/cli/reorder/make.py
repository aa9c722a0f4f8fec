"""`kilter reorder make`: reference reorderings from source text and links."""

from __future__ import annotations

import sys
from typing import Any

import click

from kilter.cli.command import FILE_NAME
from kilter.cli.option.execution import jobs_option
from kilter.cli.option.form import choice, form_option
from kilter.cli.option.input_text import source_option
from kilter.cli.option.reordering import read_source, source_link_options
from kilter.core.link_rule import LinkRule, NullWords, Ties
from kilter.io.reordering import ReorderingForm, write_reorderings
from kilter.io.stream import ByteSource, display_name
from kilter.run.reordering.make import make_reorderings


@click.command("make")
@source_option("The source text, words separated by blanks; or their .jsonl.", required=True)
@source_link_options
@click.option("-t", "--target", type=FILE_NAME, metavar="FILE",
              help="The target text: checks that every link points into it.")  # fmt: skip
@click.option("--rule", type=choice(LinkRule), default="talbot",
              show_default=True, help="What makes an order of the links.")  # fmt: skip
@click.option("--null", type=choice(NullWords),
              help="Where words without link go.  [default: as the rule says]")  # fmt: skip
@click.option("--ties", type=choice(Ties),
              help="What becomes of words that sort alike.  [default: as the rule says]")  # fmt: skip
@form_option(ReorderingForm, "text", "How to write the reorderings.")
@jobs_option
def command(*, source: str, links: str, target: str | None, form: str, **settings: Any) -> None:
    """Write the words of each source sentence in the order of their translation.

    \b
    Examples:
      kilter reorder make -s text.en -a en-ja.links > references.txt
      kilter reorder make -s text.en -a en-ja.links --format jsonl > references.jsonl
    """
    if [source, links, target].count("-") > 1:
        raise click.UsageError("only one input can come from standard input")
    texts, reordering = make_reorderings(
        (display_name(source), read_source(source)),
        ByteSource(links),
        target=None if target is None else (display_name(target), read_source(target)),
        **settings,
    )
    lines = list(
        write_reorderings(
            texts, reordering, form=form, where=lambda k: f"{display_name(source)}:{k + 1}"
        )
    )
    sys.stdout.writelines(line + "\n" for line in lines)
