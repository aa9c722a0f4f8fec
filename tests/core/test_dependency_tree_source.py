"""Trees are made once per text, only when they are asked for, and fit their text."""

from kilter.core.corpus import TextColumn, Vocabulary
from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import (
    DependencyTreeColumn,
    DependencyTreeSource,
    GivenDependencyTrees,
)


def text(name: str, *lines: str) -> TextColumn:
    return TextColumn(name, lines, Vocabulary().column([line.split() for line in lines]))


class Chains(DependencyTreeSource):
    """A parser that hangs every word from the one before it, and counts its calls."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def signature(self) -> str:
        return "chains"

    def _made(self, text: TextColumn) -> DependencyTreeColumn:
        self.asked.append(text.name)
        sizes = text.tokens.lengths.tolist()
        return DependencyTreeColumn.of(
            [DependencyTree(["w"] * size, range(-1, size - 1)) for size in sizes]
        )


def test_a_text_is_parsed_once_and_only_if_asked_for() -> None:
    parser, first, second = Chains(), text("a", "x y", ""), text("a", "x y", "")
    assert parser.asked == []
    found = parser.trees(first)
    assert parser.trees(first) is found
    assert parser.asked == ["a"]
    assert parser.trees(second) is not found
    assert found.lengths.tolist() == [2, 0]


def test_given_trees_are_those_of_their_text() -> None:
    found = text("a.txt", "x y")
    column = DependencyTreeColumn.of([DependencyTree(["x", "y"], [-1, 0])])
    given = GivenDependencyTrees({found: column})
    assert given.trees(found) is column
    assert given.signature() == "given"
    other = text("b.txt", "x y")
    assert (given.can_give(found), given.can_give(other)) == (True, False)
    assert Chains().can_give(other)
