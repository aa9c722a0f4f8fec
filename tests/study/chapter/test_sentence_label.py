"""What figures call groups of sentences."""

from kilter.study.analysis.judgment_study import SentenceGroup
from kilter.study.chapter.sentence_label import sentence_label


def test_every_group_has_words_of_its_own() -> None:
    labels = {group: sentence_label(group) for group in SentenceGroup}
    assert labels[SentenceGroup.ALL] == "all sentences"
    assert labels[SentenceGroup.SWAP] == "permutations of type swap"
    assert len({*labels.values()}) == len(labels)
