"""Quality by position and questionnaire, counted by hand."""

import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis.uniformity import quality_by_position, quality_by_questionnaire
from tests.study.analysis.counted import MADE


def test_quality_by_position_and_questionnaire() -> None:
    first, second, third, fourth = quality_by_position(MADE)
    assert (first.place, first.judgments, first.kinds) == (1, 2, {"translation": 2})
    assert first.rank_score.mean == 0.75
    assert first.answers["order"].mean == 0.875
    assert second.kinds == {"permutation": 1, "translation": 1}
    assert second.degree_score.mean == 1.0
    assert (second.answers["holistic"].count, second.answers["holistic"].missing) == (1, 1)
    assert third.degree_score.mean == 0.0
    assert third.rank_score.mean == Undefined("there is no value")
    assert fourth.answers["order"].mean == Undefined("there is no value")  # a control item
    lists = quality_by_questionnaire(MADE)
    assert [entry.place for entry in lists] == [1, 2]
    assert lists[0].answers["holistic"].mean == pytest.approx((1 + 0.5 + 0) / 3)
