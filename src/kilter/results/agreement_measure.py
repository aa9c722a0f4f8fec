"""Measures of agreement between metrics and people, and what their intervals draw. Section 14"""

from __future__ import annotations

from kilter.core.choice import Choice


class Resample(Choice):
    """What is drawn with replacement: segments on both sides, human tasks, or systems."""

    SEGMENTS = "segments"
    JUDGMENTS = "judgments"
    SYSTEMS = "systems"


class AgreementMeasure(Choice):
    """A measure of agreement."""

    SEGMENT_TAU = "segment_tau"
    CONSISTENCY = "consistency"
    ACCURACY = "accuracy"
    PEARSON = "pearson"
    PEARSON_ITEM = "pearson_item"
    PEARSON_SYSTEM = "pearson_system"
    SPEARMAN = "spearman"
    SPEARMAN_ITEM = "spearman_item"
    SPEARMAN_SYSTEM = "spearman_system"
    SYSTEM_SPEARMAN = "system_spearman"
    SYSTEM_PEARSON = "system_pearson"
    SOFT_ACCURACY = "soft_accuracy"


DEFAULT_MEASURES = (
    AgreementMeasure.SEGMENT_TAU,
    AgreementMeasure.CONSISTENCY,
    AgreementMeasure.SYSTEM_SPEARMAN,
    AgreementMeasure.SYSTEM_PEARSON,
)
RATING_MEASURES = (
    AgreementMeasure.PEARSON,
    AgreementMeasure.SPEARMAN,
    AgreementMeasure.SYSTEM_PEARSON,
    AgreementMeasure.SYSTEM_SPEARMAN,
)
"""Correlations with ratings by sentence, all systems pooled, and by system. [FRS] tables 6 and 7"""
PAIRWISE = frozenset(
    {AgreementMeasure.SEGMENT_TAU, AgreementMeasure.CONSISTENCY, AgreementMeasure.ACCURACY}
)
"""Measures on judged pairs."""
SYSTEM_LEVEL = frozenset({AgreementMeasure.SYSTEM_SPEARMAN, AgreementMeasure.SYSTEM_PEARSON})
"""Correlations of system scores."""
SEGMENT_LEVEL = frozenset(
    set(AgreementMeasure) - PAIRWISE - SYSTEM_LEVEL - {AgreementMeasure.SOFT_ACCURACY}
)
"""Correlations of segment scores."""


def drawn_of(measure: AgreementMeasure, resample: Resample) -> Resample:
    """Return what the interval of a measure draws: correlations of segment scores know segments only.

    >>> drawn_of(AgreementMeasure.PEARSON, Resample.SYSTEMS)
    <Resample.SEGMENTS: 'segments'>
    """
    return Resample.SEGMENTS if measure in SEGMENT_LEVEL else resample


def drawn_of_difference(measure: AgreementMeasure, resample: Resample) -> Resample:
    """Return what the interval of a difference between metrics draws: on pairs, always segments."""
    return Resample.SEGMENTS if measure in PAIRWISE else drawn_of(measure, resample)
