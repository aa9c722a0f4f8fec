"""Judgments of a study, chosen by group."""

from kilter.study.analysis.judgment_study import (
    JudgedSentence,
)
from kilter.study.analysis.subgroup import split_by
from kilter.study.design.study import ItemKind
from tests.study.analysis.correlated import _groups
from tests.study.analysis.studies import crossed, translation


def test_judgments_of_a_group_leave_out_control_items() -> None:
    control = JudgedSentence(id="k", kind=ItemKind.IDENTICAL, reference="a", hypothesis="a")
    listed = crossed(
        [[1, 2, 5], [2, 3, 5]],
        sentences=[translation("s0"), translation("s1"), control],
        fields={0: {"age": "20"}, 1: {"age": "40"}},
    )
    groups = _groups(split_by(listed, "age", threshold=30)).groups
    assert [group.judgments for group in groups] == [2, 2]
