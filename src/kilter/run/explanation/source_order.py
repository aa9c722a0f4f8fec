"""Orders of the source that metrics compare, told beside an explanation that shows hypothesis and reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.link_rule import LinkRule, reorder
from kilter.metrics.reordering_metric import ReorderingMetric
from kilter.run.scoring.metric_choice import REFERENCE_LINKS, SOURCE_LINKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kilter.core.evaluation import Evaluation
    from kilter.core.links import LinkBatch
    from kilter.metrics.metric import Metric
    from kilter.results.measure import Working
    from kilter.run.scoring.run import Run


def source_order_notes(
    run: Run, metrics: Mapping[str, Metric], evaluation: Evaluation, segment: int,
    workings: Mapping[str, Working | None],
) -> Iterator[str]:  # fmt: skip
    """Yield for each metric that looks at links of the source which orders it compares.

    What else an explanation shows - links, permutation, errors - is of hypothesis and reference.
    """
    given = run.texts.links
    linked = f"linked by {run.configurations[0][0].aligner.name}"
    if given.hypothesis_reference or given.through_source:
        linked = "linked through the source" if given.through_source else "by the given links"
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
