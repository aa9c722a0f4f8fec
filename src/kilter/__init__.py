"""Kilter measures word order in machine translation, says why, and measures the measures."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kilter.errors import InputError, KilterError
    from kilter.metrics.registry import metric, metric_names
    from kilter.pipeline.permutation import permutation_scores
    from kilter.pipeline.scoring.compare import compare
    from kilter.pipeline.scoring.links import LinkPath, Links
    from kilter.pipeline.scoring.score import score
    from kilter.pipeline.scoring.settings import Settings
    from kilter.pipeline.scoring.trees import Trees
    from kilter.statistics.resampling import Resampling
    from kilter.structures.dependency.dependency_tree import DependencyTree
    from kilter.structures.link.link_batch import LinkBatch
    from kilter.structures.permutation.permutation import Permutation
    from kilter.structures.permutation.permutation_batch import PermutationBatch
    from kilter.structures.permutation.permutation_forest import PermutationForest
    from kilter.structures.permutation.permutation_tree import PermutationTree
    from kilter.structures.result.comparison import Comparison
    from kilter.structures.result.score_result import ScoreResult
    from kilter.structures.result.score_table import ScoreTable

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
    "Comparison": "kilter.structures.result.comparison",
    "LinkBatch": "kilter.structures.link.link_batch",
    "LinkPath": "kilter.pipeline.scoring.links",
    "Links": "kilter.pipeline.scoring.links",
    "Resampling": "kilter.statistics.resampling",
    "Settings": "kilter.pipeline.scoring.settings",
    "Trees": "kilter.pipeline.scoring.trees",
    "compare": "kilter.pipeline.scoring.compare",
    "DependencyTree": "kilter.structures.dependency.dependency_tree",
    "InputError": "kilter.errors",
    "KilterError": "kilter.errors",
    "Permutation": "kilter.structures.permutation.permutation",
    "PermutationBatch": "kilter.structures.permutation.permutation_batch",
    "PermutationForest": "kilter.structures.permutation.permutation_forest",
    "PermutationTree": "kilter.structures.permutation.permutation_tree",
    "ScoreTable": "kilter.structures.result.score_table",
    "metric": "kilter.metrics.registry",
    "metric_names": "kilter.metrics.registry",
    "permutation_scores": "kilter.pipeline.permutation",
    "score": "kilter.pipeline.scoring.score",
    "ScoreResult": "kilter.structures.result.score_result",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'kilter' has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
