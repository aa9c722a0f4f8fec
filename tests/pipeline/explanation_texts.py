"""Order errors of texts given in a test."""

from collections.abc import Sequence

from kilter.pipeline.explanation.order_errors import run_errors
from kilter.pipeline.scoring.corpus import texts_from_api
from kilter.pipeline.scoring.run import Run
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
    (found,) = run_errors(run).values()
    ((evaluation, *_),) = run.evaluations_for(next(iter(run.metrics.values())))
    return found, evaluation


def located(hypotheses: Sequence[str], references: object, **options: object) -> OrderErrors:
    """Return the errors of one system."""
    return located_with(hypotheses, references, **options)[0]
