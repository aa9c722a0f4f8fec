"""Measures fall into kinds, which say what their intervals draw."""

from kilter.results.meta_result import (
    PAIRWISE,
    SEGMENT_LEVEL,
    SYSTEM_LEVEL,
    AgreementMeasure,
    Resample,
    drawn_of,
    drawn_of_difference,
)


def test_a_measure_is_of_one_kind() -> None:
    kinds = [PAIRWISE, SYSTEM_LEVEL, SEGMENT_LEVEL, {AgreementMeasure.SOFT_ACCURACY}]
    assert sorted(measure for kind in kinds for measure in kind) == sorted(AgreementMeasure)
    assert {str(measure) for measure in SEGMENT_LEVEL} == {
        f"{name}{level}" for name in ("pearson", "spearman") for level in ("", "_item", "_system")
    }


def test_segments_are_drawn_where_nothing_else_can_be() -> None:
    for measure in AgreementMeasure:
        by_segment = measure in SEGMENT_LEVEL
        expected = Resample.SEGMENTS if by_segment else Resample.SYSTEMS
        assert drawn_of(measure, Resample.SYSTEMS) is expected
        apart = by_segment or measure in PAIRWISE
        expected = Resample.SEGMENTS if apart else Resample.SYSTEMS
        assert drawn_of_difference(measure, Resample.SYSTEMS) is expected
