"""Order errors of texts given in a test."""

from collections.abc import Collection, Sequence

from kilter.core.evaluation import Evaluation
from kilter.core.settings import changed
from kilter.results.explanation import OrderErrors
from kilter.run.explanation.order_errors import (
    costed_metrics,
    linked_evaluation,
    locate_errors,
)
from kilter.run.scoring.corpus import texts_from_api
from kilter.run.scoring.run import Run, SystemEvaluations
from kilter.run.scoring.settings import Settings


def located_with(
    hypotheses: Sequence[str], references: object, **options: object
) -> tuple[OrderErrors, Evaluation]:
    """Return the errors of one system, with what they were found in."""
    links, trees = options.pop("links", None), options.pop("trees", None)
    settings = changed(Settings(), {"metrics": ["kendall"], "tokenize": "none", **options})
    texts = texts_from_api(list(hypotheses), references, None, links=links, trees=trees)  # type: ignore[arg-type]
    run = Run.of(texts, settings)
    evaluation = linked_evaluation(run, 0, SystemEvaluations(run, 0))
    return locate_errors(evaluation, costed_metrics(run.metrics), system="system"), evaluation


def located(hypotheses: Sequence[str], references: object, **options: object) -> OrderErrors:
    """Return the errors of one system."""
    return located_with(hypotheses, references, **options)[0]


def put_right(order: Sequence[int], goes: Collection[int], moved: Collection[int]) -> list[int]:
    """Return an order after some of its misplaced words went before the next that is not misplaced.

    `moved` are the places of all misplaced words, `goes` those that are put right.
    """
    found = [(place, rank) for place, rank in enumerate(order) if place not in goes]
    for rank in sorted(order[place] for place in goes):
        following = [
            at for at, (place, other) in enumerate(found)
            if place not in moved and other > rank
        ]  # fmt: skip
        found.insert(following[0] if following else len(found), (min(moved), rank))
    return [rank for _, rank in found]
