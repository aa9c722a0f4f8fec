"""`kilter preorder`: rules that move the words of dependency trees, applied and evaluated."""

from __future__ import annotations

import click

from kilter.cli.group import LazyGroup

_COMMANDS = {
    "rules": "list the rule sets that come with Kilter, or print one",
    "apply": "reorder sentences by the rules",
    "evaluate": "score parsers x rule sets against references",
    "analyse": "show the words, sentences and rules that cost most",
    "explain": "show what rules do with one sentence",
    "search": "search for rules that score better",
    "ratings": "tell what people's ratings of systems say, and scores against them",
    "selftrain": "train a parser on those of its own parses that reorder best",
    "select": "select the parse whose reordering scores best",
}


@click.group("preorder", cls=LazyGroup, summaries=_COMMANDS, prefix="preorder.")
def command() -> None:
    """Apply and evaluate pre-ordering rules on dependency trees, without translating anything."""
