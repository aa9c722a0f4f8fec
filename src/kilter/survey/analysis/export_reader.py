"""Exports of a survey, and files of scores, read and checked. Section 12.6"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from kilter.survey.analysis.judgment_study import JudgmentStudy, ToolScores
    from kilter.survey.collected import Collected


def read_export(folder: Path) -> JudgmentStudy:
    """Return the study in a folder that `kilter survey export` or `simulate` wrote, as CSV or JSON lines."""
    raise NotImplementedError


def study_of(data: Collected, *, secret: bytes) -> JudgmentStudy:
    """Return a running study as its export would give it."""
    raise NotImplementedError


def read_scores(path: Path, study: JudgmentStudy) -> tuple[ToolScores, ...]:
    """Return scores of external tools: columns sentence, tool, value, and perhaps variant, configuration."""
    raise NotImplementedError
