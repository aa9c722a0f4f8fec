"""Names that a shell completes: of metrics, aligners, parsers, tokenisers and folders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.shell_completion import CompletionItem

from kilter.aligners.registry import ALIGNERS
from kilter.io.tokenizer import NAMES
from kilter.metrics.registry import METRICS
from kilter.parsers.registry import PARSERS

if TYPE_CHECKING:
    from collections.abc import Callable

    import click

    Completion = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def _completion(names: Callable[[], list[str]]) -> Completion:
    def complete(
        _context: click.Context, _parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(name) for name in names() if name.startswith(incomplete)]

    return complete


def _folder(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    return [CompletionItem(incomplete, type="dir")]


COMPLETIONS = {
    "metrics": _completion(lambda: [*METRICS.names(), "all"]),
    "aligner": _completion(ALIGNERS.names),
    "parser": _completion(PARSERS.names),
    "tokenize": _completion(lambda: [name.removesuffix("LANG") for name in NAMES]),
    "cache": _folder,
}
"""How the values of options are completed, by their names."""
