"""Scores of a study's sentences by every tool, variant and configuration. Section 13.4"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.pipeline.scoring.corpus import Texts
from kilter.pipeline.scoring.measurement import measure
from kilter.pipeline.scoring.settings import Settings
from kilter.survey.analysis.judgment_study import ToolScores

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kilter.survey.analysis.judgment_study import JudgmentStudy

ALIGNERS = ("match", "ribes")
PARSERS = ("model", "perceptron")
BASELINES = ("aligned", "tau", "bleu", "meteor", "meteor-chunk")
TREE_METRICS = (
    *(f"dted:variant={variant}" for variant in ("b", "c", "co", "cl")),
    *(f"dted:variant={variant},flat=true" for variant in ("b", "c", "co", "cl")),
    "derp",
    "derp:flat=true",
)
ORDER_METRICS = ("kendall", "spearman", "ulam", "fuzzy", "pef", "ribes")
STUDY_METRICS = (*BASELINES, *TREE_METRICS, *ORDER_METRICS)
"""The tools of [TH], and metrics of order that came later."""


def study_scores(
    study: JudgmentStudy,
    *,
    metrics: Sequence[str] = STUDY_METRICS,
    aligners: Sequence[str] = ALIGNERS,
    parsers: Sequence[str] = PARSERS,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[ToolScores, ...]:
    """Return scores of hypotheses against references, a column for each configuration that matters.

    A configuration is named by what differs: `match+model` for trees and links, `match` for links only,
    nothing for a metric that looks at words. An undefined score is NaN.
    """
    texts = Texts(
        systems={"items": tuple(sentence.hypothesis for sentence in study.sentences)},
        references={"reference": tuple(sentence.reference for sentence in study.sentences)},
    )
    settings = Settings(
        metrics=tuple(metrics), aligner=tuple(aligners), parser=tuple(parsers), jobs=jobs
    )
    measurement = measure(texts, settings, progress=progress)
    return tuple(
        ToolScores(
            tool=each.computed.name,
            variant=each.computed.changed_options(),
            configuration=each.configuration,
            values=measurement.scores[each.name, system],
        )
        for each in measurement.measured
        if each.configurations == 1
        for system in measurement.systems
    )
