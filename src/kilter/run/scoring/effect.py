"""Settings that nothing in a run looks at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.link_rule import OrderRule
from kilter.core.registry import default_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kilter.run.scoring.run import Tools
    from kilter.run.scoring.settings import Settings


def effect_notes(run: Tools, settings: Settings) -> Iterator[str]:
    """Yield a note for a rule, an aligner, a parser or an option that was chosen and that no metric looks at.

    Whoever chooses one expects another score; that it stays the same could be taken for a finding. It is no
    error: the same settings may be those of several runs, of which others look at it.
    """
    yield from structure_notes(run, settings)
    for found in run.metrics.values():
        idle = found.idle_options()
        defaults = default_options(type(found)) if idle else {}
        for name, value in found.options().items() if idle else ():
            if name in idle and value != defaults[name]:
                yield f"{name} has no effect on {found.decided()}"


def structure_notes(run: Tools, settings: Settings) -> Iterator[str]:
    """Yield a note for a rule, an aligner or a parser that no metric looks at."""
    uses = [run.use(found) for found in run.metrics.values()]
    if run.rule != OrderRule() and not any(use.takes_order for use in uses):
        yield _without_effect(f"rule {settings.rule}", "an order of links")
    if settings.aligners and not any(use.takes_aligner for use in uses):
        yield _without_effect(f"aligner {settings.aligners[0]}", "links")
    if settings.parsers and not any(use.takes_trees for use in uses):
        yield _without_effect(f"parser {settings.parsers[0]}", "trees")


def _without_effect(option: str, what: str) -> str:
    return f"the {option} has no effect: no metric looks at {what} that it could change"
