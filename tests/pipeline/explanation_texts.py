"""Order errors of texts given in a test."""

from collections.abc import Sequence

from kilter.pipeline.explanation.order_errors import (
    costed_metrics,
    linked_evaluation,
    locate_errors,
)
from kilter.pipeline.scoring.corpus import texts_from_api
from kilter.pipeline.scoring.run import Run, SystemEvaluations
from kilter.pipeline.scoring.settings import Settings
from kilter.structures.evaluation import Evaluation
from kilter.structures.result.order_error import OrderErrors


def located_with(
    hypotheses: Sequence[str], references: object, **options: object
) -> tuple[OrderErrors, Evaluation]:
    """Return the errors of one system, with what they were found in."""
    links, trees = options.pop("links", None), options.pop("trees", None)
    settings = Settings.of(None, {"metrics": ["kendall"], "tokenize": "none", **options})
    texts = texts_from_api(list(hypotheses), references, None, links=links, trees=trees)  # type: ignore[arg-type]
    run = Run.of(texts, settings)
    evaluation = linked_evaluation(run, 0, SystemEvaluations(run, 0))
    return locate_errors(evaluation, costed_metrics(run.metrics), system="system"), evaluation


def located(hypotheses: Sequence[str], references: object, **options: object) -> OrderErrors:
    """Return the errors of one system."""
    return located_with(hypotheses, references, **options)[0]
