"""Scores of small texts."""

from collections.abc import Sequence
from typing import Any

from kilter.run.demo import SAMPLE
from kilter.run.scoring.score import score
from kilter.stats.resampling import Resampling

HYPOTHESIS, REFERENCE = "the mat sat on the cat", "the cat sat on the mat"


FEW = Resampling(resamples=20)


def sample(name: str) -> list[str]:
    return (SAMPLE / name).read_text(encoding="utf-8").splitlines()


def scores(hypotheses: Any, references: Any, metrics: Sequence[str], **settings: Any) -> list[Any]:
    result = score(hypotheses, references, metrics=metrics, resampling=FEW, **settings)
    return [found.score for found in result.system.values()]
