"""Kilter measures word order in machine translation, says why, and measures the measures."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kilter.errors import InputError, KilterError
    from kilter.metrics.registry import metric, metric_names
    from kilter.pipeline.permutation import permutation_scores
    from kilter.pipeline.score import ScoreResult, score
    from kilter.structures.dependency_tree import DependencyTree
    from kilter.structures.permutation import Permutation
    from kilter.structures.permutation_batch import PermutationBatch
    from kilter.structures.permutation_forest import PermutationForest
    from kilter.structures.permutation_tree import PermutationTree
    from kilter.structures.score_table import ScoreTable

__version__ = "0.1.0"

__all__ = [
    "DependencyTree",
    "InputError",
    "KilterError",
    "Permutation",
    "PermutationBatch",
    "PermutationForest",
    "PermutationTree",
    "ScoreResult",
    "ScoreTable",
    "metric",
    "metric_names",
    "permutation_scores",
    "score",
]

# Names are looked up on first use, so that `import kilter` loads nothing heavy.
_HOMES = {
    "DependencyTree": "kilter.structures.dependency_tree",
    "InputError": "kilter.errors",
    "KilterError": "kilter.errors",
    "Permutation": "kilter.structures.permutation",
    "PermutationBatch": "kilter.structures.permutation_batch",
    "PermutationForest": "kilter.structures.permutation_forest",
    "PermutationTree": "kilter.structures.permutation_tree",
    "ScoreTable": "kilter.structures.score_table",
    "metric": "kilter.metrics.registry",
    "metric_names": "kilter.metrics.registry",
    "permutation_scores": "kilter.pipeline.permutation",
    "score": "kilter.pipeline.score",
    "ScoreResult": "kilter.pipeline.score",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'kilter' has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
