"""Correlation of judgments with every tool, by question, sentences and participants. Section 13.3"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.survey.analysis.judgment_study import REPORTED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from kilter.structures.resampling import Resampling
    from kilter.structures.undefined import Number, Undefined
    from kilter.survey.analysis.adjustment import Adjustment
    from kilter.survey.analysis.judgment_study import JudgmentStudy, SentenceGroup

LEVEL = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """Spearman's rho of so many judgments about so many sentences.

    `p` is that of the unadjusted judgments by the t approximation; `holm` is corrected for all tools and
    configurations on the same judgments. The interval resamples sentences; undefined unless asked for.
    """

    rho: float
    judgments: int
    sentences: int
    p: Number
    holm: Number
    low: Number
    high: Number

    @property
    def is_significant(self) -> bool:
        """Whether p is below 0.05, uncorrected, as published."""
        return isinstance(self.p, float) and self.p < LEVEL


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCorrelation:
    """One tool and variant: its correlation in each configuration, the largest and the smallest.

    `is_starred` says that all configurations are significant. `missing` counts judgments without answer.
    """

    question: str
    sentences: SentenceGroup
    adjusted: bool
    group: str
    tool: str
    variant: str
    configurations: Mapping[str, Correlation | Undefined]
    highest: Number
    lowest: Number
    is_starred: bool
    missing: int

    @property
    def name(self) -> str:
        """The tool and its variant, as metrics are named."""
        return f"{self.tool}:{self.variant}" if self.variant else self.tool


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalCorrelation:
    """One row of the table of external tools: translations scored, their share in percent, rho and p."""

    question: str
    tool: str
    variant: str
    configuration: str
    count: int
    coverage: float
    correlation: Correlation | Undefined


def tool_correlations(
    study: JudgmentStudy,
    *,
    adjustments: Mapping[str, Adjustment] | None = None,
    rows: NDArray[np.bool_] | None = None,
    group: str = "all",
    sentences: Sequence[SentenceGroup] = REPORTED,
    resampling: Resampling | None = None,
) -> tuple[ToolCorrelation, ...]:
    """Return the correlations of every tool with every question, unadjusted, then adjusted if given.

    `adjustments` are by question. `rows` chooses judgments, such as those of a subgroup named `group`;
    adjusted scores stay those that were estimated on everybody.
    """
    raise NotImplementedError


def external_correlations(
    study: JudgmentStudy, *, adjustments: Mapping[str, Adjustment] | None = None
) -> tuple[ExternalCorrelation, ...]:
    """Return the table of external tools on translations; fewer than 15 common sentences are undefined."""
    raise NotImplementedError
