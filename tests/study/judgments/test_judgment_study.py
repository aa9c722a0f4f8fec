"""Judgments of a study, chosen by group."""

from kilter.study.analysis.subgroup import split_by
from kilter.study.design.study import ItemKind
from kilter.study.judgments.judgment_study import JudgedSentence, SentenceGroup, sentence_label
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


def test_every_group_has_words_of_its_own() -> None:
    labels = {group: sentence_label(group) for group in SentenceGroup}
    assert labels[SentenceGroup.ALL] == "all sentences"
    assert labels[SentenceGroup.SWAP] == "permutations of type swap"
    assert len({*labels.values()}) == len(labels)
