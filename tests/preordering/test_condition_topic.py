"""Conditions that a search asks about: those that divide the words of a topic, counted by hand."""

import numpy as np

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.preordering.condition import Condition, Side
from kilter.preordering.condition_topic import condition_topics
from kilter.preordering.dependency_tree_lookup import DependencyTreeLookup
from kilter.preordering.rule_change import Topic

# Two adverbs before the verb and one after it, one of them with a child; "not" twice.
TREES = [
    DependencyTree(
        ["not", "sleep", "very", "well"],
        [1, -1, 3, 1],
        labels=["advmod", "root", "advmod", "advmod"],
        tags=["PART", "VERB", "ADV", "ADV"],
    ),
    DependencyTree(["Not", "sleep"], [1, -1], labels=["advmod", "root"], tags=["PART", "VERB"]),
    DependencyTree(["now", "go"], [1, -1], labels=["advmod", "root"], tags=["ADV", "VERB"]),
]


def found(fewest: int, training: list[bool] | None = None) -> set[Condition | None]:
    seen = DependencyTreeLookup(DependencyTreeColumn.of(TREES))
    words = np.repeat([True] * 3 if training is None else training, [4, 2, 2])
    topic = Topic("VERB", "advmod:*")
    listed = condition_topics(seen, words, [Topic(), topic], fewest=fewest)
    assert all((each.head, each.label) == ("VERB", "advmod:*") for each in listed)
    return {each.when for each in listed}


def test_conditions_hold_of_some_words_of_a_topic_and_not_of_all() -> None:
    # Four adverbs below verbs: not, well, Not, now.
    assert found(2) == {
        Condition(word=("not",)),
        Condition(tag=("PART",)),
        Condition(tag=("ADV",)),
    }
    more = found(1)
    assert more >= found(2) | {
        Condition(word=("well",)),
        Condition(side=Side.BEFORE),
        Condition(children=(0, 0)),
        Condition(child=(Condition(label=("advmod:*",)),)),
        Condition(parent=Condition(word=("go",))),
        Condition(parent=Condition(word=("sleep",))),
    }
    # All have a verb above that is a root, so that nothing of it divides them.
    assert Condition(parent=Condition(label=("root:*",))) not in more


def test_words_outside_training_are_not_counted() -> None:
    assert found(1, [False, True, True]) >= {Condition(word=("not",)), Condition(word=("now",))}
    assert Condition(word=("well",)) not in found(1, [False, True, True])
    assert found(1, [False, True, False]) == set()


def test_lemmas_are_named_where_they_are_asked_for() -> None:
    column = DependencyTreeColumn.of(TREES)
    topics = [Topic("VERB", "advmod:*")]
    training = np.ones(8, dtype=bool)
    words = condition_topics(DependencyTreeLookup(column), training, topics, fewest=2)
    assert Condition(word=("not",)) in {each.when for each in words}
    object.__setattr__(column, "lemmas", column.words.copy())
    seen = DependencyTreeLookup(column)
    listed = condition_topics(seen, training, topics, fewest=2, lemmas=True)
    assert Condition(lemma=("not",)) in {each.when for each in listed}
    assert not any(each.when is not None and each.when.word for each in listed)
    plain = condition_topics(seen, training, topics, fewest=2)
    assert [each.when for each in plain] == [each.when for each in words]
