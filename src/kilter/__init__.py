"""Kilter measures word order in machine translation, says why, and measures the measures."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kilter.errors import InputError, KilterError
    from kilter.metrics.registry import metric, metric_names
    from kilter.pipeline.compare import compare
    from kilter.pipeline.links import LinkPath, Links
    from kilter.pipeline.permutation import permutation_scores
    from kilter.pipeline.score import score
    from kilter.pipeline.settings import Settings
    from kilter.pipeline.trees import Trees
    from kilter.structures.comparison import Comparison
    from kilter.structures.dependency_tree import DependencyTree
    from kilter.structures.link_batch import LinkBatch
    from kilter.structures.permutation import Permutation
    from kilter.structures.permutation_batch import PermutationBatch
    from kilter.structures.permutation_forest import PermutationForest
    from kilter.structures.permutation_tree import PermutationTree
    from kilter.structures.resampling import Resampling
    from kilter.structures.score_result import ScoreResult
    from kilter.structures.score_table import ScoreTable

__version__ = "0.1.0"

__all__ = [
    "Comparison",
    "DependencyTree",
    "InputError",
    "KilterError",
    "LinkBatch",
    "LinkPath",
    "Links",
    "Permutation",
    "PermutationBatch",
    "PermutationForest",
    "PermutationTree",
    "Resampling",
    "ScoreResult",
    "ScoreTable",
    "Settings",
    "Trees",
    "compare",
    "metric",
    "metric_names",
    "permutation_scores",
    "score",
]

# Names are looked up on first use, so that `import kilter` loads nothing heavy.
_HOMES = {
    "Comparison": "kilter.structures.comparison",
    "LinkBatch": "kilter.structures.link_batch",
    "LinkPath": "kilter.pipeline.links",
    "Links": "kilter.pipeline.links",
    "Resampling": "kilter.structures.resampling",
    "Settings": "kilter.pipeline.settings",
    "Trees": "kilter.pipeline.trees",
    "compare": "kilter.pipeline.compare",
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
    "ScoreResult": "kilter.structures.score_result",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'kilter' has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
