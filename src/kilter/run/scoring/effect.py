"""Settings that nothing in a run looks at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.link_rule import OrderRule
from kilter.metrics.metric import LinkUse
from kilter.run.scoring.trees import TREE_NEEDS

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
        defaults = type(found)().options()
        for name, value in found.options().items():
            if name in found.idle_options() and value != defaults[name]:
                yield f"{name} has no effect on {found.decided()}"


def structure_notes(run: Tools, settings: Settings) -> Iterator[str]:
    """Yield a note for a rule, an aligner or a parser that no metric looks at."""
    needs = {found: set(found.needed(run.offered)) for found in run.metrics.values()}
    of_links = [found for found, needed in needs.items() if "links" in needed]
    ordered = any(found.link_use is LinkUse.ORDER for found in of_links)
    if run.rule != OrderRule() and not ordered:
        yield _without_effect(f"rule {settings.rule}", "an order of links")
    if settings.aligners and not any(map(run.takes_aligner, needs)):
        yield _without_effect(f"aligner {settings.aligners[0]}", "links")
    if settings.parsers and not any(TREE_NEEDS & needed for needed in needs.values()):
        yield _without_effect(f"parser {settings.parsers[0]}", "trees")


def _without_effect(option: str, what: str) -> str:
    return f"the {option} has no effect: no metric looks at {what} that it could change"
