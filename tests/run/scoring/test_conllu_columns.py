"""Files of trees that are read with texts."""

from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.run.scoring.conllu_columns import (
    ConlluColumn,
    conllu_columns,
    line_count,
    trees_of_files,
)
from kilter.run.scoring.structure_files import StructureFiles

FILES = StructureFiles(trees=("a", "b"), trees_reference=("r",), trees_source="u")


def tree(*words: str) -> str:
    rows = (f"{k + 1}\t{word}\t_\t_\t_\t_\t{k}\t_\t_\t_\n" for k, word in enumerate(words))
    return "".join(rows) + "\n"


def test_every_file_holds_the_trees_of_a_text() -> None:
    found = [(column.path, column.text) for column in conllu_columns(FILES, 2, 1)]
    assert found == [("a", 0), ("b", 1), ("r", 2), ("u", 3)]
    (alone,) = conllu_columns(StructureFiles(trees_reference=("r",)), 2, 1)
    assert alone == ConlluColumn(path="r", text=2)


def test_trees_come_back_in_the_order_of_their_files() -> None:
    columns = [DependencyTreeColumn.of([]) for _ in range(4)]
    trees = trees_of_files(FILES, columns)
    assert trees.systems == tuple(columns[:2])
    assert trees.references == (columns[2],)
    assert trees.source is columns[3]
    assert not trees_of_files(StructureFiles(), [])


def test_trees_of_later_lines_are_told_with_their_numbers() -> None:
    segments = [tree("a", "b"), tree("c")]
    assert line_count(segments) == 5
    column = ConlluColumn(path="t", text=0).trees(segments, line=11)
    assert [column.where(0), column.where(1)] == ["t:11", "t:14"]
