"""Shares of right heads, labels and tags, counted word by word."""

from hypothesis import given
from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.preordering.analysis import parser_accuracy
from tests.tolerance import close

NAMES = st.lists(st.sampled_from("abc"), min_size=3, max_size=3)
HEADS = st.sampled_from([[-1, 0, 0], [1, -1, 1], [1, 2, -1]])
TREES = st.lists(
    st.builds(
        lambda heads, labels, tags: DependencyTree(
            ["x", "y", "z"], heads, labels=labels, tags=tags
        ),
        HEADS,
        NAMES,
        NAMES,
    ),
    min_size=2,
    max_size=2,
)


@given(TREES, TREES)
def test_accuracy_is_the_share_of_right_words(
    made: list[DependencyTree], gold: list[DependencyTree]
) -> None:
    words = [
        (a.heads[k] == b.heads[k], a.labels[k] == b.labels[k], a.tags[k] == b.tags[k])
        for a, b in zip(made, gold, strict=True)
        for k in range(3)
    ]
    found = parser_accuracy(DependencyTreeColumn.of(made), DependencyTreeColumn.of(gold))
    assert found.las == close(sum(head and label for head, label, _ in words) / 6)
    assert found.uas == close(sum(head for head, _, _ in words) / 6)
    assert found.tags == close(sum(tag for _, _, tag in words) / 6)
