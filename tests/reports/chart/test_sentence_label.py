"""What figures call groups of sentences."""

from kilter.reports.chart.sentence_label import sentence_label
from kilter.survey.analysis.judgment_study import SentenceGroup


def test_every_group_has_words_of_its_own() -> None:
    labels = {group: sentence_label(group) for group in SentenceGroup}
    assert labels[SentenceGroup.ALL] == "all sentences"
    assert labels[SentenceGroup.SWAP] == "permutations of type swap"
    assert len({*labels.values()}) == len(labels)
