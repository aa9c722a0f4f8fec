"""Orders of the source that metrics compare, told beside an explanation that shows hypothesis and reference."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kilter.core.link_rule import LinkRule, reorder
from kilter.metrics.reordering_metric import ReorderingMetric
from kilter.run.scoring.metric_choice import REFERENCE_LINKS, SOURCE_LINKS
from kilter.run.scoring.run import Run

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kilter.core.evaluation import Evaluation
    from kilter.core.links import LinkBatch
    from kilter.metrics.metric import Metric
    from kilter.results.measure import Working
    from kilter.run.scoring.corpus import Texts
    from kilter.run.scoring.settings import Settings


def with_scored_links(run: Run, settings: Settings) -> Texts:
    """Return the texts of a run with the links that its metrics look at, rather than what an aligner would make."""
    texts, given = run.texts, run.texts.links
    if run.runs_aligner or run.links.hypothesis_reference or settings.aligners:
        return texts
    if not (given.source_hypothesis and given.source_reference):
        return texts
    return replace(texts, links=replace(given, through_source=True))


def linked_run(texts: Texts, settings: Settings) -> Run:
    """Return a run whose links of hypothesis and reference are those that its metrics look at, if they look at any."""
    run = Run.of(texts, settings)
    linked = with_scored_links(run, settings)
    return run if linked is texts else Run.of(linked, settings)


def source_order_notes(
    run: Run, metrics: Mapping[str, Metric], evaluation: Evaluation, segment: int,
    workings: Mapping[str, Working | None],
) -> Iterator[str]:  # fmt: skip
    """Yield for each metric that looks at links of the source which orders it compares.

    What else an explanation shows - links, permutation, errors - is of hypothesis and reference.
    """
    linked = _linked(run)
    for name, metric in metrics.items():
        needed = set(metric.needed(run.offered))
        if SOURCE_LINKS not in needed:
            continue
        if REFERENCE_LINKS not in needed or not evaluation.reference_links:
            yield (
                f"{name} is scored by the links of source and hypothesis; links, permutation and errors shown "
                f"here are those of hypothesis and reference, {linked}"
            )
            continue
        working = workings.get(name)
        place = (working.reference if working is not None else None) or 0
        rule = LinkRule.TALBOT if isinstance(metric, ReorderingMetric) else LinkRule.BIRCH
        sides = evaluation.given_source_links(), evaluation.reference_links[place]
        first, second = (_ordered(evaluation, links, segment, rule) for links in sides)
        yield (
            f'{name} compares two orders of the source: "{first}" by the hypothesis and "{second}" by the '
            f"reference; links, permutation and errors shown here are those of hypothesis and reference, {linked}"
        )


def source_metrics_note(run: Run) -> Iterator[str]:
    """Yield which metrics of a report look at links of the source; what else it shows is of hypothesis and reference."""
    names = [name for name, each in run.metrics.items() if SOURCE_LINKS in each.needed(run.offered)]
    if names:
        yield (
            f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} scored by links of the source; links and order "
            f"errors shown here are those of hypothesis and reference, {_linked(run)}"
        )


def _linked(run: Run) -> str:
    """Return where the links of hypothesis and reference come from."""
    given = run.texts.links
    if given.through_source:
        return "linked through the source"
    return (
        "by the given links"
        if given.hypothesis_reference
        else f"linked by {run.first_configuration.aligner.name}"
    )


def _ordered(evaluation: Evaluation, links: LinkBatch, segment: int, rule: LinkRule) -> str:
    """Return the source words of a segment in the order of their links."""
    tokens = evaluation.given_source().tokens
    words = evaluation.vocabulary.text(tokens, segment)
    order = reorder(links.only(segment), tokens.lengths[segment : segment + 1], rule=rule)
    groups = (" ".join(words[place] for place in group) for group in order.groups(0))
    tied = (len(group) > 1 for group in order.groups(0))
    return " ".join(
        f"{{{{ {text} }}}}" if many else text for text, many in zip(groups, tied, strict=True)
    )
