"""`kilter reorder make`: reference reorderings from source text and links."""

from __future__ import annotations

import sys

from kilter.cli.command import settings_command
from kilter.cli.fields import format_setting, jobs_setting, source_setting
from kilter.cli.reorderings import SourceLinks, read_source
from kilter.core.link_rule import LinkRule, NullWords, Ties
from kilter.core.settings import InputFile, setting
from kilter.io.reordering import ReorderingForm, write_reorderings
from kilter.io.stream import ByteSource, display_name
from kilter.run.reordering.make import make_reorderings


@settings_command("make")
def command(
    *,
    source: InputFile = source_setting("Source text, tokenised, or its .jsonl.", required=True),
    links: SourceLinks,
    target: InputFile | None = setting(
        "-t",
        "--target",
        default=None,
        description="Target text, tokenised, to check that links fit.",
    ),
    rule: LinkRule = setting(
        "--order-rule",
        old=("--rule",),
        default=LinkRule.TALBOT,
        description="Rule that turns links into an order.",
    ),
    null: NullWords | None = setting(
        default=None, description="Position of words without a link.  [default: as the rule]"
    ),
    ties: Ties | None = setting(
        default=None,
        description="How tied words are ordered.  [default: as the rule]",
    ),
    format: ReorderingForm = format_setting(
        default=ReorderingForm.TEXT, description="Output format."
    ),
    jobs: int = jobs_setting(),
) -> None:
    """Write the words of each source sentence in the order of their translation.

    \b
    Examples:
      kilter reorder make -s text.en -a en-ja.links > references.txt
      kilter reorder make -s text.en -a en-ja.links --format jsonl > references.jsonl
    """
    texts, reordering = make_reorderings(
        (display_name(source), read_source(source)),
        ByteSource(links.links),
        target=None if target is None else (display_name(target), read_source(target)),
        link_format=links.link_format,
        possible=links.possible,
        rule=rule,
        null=null,
        ties=ties,
        jobs=jobs,
    )
    lines = list(
        write_reorderings(
            texts,
            reordering,
            form=format,
            where=lambda k: f"{display_name(source)}:{k + 1}",
        )
    )
    sys.stdout.writelines(line + "\n" for line in lines)
